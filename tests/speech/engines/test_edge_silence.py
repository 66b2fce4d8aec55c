"""The outer fifths of the model's own pads hold nothing that is heard."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.speech.engines.edge_silence import quiet


def test_the_outer_fifths_of_both_pads_are_silent_and_all_else_is_as_it_was() -> None:
    samples = np.ones(1200, np.float32)
    kept = quiet(samples, np.array([5.0, 3.0, 2.0, 2.0]))
    assert np.flatnonzero(kept).tolist() == list(range(100, 1160))
    assert samples.all(), "the caller's samples are left alone"


def test_pads_of_no_length_leave_all_samples() -> None:
    assert quiet(np.ones(600, np.float32), np.array([0.0, 1.0, 0.0])).all()


@pytest.mark.parametrize("size", [0, 1, 3])
def test_hardly_any_sound_is_no_error(size: int) -> None:
    assert quiet(np.ones(size, np.float32), np.array([1, 1, 1])).size == size


@given(st.lists(st.integers(1, 20), min_size=3, max_size=12))
def test_what_the_text_itself_takes_is_never_touched(durations: list[int]) -> None:
    samples = np.ones(600 * sum(durations), np.float32)
    kept = quiet(samples, np.array(durations))
    assert kept[600 * durations[0] : samples.size - 600 * durations[-1]].all()
