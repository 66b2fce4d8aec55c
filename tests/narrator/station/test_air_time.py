"""Air time: on the grid, never overlapping, never in the past, whatever the clock and the runs do."""

from hypothesis import given, settings
from hypothesis import strategies as st

from radio.narrator.station.air_time import (
    NEAR_MS,
    RESTART_MS,
    ClockWatch,
    is_early,
    may_begin,
    nearest_on_grid,
    next_at,
    on_grid,
)

NOW = 1_800_000_000_000
instants = st.integers(NOW - 10**9, NOW + 10**9)


def test_the_first_record_of_a_station_is_heard_in_three_seconds() -> None:
    assert next_at(None, None, NOW) == on_grid(NOW + 3000)


def test_a_record_begins_where_the_last_one_ends() -> None:
    end = on_grid(NOW + 20_000)
    assert next_at(end, None, NOW) == end


def test_a_run_does_not_begin_before_its_planned_start() -> None:
    planned = on_grid(NOW + 60_000)
    assert next_at(on_grid(NOW + 5_000), planned, NOW) == planned
    assert next_at(None, planned, NOW) == planned


def test_a_run_begins_late_if_the_one_before_it_ran_over() -> None:
    end = on_grid(NOW + 9_000)
    assert next_at(end, NOW + 5_000, NOW) == end


def test_what_is_too_near_is_heard_three_seconds_from_now() -> None:
    assert next_at(on_grid(NOW + 1_000), None, NOW) == on_grid(NOW + 3_000)
    assert next_at(NOW - 50_000, NOW - 90_000, NOW) == on_grid(NOW + 3_000)


def test_a_sentence_is_begun_only_while_two_seconds_are_left() -> None:
    assert may_begin(NOW, NOW + 2_001)
    assert not may_begin(NOW, NOW + 2_000)


@given(st.none() | instants, st.none() | instants, instants)
def test_air_time_is_on_the_grid_after_what_stands_and_ahead_of_now(
    end: int | None, planned: int | None, now: int
) -> None:
    at = next_at(end, planned, now)
    assert at % 24 == 0
    assert at >= now + NEAR_MS
    assert all(at >= bound for bound in (end, planned) if bound is not None)
    bound = max(ms for ms in (end, planned, now) if ms is not None)
    assert at <= on_grid(max(bound, now + RESTART_MS))


sentences = st.tuples(st.integers(1, 500), st.integers(0, 30_000), st.none() | st.integers(0, 60_000))


@settings(max_examples=200)
@given(st.lists(sentences, max_size=60))
def test_records_never_overlap_and_gaps_are_whole_frames(made: list[tuple[int, int, int | None]]) -> None:
    now, end, last = NOW, None, None
    for frames, spent_ms, planned_in in made:
        now += spent_ms
        at = next_at(end, None if planned_in is None else now + planned_in, now)
        assert last is None or at >= last
        assert (at - (last or at)) % 24 == 0
        end = last = at + frames * 24


def test_an_unset_clock_is_told_by_the_newest_record() -> None:
    assert is_early(NOW, NOW + 60_001)
    assert not is_early(NOW, NOW + 60_000)


@given(st.integers(-(10**7), 10**7), st.integers(1, 5_000))
def test_a_step_of_the_wall_clock_is_seen_once_and_on_the_grid(step: int, second_ms: int) -> None:
    watch = ClockWatch()
    assert watch.observe(NOW, 10.0) == 0
    seen = watch.observe(NOW + second_ms + step, 10.0 + second_ms / 1000)
    assert seen % 24 == 0
    assert (seen == 0) == (abs(step) <= 500)
    assert seen == 0 or abs(seen - step) <= 12
    assert watch.observe(NOW + 2 * second_ms + step, 10.0 + 2 * second_ms / 1000) == 0


def test_the_nearest_frame_may_lie_on_either_side() -> None:
    assert [nearest_on_grid(ms) for ms in (0, 11, 12, -11, -13, 25)] == [0, 0, 24, 0, -24, 24]
