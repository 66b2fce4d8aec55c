"""The LLMs that a host may use: in this process, or behind an OpenAI-compatible server."""
