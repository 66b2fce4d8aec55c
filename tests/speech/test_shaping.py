import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.mp3 import LEAD_SAMPLES, TAIL_SAMPLES, levelled
from radio.speech.shaping import Samples, faded, joined, trimmed, with_pause

MARGIN = 1200
MS = 24


def tone(n: int, level: float = 0.5) -> Samples:
    wave: Samples = (level * np.sin(np.arange(n) * 0.1 + 1)).astype(np.float32)
    return wave


def within(before: int, n: int, after: int) -> Samples:
    return np.concatenate([np.zeros(before, np.float32), tone(n), np.zeros(after, np.float32)])


def test_silence_around_a_sound_is_trimmed_to_a_margin() -> None:
    sound = trimmed(within(12_000, 24_000, 15_000))
    assert 24_000 + 2 * MARGIN <= sound.size <= 24_000 + 2 * MARGIN + 3 * 120


@pytest.mark.parametrize(("before", "after"), [(0, 0), (3, 7), (500, 0), (1199, 1201), (12_000, 1)])
def test_at_least_50_ms_lie_around_the_sound_however_tight_the_model_cuts(before: int, after: int) -> None:
    sound = trimmed(within(before, 10_000, after))
    loud = np.flatnonzero(np.abs(sound) > 0.01)
    assert loud[0] >= MARGIN - 120
    assert sound.size - loud[-1] >= MARGIN
    assert loud[-1] - loud[0] >= 9_990


def test_a_soft_onset_is_not_cut() -> None:
    soft = tone(2_400, level=0.003)
    sound = trimmed(np.concatenate([np.zeros(9_000, np.float32), soft, tone(9_000)]))
    assert sound.size >= 2_400 + 9_000 + 2 * MARGIN - 240


@pytest.mark.parametrize(
    "samples", [np.zeros(0, np.float32), np.zeros(50_000, np.float32), tone(24_000, 1e-4)]
)
def test_a_silent_sound_is_empty(samples: Samples) -> None:
    assert trimmed(samples).size == 0


@given(st.integers(0, 2_000))
def test_a_fade_begins_and_ends_at_nothing_and_never_silences_a_short_sound(n: int) -> None:
    flat = np.ones(n, np.float32)
    shaped = faded(flat)
    assert shaped.size == n
    if n >= 4:
        assert shaped[0] == 0
        assert shaped[-1] <= 1 / (min(120, n // 4))
        assert (shaped == 1).sum() >= n // 2
    assert flat.min(initial=1) == 1, "the caller's samples are left alone"


@given(st.lists(st.floats(-20, 20, width=32), min_size=1), st.floats(0.1, 10))
def test_a_level_never_reaches_full_scale_and_keeps_order_and_sign(values: list[float], gain: float) -> None:
    samples = np.array(sorted(values), np.float32)
    loud = levelled(samples, gain)
    assert np.abs(loud).max() <= 1
    assert (np.diff(loud) >= -1e-6).all()
    audible = np.abs(samples) > 1e-30
    assert (np.sign(loud) == np.sign(samples))[audible].all()


def test_what_is_not_loud_is_only_multiplied() -> None:
    np.testing.assert_allclose(levelled(tone(1000, 0.4), 2.0), tone(1000, 0.8), rtol=1e-5)


def test_pieces_of_a_sentence_are_joined_with_short_pauses() -> None:
    comma = joined([tone(5000), tone(5000)], [",", "."])
    plain = joined([tone(5000), tone(5000)], ["t", "."])
    stop = joined([tone(5000), tone(5000)], [".", "."])
    assert (plain.size, comma.size, stop.size) == (10_000, 10_000 + 80 * MS, 10_000 + 250 * MS)
    assert joined([tone(5000)], ["."]).size == 5000


def test_a_full_stop_asks_for_more_silence_than_a_comma() -> None:
    ends = [".", ";", ",", "t"]
    pauses = [with_pause(tone(100), end).size for end in ends]
    assert pauses == sorted(pauses, reverse=True)
    assert pauses[0] > pauses[2]


def test_silence_that_a_record_has_anyway_counts() -> None:
    inside = with_pause(tone(100), ".").size - 100
    assert inside + 2 * MARGIN + TAIL_SAMPLES + LEAD_SAMPLES == 480 * MS
