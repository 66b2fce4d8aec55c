"""The one audio format of this radio: MP3, 24 kHz mono, 64 kb/s CBR, every frame decodable by itself.

A frame is 576 samples, 24 ms and exactly 192 bytes, so time and bytes convert by integers (8 bytes per ms),
and any frame is a valid place to start, cut and join. `frames` reads and checks, `encoder` encodes, `gain`
limits peaks.
"""

from radio.mp3.encoder import DELAY_SAMPLES, LEAD_SAMPLES, TAIL_SAMPLES, LongEncoder, encode
from radio.mp3.frames import (
    BYTES_PER_MS,
    FRAME_BYTES,
    FRAME_MS,
    FRAME_SAMPLES,
    HEADER,
    RATE,
    SILENCE_FRAME,
    BadFrame,
    duration_ms,
    frames,
    main_data_begin,
)
from radio.mp3.gain import levelled

__all__ = [
    "BYTES_PER_MS",
    "DELAY_SAMPLES",
    "FRAME_BYTES",
    "FRAME_MS",
    "FRAME_SAMPLES",
    "HEADER",
    "LEAD_SAMPLES",
    "RATE",
    "SILENCE_FRAME",
    "TAIL_SAMPLES",
    "BadFrame",
    "LongEncoder",
    "duration_ms",
    "encode",
    "frames",
    "levelled",
    "main_data_begin",
]
