"""Who owns a stream, and whether that process is alive."""
