"""What makes sound of phonemes: one seam, an implementation per module.

`native_engine` is the radio's own CPU library, `onnx_engine` the reference by ONNX Runtime, `torch_engine`
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
"""The longest text that the model takes, in symbols of its vocabulary."""


class EngineFailed(RadioError):
    """The voice engine could not speak this."""


@dataclass(frozen=True, slots=True)
class Voiced:
    """One sentence as the model says it: samples at 24 kHz, and the frames of 25 ms of each token."""

    sound: NDArray[np.float32]
    durations: NDArray[np.int64]
    """Of the pads at both ends too."""


class Engine(Protocol):
    """A voice. One call at a time, from one thread."""

    name: str
    """What runs and on what, for the log and the metrics."""

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """Samples at 24 kHz, mono, as long as the model makes them: edges are neither trimmed nor faded, but
        where the engine knows its durations the outer parts of both pads are silent (see `edge_silence`).

        Args:
            phonemes: 1 to `MAX_PHONEMES` symbols of the model's vocabulary.
            blend: voices and speed.

        Raises:
            EngineFailed: no symbol is known, there are too many, or the model failed; it stays usable.
        """
        ...


@runtime_checkable
class ManyEngine(Engine, Protocol):
    """A voice that speaks several sentences faster together than one after the other."""

    at_once: int
    """How many it is best given, where so many wait; 1 where it gains nothing."""

    def synthesise_together(
        self, sentences: Sequence[tuple[str, Blend]]
    ) -> list[NDArray[np.float32] | RadioError]:
        """For each (phonemes, blend) what `synthesise` would return or raise; any number of them."""
        ...
