"""The scheduler: its four rules, and that no flood of casts makes a station fall silent."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.narrator.lane_scheduler import (
    LONGEST_S,
    LaneStatus,
    Playhead,
    Serve,
    Sleep,
    Speed,
    admitted,
    choose,
    company,
    guard,
    target,
)
from radio.streams.records import LaneId


def station(
    name: str = "harbor", lead: float = 20.0, *, is_ready: bool = True, served: float = 0.0
) -> LaneStatus:
    return LaneStatus(
        id=LaneId("station", name), lead=lead, guard=10.0, target=30.0, is_ready=is_ready, served=served
    )


def cast(
    name: str = "cast",
    lead: float = 0.0,
    *,
    is_ready: bool = True,
    served: float = 0.0,
    since: float | None = None,
) -> LaneStatus:
    return LaneStatus(
        id=LaneId("cast", name), lead=lead, target=30.0, is_ready=is_ready, served=served, awaited_since=since
    )


def chosen(lanes: Sequence[LaneStatus]) -> str:
    choice = choose(lanes)
    assert isinstance(choice, Serve)
    return choice.lane.id


def beside(lanes: Sequence[LaneStatus], first: str, *, most: int) -> list[str]:
    (lane,) = (one.id for one in lanes if one.id.id == first)
    return [other.id for other in company(lanes, lane, most=most)]


def test_a_station_below_its_guard_goes_before_a_cast_with_nothing() -> None:
    assert chosen([cast(lead=0), station(lead=9.9)]) == "harbor"


def test_of_stations_below_their_guards_the_one_that_misses_most_goes_first() -> None:
    assert chosen([station("a", 5), station("b", 3), cast(lead=0)]) == "b"


def test_above_the_guards_the_smallest_lead_goes_first() -> None:
    assert chosen([station(lead=11), cast(lead=10.9)]) == "cast"
    assert chosen([station(lead=11), cast(lead=11.1)]) == "harbor"


def test_of_equal_leads_the_one_served_longest_ago_goes_first() -> None:
    assert chosen([cast("a", served=5), cast("b", served=4)]) == "b"


def test_what_is_not_ready_is_passed_over() -> None:
    assert chosen([station(lead=0, is_ready=False), cast(lead=29)]) == "cast"


def test_with_enough_everywhere_the_oldest_that_someone_waits_for_as_a_file_goes_on() -> None:
    lanes = [station(lead=40), cast("new", lead=50, since=9.0), cast("old", lead=60, since=3.0)]
    assert chosen(lanes) == "old"


def test_otherwise_it_sleeps_until_the_first_falls_below_its_target() -> None:
    assert choose([station(lead=34), cast(lead=31.5)]) == Sleep(1.5)
    assert choose([]) == Sleep(None)
    assert choose([cast(is_ready=False)]) == Sleep(None)


def test_it_wakes_at_the_end_of_a_back_off() -> None:
    resting = LaneStatus(id=LaneId("cast", "x"), lead=0, target=30, is_ready=False, ready_in=0.7)
    assert choose([station(lead=34), resting]) == Sleep(0.7)


def test_the_guard_covers_one_round_of_longest_pieces() -> None:
    assert guard(10, stations=1, xrt=8.0) == 10
    assert guard(10, stations=1, xrt=2.0) == pytest.approx(2 * 6 + 3)
    assert guard(10, stations=1, xrt=6.0, ttl_s=8) == pytest.approx(8 + 2 + 3)
    assert target(30, 15) == 30
    assert target(30, 25) == 37


def test_the_guard_covers_the_company_of_the_round_before_and_of_its_own() -> None:
    assert guard(10, stations=3, xrt=24.0, at_once=8) == pytest.approx(2 * 8 * 0.5 + 3)
    assert guard(10, stations=9, xrt=24.0, at_once=8) == pytest.approx(3 * 8 * 0.5 + 3)
    assert guard(10, stations=1, xrt=24.0, ttl_s=8, at_once=8) == pytest.approx(8 + 8 * 0.5 + 3)


def test_the_company_of_a_lane_is_who_would_be_served_next_in_that_order() -> None:
    lanes = [cast("c", lead=12), station("b", lead=15), station("a", lead=11), cast("d", lead=12, served=-1)]
    assert chosen(lanes) == "a"
    assert beside(lanes, "a", most=7) == ["d", "c", "b"]
    assert beside(lanes, "a", most=2) == ["d", "c"]


def test_a_station_in_need_has_no_company_but_stations_about_as_much_in_need() -> None:
    """A long sentence of another beside each short one of its own would let it fall silent."""
    lanes = [
        station("a", lead=5),
        cast("b", lead=0),
        station("c", lead=7),
        station("d", lead=9),
        station("e", 11),
    ]
    assert chosen(lanes) == "a"
    assert beside(lanes, "a", most=7) == ["c"]


def test_a_voice_that_takes_one_sentence_at_a_time_gives_no_company() -> None:
    assert beside([cast("a"), cast("b")], "a", most=0) == []


def test_who_has_nothing_ready_or_enough_is_no_company() -> None:
    lanes = [cast("a"), cast("b", is_ready=False), cast("c", lead=31), station(lead=40)]
    assert beside(lanes, "a", most=7) == []


def test_a_suspect_is_served_alone() -> None:
    suspect = replace(cast("a"), is_suspect=True)
    assert chosen([suspect, cast("b", lead=1)]) == "a"
    assert beside([suspect, cast("b", lead=1)], "a", most=7) == []
    assert beside([suspect, cast("b"), cast("c")], "b", most=7) == ["c"]


@given(
    st.lists(
        st.tuples(st.booleans(), st.floats(0, 40), st.booleans(), st.sampled_from([False] * 4 + [True])),
        max_size=12,
    ),
    st.integers(0, 8),
)
def test_the_company_is_what_serving_one_after_the_other_would_have_served_next(
    drawn: list[tuple[bool, float, bool, bool]], most: int
) -> None:
    """Suspects aside, who are served alone."""
    lanes = [
        replace((station if is_station else cast)(str(k), lead, is_ready=is_ready), is_suspect=is_suspect)
        for k, (is_station, lead, is_ready, is_suspect) in enumerate(drawn)
    ]
    choice = choose(lanes)
    if isinstance(choice, Sleep):
        return
    suspects = {lane.id for lane in lanes if lane.is_suspect}
    found = company(lanes, choice.lane, most=most)
    assert len(found) <= (0 if choice.lane in suspects else most)
    for k, lane_id in enumerate(found):
        before = {choice.lane, *found[:k], *suspects}
        assert choose([lane for lane in lanes if lane.id not in before]) == Serve(lane_id)


@pytest.mark.parametrize(
    ("stations", "xrt", "casts"),
    [(1, 2.7, 1), (1, 1.0, 1), (1, 0.9, 0), (2, 5.9, 3), (0, 0.5, 1), (0, 4.0, 4)],
)
def test_casts_are_admitted_up_to_the_measured_speed(stations: int, xrt: float, casts: int) -> None:
    assert admitted(stations, xrt) == casts


def test_a_playhead_waits_where_nothing_is_made() -> None:
    head = Playhead()
    assert head.lead(0.0) == 0
    head.add(5.0, 100.0)
    assert head.lead(103.0) == pytest.approx(2.0)
    assert head.lead(200.0) == 0
    head.add(4.0, 200.0)
    assert head.lead(201.0) == pytest.approx(3.0)


def test_the_speed_follows_the_last_sentences() -> None:
    speed = Speed()
    assert speed.xrt is None
    for _ in range(50):
        speed.add(6.0, 2.0)
    assert speed.xrt == pytest.approx(3.0)
    for _ in range(50):
        speed.add(6.0, 1.0)
    assert speed.xrt == pytest.approx(6.0, rel=0.05)


# --- simulation -------------------------------------------------------------------------------------------


@dataclass
class SimStation:
    name: str
    end: float
    served: float = -1.0
    worst: float = 1e9
    is_safe: bool = False

    def status(self, now: float, guard_s: float) -> LaneStatus:
        return LaneStatus(
            id=LaneId("station", self.name),
            lead=self.end - now,
            guard=guard_s,
            target=target(30, guard_s),
            is_ready=True,
            served=self.served,
        )


@dataclass
class SimCast:
    name: str
    left: int
    head: Playhead = field(default_factory=Playhead)
    served: float = -1.0
    begun: float | None = None
    stalls: float = 0.0

    def status(self, now: float) -> LaneStatus:
        return LaneStatus(
            id=LaneId("cast", self.name),
            lead=self.head.lead(now),
            target=30,
            is_ready=self.left > 0,
            served=self.served,
        )


def simulate(
    stations: int, xrt: float, flood: int, seed: int, seconds: float = 900.0, at_once: int = 1
) -> tuple[list[SimStation], list[SimCast]]:
    """One voice over so many stations and a flood of casts; pieces of any length up to the longest.

    What is spoken together takes as long as one after the other, and is there when all of it is.
    """
    draw = random.Random(seed)
    guard_s = guard(10, stations=stations, xrt=xrt, at_once=at_once)
    on_air = [SimStation(f"s{k}", end=3.0) for k in range(stations)]
    queue = [SimCast(f"c{k}", left=draw.randint(1, 40)) for k in range(flood)]
    active: list[SimCast] = []
    done: list[SimCast] = []
    now = 0.0
    while now < seconds:
        is_settled = all(s.is_safe for s in on_air)
        while queue and is_settled and len(active) < admitted(stations, xrt):
            active.append(queue.pop())
        lanes = [s.status(now, guard_s) for s in on_air] + [c.status(now) for c in active]
        choice = choose(lanes)
        if isinstance(choice, Sleep):
            now += choice.seconds + 1e-6 if choice.seconds is not None else 1.0
            continue
        served = {
            lane.id: draw.choice([draw.uniform(0.5, LONGEST_S), LONGEST_S, 0.5])
            for lane in (choice.lane, *company(lanes, choice.lane, most=at_once - 1))
        }
        before, now = now, now + sum(served.values()) / xrt
        for s in on_air:
            s.worst = min(s.worst, s.end - now) if s.is_safe else s.worst
            if s.name in served:
                s.end, s.served = max(s.end, now + 3.0) + served[s.name], now
            s.is_safe = s.is_safe or s.end - now >= guard_s
        for c in active:
            if c.begun is not None and c.left:
                c.stalls += max(0.0, (now - before) - c.head.lead(before))
            if c.name in served:
                c.head.add(served[c.name], now)
                c.left, c.served = c.left - 1, now
                c.begun = now if c.begun is None else c.begun
        done += [c for c in active if not c.left]
        active = [c for c in active if c.left]
    return on_air, done + active


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 4),
    st.floats(1.0, 3.0),
    st.integers(0, 60),
    st.integers(0, 10**6),
    st.sampled_from([1, 1, 3, 8]),
)
def test_no_flood_of_casts_makes_a_station_fall_silent(
    stations: int, spare: float, flood: int, seed: int, at_once: int
) -> None:
    on_air, _ = simulate(stations, stations * spare + 0.05, flood, seed, at_once=at_once)
    assert all(s.worst >= 0 for s in on_air)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3), st.integers(1, 4), st.integers(0, 10**6))
def test_every_cast_admitted_within_the_speed_stays_playable(stations: int, casts: int, seed: int) -> None:
    """A listener waits at most about as long as the others' turns take while leads are built up."""
    xrt = stations + casts + 0.9
    _, heard = simulate(stations, xrt, 3 * casts, seed)
    turns = (stations + casts + 1) * LONGEST_S / xrt
    begun = [c for c in heard if c.begun is not None]
    assert len(begun) >= casts
    assert all(c.stalls <= 2 * turns for c in begun), [c.stalls for c in begun]
