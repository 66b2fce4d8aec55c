"""What makes sound of phonemes: one seam, an implementation per module.

`native` is the radio's own CPU library, `onnx` the reference by ONNX Runtime, `torch_engine` the original
model on CUDA or a CPU; `tone` needs no model.
"""

from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError
from radio.voices import Blend

MAX_PHONEMES: Final = 510
"""The longest text that the model takes, in symbols of its vocabulary."""


class EngineFailed(RadioError):
    """The voice engine could not speak this."""


class Engine(Protocol):
    """A voice. One call at a time, from one thread."""

    name: str
    """What runs and on what, for the log and the metrics."""

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """Samples at 24 kHz, mono, as long as the model makes them: edges are neither trimmed nor faded, but
        where the engine knows its durations the outer parts of both pads are silent (see `pads`).

        Args:
            phonemes: 1 to `MAX_PHONEMES` symbols of the model's vocabulary.
            blend: voices and speed.

        Raises:
            EngineFailed: no symbol is known, there are too many, or the model failed; it stays usable.
        """
        ...
