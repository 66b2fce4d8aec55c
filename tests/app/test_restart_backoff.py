from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from radio.app.restart_backoff import FIRST_S, MOST_S, STEADY_S, delay_s


def test_the_wait_doubles_up_to_its_most() -> None:
    waits: list[float] = []
    for _ in range(9):
        waits.append(delay_s(waits[-1] if waits else None, ran_s=0.1))
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]


def test_a_process_that_ran_for_a_minute_begins_anew() -> None:
    assert delay_s(30.0, ran_s=STEADY_S) == FIRST_S


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=2))
def test_every_wait_is_bounded_and_never_sinks_but_after_a_steady_run(runs: list[float]) -> None:
    waits: list[float] = []
    for ran in runs:
        waits.append(delay_s(waits[-1] if waits else None, ran))
    assert all(FIRST_S <= wait <= MOST_S for wait in waits)
    assert all(
        later >= earlier or ran >= STEADY_S
        for (earlier, later), ran in zip(pairwise(waits), runs[1:], strict=True)
    )
