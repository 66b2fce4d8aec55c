"""What an engine made together, given out sentence by sentence."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError
from radio.narrator.engines import ManyEngine
from radio.voices import Blend


class Made:
    """An `Engine` for these sentences alone: `engine` speaks them here and now."""

    def __init__(self, engine: ManyEngine, sentences: Sequence[tuple[str, Blend]]) -> None:
        self.name = engine.name
        each = list(dict.fromkeys(sentences))
        self._made = dict(zip(each, engine.synthesise_together(each), strict=True))

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        made = self._made[phonemes, blend]
        if isinstance(made, RadioError):
            raise made
        return made
