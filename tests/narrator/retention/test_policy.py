"""What goes of a broadcast, and what never does, whatever its clock did."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.narrator.retention import policy
from radio.narrator.retention.policy import (
    ControlEntry,
    first_entry_to_stay,
    old_by_sound,
    renewal,
    trim_point,
)
from radio.narrator.retention.trim_points import first_young, last_gap
from radio.streams.index import Spot
from radio.streams.records import ControlRequest

HOUR = 3_600_000
DAY = 24 * HOUR
YEAR = 365 * DAY
KEEP = 14 * DAY
NOW = 1_800_000_000_000


@dataclass
class Heard:
    """A station's sounds: `lived` is the time that really went by, `wall` what the clock said."""

    wall: int = NOW
    lived: int = 0
    spots: list[Spot] = field(default_factory=list)
    lived_at: list[int] = field(default_factory=list)
    """Real time of the end of each sound."""

    def play(self, ms: int, others: int = 0) -> None:
        pos = self.spots[-1].end_pos if self.spots else 0
        seq = (self.spots[-1].seq + 1 if self.spots else 0) + others
        self.spots.append(Spot(seq, self.wall, pos, ms * 8, "run", len(self.spots)))
        self.rest(ms)
        self.lived_at.append(self.lived)

    def rest(self, ms: int) -> None:
        self.wall, self.lived = self.wall + ms, self.lived + ms

    async def probe(self, seq: int) -> Spot | None:
        return next((spot for spot in self.spots if spot.seq >= seq), None)

    async def kept(self, keep_ms: int) -> list[int]:
        """Ages, in real time, of what stays."""
        newest = self.spots[-1]
        by_sound = old_by_sound(keep_ms=keep_ms, end_at=newest.until, end_pos=newest.end_pos, now=self.wall)
        young = await first_young(self.probe, self.spots[0], newest, keep_ms=keep_ms, now=self.wall)
        border = max(by_sound, young.pos)
        return [
            self.lived - ended
            for spot, ended in zip(self.spots, self.lived_at, strict=True)
            if spot.end_pos > border
        ]


plays = st.tuples(st.just("play"), st.integers(1, 12 * HOUR // 24).map(lambda n: n * 24))
rests = st.tuples(st.just("rest"), st.integers(0, 3 * DAY))
lives = st.lists(plays | rests, min_size=1, max_size=60)


def live(heard: Heard, life: list[tuple[str, int]]) -> None:
    for what, ms in life:
        if what == "play":
            heard.play(ms, others=ms % 3)
        elif what == "rest":
            heard.rest(ms)
        else:
            heard.wall += ms


@given(lives)
async def test_while_the_clock_is_right_exactly_what_is_older_goes(life: list[tuple[str, int]]) -> None:
    heard = Heard()
    heard.play(24)
    live(heard, life)
    gaps = [b.at - a.until for a, b in zip(heard.spots, heard.spots[1:], strict=False)]
    gaps.append(heard.wall - heard.spots[-1].until)
    expected = [heard.lived - ended for ended in heard.lived_at]
    kept = await heard.kept(KEEP)
    if max(gaps) <= KEEP // 2:
        assert kept == ([age for age in expected if age < KEEP] or expected[-1:])
    else:
        assert set(kept) >= {age for age in expected if age < KEEP}


@given(lives, st.integers(-2 * YEAR, 2 * YEAR), lives)
async def test_one_jump_of_the_clock_takes_nothing_of_the_last_half(
    before: list[tuple[str, int]], jump: int, after: list[tuple[str, int]]
) -> None:
    heard = Heard()
    heard.play(24)
    live(heard, before)
    jumped = heard.lived
    heard.wall += jump
    live(heard, [part for part in after if part[0] == "play"])
    kept = await heard.kept(KEEP)
    ages = [heard.lived - ended for ended in heard.lived_at]
    assert set(kept) >= {age for age in ages if age < KEEP // 2 - (heard.lived - jumped)}
    assert kept


@given(st.integers(-YEAR, YEAR), st.integers(-YEAR, YEAR))
async def test_a_station_that_is_always_on_air_never_keeps_more_than_its_keep(one: int, other: int) -> None:
    heard = Heard()
    for hour in range(24 * 40):
        heard.play(HOUR)
        heard.wall += {300: one, 500: other}.get(hour, 0)
    kept = await heard.kept(KEEP)
    assert len(kept) <= 24 * 14
    assert all(age < KEEP for age in kept)


async def test_a_clock_that_is_set_a_year_ahead_leaves_the_newer_half_and_all_that_comes() -> None:
    heard = Heard()
    for _ in range(24 * 14):
        heard.play(HOUR)
    heard.wall += YEAR
    assert len(await heard.kept(KEEP)) == 24 * 7
    heard.play(HOUR)
    assert await heard.kept(KEEP) == [hours * HOUR for hours in reversed(range(24 * 7))]


async def test_after_a_long_pause_the_older_half_goes_and_the_rest_in_its_time() -> None:
    heard = Heard()
    for _ in range(24 * 14):
        heard.play(HOUR)
    heard.rest(YEAR)
    for day in range(1, 9):
        for _ in range(24):
            heard.play(HOUR)
        assert len(await heard.kept(KEEP)) == (24 * 7 if day <= 7 else 24 * 8)


@given(lives, st.integers(0, 2 * DAY))
async def test_the_last_long_gap_is_found(life: list[tuple[str, int]], longer_than: int) -> None:
    heard = Heard()
    heard.play(24)
    live(heard, life)
    pairs = list(zip(heard.spots, heard.spots[1:], strict=False))
    long_ones = [(a, b) for a, b in pairs if b.at - a.until > longer_than]
    gap = await last_gap(heard.probe, heard.spots[0], heard.spots[-1], longer_than)
    assert (gap and (gap.before, gap.after)) == (long_ones[-1] if long_ones else None)


def test_what_is_not_heard_yet_does_not_count_as_sound() -> None:
    assert old_by_sound(keep_ms=1000, end_at=NOW + 30_000, end_pos=8 * 60_000, now=NOW) == 8 * 29_000
    assert old_by_sound(keep_ms=1000, end_at=NOW - 30_000, end_pos=8 * 60_000, now=NOW) == 8 * 59_000


@given(st.integers(0, 1 << 40), st.lists(st.integers(0, 1 << 40)))
def test_a_border_never_passes_what_is_needed(border: int, needed: list[int]) -> None:
    first = trim_point(border, needed)
    assert first <= border
    assert all(first <= seq for seq in needed)


@pytest.mark.parametrize(
    ("keep_ms", "seconds"), [(None, 60), (14 * DAY, 60), (5 * 60_000, 30), (10_000, 1), (100, 1)]
)
def test_a_short_keep_is_looked_at_more_often(keep_ms: int | None, seconds: float) -> None:
    assert policy.look_every_s(keep_ms) == seconds


def test_an_entry_stays_while_some_of_it_is_heard_or_its_run_can_be_taken_up() -> None:
    entries = [(3, "one@1", 40), (4, "fallback@7", -1), (6, "two@2", 90), (7, "three@3", 120)]
    assert first_entry_to_stay(entries, oldest=30, begun=[]) == 3
    assert first_entry_to_stay(entries, oldest=41, begun=[]) == 6
    assert first_entry_to_stay(entries, oldest=41, begun=["fallback@7"]) == 4
    assert first_entry_to_stay(entries, oldest=121, begun=[]) is None


def asked(*words: str, is_obeyed: bool = False, age_ms: int = YEAR) -> list[ControlEntry]:
    """Requests `what target detail`, all but the last `age_ms` older than it."""
    split = [(word + "  ").split(" ")[:3] for word in words]
    return [
        ControlEntry(
            seq,
            NOW if seq == len(words) - 1 else NOW - age_ms,
            ControlRequest(what=what, target=target, detail=detail),
            is_obeyed=is_obeyed,
        )
        for seq, (what, target, detail) in enumerate(split)
    ]


def again(given: list[ControlEntry]) -> tuple[int, list[str]]:
    renewed = renewal(given, len(given) + 5)
    return renewed.border, [f"{r.what} {r.target} {r.detail}".strip() for r in renewed.again]


def test_requests_that_hold_are_written_again_unless_they_were_taken_back() -> None:
    words = ["mute a", "mute b", "unmute a", "redact a 1-5", "redact a 9-12", "pause casts", "say a x"]
    more = ["mute c", "mute c", "mute d", "unmute d", "dry a"]
    border, held = again(asked(*words, *more))
    assert border == len(words) + len(more) - 1  # what was asked just now may still be obeyed
    assert held == ["mute b", "redact a 1-5", "redact a 9-12", "pause casts", "mute c"]


def test_a_request_that_passes_means_something_for_ten_minutes() -> None:
    assert again(asked("dry a", "say b", "mute c", age_ms=policy.PASSING_MS))[0] == 8
    assert again(asked("dry a", "say b", "mute c", age_ms=policy.PASSING_MS - 1))[0] == 0


def test_a_removal_is_never_written_twice_and_stays_until_it_is_obeyed() -> None:
    assert again(asked("remove x", "mute a", is_obeyed=True)) == (7, ["mute a"])
    assert again(asked("mute b", "remove x", "mute a")) == (1, ["mute b"])


def test_what_takes_back_needs_no_place_of_its_own() -> None:
    assert again(asked("pause a", "mute b", "resume a", age_ms=0)) == (8, ["mute b"])
    day = policy.TIMED_MS
    assert again(asked("mute a", "mute b", "unmute a", "pause b", age_ms=day)) == (9, ["mute b", "pause b"])


def test_for_a_day_it_is_known_when_a_station_was_muted_and_when_no_more() -> None:
    given = asked("mute a", "mute b", "unmute a", "pause b", age_ms=policy.TIMED_MS - 1)
    assert again(given) == (9, ["mute a", "mute b", "unmute a", "pause b"])


def test_what_is_written_again_says_since_when_it_holds() -> None:
    given = asked("mute a", "unmute a", "mute a", "mute a", "mute b", "dry a", "mute c")
    times = [*(replace(one, ms=one.ms + one.seq) for one in given[:-1]), given[-1]]
    once = renewal(times, 12).again
    assert [(r.target, r.since) for r in once] == [
        ("a", NOW - YEAR + 2),
        ("b", NOW - YEAR + 4),
        ("c", NOW),
    ]
    later = [ControlEntry(seq, NOW + 2 * YEAR, request) for seq, request in enumerate(once)]
    assert renewal(later, 3).again == once


def test_an_empty_control_has_nothing_to_renew() -> None:
    assert again([]) == (5, [])
