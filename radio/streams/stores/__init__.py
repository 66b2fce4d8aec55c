"""The stores: memory, one SQLite file, and S2; and which one the operator chose."""
