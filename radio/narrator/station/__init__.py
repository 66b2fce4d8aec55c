"""A station in the narrator: its lane, what it reads, what it writes, and how it is taken over."""
