"""The real voice model, and the reference beside it."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from radio import models, voices
from radio.models import KokoroFiles
from radio.models.graph_cut import Halves, cut
from radio.settings import Settings
from radio.speech.engines.model_inputs import Inputs
from radio.speech.engines.native_engine import NativeEngine
from radio.speech.engines.native_library import NO_NOISE, Library
from radio.speech.engines.onnx_engine import OnnxEngine
from radio.speech.engines.onnx_session import OnnxSession
from tests.native.reference import Reference
from tests.need import need

Array = NDArray[np.float32]
Feed = Mapping[str, NDArray[np.generic]]
Truth = tuple[Array, Array, Array]
"""Audio at the export's level, durations, excitation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What the front makes of a text, as the library takes it."""

    features: Array
    durations: Array
    shared: Array
    style: Array

    def recorded(self, path: Path) -> Path:
        """Written to `path` as `speak.cpp` takes them."""
        sizes = np.array([self.durations.size, self.shared.shape[0]], np.int32)
        parts = (self.features, self.durations, self.shared, self.style)
        path.write_bytes(b"".join(part.tobytes() for part in (sizes, *parts)))
        return path

    def spoken(self, library: Library, excitation: Array | None = None, *, seed: int = NO_NOISE) -> Array:
        return library.speak(self.features, self.durations, self.shared, self.style, excitation, seed=seed)


@pytest.fixture(scope="session")
def files() -> KokoroFiles:
    need("voice", "native")
    return models.kokoro(Settings())


@pytest.fixture(scope="session")
def halves(files: KokoroFiles) -> Halves:
    return cut(files.onnx)


@pytest.fixture(scope="session")
def truth(files: KokoroFiles, feed: Callable[[str, str], Feed]) -> Callable[[str, str], Truth]:
    """What the reference makes of these phonemes and this voice; each pair once."""
    reference = Reference(files.onnx)
    return cache(lambda phonemes, spec: reference.run(feed(phonemes, spec)))


@pytest.fixture(scope="session")
def library(halves: Halves) -> Iterator[Callable[[str], Library]]:
    """The library by instruction set, two threads; each once."""
    with ExitStack() as stack:

        def load(isa: str) -> Library:
            loaded = Library(halves.weights, isa=isa, threads=2)
            stack.callback(loaded.close)
            return loaded

        yield cache(load)


@pytest.fixture(scope="session")
def engine(files: KokoroFiles) -> Iterator[NativeEngine]:
    engine = NativeEngine(files, 2)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def export_engine(files: KokoroFiles) -> OnnxEngine:
    """The int8 export as it is."""
    return OnnxEngine(files, 2)


@pytest.fixture(scope="session")
def feed(files: KokoroFiles) -> Callable[[str, str], Feed]:
    """What a graph takes for these phonemes and this voice."""
    inputs = Inputs(files)

    def make(phonemes: str, spec: str) -> Feed:
        tokens, blend = inputs.tokens(phonemes), voices.parse(spec)
        style = inputs.style(blend, tokens.size - 2)
        return {"tokens": tokens, "style": style, "speed": np.array([blend.speed], np.float32)}

    return make


@pytest.fixture(scope="session")
def features(halves: Halves, feed: Callable[[str, str], Feed]) -> Callable[[str, str], Features]:
    """The front's outputs for these phonemes and this voice."""
    front = OnnxSession(halves.front, 2)

    return lambda phonemes, spec: features_of(front, feed(phonemes, spec))


def features_of(front: OnnxSession, fed: Feed) -> Features:
    """What this front makes of it."""
    text, shared, durations = front.run(fed)
    return Features(
        features=np.ascontiguousarray(text[0]),
        durations=durations.ravel(),
        shared=np.ascontiguousarray(shared.reshape(-1, 512)),
        style=np.ascontiguousarray(fed["style"][0], np.float32),
    )


@pytest.fixture
def export(tmp_path: Path, files: KokoroFiles) -> Path:
    """The export alone in a folder of its own."""
    return Path(shutil.copy2(files.onnx, tmp_path / files.onnx.name))
