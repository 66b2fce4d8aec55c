"""The durable log: its contract, its records, its owners, and the stores that keep it."""
