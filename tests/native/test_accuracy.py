"""The library against ONNX Runtime, for every instruction set of this machine."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from radio import voices
from radio.models.graph_cut import Halves
from radio.speech.engines import native_engine, native_library
from radio.speech.engines.native_engine import NativeEngine
from radio.speech.engines.native_library import Library
from radio.speech.engines.onnx_engine import OnnxEngine
from tests.native.conftest import Features, Truth
from tests.native.measure import mel_distance_db, snr_db
from tests.native.sentences import GREETING, LINE, LONG, MEDIUM, SHORT

pytestmark = pytest.mark.model

CASES = (
    (SHORT, "af_heart"),
    (LINE, "am_michael@1.30"),
    (MEDIUM, "bf_emma@0.70"),
    (LONG, "af_sky+zf_xiaobei(2)"),
)
EXPORT_GAIN = 1.5
"""The export is louder than the model by the sum of its squared windows."""
EDGE = 20
"""Samples at each end that the export scales in its own way."""


def here() -> Sequence[str]:
    """Instruction sets to test; where nothing is built, one test that says so."""
    return native_library.instruction_sets() if native_engine.is_built() else ["auto"]


def least_snr_db(isa: str) -> float:
    """bfloat16 has 8 bits; float32 sums in another order still agree to about 80 dB."""
    return 30 if isa == "amx" else 70


def cases() -> list[tuple[str, str, str]]:
    """(instruction set, phonemes, voice); the portable one is slow and speaks the short ones."""
    return [(isa, *case) for isa in here() for case in (CASES[:2] if isa == "base" else CASES)]


def readable(value: str) -> str:
    """Of a test's parameters, those that are not phonemes."""
    return value if value.isascii() else ""


@pytest.mark.parametrize(("isa", "phonemes", "spec"), cases(), ids=readable)
def test_the_same_excitation_gives_the_same_sound(
    isa: str,
    phonemes: str,
    spec: str,
    library: Callable[[str], Library],
    truth: Callable[[str, str], Truth],
    features: Callable[[str, str], Features],
) -> None:
    audio, durations, excitation = truth(phonemes, spec)
    front = features(phonemes, spec)
    got = front.spoken(library(isa), excitation)
    assert np.array_equal(front.durations, durations)
    assert got.size == audio.size
    inner = slice(EDGE, -EDGE)
    assert snr_db(audio[inner] / EXPORT_GAIN, got[inner]) > least_snr_db(isa)
    assert mel_distance_db(audio[inner] / EXPORT_GAIN, got[inner]) < (0.2 if isa == "amx" else 0.01)


@pytest.mark.parametrize(("phonemes", "spec"), CASES, ids=readable)
def test_engine_and_export_agree_in_length_level_and_spectrum(
    phonemes: str, spec: str, export_engine: OnnxEngine, engine: NativeEngine
) -> None:
    blend = voices.parse(spec)
    want, got = export_engine.synthesise(phonemes, blend), engine.synthesise(phonemes, blend)
    assert got.size == want.size
    assert np.sqrt(np.mean(got**2) / np.mean(want**2)) == pytest.approx(1, abs=0.12)
    assert (
        mel_distance_db(want, got) < 3
    )  # the export's decoder is quantised, and its STFT rounds its own way


@pytest.mark.parametrize(("phonemes", "spec"), CASES, ids=readable)
def test_the_own_excitation_sounds_as_the_reference(
    phonemes: str,
    spec: str,
    library: Callable[[str], Library],
    truth: Callable[[str, str], Truth],
    features: Callable[[str, str], Features],
) -> None:
    audio, _, _ = truth(phonemes, spec)
    quiet = features(phonemes, spec).spoken(library("auto"))
    noisy = features(phonemes, spec).spoken(library("auto"), seed=0)
    assert mel_distance_db(audio / EXPORT_GAIN, quiet) < 0.8
    assert 0.1 < mel_distance_db(quiet, noisy) < 1.5


def test_a_seed_is_one_noise_and_another_seed_another(
    library: Callable[[str], Library], features: Callable[[str, str], Features]
) -> None:
    front = features(*CASES[0])
    first, again, other = (front.spoken(library("auto"), seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert 0.1 < mel_distance_db(first, other) < 1
    level = np.sqrt(np.mean(first**2) / np.mean(front.spoken(library("auto")) ** 2))
    assert level == pytest.approx(1, abs=0.05)


def test_a_wrong_voice_is_seen_by_these_measures(
    engine: NativeEngine, truth: Callable[[str, str], Truth]
) -> None:
    audio, _, _ = truth(*CASES[0])
    got = engine.synthesise(SHORT, voices.parse("af_bella"))
    size = min(audio.size, got.size)
    assert mel_distance_db(audio[:size] / EXPORT_GAIN, got[:size]) > 3


def test_the_first_and_last_samples_are_at_the_models_level(
    library: Callable[[str], Library],
    truth: Callable[[str, str], Truth],
    features: Callable[[str, str], Features],
) -> None:
    audio, _, excitation = truth(*CASES[0])
    got = features(*CASES[0]).spoken(library("auto"), excitation)
    loudest = np.abs(audio).max()
    near = (1e-2 if library("auto").isa == "amx" else 1e-3) * loudest
    assert np.abs(got[:10] - audio[:10]).max() < near  # there the export divides as the model does
    assert np.abs(got[-EDGE:] - audio[-EDGE:] / EXPORT_GAIN).max() < 1e-2 * loudest


@pytest.mark.parametrize("isa", here())
def test_the_number_of_threads_changes_no_bit(
    isa: str, halves: Halves, library: Callable[[str], Library], features: Callable[[str, str], Features]
) -> None:
    front = features(GREETING if isa == "base" else SHORT, "af_heart")
    want = front.spoken(library(isa), seed=0)
    for threads in (1, 3) if isa == "base" else (1, 3, 4):
        other = Library(halves.weights, isa=isa, threads=threads)
        assert np.array_equal(front.spoken(other, seed=0), want)
        other.close()
