"""What a show remembers from run to run: on the store, fenced, and as far as was heard."""

import asyncio
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.producers import run_memory, runner, show_memory
from radio.producers.show_memory import ShowMemory
from radio.settings import Settings
from radio.streams import names
from radio.streams.contract import FenceMismatch, FromSeq, Record, StreamNotFound
from radio.streams.records import (
    MEMORY,
    Audio,
    Begin,
    BroadcastEnd,
    Heard,
    RunEnd,
    ScriptEnd,
    ScriptPosition,
    ScriptStart,
    Text,
    decode,
    encode,
    event_of,
)
from radio.streams.stores.memory import MemoryStore
from tests.narrator.studio import DyingStore
from tests.producers.samples import NOW, RUN, STATION, assignment, records, script
from tests.waiting import until

BEFORE = "night@20270114T0900"
SHOW = "night"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("\n\n".join(f"Paragraph {n} is here." for n in range(8)))
    return tmp_path


async def heard(store: MemoryStore) -> list[tuple[str, str]]:
    """Runs and marks of the memory."""
    try:
        found = (await store.read(names.memory(STATION, SHOW), FromSeq(0))).records
    except StreamNotFound:
        return []
    events = [decode(MEMORY, record) for record in found]
    return [(e.run, e.mark.rpartition("#")[2]) for e in events if isinstance(e, Heard)]


async def begin(store: MemoryStore, run: str, at: int, until_ms: int) -> None:
    event = Begin(run=run, show=SHOW, title="T", voice="af_heart", producer="text", at=at, until=until_ms)
    await store.append(names.station_input(STATION), [encode(event)])


async def speak(store: MemoryStore, run: str, seq: int, offset: int, at: int = NOW) -> None:
    audio = Audio(i=0, d=24, t="x", pos=0, at=at, run=run, src=ScriptPosition(seq, offset), body=b"")
    await store.append(names.broadcast(STATION), [encode(audio)])


async def texts(store: MemoryStore) -> list[str]:
    try:
        return [r.text.strip() for r in await script(store) if isinstance(r, Text)]
    except StreamNotFound:
        return []


# --- the stream ---------------------------------------------------------------------------------------------


async def test_marks_come_back_in_order_for_the_next_run(store: MemoryStore) -> None:
    first = await ShowMemory.take(store, STATION, SHOW, BEFORE)
    await first.add("a#1")
    await first.add("a#2")
    await first.close()
    second = await ShowMemory.take(store, STATION, SHOW, RUN)
    assert list(second.heard) == [Heard(run=BEFORE, mark="a#1"), Heard(run=BEFORE, mark="a#2")]
    await second.close()


async def test_who_takes_it_over_fences_the_one_before_off(store: MemoryStore) -> None:
    first = await ShowMemory.take(store, STATION, SHOW, BEFORE)
    second = await ShowMemory.take(store, STATION, SHOW, RUN)
    with pytest.raises(FenceMismatch):
        await first.add("a#1")
    await second.add("a#2")
    assert await heard(store) == [(RUN, "2")]


async def test_it_does_not_grow_for_ever(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show_memory, "KEEP", 10)
    for run in range(3):
        taken = await ShowMemory.take(store, STATION, SHOW, f"night@{run}")
        for n in range(20):
            await taken.add(f"a#{run * 20 + n}")
        await taken.close()
    last = await ShowMemory.take(store, STATION, SHOW, RUN)
    assert 10 <= len(last.heard) < 40
    assert last.heard[-1].mark == "a#59"
    await last.close()


# --- when a run begins --------------------------------------------------------------------------------------


async def test_a_run_waits_with_its_memory_until_the_one_before_is_over(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    await begin(store, BEFORE, NOW - 60_000, NOW + 30_000)
    await begin(store, RUN, NOW + 30_000, NOW + 90_000)
    task = assignment(folder, at=NOW + 30_000)
    taking = asyncio.create_task(run_memory.begin(store, clock, task, by_hearing=True))
    await asyncio.sleep(3 * run_memory.LOOK_S)
    assert not taking.done()
    await store.append(names.broadcast(STATION), [encode(BroadcastEnd(run=BEFORE, reason="until"))])
    async with asyncio.timeout(60):
        await (await taking).close()


@pytest.mark.parametrize("before_until", [NOW - 1, NOW + 30_000])
async def test_it_does_not_wait_longer_than_until_its_own_begin(
    store: MemoryStore, clock: ManualClock, folder: Path, before_until: int
) -> None:
    await begin(store, BEFORE, NOW - 60_000, before_until)
    await begin(store, RUN, NOW, NOW + 90_000)
    async with asyncio.timeout(60):
        taken = await run_memory.begin(store, clock, assignment(folder), by_hearing=True)
    await taken.close()


async def test_a_fallback_is_over_with_its_end(store: MemoryStore, clock: ManualClock, folder: Path) -> None:
    for run, at in (("fallback@1", NOW - 60_000), ("fallback@5", NOW + 1000)):
        event = Begin(
            run=run, show="fallback", title="T", voice="v", producer="text", at=at, until=at + 86_400_000
        )
        await store.append(names.station_input(STATION), [encode(event)])
    await store.append(names.station_input(STATION), [encode(RunEnd(run="fallback@1", reason="fed"))])
    task = assignment(folder, run="fallback@5", show="fallback", at=NOW + 1000)
    async with asyncio.timeout(60):
        taken = await run_memory.begin(store, clock, task, by_hearing=True)
    await taken.close()


async def test_what_the_run_before_did_not_tell_is_read_from_its_script_and_the_broadcast(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    await begin(store, BEFORE, NOW - 90_000, NOW - 1)
    await begin(store, RUN, NOW, NOW + 90_000)
    written = [Text(seg=0, mark=f"b/a.txt#{n}", body=b"A paragraph.\n\n") for n in range(4)]
    start = ScriptStart(attempt=1, keep=ScriptPosition(0, 0))
    await store.append(names.script(STATION, BEFORE), [encode(start), *map(encode, written)])
    await speak(store, BEFORE, 2, 12)
    await speak(store, BEFORE, 3, 5)
    taken = await run_memory.begin(store, clock, assignment(folder), by_hearing=True)
    assert [h.mark for h in taken.heard] == ["b/a.txt#1"]
    await taken.close()
    again = await run_memory.begin(store, clock, assignment(folder), by_hearing=True)
    assert len(again.heard) == 1
    await again.close()


# --- through the runner -------------------------------------------------------------------------------------


async def test_a_run_remembers_what_was_heard_and_the_next_goes_on_there(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    stop = asyncio.Event()
    await begin(store, RUN, NOW, NOW + 3_600_000)
    task = assignment(folder, lead_low_s=8, lead_high_s=8)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, stop, task))
        await until(lambda: _count(store, 4))
        seqs = [r.seq for r in await records(store) if r.kind == "data"]
        await speak(store, RUN, seqs[2], 20)
        await until(lambda: _is(store, [(RUN, "1")]))
        clock.advance(3600)
    assert await heard(store) == [(RUN, "1")]
    later = "night@20270116T0900"
    await begin(store, later, clock.now_ms(), clock.now_ms() + 3_600_000)
    task = assignment(folder, run=later, at=clock.now_ms(), until=clock.now_ms() + 3_600_000)
    await runner.run(Settings(), store, clock, asyncio.Event(), task)
    found = [decode_text(r) for r in await records(store, names.script(STATION, later))]
    assert [text for text in found if text] == [f"Paragraph {n} is here." for n in range(2, 8)]
    assert (await heard(store))[-1] == (later, "7")


def decode_text(record: Record) -> str:
    return record.body.decode().strip() if event_of(record) == Text.EVENT else ""


async def _count(store: MemoryStore, least: int) -> bool:
    return len(await texts(store)) >= least


async def _is(store: MemoryStore, wanted: list[tuple[str, str]]) -> bool:
    return await heard(store) == wanted


async def test_a_run_that_lost_its_memory_to_a_later_one_goes_on_without(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    stop = asyncio.Event()
    task = assignment(folder, lead_low_s=8, lead_high_s=8)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, stop, task))
        await until(lambda: _count(store, 4))
        later = await ShowMemory.take(store, STATION, SHOW, "night@20270116T0900")
        seqs = [r.seq for r in await records(store) if r.kind == "data"]
        await speak(store, RUN, seqs[2], 20)
        clock.advance(30)
        await until(lambda: _count(store, 5))
        clock.advance(3600)
    await later.close()
    assert await heard(store) == []
    assert isinstance((await script(store))[-1], ScriptEnd)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("dies_at", range(14))
async def test_killed_at_any_append_a_run_still_writes_each_paragraph_once(
    store: MemoryStore, clock: ManualClock, folder: Path, dies_at: int, after: bool
) -> None:
    await begin(store, RUN, NOW, NOW + 3_600_000)
    dying = DyingStore(store, dies_at, after=after)
    first = asyncio.create_task(
        runner.run(Settings(), dying, clock, asyncio.Event(), assignment(folder))  # type: ignore[arg-type]  # it forwards
    )
    dead = asyncio.create_task(dying.dead.wait())
    await asyncio.wait({first, dead}, return_when=asyncio.FIRST_COMPLETED)
    for task in (first, dead):
        task.cancel()
    await asyncio.gather(first, dead, return_exceptions=True)
    await runner.run(Settings(), store, clock, asyncio.Event(), assignment(folder, attempt=2))
    assert await texts(store) == [f"Paragraph {n} is here." for n in range(8)]
    assert (await heard(store))[-1] == (RUN, "7")


async def test_nothing_is_written_that_would_not_be_heard(
    store: MemoryStore, clock: ManualClock, folder: Path
) -> None:
    (folder / "a.txt").write_text("\n\n".join("x" * 138 for _ in range(20)))
    task = assignment(folder, until=NOW + 35_000)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(runner.run(Settings(), store, clock, asyncio.Event(), task))
        await until(lambda: _count(store, 4))
        await asyncio.sleep(3 * runner.LOOK_S)
        assert len(await texts(store)) == 4
        clock.advance(40)
