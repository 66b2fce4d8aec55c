"""A radio that keeps its broadcasts for some seconds: its disk use is flat, and listeners notice nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from tests.flow.running import Radio
from tests.flow.stations import READ_ALOUD, tale
from tests.waiting import until

STATIONS = ("harbor", "tower", "ferry", "quay")
KEEP_S = 12
LEAD_S = 30 + 24
"""The target, and two of the longest sentences."""
LATE_S = 20
"""What a busy machine may be late with a look."""
BYTES_PER_S = 8000
WATCHED_S = 36


pytestmark = pytest.mark.flow


@pytest.fixture
def radio(tmp_path: Path) -> Radio:
    files = {
        station: READ_ALOUD.replace("station: harbor", f"station: {station}").replace(
            "timezone: UTC", f"timezone: UTC\nkeep: {KEEP_S}s"
        )
        for station in STATIONS
    }
    radio = Radio(tmp_path, files, "--engine=tone")
    (radio.schedules / "tales.txt").write_text(" ".join(tale(2000)), encoding="utf-8")
    return radio


class Ear:
    """Hears every record of a station from the begin on."""

    def __init__(self, store: StreamStore, station: str) -> None:
        self._store = store
        self._station = station
        self.heard: list[records.AnyRecord] = []

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._listen())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _listen(self) -> None:
        name = names.broadcast(self._station)
        async with self._store.follow(name, FromSeq(0), await_stream=True) as tail:
            async for page in tail:
                assert not page.gap, "trimmed before it could be followed"
                self.heard += [records.decode(records.BROADCAST, record) for record in page.records]

    @property
    def audio(self) -> list[records.Audio]:
        return [record for record in self.heard if isinstance(record, records.Audio)]

    def check(self) -> None:
        """Dense in sound and in time, and each sentence once."""
        for before, after in pairwise(self.audio):
            assert (after.i, after.pos) == (before.i + 1, before.pos + len(before.body))
            assert after.at == before.until


async def standing(store: StreamStore, station: str) -> tuple[int, int]:
    """The oldest record, and the bytes of sound that stand."""
    at, oldest, size = 0, -1, 0
    while True:
        page = await store.read(names.broadcast(station), FromSeq(at), clamp=True, include_commands=True)
        for record in page.records:
            oldest = record.seq if oldest < 0 else oldest
            size += len(record.body)
        if page.next_seq == at:
            return oldest, size
        at = page.next_seq


async def test_keep_holds_the_disk_flat_and_live_is_unhurt(radio: Radio) -> None:
    radio.start()
    try:
        async with radio.store() as store, aiohttp.ClientSession(radio.url) as http:
            ears = {station: Ear(store, station) for station in STATIONS}
            async with asyncio.TaskGroup() as tasks:
                for name, ear in ears.items():
                    tasks.create_task(_watch(radio, store, http, ear, name))
                tasks.create_task(_kill_a_narrator(radio, store))
            for ear in ears.values():
                ear.check()
    finally:
        radio.end()


async def _watch(
    radio: Radio, store: StreamStore, http: aiohttp.ClientSession, ear: Ear, station: str
) -> None:
    async with ear.listening(), http.get(f"/stations/{station}/live.mp3") as live:
        await until(lambda: _is_trimmed(store, station), within_s=120)
        late_frames = (await _told(http, station))["late_frames"]
        begun, live_bytes, sizes = asyncio.get_running_loop().time(), 0, []
        while asyncio.get_running_loop().time() - begun < WATCHED_S:
            live_bytes += len(await live.content.read(1 << 20))  # all that came
            sizes.append(radio.data.joinpath("radio.sqlite3").stat().st_size)
            _, stands = await standing(store, station)
            assert stands <= (KEEP_S + LEAD_S + LATE_S) * BYTES_PER_S
        made = sum(len(audio.body) for audio in ear.audio) * len(STATIONS)
    assert live_bytes >= (WATCHED_S - LATE_S) * BYTES_PER_S
    late = sizes[len(sizes) // 3 :]
    assert max(late) - min(late) < 1 << 20 < made
    oldest, _ = await standing(store, station)
    async with http.get(f"/stations/{station}/replay.mp3?from=0") as reply:
        assert reply.status == 410
        assert (await reply.json())["oldest"] >= oldest
    async with http.get(f"/stations/{station}/archive") as reply:
        [run] = (await reply.json())["runs"]
        assert run["from"] >= oldest
    told = await _told(http, station)
    assert told["late_frames"] == late_frames
    assert told["ready"]


async def _told(http: aiohttp.ClientSession, station: str) -> dict[str, Any]:
    """How the station is, as the relay tells it."""
    async with http.get("/readyz") as reply:
        stations: list[dict[str, Any]] = (await reply.json())["stations"]
    return next(one for one in stations if one["station"] == station)


async def _kill_a_narrator(radio: Radio, store: StreamStore) -> None:
    """While all of them are being trimmed."""
    for station in STATIONS:
        await until(lambda station=station: _is_trimmed(store, station), within_s=120)  # type: ignore[misc]
    await asyncio.sleep(WATCHED_S / 3)  # somewhere in the time that is watched
    radio.kill("narrator")


async def _is_trimmed(store: StreamStore, station: str) -> bool:
    try:
        return (await standing(store, station))[0] > 0
    except StreamNotFound:
        return False
