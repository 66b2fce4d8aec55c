"""Runs an ONNX graph with ONNX Runtime on the CPU: the only module that imports it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state as faults

from radio.speech.engines import EngineFailed

RUNTIME: Final = f"ONNX Runtime {onnxruntime.__version__}"

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
"""The errors of ONNX Runtime; its classes have no common base."""


class OnnxSession:
    """A loaded graph.

    Args:
        path: an ONNX file.
        threads: at least 1.
        lets_go: its threads stop spinning when a run ends, so that others can compute next.

    Raises:
        EngineFailed: the file cannot be loaded.
    """

    def __init__(self, path: Path, threads: int, *, lets_go: bool = False) -> None:
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), _options(threads, lets_go), providers=["CPUExecutionProvider"]
            )
        except _FAULTS as failed:
            raise EngineFailed(
                f"{path} cannot be loaded: {failed}", hint="Run: radio models verify"
            ) from failed

    def run(self, feed: Mapping[str, NDArray[Any]]) -> list[NDArray[np.float32]]:
        """All outputs, in the graph's order.

        Raises:
            EngineFailed
        """
        try:
            outputs = self._session.run(None, dict(feed))
        except _FAULTS as failed:
            raise EngineFailed(f"the voice model failed: {failed}") from failed
        return [np.asarray(output, np.float32) for output in outputs]


def _options(threads: int, lets_go: bool) -> onnxruntime.SessionOptions:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = _WARNINGS
    options.enable_mem_pattern = False  # memory patterns for each length of text would grow without limit
    if lets_go:
        options.add_session_config_entry("session.force_spinning_stop", "1")
    return options
