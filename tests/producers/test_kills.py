"""Producers of each kind that goes on, killed at every append: nothing is written twice, nothing is lost."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from radio.clock import ManualClock
from radio.producers import runner
from radio.runs import Assignment
from radio.settings import Settings
from radio.streams import names
from radio.streams.contract import NewRecord
from radio.streams.records import Again, ArchivedRun, Clip, ScriptEnd, Text, encode
from radio.streams.stores.memory import MemoryStore
from tests.narrator.studio import DyingStore
from tests.producers.samples import NOW, STATION, assignment, script

ITEM = "<item><guid>{0}</guid><title>Item number {0}</title><description>It is news.</description></item>"


async def feed(store: MemoryStore, folder: Path) -> dict[str, Any]:
    items = "".join(ITEM.format(n) for n in range(3))
    (folder / "a.xml").write_text(f"<rss version='2.0'><channel>{items}</channel></rss>")
    return {"producer": "feed", "feeds": [str(folder / "a.xml")], "tell": "read"}


async def audio(store: MemoryStore, folder: Path) -> dict[str, Any]:
    for name, seconds in (("a", 25), ("b", 1)):
        tone = 0.1 * np.sin(2 * np.pi * 440 * np.arange(8000 * seconds) / 8000)
        soundfile.write(folder / f"{name}.wav", tone, 8000)
    return {"producer": "audio", "files": [str(folder / f"{name}.wav") for name in "ab"]}


async def rerun(store: MemoryStore, folder: Path) -> dict[str, Any]:
    await store.append(names.broadcast(STATION), [NewRecord(b"x")] * 100)
    run = ArchivedRun(
        run="brief@1", show="brief", title="T", spans=((0, 69),), at=NOW, until=NOW, size=9600, sentences=70
    )
    await store.append(names.shows(STATION), [encode(run)])
    return {"producer": "rerun", "loop": False}


WRITTEN = {
    feed: [f"Item number {n}. It is news." for n in range(3)],
    audio: ["a.wav#0", "a.wav#1", "a.wav#last", "b.wav#last"],
    rerun: [(0, 23), (24, 47), (48, 69)],
}


async def written(store: MemoryStore) -> list[object]:
    found: list[object] = []
    for record in await script(store):
        match record:
            case Text():
                found.append(record.text.strip())
            case Clip():
                found.append(str(record.mark).partition("/")[2])
            case Again():
                found.append((record.first, record.last))
    return found


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("dies_at", range(9))
@pytest.mark.parametrize("kind", WRITTEN, ids=lambda kind: kind.__name__)
async def test_killed_at_any_append_all_is_written_once(
    tmp_path: Path, kind: Callable[..., Any], dies_at: int, after: bool
) -> None:
    clock = ManualClock(NOW)
    store = MemoryStore(clock)
    options = await kind(store, tmp_path)

    def task(attempt: int) -> Assignment:
        return assignment(tmp_path, producer=options["producer"], options=options, attempt=attempt)

    settings = Settings(data=tmp_path)
    dying = DyingStore(store, dies_at, after=after)
    first = asyncio.create_task(
        runner.run(settings, dying, clock, asyncio.Event(), task(1))  # type: ignore[arg-type]  # it forwards
    )
    dead = asyncio.create_task(dying.dead.wait())
    await asyncio.wait({first, dead}, return_when=asyncio.FIRST_COMPLETED)
    for ended in (first, dead):
        ended.cancel()
    await asyncio.gather(first, dead, return_exceptions=True)
    await runner.run(settings, store, clock, asyncio.Event(), task(2))
    assert await written(store) == WRITTEN[kind]
    end = (await script(store))[-1]
    assert isinstance(end, ScriptEnd)
    assert end.reason == "done"
