"""The command line. Commands parse, call what does the work, and print; they decide nothing."""

from radio.cli.entry import main

__all__ = ["main"]
