"""A station while the scheduler owns it: its runs, their producer processes, and its run log."""
