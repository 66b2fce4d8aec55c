"""Decoding our MP3: raw PCM, and a WAV header for a length that may not be known yet.

Records are independent and begin and end in silence, so each is decoded by itself and joins the next as if
all had been decoded at once. The output is exactly as long as the frames.
"""

import io
import struct
from typing import Final

import numpy as np

from radio.errors import RadioError
from radio.mp3.frames import FRAME_BYTES, FRAME_SAMPLES, RATE
from radio.mp3.sound_file import blocks, open_sound

SAMPLE_BYTES: Final = 2
_LOUDEST: Final = 32_767
_PCM, _MONO = 1, 1
_UNKNOWN: Final = 0xFFFF_FFFF
"""The length in a WAV header that means: as long as what follows."""
_HEAD: Final = struct.Struct("<4sI4s4sIHHIIHH4sI")


class DecoderFailed(RadioError):
    """libsndfile gave something else than these frames hold."""


def pcm_bytes(mp3_bytes: int) -> int:
    """The number of bytes of PCM in that many bytes of whole frames."""
    return mp3_bytes // FRAME_BYTES * FRAME_SAMPLES * SAMPLE_BYTES


def pcm(record: bytes) -> bytes:
    """The samples of one record: 16 bit, little endian, mono, 24 kHz; `pcm_bytes` of them.

    Args:
        record: at least two whole frames; decoders do not recognise fewer as MP3.

    Raises:
        DecoderFailed
    """
    with open_sound(io.BytesIO(record)) as file:
        if (file.samplerate, file.channels) != (RATE, _MONO):
            raise DecoderFailed(f"a record has {file.channels} channels at {file.samplerate} Hz")
        made = np.concatenate([block[:, 0] for block in blocks(file, RATE)])
    data = bytes(np.rint(np.clip(made, -1.0, 1.0) * _LOUDEST).astype("<i2").tobytes())
    if len(data) != pcm_bytes(len(record)):
        raise DecoderFailed(f"{len(record)} bytes of MP3 gave {len(data)} bytes of samples")
    return data


def wav_head(size: int | None = None) -> bytes:
    """The header of a WAV file.

    Args:
        size: of the samples, in bytes; None: not known yet. Players then read to the end.
    """
    known = size is not None and size <= _UNKNOWN - _HEAD.size
    data, riff = (size, size + _HEAD.size - 8) if known and size is not None else (_UNKNOWN, _UNKNOWN)
    per_s = RATE * SAMPLE_BYTES
    return _HEAD.pack(
        *(b"RIFF", riff, b"WAVE", b"fmt ", 16, _PCM, _MONO, RATE, per_s, SAMPLE_BYTES, 8 * SAMPLE_BYTES),
        *(b"data", data),
    )


WAV_HEAD_BYTES: Final = _HEAD.size
