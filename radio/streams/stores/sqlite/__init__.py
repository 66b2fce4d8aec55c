"""The embedded store: one SQLite file, any number of processes of one machine."""
