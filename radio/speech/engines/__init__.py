"""Engines, which turn phonemes into sound: one interface, one module for each implementation.

`native_engine` is the radio's own CPU library, `onnx_engine` the reference with ONNX Runtime, `torch_engine`
the original model on CUDA or a CPU; `tone_engine` needs no model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError
from radio.voices import Blend

MAX_PHONEMES: Final = 510
"""The longest text that the model accepts, in symbols of its vocabulary."""


class EngineFailed(RadioError):
    """The voice engine could not speak this."""


@dataclass(frozen=True, slots=True)
class Voiced:
    """One sentence as the model outputs it: samples at 24 kHz, and the frames of 25 ms of each token."""

    sound: NDArray[np.float32]
    durations: NDArray[np.int64]
    """Including the pads at both ends."""


class Engine(Protocol):
    """A voice. One call at a time, from one thread."""

    name: str
    """The engine and what it runs on, for the log and the metrics."""

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """Samples at 24 kHz, mono, with the length that the model gives them: edges are neither trimmed nor
        faded. If the engine knows its durations, the outer parts of both pads are silent (see
        `edge_silence`).

        Args:
            phonemes: 1 to `MAX_PHONEMES` symbols of the model's vocabulary.
            blend: voices and speed.

        Raises:
            EngineFailed: no symbol is known, there are too many, or the model failed; the engine stays
                usable.
        """
        ...


@runtime_checkable
class ManyEngine(Engine, Protocol):
    """An engine that speaks several sentences together faster than one after the other."""

    at_once: int
    """The best number to speak together, if that many wait; 1 if it gains nothing."""

    def synthesise_together(
        self, sentences: Sequence[tuple[str, Blend]]
    ) -> list[NDArray[np.float32] | RadioError]:
        """For each (phonemes, blend), what `synthesise` would return or raise; any number of them."""
        ...
