"""Composition: gives each room its store, one room in each process, and keeps the processes of a radio
running."""
