"""The library of `native/` through its C interface (`native/api.h`): text features in, samples out."""

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError, Unsupported

Array = NDArray[np.float32]

SAMPLES_PER_FRAME: Final = 600
"""25 ms at 24 kHz."""
MOST_THREADS: Final = 64
NO_NOISE: Final = -1
"""A seed."""
MOST_SEED: Final = 2**63 - 1
STAGES: Final = ("decoder", "excitation", "resblocks", "rest")

_ERROR_BYTES: Final = 256
_NAME: Final = "_kokoro_native"
_FLOATS: Final = ctypes.POINTER(ctypes.c_float)


class LibraryFailed(RadioError):
    """The native voice library refused or failed."""


def path() -> Path | None:
    """The built library beside this module; None if the installation had no compiler."""
    return next(iter(sorted(Path(__file__).parent.glob(f"{_NAME}*.so"))), None)


@cache
def _load() -> ctypes.CDLL:
    built = path()
    if built is None:
        raise Unsupported(
            "the native voice library is not built",
            hint="Install a C++ compiler and install the radio again, or set RADIO_ENGINE=onnx.",
        )
    try:
        return _declared(ctypes.CDLL(str(built)))
    except OSError as error:
        raise Unsupported(f"the native voice library cannot be loaded: {error}") from error


def _declared(library: ctypes.CDLL) -> ctypes.CDLL:
    handle, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_long
    library.kokoro_available.restype = text
    library.kokoro_open.argtypes = [text, text, text, ctypes.c_int, text, number]
    library.kokoro_open.restype = handle
    library.kokoro_packed_fault.argtypes = [handle]
    library.kokoro_packed_fault.restype = text
    library.kokoro_pack.argtypes = [text, text, text, text, number]
    library.kokoro_pack.restype = ctypes.c_int
    library.kokoro_isa.argtypes = [handle]
    library.kokoro_isa.restype = text
    tensors: list[Any] = [number, _FLOATS, _FLOATS, number, _FLOATS, _FLOATS, number, _FLOATS, _FLOATS]
    library.kokoro_speak.argtypes = [handle, *tensors, text, number]
    library.kokoro_speak.restype = ctypes.c_int
    library.kokoro_times.argtypes = [handle, ctypes.POINTER(ctypes.c_double)]
    library.kokoro_times.restype = None
    library.kokoro_working_bytes.argtypes = [handle]
    library.kokoro_working_bytes.restype = number
    library.kokoro_close.argtypes = [handle]
    library.kokoro_close.restype = None
    return library


def instruction_sets() -> Sequence[str]:
    """The instruction sets of this machine, fastest first.

    Raises:
        Unsupported: there is no library.
    """
    names: bytes = _load().kokoro_available()
    return names.decode().split()


def pack(weights: Path, isa: str, path: Path) -> None:
    """Writes the weights to `path`, packed for the instruction set `isa`.

    Raises:
        Unsupported: there is no library.
        LibraryFailed: `weights` cannot be read, or `path` cannot be written.
    """
    error = ctypes.create_string_buffer(_ERROR_BYTES)
    if _load().kokoro_pack(_bytes(weights), isa.encode(), _bytes(path), error, _ERROR_BYTES):
        raise LibraryFailed(_text(error))


class Library:
    """Decoder and generator with their weights. One call at a time.

    Args:
        weights: the file that `radio.models.native_weights` writes.
        isa: one of `instruction_sets()`, or `auto`.
        threads: 1 to `MOST_THREADS`.
        packed: a file that `pack` wrote. It is mapped, so that processes share it; without one, or if it does
            not match, the weights are packed in memory.

    Raises:
        Unsupported: there is no library, or this machine has not this instruction set.
        LibraryFailed: the weights cannot be read.
    """

    def __init__(self, weights: Path, *, isa: str, threads: int, packed: Path | None = None) -> None:
        self._library = _load()
        if isa not in ("auto", *instruction_sets()):
            here = ", ".join(instruction_sets())
            raise Unsupported(f"this machine cannot run the instruction set {isa}", hint=f"It has {here}.")
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        self._handle = self._library.kokoro_open(
            _bytes(weights), packed and _bytes(packed), isa.encode(), threads, error, _ERROR_BYTES
        )
        if not self._handle:
            raise LibraryFailed(_text(error))
        self.isa: str = self._library.kokoro_isa(self._handle).decode()
        self.packed_fault: str = self._library.kokoro_packed_fault(self._handle).decode()
        """Why `packed` was not used; empty if it was used, or there was none."""

    def speak(
        self,
        features: Array,
        durations: Array,
        shared: Array,
        style: Array,
        excitation: Array | None = None,
        *,
        seed: int = NO_NOISE,
    ) -> Array:
        """Samples at 24 kHz, float32 [600 * frames].

        Args:
            features: [512, tokens].
            durations: [tokens], frames of 25 ms.
            shared: [frames, 512].
            style: [256].
            excitation: [22, 120 * frames + 1] in place of the library's own.
            seed: of the noise in the library's own excitation; below 0 for none.

        Raises:
            LibraryFailed: the shapes contradict each other, or memory is too small.
        """
        tokens, frames = durations.shape[0], shared.shape[0]
        audio = np.empty(SAMPLES_PER_FRAME * frames, np.float32)
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        failed = self._library.kokoro_speak(
            self._handle,
            tokens,
            _pointer(features, (512, tokens)),
            _pointer(durations, (tokens,)),
            frames,
            _pointer(shared, (frames, 512)),
            _pointer(style, (256,)),
            seed,
            None if excitation is None else _pointer(excitation, (22, 120 * frames + 1)),
            _pointer(audio, audio.shape),
            error,
            _ERROR_BYTES,
        )
        if failed:
            raise LibraryFailed(_text(error))
        return audio

    def take_times(self) -> dict[str, float]:
        """Seconds by stage since the last call of this."""
        seconds = (ctypes.c_double * len(STAGES))()
        self._library.kokoro_times(self._handle, seconds)
        return dict(zip(STAGES, seconds, strict=True))

    @property
    def working_bytes(self) -> int:
        """Bytes kept between two sentences, besides the weights."""
        return int(self._library.kokoro_working_bytes(self._handle))

    def close(self) -> None:
        """Frees all memory. May be called twice."""
        if self._handle:
            self._library.kokoro_close(self._handle)
            self._handle = None


def _bytes(path: Path) -> bytes:
    return str(path).encode()


def _text(error: "ctypes.Array[ctypes.c_char]") -> str:
    return error.value.decode(errors="replace")


def _pointer(array: Array, shape: tuple[int, ...]) -> "ctypes._Pointer[ctypes.c_float]":
    if array.shape != shape or array.dtype != np.float32 or not array.flags.c_contiguous:
        raise LibraryFailed(f"expected float32 {shape} in C order, got {array.dtype} {array.shape}")
    return array.ctypes.data_as(_FLOATS)
