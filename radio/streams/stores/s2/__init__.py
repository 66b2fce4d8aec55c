"""The S2 store: streams in a basin of s2.dev, or of S2 Lite, its server for one machine."""
