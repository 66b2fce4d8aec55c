"""The native engine as the narrator uses it: odd texts, several callers, long life."""

import logging
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from radio import voices
from radio.errors import BadInput, Unsupported
from radio.models import KokoroFiles
from radio.models.graph_cut import Halves
from radio.settings import Settings
from radio.speech.engines import MAX_PHONEMES, EngineFailed, native_engine, native_library, torch_engine
from radio.speech.engines.native_engine import NativeEngine
from radio.speech.engines.native_library import Library, LibraryFailed
from radio.speech.engines.onnx_engine import OnnxEngine
from radio.speech.speaker import _engine
from tests.native.conftest import Features
from tests.native.sentences import GREETING, LINE, LONGEST, SHORT

pytestmark = pytest.mark.model

HEART = voices.parse("af_heart")


def test_its_name_says_what_runs(engine: NativeEngine) -> None:
    assert engine.name == f"native {native_library.instruction_sets()[0]}, 2 threads"


def test_it_is_available_where_it_is_built(engine: NativeEngine) -> None:
    assert native_engine.is_built()
    assert native_engine.available() is None


def test_without_a_library_it_says_so(monkeypatch: pytest.MonkeyPatch, files: KokoroFiles) -> None:
    native_library._load.cache_clear()
    monkeypatch.setattr(native_library, "path", lambda: None)
    try:
        assert "not built" in str(native_engine.available())
        with pytest.raises(Unsupported, match="not built"):
            NativeEngine(files, 2)
    finally:
        native_library._load.cache_clear()


@pytest.mark.parametrize("choice", ["auto", "native"])
def test_without_a_library_the_log_says_what_is_lost_or_the_start_fails(
    choice: str, monkeypatch: pytest.MonkeyPatch, files: KokoroFiles, caplog: pytest.LogCaptureFixture
) -> None:
    native_library._load.cache_clear()
    monkeypatch.setattr(native_library, "path", lambda: None)
    monkeypatch.setattr(torch_engine, "has_cuda", lambda: False)
    settings = Settings(engine=choice, voice_threads=1)
    try:
        if choice == "native":
            with pytest.raises(Unsupported, match="not built"):
                _engine(settings, files)
            return
        assert isinstance(_engine(settings, files), OnnxEngine)
    finally:
        native_library._load.cache_clear()
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "ONNX Runtime speaks instead, two to ten times slower" in record.message
    assert "not built" in record.__dict__["reason"]


def test_an_instruction_set_that_is_not_here_is_refused(files: KokoroFiles) -> None:
    with pytest.raises(Unsupported, match="sse9"):
        NativeEngine(files, 2, "sse9")


def test_a_seed_that_the_library_cannot_hold_is_refused(files: KokoroFiles) -> None:
    with pytest.raises(BadInput, match="too great"):
        NativeEngine(files, 2, seed=2**63)


@pytest.mark.parametrize("count", [1, 2, MAX_PHONEMES])
def test_it_speaks_texts_of_any_length_the_model_takes(count: int, engine: NativeEngine) -> None:
    sound = engine.synthesise((LONGEST * 3)[:count], HEART)
    assert sound.dtype == np.float32
    assert np.isfinite(sound).all()
    assert sound.size % native_library.SAMPLES_PER_FRAME == 0
    assert sound.size >= count * native_library.SAMPLES_PER_FRAME
    assert 0.01 < np.abs(sound).max() < 1.5


def test_a_long_text_leaves_no_large_buffers_behind(engine: NativeEngine) -> None:
    engine.synthesise((LONGEST * 3)[:500], HEART)
    assert engine.library.working_bytes < 1 << 20
    engine.synthesise(SHORT, HEART)
    assert 1 << 20 < engine.library.working_bytes < 200 << 20


def test_unknown_symbols_are_left_out(engine: NativeEngine) -> None:
    assert np.array_equal(engine.synthesise("☃" + LINE + "☃", HEART), engine.synthesise(LINE, HEART))


@pytest.mark.parametrize("phonemes", ["", "☃", "a" * (MAX_PHONEMES + 1)])
def test_what_cannot_be_spoken_is_refused_and_the_engine_goes_on(phonemes: str, engine: NativeEngine) -> None:
    with pytest.raises(EngineFailed):
        engine.synthesise(phonemes, HEART)
    assert engine.synthesise(SHORT, HEART).size


def test_speed_changes_the_length(engine: NativeEngine) -> None:
    lengths = [engine.synthesise(LINE, voices.parse(f"af_heart@{speed}")).size for speed in (0.5, 1, 2)]
    assert lengths[0] > 1.6 * lengths[1] > 1.6 * 1.4 * lengths[2]


def test_the_same_text_sounds_the_same(engine: NativeEngine) -> None:
    first = engine.synthesise(SHORT, HEART)
    engine.synthesise(LONGEST, HEART)
    assert np.array_equal(engine.synthesise(SHORT, HEART), first)


def test_two_callers_do_not_mix(engine: NativeEngine) -> None:
    texts = [SHORT, LINE] * 3
    alone = {text: engine.synthesise(text, HEART) for text in (SHORT, LINE)}
    with ThreadPoolExecutor(2) as callers:
        sounds = list(callers.map(lambda text: engine.synthesise(text, HEART), texts))
    assert all(np.array_equal(sound, alone[text]) for text, sound in zip(texts, sounds, strict=True))


def test_many_callers_at_once_get_what_each_would_alone(engine: NativeEngine) -> None:
    asked = [(text, voice) for voice in ("af_heart", "am_onyx") for text in (GREETING, SHORT, "", GREETING)]

    def speak(one: tuple[str, str]) -> NDArray[np.float32] | str:
        try:
            return engine.synthesise(one[0], voices.parse(one[1]))
        except EngineFailed as refused:
            return str(refused)

    alone = [speak(one) for one in asked]
    kept = engine.library.working_bytes
    with ThreadPoolExecutor(len(asked)) as callers:
        together = list(callers.map(speak, asked))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
    assert engine.library.working_bytes == kept  # not a set of buffers for each caller


def test_two_libraries_speak_at_once_without_mixing(
    halves: Halves, features: Callable[[str, str], Features]
) -> None:
    fronts = [features(GREETING, "af_heart"), features(SHORT, "am_onyx")]
    libraries = [Library(halves.weights, isa="auto", threads=2) for _ in fronts]
    alone = [front.spoken(library) for front, library in zip(fronts, libraries, strict=True)]
    with ThreadPoolExecutor(2) as callers:
        together = list(callers.map(lambda i: fronts[i].spoken(libraries[i]), (0, 1)))
    for library in libraries:
        library.close()
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))


@pytest.mark.parametrize("threads", [0, 65])
def test_a_number_of_threads_that_cannot_be_says_which_setting_it_is(
    threads: int, files: KokoroFiles
) -> None:
    with pytest.raises(Unsupported, match="not 1 to 64") as raised:
        NativeEngine(files, threads)
    assert "RADIO_VOICE_THREADS" in raised.value.hint


def test_shapes_that_contradict_each_other_are_refused(
    halves: Halves, features: Callable[[str, str], Features]
) -> None:
    front = features(SHORT, "af_heart")
    library = Library(halves.weights, isa="auto", threads=2)
    for durations in (
        front.durations + 1,
        front.durations * np.float32(-1),
        front.durations * np.float32("nan"),
    ):
        with pytest.raises(LibraryFailed, match="durations"):
            library.speak(front.features, durations, front.shared, front.style)
    with pytest.raises(LibraryFailed, match="expected"):
        library.speak(front.features[:100], front.durations, front.shared, front.style)
    assert front.spoken(library).size
    library.close()
    library.close()


def test_a_damaged_weights_file_is_refused(tmp_path: Path, halves: Halves) -> None:
    whole = halves.weights.read_bytes()
    for name, data in (("short", whole[: len(whole) // 2]), ("other", b"not weights"), ("empty", b"")):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(LibraryFailed):
            Library(path, isa="auto", threads=1)
    with pytest.raises(LibraryFailed, match="No such file"):
        Library(tmp_path / "absent", isa="auto", threads=1)


LIFE = """
import random
from radio import models, voices
from radio.speech.engines.native_engine import NativeEngine
from radio.settings import Settings
from tests.native.sentences import LONGEST

def resident():
    with open("/proc/self/statm") as sizes:
        return int(sizes.read().split()[1]) * 4096

engine = NativeEngine(models.kokoro(Settings()), 2)
names, chance = list(voices.VOICES)[:3], random.Random(7)
def speak(count, name):
    engine.synthesise(LONGEST[:count], voices.parse(name))
speak(30, names[0])
for name in names:
    speak(chance.randint(1, 8), name)
before = resident()
for i in range(15):
    speak(chance.randint(1, 8) if i % 10 else 30, chance.choice(names))
print(before, resident())
"""


RETURN = """
import sys
from pathlib import Path
import numpy as np
from radio.speech.engines.native_library import Library

def resident():
    with open("/proc/self/statm") as sizes:
        return int(sizes.read().split()[1]) * 4096

tokens, frames = 20, 200
zeros = lambda *shape: np.zeros(shape, np.float32)
given = (zeros(512, tokens), np.full(tokens, frames / tokens, np.float32), zeros(frames, 512), zeros(256))
Library(Path(sys.argv[1]), isa="auto", threads=2).close()
before = resident()
library = Library(Path(sys.argv[1]), isa="auto", threads=2)
library.speak(*given)
held, working = resident(), library.working_bytes
library.close()
print(before, held, resident(), working)
"""


def test_closing_gives_weights_and_buffers_back(halves: Halves) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RETURN, str(halves.weights)],
        capture_output=True,
        text=True,
        check=True,
        timeout=500,
    )
    before, held, after, working = map(int, done.stdout.split())
    assert held - before > working > 20 << 20
    assert after - before < 16 << 20


def test_memory_stays_flat_over_fifteen_sentences(files: KokoroFiles) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIFE], capture_output=True, text=True, check=True, timeout=500
    )
    before, after = map(int, done.stdout.split())
    assert after - before < 8 << 20
