"""A local S2 Lite: its command and version, and the process that runs it."""
