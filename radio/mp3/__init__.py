"""The one audio format of this radio: MP3, 24 kHz mono, 64 kb/s CBR, every frame decodable by itself.

A frame is 576 samples, 24 ms and exactly 192 bytes, so time and bytes convert by integers (8 bytes per ms),
and any frame is a legal start, cut and join. `frames` reads and checks, `encoder` makes.
"""

from radio.mp3.encoder import LEAD_SAMPLES, TAIL_SAMPLES, encode
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

__all__ = [
    "BYTES_PER_MS",
    "FRAME_BYTES",
    "FRAME_MS",
    "FRAME_SAMPLES",
    "HEADER",
    "LEAD_SAMPLES",
    "RATE",
    "SILENCE_FRAME",
    "TAIL_SAMPLES",
    "BadFrame",
    "duration_ms",
    "encode",
    "frames",
    "main_data_begin",
]
