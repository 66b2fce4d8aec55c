"""Sharing by measured speed: who takes, who gives up, and that lanes come to rest."""

import random

from hypothesis import given
from hypothesis import strategies as st

from radio.narrator.lane_scheduler import LaneStatus
from radio.narrator.sharing import (
    LESS_LOADED_S,
    PAUSE_S,
    STRAINED_S,
    UNFIT_S,
    Capacity,
    Strain,
    pause_s,
    to_give_up,
)
from radio.streams.records import LaneId

LONG_S = STRAINED_S + 1
capacities = st.builds(Capacity, st.floats(0.1, 12.0), st.integers(0, 8), st.integers(0, 8))


def station(name: str = "harbor", lead: float = 3.0, *, is_ready: bool = True) -> LaneStatus:
    return LaneStatus(id=LaneId("station", name), lead=lead, guard=10.0, target=30.0, is_ready=is_ready)


def cast(name: str = "a", lead: float = 0.0) -> LaneStatus:
    return LaneStatus(id=LaneId("cast", name), lead=lead, target=30.0, is_ready=True)


def test_casts_are_given_up_before_stations_the_one_with_the_least_lead_first() -> None:
    lanes = [station(), cast("a", 4.0), cast("b", 2.0)]
    assert to_give_up(lanes, Capacity(0.8, 1, 2), [Capacity(4.0, 1, 1)], strained_s=LONG_S) == LaneId(
        "cast", "b"
    )


def test_of_stations_the_one_with_the_most_lead_is_given_up() -> None:
    lanes = [station("a", 2.0), station("b", 9.0)]
    assert to_give_up(lanes, Capacity(1.5, 2), [Capacity(4.0, 1)], strained_s=LONG_S) == LaneId(
        "station", "b"
    )


def test_a_narrator_full_of_casts_has_room_for_a_station() -> None:
    lanes = [station("a"), station("b")]
    assert to_give_up(lanes, Capacity(1.5, 2), [Capacity(4.0, 1, 3)], strained_s=LONG_S) == LaneId(
        "station", "b"
    )
    assert to_give_up([*lanes, cast()], Capacity(1.5, 2, 1), [Capacity(4.0, 1, 3)], strained_s=LONG_S) == (
        LaneId("station", "b")
    )


def test_a_station_that_only_waits_for_its_turn_costs_no_lane() -> None:
    lanes = [station(), cast()]
    assert to_give_up(lanes, Capacity(0.8, 1, 1), [Capacity(9.0, 0)], strained_s=STRAINED_S - 1) is None


def test_stations_that_fit_the_speed_are_kept_however_long_they_take_to_build_up_their_lead() -> None:
    assert to_give_up([station()], Capacity(1.05, 1), [Capacity(9.0, 0)], strained_s=100.0) is None


@given(st.lists(capacities, max_size=4), capacities, st.floats(0, 100))
def test_nothing_is_given_up_unless_another_has_room(
    others: list[Capacity], mine: Capacity, strained_s: float
) -> None:
    lanes = [station(f"{k}") for k in range(mine.stations)]
    lanes += [cast(f"{k}") for k in range(mine.casts)]
    lane = to_give_up(lanes, mine, others, strained_s=strained_s)
    if lane is None:
        return
    assert strained_s >= STRAINED_S
    if lane.kind == "cast":
        assert any(o.stations + o.casts + 1 < o.xrt for o in others)
    else:
        assert mine.stations > mine.xrt
        assert any(o.stations + 1 < o.xrt for o in others)


@given(st.lists(capacities, max_size=4), capacities)
def test_who_fits_another_station_waits_a_moment_that_grows_with_its_load(
    others: list[Capacity], mine: Capacity
) -> None:
    pause = pause_s(mine, others)
    if mine.fits_another or not others:
        assert pause <= PAUSE_S
    else:
        assert UNFIT_S <= pause <= UNFIT_S + PAUSE_S + LESS_LOADED_S
    more = Capacity(mine.xrt, mine.stations + 1, mine.casts)
    assert pause_s(more, others) >= pause


@given(st.lists(capacities, min_size=1, max_size=4), capacities)
def test_of_those_without_room_the_least_loaded_is_the_first_to_take(
    others: list[Capacity], mine: Capacity
) -> None:
    """Also where one of them has taken too much already."""
    everyone = [mine, *others]
    least = min(everyone, key=lambda c: c.use_with_another)
    if any(c.fits_another for c in everyone):
        return
    pauses = [pause_s(c, [o for o in everyone if o is not c]) for c in everyone]
    assert pause_s(least, [o for o in everyone if o is not least]) == min(pauses)


def test_a_station_is_strained_from_when_it_fell_below_its_guard_with_a_sentence_ready() -> None:
    strain = Strain()
    assert strain.observe([station(lead=12.0)], 0.0) == 0.0
    assert strain.observe([station(lead=9.0)], 1.0) == 0.0
    assert strain.observe([station(lead=9.0), station("b", 2.0)], 4.0) == 3.0
    assert strain.observe([station(lead=10.0), station("b", 2.0)], 5.0) == 1.0
    assert strain.observe([station("b", 2.0, is_ready=False)], 6.0) == 0.0
    strain.observe([station("b", 2.0)], 7.0)
    strain.begin_anew(9.0)
    assert strain.observe([station("b", 2.0)], 10.0) == 1.0


speeds = st.lists(st.floats(0.3, 8.0), min_size=2, max_size=5)


@given(speeds, st.integers(0, 12), st.randoms(use_true_random=False), st.booleans())
def test_stations_come_to_rest_and_none_stays_where_it_is_too_much_while_another_has_room(
    xrts: list[float], count: int, draw: random.Random, is_stale: bool
) -> None:
    """Each round, those who are overloaded give one up by the heartbeats of the round before, or of now."""
    owners = [draw.randrange(len(xrts)) for _ in range(count)]
    moves = 0
    while True:
        told = [Capacity(xrt, owners.count(k)) for k, xrt in enumerate(xrts)]
        given = []
        for k in range(len(xrts)):
            now = told if is_stale else [Capacity(xrt, owners.count(n)) for n, xrt in enumerate(xrts)]
            lanes = [station(f"{s}") for s, owner in enumerate(owners) if owner == k]
            others = [c for n, c in enumerate(now) if n != k]
            given_up = to_give_up(
                lanes, now[k], others, strained_s=LONG_S if now[k].stations > xrts[k] else 0.0
            )
            if given_up is not None:
                given.append(int(given_up.id))
                owners[given[-1]] = -1
                if not is_stale:
                    owners[given[-1]] = taker(xrts, owners)
        for lane in given:
            owners[lane] = taker(xrts, owners) if owners[lane] < 0 else owners[lane]
        if not given:
            break
        moves += len(given)
        assert moves <= 3 * count
    final = [Capacity(xrt, owners.count(k)) for k, xrt in enumerate(xrts)]
    assert not (any(c.stations > c.xrt for c in final) and any(c.has_room_for_station for c in final))


def taker(xrts: list[float], owners: list[int]) -> int:
    """Whose pause is the shortest."""
    all_ = [Capacity(xrt, owners.count(k)) for k, xrt in enumerate(xrts)]
    return min(range(len(xrts)), key=lambda k: pause_s(all_[k], all_[:k] + all_[k + 1 :]))
