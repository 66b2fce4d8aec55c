"""HLS: the broadcast as segments on the grid of air time."""
