"""`python -m radio.cli`: how a radio starts its own processes."""

from radio.cli.entry import run

run()
