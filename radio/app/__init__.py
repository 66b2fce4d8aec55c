"""Composition: hands the store to one room a process, and keeps the processes of a radio running."""
