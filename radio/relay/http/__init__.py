"""What every route shares: errors, replies, ranges, events, limits, and what headers may hold."""
