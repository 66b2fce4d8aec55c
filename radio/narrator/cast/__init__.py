"""A cast in the narrator: its lane, its job, what it writes, and how it is taken over or removed."""
