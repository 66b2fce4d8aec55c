"""Casts that are paused, switched off, or waited for as files."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from radio import casts, control
from radio.narrator.acquire import CastAcquirer
from radio.narrator.cast.job_queue import JobQueue
from radio.narrator.cast.lane import CastLane
from radio.narrator.cast.pause import MOST_AWAITED
from radio.narrator.cast_requests import CastRequests
from radio.narrator.context import new_context
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import Spoken
from radio.streams import names
from radio.streams.ownership.stream_owner import Member
from radio.streams.records import LaneId
from tests.narrator.studio import QuickSpeaker, Studio, memory_studio
from tests.waiting import until

TEXT = "The harbor is quiet. Dr. Brandt has the lamp. It burns all night. Nobody is late."


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def submit(studio: Studio, text: str = TEXT) -> str:
    return (await casts.submit(studio.store, studio.clock, text=text, voice="af_heart")).cast


async def status(studio: Studio, cast: str) -> str:
    return (await casts.look(studio.store, cast)).state.status


async def pause(studio: Studio, what: str = control.PAUSE) -> None:
    await control.ask(studio.store, what, control.CASTS)


class Halting(QuickSpeaker):
    """Stops before what contains a word, until it may go."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.word = word
        self.reached, self.go = threading.Event(), threading.Event()

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if self.word in text:
            self.reached.set()
            assert self.go.wait(60)
        return super().speak(text, voice)


async def test_a_narrator_that_begins_while_casts_are_paused_speaks_none_until_they_go_on(
    studio: Studio,
) -> None:
    cast = await submit(studio)
    await pause(studio)
    speaker = QuickSpeaker()
    async with studio.narrator(speaker):
        other = await submit(studio, "Another one.")
        removed = await submit(studio, "To be removed.")
        await casts.remove(studio.store, removed, None)
        await until(lambda: _is(studio, removed, "removed"))  # so it runs, and has seen the jobs
        assert [await status(studio, one) for one in (cast, other)] == ["queued", "queued"]
        assert speaker.said == []
        await pause(studio, control.RESUME)
        await studio.cast_over(cast)
        await studio.cast_over(other)
    assert await status(studio, cast) == "done"


async def test_a_pause_stops_at_the_end_of_a_sentence_and_the_cast_goes_on_with_the_next(
    studio: Studio,
) -> None:
    speaker = Halting("lamp")
    cast = await submit(studio)
    async with studio.narrator(speaker):
        await until(speaker.reached.is_set)
        await pause(studio)
        removed = await submit(studio, "To be removed.")
        await casts.remove(studio.store, removed, None)
        speaker.go.set()
        await until(lambda: _is(studio, removed, "removed"))  # so the pause was heard before
        said = list(speaker.said)
        assert said == ["The harbor is quiet.", "Dr. Brandt has the lamp."]
        assert await status(studio, cast) == "live"
        await pause(studio, control.RESUME)
        assert (await studio.cast_over(cast)).reason == "done"
    assert speaker.said == [*said, "It burns all night.", "Nobody is late."]


async def test_a_station_goes_on_while_casts_are_paused(studio: Studio) -> None:
    await pause(studio)
    cast = await submit(studio)
    await studio.begin()
    await studio.script("The harbor is quiet. The lamp burns.")
    async with studio.narrator():
        await until(lambda: _has_captions(studio, 2))
    assert await status(studio, cast) == "queued"


async def _has_captions(studio: Studio, count: int) -> bool:
    return len(await studio.captions()) >= count


async def test_where_casts_are_switched_off_none_is_spoken(studio: Studio) -> None:
    cast = await submit(studio)
    await studio.begin()
    await studio.script("The harbor is quiet. The lamp burns.")
    async with studio.narrator(settings=replace(studio.settings, casts=False)):
        await until(lambda: _has_captions(studio, 2))
    assert await status(studio, cast) == "queued"


async def test_a_pause_counts_by_its_newest_word_however_often_it_is_read(studio: Studio) -> None:
    await pause(studio)
    await pause(studio, control.RESUME)
    await control.ask(studio.store, control.MUTE, "harbor")
    found = await studio.stored(names.CONTROL)
    fold = control.Pause()
    seen = []
    for upto in (1, 2, 3):
        fold.fold(found[:upto])
        seen.append(fold.is_on)
    assert seen == [True, False, False]
    fold.fold(found)
    assert not fold.is_on


async def test_someone_may_wait_for_a_cast_before_its_lane_is_there(studio: Studio) -> None:
    async with Member(studio.store, studio.clock, role="narrator", data=studio.data) as member:
        context = new_context(studio.settings, studio.store, studio.clock, asyncio.Event(), member)
        context.speed.add(100, 1)
        queue = JobQueue(studio.store, studio.clock)
        waited, other = await submit(studio), await submit(studio, "Another one.")
        await casts.hurry(studio.store, waited)
        async with asyncio.TaskGroup() as tasks:
            requests = tasks.create_task(CastRequests(context, queue).run())
            await until(lambda: waited in context.pause.awaited)
            parts = [tasks.create_task(part()) for part in (queue.run, CastAcquirer(context, queue).run)]
            await until(lambda: len(context.lanes.casts) == 2)
            lanes = {name: context.lanes[LaneId.cast(name)] for name in (waited, other)}
            await casts.hurry(studio.store, other)  # and after
            await until(lambda: lanes[other].status(context.load).awaited_since is not None)
            assert isinstance(lanes[waited], CastLane)
            first, second = [lanes[name].status(context.load).awaited_since for name in (waited, other)]
            assert first is not None
            assert second is not None
            assert first < second
            for task in (requests, *parts):
                task.cancel()


async def test_what_is_remembered_of_those_who_wait_stays_small(studio: Studio) -> None:
    async with Member(studio.store, studio.clock, role="narrator", data=studio.data) as member:
        context = new_context(studio.settings, studio.store, studio.clock, asyncio.Event(), member)
        for n in range(MOST_AWAITED + 5):
            context.pause.add_awaited(f"cast{n:08}")
        assert len(context.pause.awaited) == MOST_AWAITED
        assert "cast00000004" not in context.pause.awaited
        assert "cast00000005" in context.pause.awaited


async def _is(studio: Studio, cast: str, wanted: str) -> bool:
    return await status(studio, cast) == wanted
