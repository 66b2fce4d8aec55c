"""The reference engine: the int8 export of Kokoro-82M by ONNX Runtime on the CPU."""

from typing import Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as faults

from radio.models import KokoroFiles
from radio.narrator.engines import EngineFailed
from radio.narrator.engines.inputs import Inputs
from radio.voices import Blend

EXPORT_GAIN: Final = 1 / 1.5
"""The export divides by its window's sum only at the first samples of a text and so is 1.5 times too loud."""
_WARNINGS: Final = 3
_FAULTS: Final = (
    RuntimeError,
    faults.Fail,
    faults.InvalidArgument,
    faults.InvalidGraph,
    faults.InvalidProtobuf,
    faults.NoSuchFile,
    faults.NotImplemented,
    faults.RuntimeException,
)
"""What ONNX Runtime raises; its classes have no base of their own."""


class OnnxEngine:
    """Kokoro by ONNX Runtime.

    Args:
        files: the voice model's.
        threads: at least 1.

    Raises:
        VoiceDamaged, EngineFailed: the model cannot be loaded.
    """

    def __init__(self, files: KokoroFiles, threads: int) -> None:
        self.name = f"ONNX Runtime {onnxruntime.__version__}, int8, {threads} threads"
        self._inputs = Inputs(files)
        try:
            self._session = onnxruntime.InferenceSession(
                str(files.onnx), _options(threads), providers=["CPUExecutionProvider"]
            )
        except _FAULTS as failed:
            raise EngineFailed(
                f"{files.onnx} cannot be loaded: {failed}", hint="Run: radio models verify"
            ) from failed

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        tokens = self._inputs.tokens(phonemes)
        feed = {
            "tokens": tokens,
            "style": self._inputs.style(blend, tokens.size - 2),
            "speed": np.array([blend.speed], np.float32),
        }
        try:
            (audio,) = self._session.run(None, feed)
        except _FAULTS as failed:
            raise EngineFailed(f"the voice model failed: {failed}") from failed
        return np.asarray(audio, np.float32).ravel() * np.float32(EXPORT_GAIN)


def _options(threads: int) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = _WARNINGS
    options.enable_mem_pattern = False  # a pattern for each length of text would grow without end
    return options
