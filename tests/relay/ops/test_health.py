from dataclasses import replace
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.relay.ops.disk_status import DiskStatus
from radio.settings import Settings
from radio.streams import disk, names
from radio.streams.ownership.observer import Observer
from radio.streams.records import Heartbeat, encode
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.serving import relay_on
from tests.waiting import until


def observer(store: MemoryStore, clock: ManualClock, data: Path) -> Observer:
    return Observer(store, clock, data=data, ttl_s=6.0)


@pytest.mark.parametrize("path", ["/healthz", "/health"])
async def test_the_process_is_well_as_soon_as_it_answers(
    store: MemoryStore, clock: ManualClock, path: str
) -> None:
    async with relay_on(store, clock) as served:
        assert (await served.json(path))["status"] == "ok"
        async with served.http.head(served.at(path)) as reply:
            assert reply.status == 200
        async with served.http.get(served.at("/readyz")) as reply:
            assert reply.status == 503


async def test_the_radio_is_ready_while_every_station_that_should_be_heard_is(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await Air(store, clock, "closed").begin(fallback="off")
    async with relay_on(store, clock) as served:
        await served.relay.stations.find("closed")
        async with served.http.get(served.at("/readyz")) as reply:
            assert reply.status == 503
        await served.relay.stations.find("harbor")
        told = await served.json("/healthz")
        assert (told["status"], {one["state"] for one in told["stations"]}) == ("not ok", {"starting", "off"})
        await air.say_many(3)
        station = await served.relay.stations.find("harbor")
        await until(lambda: len(list(station.spoken())) == 3)
        clock.advance(1)
        assert (await served.json("/healthz"))["status"] == "ok"
        told = {one["station"]: one for one in (await served.json("/readyz"))["stations"]}
        assert told["closed"]["ready"]
        assert told["harbor"]["seconds_since_speech"] == 0
        assert told["harbor"]["silence_ratio"] == 0
        assert told["harbor"]["lead_ms"] > 4000
        clock.advance(60)
        async with served.http.get(served.at("/readyz")) as reply:
            assert reply.status == 503
            told = {one["station"]: one for one in (await reply.json())["stations"]}
        assert not told["harbor"]["ready"]
        assert (await served.json("/healthz"))["status"] == "not ok"
        assert told["harbor"]["seconds_since_speech"] > 50


async def test_it_tells_how_the_disk_stands_and_what_went_for_it(
    store: MemoryStore, clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = 900
    monkeypatch.setattr(disk, "free_bytes", lambda folder: free)
    beats = {"aaaaaaaa": 50, "bbbbbbbb": None, "cccccccc": 25}
    for owner, let_go in beats.items():
        await store.append(names.member(owner), [encode(Heartbeat(role="n", host="h", let_go=let_go))])
    watch = DiskStatus(Settings(data=tmp_path, disk_floor=1000), observer(store, clock, tmp_path))
    assert await watch.describe() == {
        "free_bytes": 900, "floor_bytes": 1000, "low": True, "let_go_bytes": 75,
    }  # fmt: skip
    for free, is_low in ((1200, True), (1300, False), (1100, False), (999, True)):
        told = await watch.describe()
        assert told is not None
        assert (told["free_bytes"], told["low"]) == (free, is_low)


async def test_what_a_narrator_trimmed_that_is_dead_is_not_counted(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    """By its silence, whatever the wall clocks say: one that is an hour behind lives while it beats."""
    status = DiskStatus(Settings(data=tmp_path), observer(store, clock, tmp_path))
    beat = encode(Heartbeat(role="narrator", host="h", let_go=50))
    behind = replace(beat, timestamp=clock.now_ms() - 3_600_000)
    for owner in ("aaaaaaaa", "bbbbbbbb"):
        await store.append(names.member(owner), [beat])
    for seconds, trimmed in ((0, 100), (3, 100), (3, 50), (60, 50)):
        clock.advance(seconds)
        await store.append(names.member("aaaaaaaa"), [behind])
        told = await status.describe()
        assert told is not None
        assert (seconds, told["let_go_bytes"]) == (seconds, trimmed)


async def test_a_disk_that_nobody_watches_or_that_is_not_there(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    seen = observer(store, clock, tmp_path)
    assert await DiskStatus(Settings(data=tmp_path, disk_floor=0), seen).describe() is None
    assert await DiskStatus(Settings(data=tmp_path, store="s2://basin"), seen).describe() is None
    elsewhere = Settings(data=tmp_path, store="s2://basin", disk_folder=str(tmp_path))
    told = await DiskStatus(elsewhere, seen).describe()
    assert told is not None
    assert told["free_bytes"] > 0
    told = await DiskStatus(Settings(data=tmp_path / "absent"), seen).describe()
    assert told is not None
    assert (told["free_bytes"], told["low"]) == (None, None)


async def test_the_disk_stands_in_health_and_readiness(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        assert (await served.json("/health"))["disk"]["floor_bytes"] == Settings().disk_floor
        async with served.http.get(served.at("/readyz")) as reply:
            assert (await reply.json())["disk"]["floor_bytes"] == Settings().disk_floor
