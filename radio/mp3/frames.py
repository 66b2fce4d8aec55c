"""Frames of the radio's audio format: their arithmetic, and the check that a body has nothing else."""

from collections.abc import Iterator
from typing import Final

from radio.errors import BadInput

RATE: Final = 24_000
"""Samples per second, mono."""
FRAME_SAMPLES: Final = 576
FRAME_MS: Final = 24
FRAME_BYTES: Final = 192
BYTES_PER_MS: Final = 8

HEADER: Final = bytes((0xFF, 0xF3, 0x84))
"""MPEG-2 layer III without CRC, 64 kb/s, 24 kHz, no padding. The fourth byte's first two bits say mono."""
_MONO: Final = 0b11
_FIRST_SIDE_INFO: Final = 4

SILENCE_FRAME: Final = bytes.fromhex("fff384c40000000348000000004c414d45342e30").ljust(FRAME_BYTES, b"\0")
"""24 ms of digital silence, byte for byte as the encoder writes it (a test compares them)."""


class BadFrame(BadInput):
    """This is not a frame of the radio's audio format."""


def main_data_begin(frame: bytes) -> int:
    """How many bytes before this frame its audio data begins; 0 if the frame is independent."""
    return frame[_FIRST_SIDE_INFO]


def frames(data: bytes) -> Iterator[bytes]:
    """The frames of `data`, each checked.

    Raises:
        BadFrame: at the first one that is too short, has another format, or depends on earlier frames.
    """
    for at in range(0, len(data), FRAME_BYTES):
        frame = data[at : at + FRAME_BYTES]
        _check(frame, at)
        yield frame


def duration_ms(data: bytes) -> int:
    """Playing time of whole frames, by their size alone."""
    if len(data) % FRAME_BYTES:
        raise BadFrame(f"{len(data)} bytes are no whole number of frames")
    return len(data) // BYTES_PER_MS


def _check(frame: bytes, at: int) -> None:
    if len(frame) < FRAME_BYTES:
        raise BadFrame(f"the frame at byte {at} has {len(frame)} bytes")
    if frame[:3] != HEADER or frame[3] >> 6 != _MONO:
        raise BadFrame(f"the frame at byte {at} has header {frame[:4].hex()}")
    if main_data_begin(frame):
        raise BadFrame(f"the frame at byte {at} needs {main_data_begin(frame)} bytes before it")
