"""Who owns a stream, and whether that process still lives."""
