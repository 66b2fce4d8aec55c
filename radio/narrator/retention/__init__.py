"""What is kept and for how long: recordings, casts, shared streams, and the disk quota."""
