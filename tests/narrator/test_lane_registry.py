import asyncio
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.narrator.cast.lane import CastLane
from radio.narrator.lane_registry import LaneRegistry
from radio.narrator.lanes import GivenUp
from radio.streams.ownership.stream_owner import Member
from radio.streams.records import LaneId
from radio.streams.stores.memory import MemoryStore


@pytest.fixture
def changed() -> asyncio.Event:
    return asyncio.Event()


@pytest.fixture
def lanes(changed: asyncio.Event) -> LaneRegistry:
    return LaneRegistry(changed)


def cast_lane(data: Path, cast: str) -> CastLane:
    """A lane that is not taken yet. Call it on a running loop."""
    clock = ManualClock()
    store = MemoryStore(clock)
    member = Member(store, clock, role="narrator", data=data)
    return CastLane(store, clock, member, cast, job=0, target_s=10.0)


async def test_a_lane_is_found_by_its_id_until_it_is_removed(
    lanes: LaneRegistry, changed: asyncio.Event, tmp_path: Path
) -> None:
    lane = cast_lane(tmp_path, "a")
    lanes.add(lane)
    assert changed.is_set()
    assert lanes[LaneId.cast("a")] is lane
    assert lanes.get(LaneId.station("a")) is None, "a station of that id is another lane"
    assert (list(lanes), lanes.casts) == ([lane], [LaneId.cast("a")])
    changed.clear()
    lanes.remove(lane)
    assert changed.is_set()
    assert lanes.get(LaneId.cast("a")) is None
    assert list(lanes) == []


async def test_a_later_lane_of_the_same_id_stays_when_the_earlier_one_goes(
    lanes: LaneRegistry, tmp_path: Path
) -> None:
    earlier, later = cast_lane(tmp_path, "a"), cast_lane(tmp_path, "a")
    lanes.add(earlier)
    lanes.add(later)
    assert (lanes.has(earlier), lanes.has(later)) == (False, True)
    lanes.remove(earlier)
    assert lanes[LaneId.cast("a")] is later


async def test_a_lane_that_is_lost_is_removed_and_ends_with_the_reason(
    lanes: LaneRegistry, tmp_path: Path
) -> None:
    lane = cast_lane(tmp_path, "a")
    lanes.add(lane)
    lanes.remove_lost(lane, GivenUp())
    assert list(lanes) == []
    with pytest.raises(GivenUp):
        await lane.run()


async def test_lanes_may_come_and_go_while_they_are_walked_through(
    lanes: LaneRegistry, tmp_path: Path
) -> None:
    for cast in "abc":
        lanes.add(cast_lane(tmp_path, cast))
    for lane in lanes:
        lanes.remove(lane)
    assert list(lanes) == []


async def test_a_cast_that_is_not_taken_is_neither_owned_nor_live(
    lanes: LaneRegistry, tmp_path: Path
) -> None:
    lanes.add(cast_lane(tmp_path, "a"))
    assert (lanes.owned, lanes.live) == ([], 0)
