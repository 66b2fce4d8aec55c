"""For the operator: health, metrics, control, and the stream gateway."""
