import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.mp3 import SILENCE_FRAME
from radio.producers import catalogue, runner
from radio.producers.runner import merged
from radio.producers.source import Brief, Over, Piece, SoundPiece, Stretch, TakeBack, Words
from radio.runs import Assignment
from radio.settings import Settings
from radio.streams import names
from radio.streams.contract import Fence, StreamNotFound
from radio.streams.ownership.stream_owner import parse
from radio.streams.records import (
    Again,
    Audio,
    Clip,
    Cut,
    ScriptEnd,
    ScriptPosition,
    ScriptStart,
    Text,
    encode,
)
from radio.streams.stores.memory import MemoryStore
from tests.producers.samples import NOW, RUN, STATION, assignment, records, script
from tests.waiting import until


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("One.\n\nTwo.\n\nThree.")
    return tmp_path


async def produce(
    store: MemoryStore, clock: ManualClock, task: Assignment, stop: asyncio.Event | None = None
) -> None:
    await runner.run(Settings(), store, clock, stop or asyncio.Event(), task)


async def texts(store: MemoryStore) -> list[tuple[int, str]]:
    return [(r.seg, r.text) for r in await script(store) if isinstance(r, Text)]


async def test_a_run_is_written_whole_and_sealed(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    await produce(store, clock, assignment(folder))
    written = await script(store)
    assert written[0] == ScriptStart(attempt=1, keep=ScriptPosition(0, 0))
    assert await texts(store) == [(0, "One.\n\n"), (0, "Two.\n\n"), (0, "Three.\n\n")]
    assert written[-1] == ScriptEnd(reason="done")
    assert parse(await store.fencing_token(names.script(STATION, RUN))).reason == "done"
    assert [r.kind for r in (await records(store))[-2:]] == ["data", "fence"]


async def test_a_sealed_run_is_left_as_it_is(store: MemoryStore, clock: ManualClock, folder: Path) -> None:
    await produce(store, clock, assignment(folder))
    before = await records(store)
    await produce(store, clock, assignment(folder, attempt=2))
    assert await records(store) == before


async def test_a_run_that_is_stopped_is_not_sealed_and_the_next_attempt_goes_on(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    stop = asyncio.Event()
    task = assignment(folder, lead_low_s=0.1, lead_high_s=0.2)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(produce(store, clock, task, stop))
        await until(lambda: _holds(store, "One.\n\n"))
        stop.set()
    assert not any(isinstance(r, ScriptEnd) for r in await script(store))
    first = await texts(store)
    await produce(store, clock, assignment(folder, attempt=2))
    assert [t for _, t in await texts(store)] == ["One.\n\n", "Two.\n\n", "Three.\n\n"]
    start = [r for r in await script(store) if isinstance(r, ScriptStart)][-1]
    assert start.attempt == 2
    assert start.keep == ScriptPosition(len(first) + 1, len(first[-1][1]))


async def _holds(store: MemoryStore, words: str) -> bool:
    try:
        return words in "".join(t for _, t in await texts(store))
    except StreamNotFound:
        return False


async def test_it_rests_at_the_high_mark_and_goes_on_as_it_is_spoken(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    (folder / "a.txt").write_text("\n\n".join(["x" * 140] * 20))
    stop = asyncio.Event()
    task = assignment(folder, lead_low_s=20, lead_high_s=40)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(produce(store, clock, task, stop))
        await until(lambda: _count(store, 4))
        await asyncio.sleep(runner.LOOK_S * 2)
        resting = len(await texts(store))
        assert resting <= 5
        clock.advance(60)
        src = ScriptPosition((await _last_seq(store)), 142)
        audio = Audio(i=0, d=24, t="x", pos=0, at=clock.now_ms(), run=RUN, src=src, body=b"")
        await store.append(names.broadcast(STATION), [encode(audio)])
        await until(lambda: _count(store, resting + 1))
        stop.set()


async def _count(store: MemoryStore, least: int) -> bool:
    return await _holds(store, "x") and sum(len(t) // 142 for _, t in await texts(store)) >= least


async def _last_seq(store: MemoryStore) -> int:
    return max(r.seq for r in await records(store) if r.kind == "data")


async def test_it_ends_with_its_run(store: MemoryStore, clock: ManualClock, folder: Path) -> None:
    (folder / "a.txt").write_text("\n\n".join(["x" * 140] * 20))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(produce(store, clock, assignment(folder)))
        await until(lambda: _count(store, 5))
        clock.advance(3600)
    assert (await script(store))[-1] == ScriptEnd(reason="until")


async def test_a_higher_attempt_ends_a_lower_one(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    (folder / "a.txt").write_text("\n\n".join(["x" * 140] * 20))
    task = assignment(folder, lead_low_s=5, lead_high_s=10)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(produce(store, clock, task))
        await until(lambda: _count(store, 1))
        name = names.script(STATION, RUN)
        tail = await store.check_tail(name)
        await store.append(name, [Fence("e2.zzzzzzzz")], match_seq_num=tail.seq)
        clock.advance(60)
        audio = Audio(
            i=0, d=24, t="x", pos=0, at=clock.now_ms(), run=RUN, src=ScriptPosition(tail.seq, 0), body=b""
        )
        await store.append(names.broadcast(STATION), [encode(audio)])
    assert not any(isinstance(r, ScriptEnd) for r in await script(store))


class Scripted:
    """A source that gives what it was told to, and then stands still."""

    first_piece_within_s = 1.0
    piece_within_s = 1.0

    def __init__(self, *pieces: Piece) -> None:
        self._pieces = pieces
        self.is_closed = False

    async def pieces(self) -> AsyncGenerator[Piece, None]:
        try:
            for piece in self._pieces:
                yield piece
            await asyncio.Event().wait()
        finally:
            self.is_closed = True


async def test_a_source_that_hangs_ends_the_process_and_leaves_the_script_open(
    store: MemoryStore, clock: ManualClock, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Scripted(Words(0, "One. "), Words(0, "Two. "), TakeBack(0), Words(0, "New. "))
    monkeypatch.setattr(catalogue, "open_source", lambda kind, brief: _checked(kind, brief, source))
    with pytest.raises(runner.Hung):
        await produce(store, clock, assignment(folder))
    assert source.is_closed
    assert [r for r in await script(store) if isinstance(r, Text | Cut)] == [
        Text(seg=0, body=b"One. Two. "),
        Cut(keep=ScriptPosition(0, 0)),
        Text(seg=0, body=b"New. "),
    ]


def _checked(kind: str, brief: Brief, source: Scripted) -> Scripted:
    assert kind == "text"
    assert brief.next_seg == 0
    return source


def test_words_of_one_segment_that_come_together_are_one_piece() -> None:
    batch: list[Piece | Over] = [
        Words(0, "a"),
        Words(0, "b"),
        Words(1, "c"),
        TakeBack(1),
        Words(1, "d"),
        Over("done"),
    ]
    assert merged(batch) == [Words(0, "ab"), Words(1, "c"), TakeBack(1), Words(1, "d")]


# --- sources that fail --------------------------------------------------------------------------------------

Pieces = Callable[[], AsyncGenerator[Piece, None]]


@pytest.fixture
def written_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Pieces], None]:
    """Lets a generator of the test's own write the run."""

    def set_source(pieces: Pieces) -> None:
        class Own:
            first_piece_within_s = piece_within_s = 5.0

            def pieces(self) -> AsyncGenerator[Piece, None]:
                return pieces()

        monkeypatch.setattr(catalogue, "open_source", lambda kind, brief: Own())

    return set_source


async def test_one_that_crashes_ends_the_process_and_leaves_the_script_open(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    async def crashes() -> AsyncGenerator[Piece, None]:
        yield Words(0, "One. ")
        await asyncio.sleep(2 * runner.COALESCE_S)
        raise RuntimeError("broken")

    written_by(crashes)
    with pytest.raises(RuntimeError, match="broken"):
        await produce(store, clock, assignment(folder))
    assert await texts(store) == [(0, "One. ")]
    assert not any(isinstance(r, ScriptEnd) for r in await script(store))


async def test_one_that_writes_nothing_ends_its_run(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    async def nothing() -> AsyncGenerator[Piece, None]:
        return
        yield

    written_by(nothing)
    await produce(store, clock, assignment(folder))
    assert (await script(store))[-1] == ScriptEnd(reason="done")


async def test_one_that_says_why_it_ends_is_sealed_with_the_reason(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    async def over() -> AsyncGenerator[Piece, None]:
        yield Words(0, "One. ")
        raise Over("no news of the day, nor of the day before")

    written_by(over)
    await produce(store, clock, assignment(folder))
    seal = (await script(store))[-1]
    assert isinstance(seal, ScriptEnd)
    assert seal.reason
    assert "no news of the day, nor of the day before".startswith(seal.reason)
    assert parse(await store.fencing_token(names.script(STATION, RUN))).reason == seal.reason


async def test_one_that_writes_without_end_is_asked_only_as_far_ahead_as_is_wanted(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    given = 0

    async def endless() -> AsyncGenerator[Piece, None]:
        nonlocal given
        while True:
            given += 1
            yield Words(given, "word " * 20_000)

    written_by(endless)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(produce(store, clock, assignment(folder), stop))
        await until(lambda: given > 0)
        await asyncio.sleep(2 * runner.LOOK_S)
        stop.set()
    assert given == 1


async def test_garbage_is_written_as_far_as_it_is_text(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    async def garbage() -> AsyncGenerator[Piece, None]:
        yield Words(0, "a\ud800b\x00\uffff ")
        yield Words(0, "")

    written_by(garbage)
    await produce(store, clock, assignment(folder))
    assert await texts(store) == [(0, "ab ")]


async def test_sound_and_stretches_are_written_with_their_length_and_mark(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    async def sound() -> AsyncGenerator[Piece, None]:
        yield SoundPiece(0, SILENCE_FRAME * 5, "A tune", "tune#0")
        yield Stretch(1, 10, 19, 60_000, "run#19")

    written_by(sound)
    await produce(store, clock, assignment(folder))
    assert [r for r in await script(store) if isinstance(r, Clip | Again)] == [
        Clip(seg=0, d=120, t="A tune", mark="tune#0", body=SILENCE_FRAME * 5),
        Again(seg=1, first=10, last=19, d=60_000, mark="run#19"),
    ]


async def test_stretches_count_as_what_is_in_hand(
    store: MemoryStore, clock: ManualClock, folder: Path, written_by: Callable[[Pieces], None]
) -> None:
    async def stretches() -> AsyncGenerator[Piece, None]:
        for n in range(100):
            yield Stretch(n, n, n, 30_000)

    written_by(stretches)
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(produce(store, clock, assignment(folder), stop))
        await until(lambda: _has_stretches(store, 3))
        await asyncio.sleep(2 * runner.LOOK_S)
        stop.set()
    assert len([r for r in await script(store) if isinstance(r, Again)]) == 3


async def _has_stretches(store: MemoryStore, count: int) -> bool:
    try:
        return len([r for r in await script(store) if isinstance(r, Again)]) >= count
    except StreamNotFound:
        return False
