"""The web pages and what a shared link shows."""
