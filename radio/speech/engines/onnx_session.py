"""Runs an ONNX graph with ONNX Runtime on the CPU: the only module that imports it."""

import atexit
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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


_END_S: Final = 10.0
"""How long the end of the process waits for runs that were told to stop, which they do between two layers."""


class _Runs:
    """The runs of all sessions, which end before the interpreter does.

    A thread that comes back from ONNX Runtime into an interpreter that is gone is ended by `pthread_exit`,
    which unwinds through a destructor of pybind11 and so aborts the process.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: set[onnxruntime.RunOptions] = set()
        self._over = False

    @contextmanager
    def one(self) -> Iterator[onnxruntime.RunOptions]:
        options = onnxruntime.RunOptions()
        with self._changed:
            if self._over:
                raise EngineFailed("the process ends")
            self._running.add(options)
        try:
            yield options
        finally:
            with self._changed:
                self._running.remove(options)
                self._changed.notify_all()

    def end(self) -> None:
        """Stop them, and let none begin."""
        with self._changed:
            self._over = True
            for options in self._running:
                options.terminate = True
            self._changed.wait_for(lambda: not self._running, _END_S)


_runs = _Runs()
atexit.register(_runs.end)


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
            EngineFailed: it failed, or the process ends meanwhile.
        """
        try:
            with _runs.one() as options:
                outputs = self._session.run(None, dict(feed), options)
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
