"""MP3 as this radio speaks it: 24 kHz mono, 64 kb/s, every frame decodes by itself."""
