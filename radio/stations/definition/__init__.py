"""Station files: what an editor may write, how it is read, and what must hold of it."""
