"""Encoding samples to MP3 with LAME.

`lameenc`'s own class cannot switch the bit reservoir off, but its module exports LAME's C interface. Each
record gets a new encoder, so that no record depends on another.
"""

import ctypes
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, Final

import lameenc
import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError
from radio.mp3.frames import FRAME_BYTES, FRAME_SAMPLES, RATE, frames

_KBPS: Final = 64
_MODE_MONO: Final = 3
_VBR_OFF: Final = 0
_QUALITY: Final = 2
"""LAME's scale, 0 best to 9 worst; 2 costs a few milliseconds per second of audio."""
_PADDING_FRAMES: Final = 2
DELAY_SAMPLES: Final = 576 + 529
"""Samples by which decoded sound lags behind the input: LAME's delay plus that of every decoder."""

LEAD_SAMPLES: Final = _PADDING_FRAMES * FRAME_SAMPLES + DELAY_SAMPLES
"""Silence that a decoder outputs before the first encoded sample."""
TAIL_SAMPLES: Final = _PADDING_FRAMES * FRAME_SAMPLES
"""Minimum silence after the last sample."""


class EncoderFailed(RadioError):
    """LAME could not encode."""


def encode(samples: NDArray[np.float32]) -> bytes:
    """One record: whole, independent frames, with at least two frames of digital silence at both ends.

    Args:
        samples: mono, 24 kHz, -1 to 1, any length; values beyond are clipped.

    Returns:
        `LEAD_SAMPLES` of silence, the samples, and silence to the end of a frame, at least `TAIL_SAMPLES`.

    Raises:
        EncoderFailed: if LAME fails, or returns anything but frames of our format.
    """
    if samples.ndim != 1:
        raise EncoderFailed(f"samples have shape {samples.shape}, not (n,)")
    if not np.isfinite(samples).all():
        raise EncoderFailed("samples hold values that are no numbers")
    wanted = _frames_for(samples.size)
    data = _encode(_padded(np.clip(samples, -1.0, 1.0), wanted))[: wanted * FRAME_BYTES]
    if sum(1 for _ in frames(data)) != wanted:
        raise EncoderFailed(f"{len(data) // FRAME_BYTES} frames came instead of {wanted}")
    return data


class LongEncoder:
    """One long sound, encoded as it arrives: its frames join without a gap wherever they are cut.

    A decoder outputs `DELAY_SAMPLES` of silence before the first sample. Close it after use.
    """

    def __init__(self) -> None:
        self._lame = _library()
        self._stack = ExitStack()
        self._encoder = self._stack.enter_context(_encoder(self._lame))

    def feed(self, samples: NDArray[np.float32]) -> bytes:
        """The whole frames that these samples complete: mono, 24 kHz; values beyond -1 to 1 are clipped."""
        pcm = np.ascontiguousarray(np.clip(samples, -1.0, 1.0), np.float32)
        out, size = _room(pcm.size)
        given = pcm.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        made = self._lame.lame_encode_buffer_ieee_float(self._encoder, given, given, pcm.size, out, size)
        return _checked(out.raw[: _ok(made, "encode")])

    def finish(self) -> bytes:
        """The remaining frames, the last one padded with silence."""
        out, size = _room(0)
        made = self._lame.lame_encode_flush(self._encoder, out, size)
        return _checked(out.raw[: _ok(made, "flush")])

    def close(self) -> None:
        self._stack.close()


def _room(samples: int) -> tuple["ctypes.Array[ctypes.c_char]", int]:
    """A buffer for that many samples: the bound that LAME's interface states."""
    size = samples * 5 // 4 + 7200
    return ctypes.create_string_buffer(size), size


def _checked(data: bytes) -> bytes:
    for _ in frames(data):
        continue
    return data


def _frames_for(samples: int) -> int:
    end = LEAD_SAMPLES + samples
    return -(-end // FRAME_SAMPLES) + _PADDING_FRAMES


def _padded(samples: NDArray[np.float32], wanted: int) -> NDArray[np.float32]:
    lead = _PADDING_FRAMES * FRAME_SAMPLES
    padded = np.zeros((wanted + 2) * FRAME_SAMPLES, np.float32)
    padded[lead : lead + samples.size] = samples
    return padded


def _encode(samples: NDArray[np.float32]) -> bytes:
    lame = _library()
    out, size = _room(samples.size)
    pcm = samples.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    with _encoder(lame) as encoder:
        made = _ok(lame.lame_encode_buffer_ieee_float(encoder, pcm, pcm, samples.size, out, size), "encode")
        rest = ctypes.cast(ctypes.byref(out, made), ctypes.POINTER(ctypes.c_char))
        made += _ok(lame.lame_encode_flush(encoder, rest, size - made), "flush")
    return out.raw[:made]


@contextmanager
def _encoder(lame: Any) -> Iterator[ctypes.c_void_p]:
    encoder = ctypes.c_void_p(lame.lame_init())
    if not encoder:
        raise EncoderFailed("LAME could not start an encoder")
    try:
        for name, value in _OPTIONS:
            _ok(getattr(lame, f"lame_set_{name}")(encoder, value), name)
        lame.lame_set_write_id3tag_automatic(encoder, 0)  # returns nothing
        _ok(lame.lame_init_params(encoder), "init_params")
        yield encoder
    finally:
        lame.lame_close(encoder)


_OPTIONS: Final = (
    ("in_samplerate", RATE),
    ("out_samplerate", RATE),
    ("num_channels", 1),
    ("mode", _MODE_MONO),
    ("VBR", _VBR_OFF),
    ("brate", _KBPS),
    ("quality", _QUALITY),
    ("disable_reservoir", 1),
    ("bWriteVbrTag", 0),
)


def _ok(result: int, step: str) -> int:
    if result < 0:
        raise EncoderFailed(f"LAME failed in {step} with {result}")
    return result


@cache
def _library() -> Any:
    lame = ctypes.CDLL(lameenc.__file__)
    handle, pointer, whole = ctypes.c_void_p, ctypes.POINTER(ctypes.c_float), ctypes.c_int
    lame.lame_init.argtypes, lame.lame_init.restype = [], handle
    for name in (*(f"set_{option}" for option, _ in _OPTIONS), "set_write_id3tag_automatic"):
        getattr(lame, f"lame_{name}").argtypes = [handle, whole]
    for name in ("init_params", "close"):
        getattr(lame, f"lame_{name}").argtypes = [handle]
    lame.lame_set_write_id3tag_automatic.restype = None
    lame.lame_encode_buffer_ieee_float.argtypes = [
        handle,
        pointer,
        pointer,
        whole,
        ctypes.c_char_p,
        whole,
    ]
    lame.lame_encode_flush.argtypes = [handle, ctypes.POINTER(ctypes.c_char), whole]
    return lame
