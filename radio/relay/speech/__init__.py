"""The speech API, as OpenAI's clients call it."""
