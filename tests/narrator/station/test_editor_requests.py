"""What the editor asks of a station that is on air: said once, skipped once, whoever owns it."""

import asyncio
from pathlib import Path

import pytest

from radio import control
from radio.clock import ManualClock
from radio.narrator.station.editor_requests import EDITOR, FRESH_MS, MADE, EditorRequests
from radio.streams import names, records
from radio.streams.records import SCRIPT_START, AnyRecord, ScriptPosition
from radio.streams.stores.memory import MemoryStore
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, memory_studio
from tests.waiting import until

FIRST = ["The tide turns at nine today.", "Bring a lamp and a rope.", "Mind the third step down."]
SECOND = ["Now to the weather of tonight.", "It will rain from ten on.", "Then the wind will turn west."]
WORDS = "Dear listeners, the ferry is cancelled."


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


def texts(sentences: list[str], seg: int) -> list[AnyRecord]:
    return [records.Text(seg=seg, body=f"{sentence} ".encode()) for sentence in sentences]


async def write(studio: Studio, *events: AnyRecord) -> None:
    await studio.write(names.script(STATION, RUN), *events)


async def begun(studio: Studio, *segments: list[str]) -> None:
    await studio.begin()
    start = records.ScriptStart(attempt=1, keep=SCRIPT_START)
    await write(studio, start, *[t for seg, told in enumerate(segments) for t in texts(told, seg)])


async def aired(studio: Studio, count: int) -> list[str]:
    """Wait for so many sentences or skips."""

    async def are_there() -> bool:
        return len(await studio.on_air()) >= count

    await until(are_there)
    return await studio.captions()


async def obeyed(studio: Studio, c: int) -> records.Audio | records.Skip:
    """Wait for the record that obeys the request."""
    found: list[records.Audio | records.Skip] = []

    async def is_there() -> bool:
        found[:] = [e for e in await studio.on_air() if e.c == c]
        return bool(found)

    await until(is_there)
    [record] = found
    return record


async def test_what_is_to_be_said_comes_next_and_the_script_goes_on_behind_it(studio: Studio) -> None:
    await begun(studio, FIRST)
    async with studio.narrator():
        await aired(studio, 2)  # the last one waits for what follows it
        ack = await control.ask(studio.store, control.SAY, STATION, [WORDS, "Sorry for that, all of you."])
        said = await obeyed(studio, ack.start.seq)
        await obeyed(studio, ack.start.seq + 1)
        await write(studio, *texts(SECOND, 1), records.ScriptEnd(reason="done"))
        await studio.finished()
    captions = await studio.captions()
    assert captions == [*FIRST[:2], WORDS, "Sorry for that, all of you.", FIRST[2], *SECOND]
    assert isinstance(said, records.Audio)
    assert said.src == ScriptPosition(2, len(FIRST[1]))
    assert [s.i for s in await studio.on_air()] == list(range(8))


async def test_a_request_to_another_station_is_not_obeyed(studio: Studio) -> None:
    await begun(studio, FIRST)
    await control.ask(studio.store, control.SAY, "elsewhere", [WORDS])
    async with studio.narrator():
        await write(studio, records.ScriptEnd(reason="done"))
        await studio.finished()
    assert await studio.captions() == FIRST


async def test_the_segment_that_is_heard_is_skipped_with_what_still_comes_of_it(studio: Studio) -> None:
    await begun(studio, FIRST)
    async with studio.narrator():
        await aired(studio, 2)
        ack = await control.ask(studio.store, control.SKIP, STATION)
        skip = await obeyed(studio, ack.start.seq)
        await write(studio, *texts(["This comes too late.", "And this does, too."], 0))
        await write(studio, *texts(SECOND, 1), records.ScriptEnd(reason="done"))
        await studio.finished()
    assert isinstance(skip, records.Skip)
    assert (skip.reason, skip.src) == (EDITOR, ScriptPosition(3, len(FIRST[2]) + 1))
    spoken = [e.t for e in await studio.on_air() if isinstance(e, records.Audio)]
    assert spoken == [*FIRST[:2], *SECOND]
    last = [e for e in await studio.on_air() if isinstance(e, records.Skip)][-1]
    assert last.src == ScriptPosition(5, len("And this does, too. "))


async def test_a_segment_that_is_made_to_its_end_is_not_skipped_nor_is_the_next(studio: Studio) -> None:
    await begun(studio, FIRST, SECOND)
    async with studio.narrator():
        await aired(studio, 5)
        ack = await control.ask(studio.store, control.SKIP, STATION)
        assert isinstance(await obeyed(studio, ack.start.seq), records.Skip)
        await write(studio, records.ScriptEnd(reason="done"))
        await studio.finished()
    assert [e.t for e in await studio.on_air() if isinstance(e, records.Audio)] == [*FIRST, *SECOND]


async def test_nor_does_a_new_owner_skip_what_came_behind_it(studio: Studio) -> None:
    await begun(studio, FIRST, SECOND[:2])
    async with studio.narrator():
        await aired(studio, 4)  # the last one waits for what follows it
        ack = await control.ask(studio.store, control.SKIP, STATION)
        record = await obeyed(studio, ack.start.seq)
    assert isinstance(record, records.Skip)
    assert record.reason == MADE
    await write(studio, *texts(SECOND[2:], 1), records.ScriptEnd(reason="done"))
    async with studio.narrator():
        await studio.finished()
    assert [e.t for e in await studio.on_air() if isinstance(e, records.Audio)] == [*FIRST, *SECOND]


async def test_a_new_owner_goes_on_skipping_and_says_nothing_twice(studio: Studio) -> None:
    await begun(studio, FIRST)
    async with studio.narrator():
        await aired(studio, 2)
        ack = await control.ask(studio.store, control.SKIP, STATION)
        await obeyed(studio, ack.start.seq)
        ack = await control.ask(studio.store, control.SAY, STATION, [WORDS])
        await obeyed(studio, ack.start.seq)
    await write(studio, *texts(["This comes too late."], 0), *texts(SECOND, 1))
    async with studio.narrator():
        await write(studio, records.ScriptEnd(reason="done"))
        await studio.finished()
    spoken = [e.t for e in await studio.on_air() if isinstance(e, records.Audio)]
    assert spoken == [*FIRST[:2], WORDS, *SECOND]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("dies_at", range(1, 12))
async def test_killed_at_any_append_each_request_is_obeyed_once(
    studio: Studio, dies_at: int, after: bool
) -> None:
    await begun(studio, FIRST, SECOND)
    await write(studio, records.ScriptEnd(reason="done"))
    said = await control.ask(studio.store, control.SAY, STATION, [WORDS])
    skipped = await control.ask(studio.store, control.SKIP, STATION)
    broadcast = names.broadcast(STATION)
    while await studio.killed_narrator(dies_at, after=after, until_over=broadcast):
        dies_at += 7
    spoken = await studio.on_air()
    script = [e.t for e in spoken if isinstance(e, records.Audio) and e.c is None]
    assert script == [t for t in FIRST + SECOND if t in script]
    assert [e.t for e in spoken if e.c == said.start.seq] == [WORDS]
    assert len([e for e in spoken if e.c == skipped.start.seq]) <= 1
    voided = {t for t in FIRST + SECOND if t not in script}
    assert voided <= set(FIRST) or voided <= set(SECOND)


@pytest.mark.parametrize("what", [control.SAY, control.SKIP])
async def test_what_nobody_could_obey_for_long_is_dropped(what: str) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    changed = asyncio.Event()
    hand = EditorRequests(store, STATION, changed)
    await control.ask(store, what, STATION, [WORDS])
    async with asyncio.TaskGroup() as tasks:
        following = tasks.create_task(hand.follow(clock.now_ms()))
        await until(lambda: hand.next(clock.now_ms()) is not None)
        assert changed.is_set()
        following.cancel()
    asked = hand.next(clock.now_ms())
    assert asked is not None
    assert asked.text == WORDS
    assert hand.next(clock.now_ms() + FRESH_MS[what]) is not None
    assert hand.next(clock.now_ms() + FRESH_MS[what] + 1) is None


def test_what_is_heard_is_known_by_air_time() -> None:
    hand = EditorRequests(MemoryStore(ManualClock()), STATION, asyncio.Event())
    assert hand.is_heard(RUN, 3, 0)
    hand.made(1000, RUN, 0)
    hand.made(2000, RUN, 1)
    assert hand.is_heard(RUN, 0, 999)
    assert not hand.is_heard(RUN, 1, 999)
    assert hand.is_heard(RUN, 1, 1000)
    hand.forget()
    assert hand.is_heard(RUN, 3, 1000)


async def test_a_voice_that_cannot_say_it_leaves_a_record_and_does_not_try_for_ever(studio: Studio) -> None:
    await begun(studio, FIRST)
    async with studio.narrator(QuickSpeaker(unspeakable=["ferry"])):
        ack = await control.ask(studio.store, control.SAY, STATION, [WORDS])
        record = await obeyed(studio, ack.start.seq)
        await write(studio, records.ScriptEnd(reason="done"))
        await studio.finished()
    assert isinstance(record, records.Skip)
    assert record.t == WORDS
