"""A self-hosted radio that writes and speaks its own programmes on one small machine."""

__version__ = "0.1.0"
