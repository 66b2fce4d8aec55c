"""The reference engine: the int8 export of Kokoro-82M with ONNX Runtime on the CPU."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from radio.models import KokoroFiles
from radio.speech.engines.model_inputs import Inputs
from radio.speech.engines.onnx_session import RUNTIME, OnnxSession
from radio.voices import Blend

EXPORT_GAIN: Final = 1 / 1.5
"""The first samples of a text are 1.5 times too loud: only there does the export divide by its window's
sum."""


class OnnxEngine:
    """Kokoro by ONNX Runtime.

    Args:
        files: the voice model's.
        threads: at least 1.

    Raises:
        VoiceDamaged, EngineFailed: the model cannot be loaded.
    """

    def __init__(self, files: KokoroFiles, threads: int) -> None:
        self.name = f"{RUNTIME}, int8, {threads} threads"
        self._inputs = Inputs(files)
        self._graph = OnnxSession(files.onnx, threads)

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        tokens = self._inputs.tokens(phonemes)
        (audio,) = self._graph.run(
            {
                "tokens": tokens,
                "style": self._inputs.style(blend, tokens.size - 2),
                "speed": np.array([blend.speed], np.float32),
            }
        )
        return audio.ravel() * np.float32(EXPORT_GAIN)
