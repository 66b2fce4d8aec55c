"""Commands on the store: what is in it, and how to trim, check, copy, and save it."""
