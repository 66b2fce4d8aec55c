"""How a lane is spelt on the wire and in the log, and what is no lane."""

from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.errors import BadInput
from radio.streams import names
from radio.streams.ownership.observer import Observer
from radio.streams.records import Heartbeat, LaneId, encode
from radio.streams.stores.memory import MemoryStore


@pytest.mark.parametrize(
    ("lane", "spelt"),
    [
        (LaneId.station("harbor"), "station harbor"),
        (LaneId.cast("x1"), "cast x1"),
        (LaneId.cast("with a space"), "cast with a space"),
    ],
)
def test_a_lane_is_spelt_with_its_kind_and_read_as_it_is_spelt(lane: LaneId, spelt: str) -> None:
    assert str(lane) == spelt
    assert LaneId.parse(spelt) == lane


@pytest.mark.parametrize(
    "text", ["", "station", "station ", "cast", "text x", "station/harbor", "castx", " cast x"]
)
def test_what_is_no_lane_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadInput, match="not a lane") as refused:
        LaneId.parse(text)
    assert refused.value.hint is not None
    assert "station or cast" in refused.value.hint


def test_a_station_and_a_cast_of_the_same_id_are_two_lanes() -> None:
    assert len({LaneId.station("a"), LaneId.cast("a"), LaneId.cast("a")}) == 2


async def test_lanes_that_this_version_does_not_know_are_left_out_of_a_heartbeat(tmp_path: Path) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    leads = {"station harbor": 9.0, "film a": 1.0, "station/old": 2.0, "cast a": 3.0}
    await store.append(names.member("aaaaaaaa"), [encode(Heartbeat(role="n", host="h", leads=leads))])
    (peer,) = await Observer(store, clock, data=tmp_path, ttl_s=6.0).peers()
    assert peer.leads == {LaneId.station("harbor"): 9.0, LaneId.cast("a"): 3.0}
