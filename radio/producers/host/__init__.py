"""The host: an LLM that talks about topics, and what keeps its words fit to be said."""
