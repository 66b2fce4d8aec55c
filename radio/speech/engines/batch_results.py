"""Results of sentences that an engine spoke together, returned one by one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError
from radio.speech.engines import ManyEngine
from radio.voices import Blend


class BatchResults:
    """An `Engine`: `engine` speaks these sentences at once, and any other when it is requested."""

    def __init__(self, engine: ManyEngine, sentences: Sequence[tuple[str, Blend]]) -> None:
        self.name = engine.name
        self._engine = engine
        each = list(dict.fromkeys(sentences))
        self._made = dict(zip(each, engine.synthesise_together(each), strict=True))

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        made = self._made.get((phonemes, blend))
        if made is None:  # its phonemes were not available when these were made
            return self._engine.synthesise(phonemes, blend)
        if isinstance(made, RadioError):
            raise made
        return made
