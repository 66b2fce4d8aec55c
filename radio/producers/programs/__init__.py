"""Programs of the editor whose output is spoken line by line."""
