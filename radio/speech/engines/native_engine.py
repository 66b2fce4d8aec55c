"""The radio's own engine: text features and durations by ONNX Runtime, everything behind them by `native/`.

See `docs/voice.md`.
"""

import threading

import numpy as np
from numpy.typing import NDArray

from radio.errors import BadInput, Unsupported
from radio.models import KokoroFiles
from radio.models.graph_cut import Halves, cut
from radio.speech.engines import EngineFailed, native_library
from radio.speech.engines.edge_silence import quiet
from radio.speech.engines.model_inputs import Inputs
from radio.speech.engines.native_library import MOST_SEED, MOST_THREADS, NO_NOISE, Library, LibraryFailed
from radio.speech.engines.onnx_session import OnnxSession
from radio.speech.engines.packed_weights import open_library
from radio.voices import Blend


def is_built() -> bool:
    """Whether the library was built."""
    return native_library.path() is not None


def available() -> str | None:
    """Why this engine cannot run here; None if it can."""
    try:
        native_library.instruction_sets()
    except Unsupported as reason:
        return f"{reason}. {reason.hint}".strip()
    return None


class NativeEngine:
    """Kokoro by our library. Calls from several threads wait for each other.

    Args:
        files: the voice model's; it is cut in two at the first use, beside them.
        threads: 1 to `MOST_THREADS`.
        isa: the library's instruction set; `auto` is the fastest of this machine.
        seed: of the noise that the model adds to its source, up to `MOST_SEED`; below 0 for none.

    Raises:
        Unsupported: there is no library, this machine does not have `isa`, there cannot be so many threads,
            or the halves cannot be written.
        BadInput: the seed is too large, or the model is not the one that this engine knows.
        VoiceDamaged, EngineFailed: the model cannot be used.
    """

    def __init__(self, files: KokoroFiles, threads: int, isa: str = "auto", seed: int = 0) -> None:
        native_library.instruction_sets()
        if not 1 <= threads <= MOST_THREADS:
            raise Unsupported(
                f"{threads} threads are not 1 to {MOST_THREADS}",
                hint="Set RADIO_VOICE_THREADS; 0 is the number of cores, at most 4.",
            )
        if seed > MOST_SEED:
            raise BadInput(
                f"the seed {seed} is too great", hint=f"Set RADIO_VOICE_SEED to {MOST_SEED} at most."
            )
        halves = _halves(files)
        self._inputs = Inputs(files)
        self._front = OnnxSession(halves.front, threads, lets_go=True)
        try:
            self._library = open_library(files.onnx, halves, isa, threads)
        except LibraryFailed as failed:
            raise EngineFailed(str(failed), hint="Run: radio models verify") from failed
        self._seed = max(seed, NO_NOISE)
        self._lock = threading.Lock()
        self.name = f"native {self._library.isa}, {threads} thread{'s' if threads > 1 else ''}"

    @property
    def library(self) -> Library:
        """Gives access to its times and sizes."""
        return self._library

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        tokens = self._inputs.tokens(phonemes)
        style = self._inputs.style(blend, tokens.size - 2)
        with self._lock:
            features, shared, durations = self._front.run(
                {"tokens": tokens, "style": style, "speed": np.array([blend.speed], np.float32)}
            )
            try:
                samples = self._library.speak(
                    np.ascontiguousarray(features[0]),
                    durations.ravel(),
                    np.ascontiguousarray(shared.reshape(-1, shared.shape[-1])),
                    np.ascontiguousarray(style[0]),
                    seed=self._seed,
                )
            except LibraryFailed as failed:
                raise EngineFailed(f"the voice library failed: {failed}") from failed
        return quiet(samples, durations.ravel())

    def close(self) -> None:
        """Frees the library's memory. May be called twice."""
        with self._lock:
            self._library.close()


def _halves(files: KokoroFiles) -> Halves:
    try:
        return cut(files.onnx)
    except OSError as failed:
        raise Unsupported(
            f"the voice cannot be cut in {files.onnx.parent}: {failed}",
            hint="Make the models folder writable.",
        ) from failed
