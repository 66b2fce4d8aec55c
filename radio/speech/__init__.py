"""The voice: text to phonemes to samples. It knows nothing of streams, stations or casts."""
