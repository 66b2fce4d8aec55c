from hypothesis import given, settings
from hypothesis import strategies as st

from radio.producers.pace import Ahead, is_due

NOW = 1_800_000_000_000


def ahead(unspoken_s: float = 0, heard_until: int | None = None, at: int = NOW) -> Ahead:
    return Ahead(unspoken_s=unspoken_s, heard_until=heard_until, at=at)


def test_unspoken_script_and_lead_count_together() -> None:
    assert ahead(20, NOW + 15_000).seconds(NOW) == 35


def test_the_lead_of_another_run_does_not_count() -> None:
    assert ahead(20, None).seconds(NOW) == 20


def test_a_lead_that_is_spent_counts_nothing() -> None:
    assert ahead(0, NOW - 5_000).seconds(NOW) == 0


def test_before_its_run_a_word_is_heard_after_the_planned_start() -> None:
    assert ahead(10, None, NOW + 60_000).heard_at(NOW) == NOW + 70_000


def test_on_air_a_word_is_heard_after_all_that_is_in_hand() -> None:
    assert ahead(10, NOW + 5_000, NOW - 60_000).heard_at(NOW) == NOW + 15_000


@settings(deadline=None)
@given(st.lists(st.floats(0, 100), min_size=1))
def test_writing_goes_on_below_low_and_off_at_high_and_stays_between(course: list[float]) -> None:
    writing = False
    for seconds in course:
        before, writing = writing, is_due(seconds, low_s=40, high_s=75, was_writing=writing)
        assert writing == (True if seconds < 40 else False if seconds >= 75 else before)
