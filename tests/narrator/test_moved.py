"""A radio whose store is copied to another, and from there to a third: each goes on where the last ended."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from radio import casts
from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.admin.copying import copy
from radio.streams.contract import Record, StreamStore
from radio.streams.job_cursor import Cursor
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.open_store import open_store
from tests.narrator.studio import RUN, STATION, Studio, assert_exact
from tests.need import need
from tests.s2_server import S2Server, new_basin
from tests.waiting import until

SCRIPT = names.script(STATION, RUN)
HEARD = 4
"""Sentences spoken in each store."""


@asynccontextmanager
async def sqlite(data: Path) -> AsyncIterator[StreamStore]:
    store = await open_store(Settings(data=data), SystemClock())
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def memory(data: Path) -> AsyncIterator[StreamStore]:
    yield MemoryStore(SystemClock())


@asynccontextmanager
async def s2(data: Path) -> AsyncIterator[StreamStore]:
    need("s2")
    server = S2Server(data)
    server.start()
    try:
        settings = Settings(data=data, store=f"s2://{new_basin()}", s2_endpoint=server.origin)
        store = await open_store(settings, SystemClock())
        try:
            yield store
        finally:
            await store.close()
    finally:
        server.stop()


def sentences(part: int) -> list[str]:
    return [f"Part {part} has the sentence {k}." for k in range(HEARD)]


async def write_part(studio: Studio, part: int, *, is_last: bool) -> str:
    """More of the script, and a cast; the cast's id."""
    events: list[records.AnyRecord] = [
        records.Text(seg=part, body=(" ".join(sentences(part)) + " ").encode())
    ]
    if is_last:
        events.append(records.ScriptEnd(reason="done"))
    await studio.write(SCRIPT, *events)
    text = f"Cast {part} says this. It says that too."
    return (await casts.submit(studio.store, studio.clock, text=text, voice="af_heart")).cast


async def speak_part(studio: Studio, part: int, *, is_last: bool) -> str:
    """Have a narrator speak one part, and stop it; the cast that was spoken."""
    cast = await write_part(studio, part, is_last=is_last)
    async with studio.narrator():
        await studio.cast_over(cast)
        if is_last:
            await studio.finished()
        else:  # the last sentence of an unfinished script is not known to be whole
            await until(lambda: _has_spoken(studio, (part + 1) * HEARD - 1))
        await until(lambda: _is_moved(studio, part + 1))
    return cast


async def _has_spoken(studio: Studio, count: int) -> bool:
    return len(await studio.on_air()) >= count


async def _is_moved(studio: Studio, count: int) -> bool:
    """Whether the cursor has passed so many jobs, in this store."""
    return await Cursor(studio.store).read() >= count


async def audio(studio: Studio) -> dict[int, Record]:
    """What a replay sends, by seq: with captions and air times."""
    return {r.seq: r for r in await studio.stored(names.broadcast(STATION)) if r.kind == "data"}


def untold(stage: str, count: int, total: int) -> None:
    """Nobody watches."""


@pytest.mark.parametrize("between", [memory, s2], ids=["memory", "s2"])
async def test_a_radio_moves_to_another_store_and_back_and_nothing_is_lost_or_heard_twice(
    tmp_path: Path, between: object
) -> None:
    opens = [sqlite, between, sqlite]
    made: list[str] = []
    ids: set[str] = set()
    before: dict[int, Record] = {}
    async with AsyncExitStack() as opened:
        last: Studio | None = None
        for part, way in enumerate(opens):
            folder = tmp_path / str(part)
            store = await opened.enter_async_context(way(folder))  # type: ignore[operator]  # one of the above
            studio = Studio(folder, store)
            ids.add(await store.store_id())
            if last is None:
                await studio.card(lead=(900, 10))
                await studio.begin(length_s=3600)
                await studio.write(SCRIPT, records.ScriptStart(attempt=1, keep=records.SCRIPT_START))
            else:
                await copy(last.store, store, untold)
                assert await audio(studio) == before
            made.append(await speak_part(studio, part, is_last=part == 2))
            now = await audio(studio)
            assert {seq: now[seq] for seq in before} == before
            before, last = now, studio
        assert last is not None
        assert len(ids) == 3
        assert await last.captions() == [s for part in range(3) for s in sentences(part)]
        assert_exact(await last.on_air(), await last.broadcast())
        for cast in made:
            state = (await casts.look(last.store, cast)).state
            assert len(state.lines) == 2
            found = await last.events(names.cast(cast), records.CAST)
            assert [e.i for e in found if isinstance(e, records.Audio)] == [0, 1]
        receipts = [receipt.id for receipt in await last.receipts()]
        assert sorted(set(receipts) - {f"{STATION}/{RUN}"}) == sorted(made)
