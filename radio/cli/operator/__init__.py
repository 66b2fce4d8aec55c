"""Commands of an operator: processes, models, casts, and what this machine has."""
