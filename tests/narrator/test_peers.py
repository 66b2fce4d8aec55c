from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.narrator.peers import NARRATOR, Peers
from radio.narrator.sharing import Capacity
from radio.streams.ownership.members import TTL_S, Member, Vitals
from radio.streams.records import LaneId
from radio.streams.stores.memory import MemoryStore


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


async def test_the_other_narrators_are_seen_with_what_they_can_make_and_serve(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    async with (
        Member(store, clock, role=NARRATOR, data=tmp_path) as mine,
        Member(store, clock, role=NARRATOR, data=tmp_path) as other,
        Member(store, clock, role="scheduler", data=tmp_path),
    ):
        leads = {LaneId.station("harbor"): 9.0, LaneId.cast("a"): 1.0, LaneId.cast("b"): 2.0}
        other.status = lambda: Vitals(xrt=3.5, live=1, leads=leads)
        await other.beat()
        peers = Peers(mine)
        assert (peers.seen, peers.capacities, peers.lanes) == ((), [], set())
        await peers.refresh()
        assert [peer.owner for peer in peers.seen] == [other.owner]
        assert peers.capacities == [Capacity(3.5, stations=1, casts=2)]
        assert peers.lanes == leads.keys()


async def test_a_narrator_that_has_not_measured_its_speed_offers_no_capacity(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    async with (
        Member(store, clock, role=NARRATOR, data=tmp_path) as mine,
        Member(store, clock, role=NARRATOR, data=tmp_path) as other,
    ):
        peers = Peers(mine)
        await peers.refresh()
        assert ([peer.owner for peer in peers.seen], peers.capacities) == ([other.owner], [])


async def test_a_narrator_whose_wall_clock_is_an_hour_off_is_seen_while_it_beats_and_a_silent_one_is_not(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    behind = ManualClock(clock.now_ms() - 3_600_000)
    elsewhere = tmp_path / "elsewhere"
    async with (
        Member(store, clock, role=NARRATOR, data=tmp_path) as mine,
        Member(store, behind, role=NARRATOR, data=elsewhere / "a") as other,
        Member(store, behind, role=NARRATOR, data=elsewhere / "b") as silent,
    ):
        peers = Peers(mine)
        await peers.refresh()
        assert {peer.owner for peer in peers.seen} == {other.owner, silent.owner}
        clock.advance(TTL_S)
        await other.beat()
        await peers.refresh()
        assert [peer.owner for peer in peers.seen] == [other.owner]
