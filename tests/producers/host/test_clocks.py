"""Words that tell the time are taken back and written anew when their air time moves."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.producers import catalogue, runner
from radio.producers.air_position import AirPosition
from radio.producers.script_state import clock_mark, folded
from radio.producers.source import Brief, Piece, Words
from radio.settings import Settings
from radio.streams.records import Cut, ScriptEnd, ScriptPosition, Text
from radio.streams.stores.memory import MemoryStore
from tests.producers.samples import NOW, assignment, script
from tests.waiting import until

MINUTE_MS = 60_000
TALK = "We talk about the sea for a while, as it is here. " * 30


class Announcer:
    """Says the time, then talks; one segment, once whole."""

    mark: str | None = None

    first_piece_within_s = 60.0
    piece_within_s = 60.0

    def __init__(self, brief: Brief) -> None:
        self._brief = brief

    async def pieces(self) -> AsyncGenerator[Piece, None]:
        if self._brief.next_seg == 0:
            yield Words(0, "Hello to you. ")
        heard_at = self._brief.heard_at()
        yield Words(1, f"It is minute {(heard_at - NOW) // MINUTE_MS} of the hour. ", heard_at, self.mark)
        yield Words(1, TALK)
        await asyncio.Event().wait()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def store(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> MemoryStore:
    monkeypatch.setattr(catalogue, "open_source", lambda kind, brief: Announcer(brief))
    return MemoryStore(clock)


async def standing_text(store: MemoryStore) -> str:
    text = ""
    for record in await script(store):
        if isinstance(record, Text):
            text = f"{text}{record.text}"
        elif isinstance(record, Cut):
            text = text[: text.index("It is minute")]
    return text


async def _says(store: MemoryStore, words: str, *, cuts: int) -> bool:
    if not (await store.list()).items:
        return False
    found = sum(isinstance(record, Cut) for record in await script(store))
    text = await standing_text(store)
    return found == cuts and words in text and text.endswith(TALK)


@pytest.mark.parametrize("mark", [None, "page 7"])
async def test_words_whose_air_time_moved_are_taken_back_and_written_for_the_new_one(
    store: MemoryStore,
    clock: ManualClock,
    tmp_path: Path,
    mark: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Announcer, "mark", mark)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, stop, assignment(tmp_path)))
        await until(lambda: _says(store, "It is minute 0 of", cuts=0))
        clock.advance(5 * 60)
        await until(lambda: _says(store, "It is minute 5 of", cuts=1))
        stop.set()
    text = await standing_text(store)
    assert text.startswith("Hello to you. It is minute 5 of the hour. ")


async def test_what_was_taken_back_for_the_time_is_counted_at_the_run_s_end(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, asyncio.Event(), assignment(tmp_path)))
        await until(lambda: _says(store, "It is minute 0 of", cuts=0))
        clock.advance(5 * 60)
        await until(lambda: _says(store, "It is minute 5 of", cuts=1))
        clock.advance(3600)
    end = (await script(store))[-1]
    assert end == ScriptEnd(reason="until", discarded={"air time moved": 1})


async def test_a_later_attempt_knows_the_clocks_that_stand(
    store: MemoryStore, clock: ManualClock, tmp_path: Path
) -> None:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, stop, assignment(tmp_path)))
        await until(lambda: _says(store, "It is minute 0 of", cuts=0))
        stop.set()
    clock.advance(10 * 60)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, stop, assignment(tmp_path, attempt=2)))
        await until(lambda: _says(store, "It is minute 10 of", cuts=1))
        stop.set()


def test_a_move_of_a_minute_is_none(store: MemoryStore, clock: ManualClock, tmp_path: Path) -> None:
    written = [
        (1, Text(seg=0, body=b"Hello. ")),
        (2, Text(seg=0, mark=clock_mark(NOW), body=b"It is noon. ")),
    ]
    standing = folded(written)
    air = AirPosition(store, clock, assignment(tmp_path), standing)
    clock.advance(60)
    assert air.wrong_clock() is None
    clock.advance(60)
    assert air.wrong_clock() == ScriptPosition(1, 7)
    standing.hear(ScriptPosition(2, 3))
    assert air.wrong_clock() is None
