"""A scheduler that dies or loses its store at any append: each run begins once and ends once all the same."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from radio.clock import ManualClock
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.service import station_service as services
from radio.streams import names
from radio.streams.contract import (
    Appendable,
    AppendAck,
    AppendUncertain,
    FromSeq,
    StreamStore,
    Unavailable,
)
from radio.streams.records import STATION_INPUT, Begin, RunEnd, decode
from radio.streams.stores.memory import MemoryStore
from tests.stations.samples import read
from tests.stations.service.test_station_service import Stage
from tests.stations.timetable.test_timetable import ms
from tests.waiting import until

PIER = read(
    "station: harbor\ntitle: Pier Radio\ntimezone: Europe/Berlin\n"
    "fallback: {producer: llm, topics: [calm]}\nshows:\n"
    '  - {id: one, title: One, at: "07:00", length: 10m, producer: llm, topics: [x]}\n'
    '  - {id: two, title: Two, at: "07:10", length: 10m, producer: llm, topics: [x]}\n'
    '  - {id: three, title: Three, at: "07:30", length: 10m, producer: llm, topics: [x]}\n'
)
SEVEN = ms("2026-12-01T06:00")
RUNS = [f"{show}@20261201T{at}" for show, at in (("one", "0700"), ("two", "0710"), ("three", "0730"))]
APPENDS = 14
"""A scheduler makes about so many in the scene below."""


class Breaking(MemoryStore):
    """A store that fails at one append to the station's input or card, once."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.left: int | None = None
        self.how = ""
        self.broke = asyncio.Event()
        self.died = asyncio.Event()

    @property
    def is_to_be_killed(self) -> bool:
        return self.broke.is_set() and self.how == "killed"

    async def append(self, name: str, records: Sequence[Appendable], **options: Any) -> AppendAck:
        if self.left is None or name not in (names.station_input("harbor"), names.card("harbor")):
            return await super().append(name, records, **options)
        self.left -= 1
        if self.left > 0:
            return await super().append(name, records, **options)
        self.left = None
        if self.how != "lost before":
            await super().append(name, records, **options)
        self.broke.set()
        if self.how == "killed":
            await self.died.wait()
        raise Unavailable("gone") if self.how == "lost before" else AppendUncertain("gone")


@pytest.fixture(autouse=True)
def quick_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "RETRY_S", 0.02)


async def play(folder: Path, store: Breaking, clock: ManualClock) -> None:
    """The scene to its end, with another process from when one was killed."""
    while clock.now_ms() < SEVEN + 42 * 60_000:
        stage = Stage(folder, store, clock)
        async with stage.service(PIER) as service:
            while clock.now_ms() < SEVEN + 42 * 60_000 and not store.is_to_be_killed:
                await stage.advance(60)
                service.ask(FallbackRequest("dry" if clock.now_ms() < SEVEN + 29 * 60_000 else "fed"))
                await settled()
            if store.is_to_be_killed:
                stage.work.cancel()
                store.how = "was killed"
                await settled()
                store.died.set()
            else:
                await until(lambda: all_over(store), within_s=60)


async def settled() -> None:
    """Whatever is under way comes to where it waits for time to pass."""
    for _ in range(300):
        await asyncio.sleep(0)


async def log_of(store: StreamStore) -> list[Begin | RunEnd]:
    page = await store.read(names.station_input("harbor"), FromSeq(0))
    decoded = [decode(STATION_INPUT, record) for record in page.records if record.kind == "data"]
    return [record for record in decoded if isinstance(record, Begin | RunEnd)]


async def all_over(store: StreamStore) -> bool:
    log = await log_of(store)
    ended = {record.run for record in log if isinstance(record, RunEnd)}
    return {record.run for record in log if isinstance(record, Begin)} == ended >= set(RUNS)


@pytest.mark.parametrize("how", ["lost before", "lost after", "killed"])
@pytest.mark.parametrize("at", range(1, APPENDS + 1))
async def test_each_run_begins_once_and_ends_once(tmp_path: Path, at: int, how: str) -> None:
    clock = ManualClock(SEVEN - 120_000)
    store = Breaking(clock)
    store.left, store.how = at, how
    async with asyncio.timeout(60):
        await play(tmp_path, store, clock)
    log = await log_of(store)
    begun = Counter(record.run for record in log if isinstance(record, Begin))
    ended = Counter(record.run for record in log if isinstance(record, RunEnd))
    assert set(begun.values()) == {1}
    assert begun == ended
    assert set(RUNS) < set(begun), "and a fallback"
    assert store.broke.is_set()
