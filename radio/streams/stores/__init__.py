"""The stores: memory, one SQLite file, and S2; and the choice between them."""
