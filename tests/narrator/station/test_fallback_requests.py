"""The narrator's side of a fallback: it asks when the programme is dry, airs it to the guard, and returns."""

from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.narrator.lane_scheduler import LaneStatus
from radio.narrator.station.fallback_requests import FallbackRequests
from radio.narrator.station.programme import Programme
from radio.streams import names, records
from radio.streams.records import LaneId
from radio.streams.stores.memory import MemoryStore
from tests.narrator.station.test_programme import LONG, NOW, programme, source
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, assert_exact, memory_studio
from tests.waiting import until

FALLBACK = "fallback@1"
MANY = " ".join(f"This is the sentence with number {k} of many." for k in range(60))


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def asked(studio: Studio) -> list[tuple[str, str]]:
    requests = await studio.events(names.CONTROL, records.CONTROL)
    return [
        (r.what, r.detail) for r in requests if isinstance(r, records.ControlRequest) and r.target == STATION
    ]


async def test_a_dry_programme_asks_once_and_the_fallback_airs_up_to_the_guard(studio: Studio) -> None:
    await studio.card(fallback="rerun")
    await studio.begin()
    speaker = QuickSpeaker(frames_a_word=10)
    async with studio.narrator(speaker):
        await until(lambda: _has_asked(studio, "dry"))
        await studio.begin(FALLBACK, show="fallback")
        await studio.script(MANY, run=FALLBACK)
        await until(lambda: _lead_s(studio, 9.0))
        made = await studio.on_air(FALLBACK)
        last = made[-1]
        assert isinstance(last, records.Audio)
        assert last.until - studio.clock.now_ms() < 10_000 + 3_000
        assert await asked(studio) == [("dry", "")]


async def _has_asked(studio: Studio, what: str) -> bool:
    return what in [w for w, _ in await asked(studio)]


async def _lead_s(studio: Studio, seconds: float, run: str = FALLBACK) -> bool:
    made = [s for s in await studio.on_air(run) if isinstance(s, records.Audio)]
    return bool(made) and made[-1].until - studio.clock.now_ms() > seconds * 1000


async def test_it_returns_when_the_run_has_script_again_and_asks_for_the_fallbacks_end(
    studio: Studio,
) -> None:
    await studio.card(fallback="rerun", lead=(40, 30))
    await studio.begin()
    await studio.script("A first word of the show. ", is_complete=False)
    speaker = QuickSpeaker(frames_a_word=10)
    async with studio.narrator(speaker):
        await until(lambda: _has_asked(studio, "dry"))
        await studio.begin(FALLBACK, show="fallback")
        await studio.script(MANY, run=FALLBACK, is_complete=False)
        await until(lambda: _lead_s(studio, 5.0))
        await studio.write(names.script(STATION, RUN), records.Text(seg=1, body=MANY.encode()))
        await until(lambda: _has_asked(studio, "fed"))
        await studio.end_run(FALLBACK)
        await studio.finished(FALLBACK)
        await until(lambda: _lead_s(studio, 30.0, RUN))
    assert ("fed", FALLBACK) in await asked(studio)
    shows = [e.run for e in await studio.broadcast() if isinstance(e, records.ShowBegin)]
    assert shows == ([RUN, FALLBACK, RUN] if shows[0] == RUN else [FALLBACK, RUN])
    assert_exact(await studio.on_air(RUN), await studio.broadcast())
    entered = await studio.events(names.shows(STATION), records.ARCHIVE)
    assert all(entry == records.RunOver(run=FALLBACK) for entry in entered)


class Asking:
    """The requests of a lane, on a clock that moves only by hand."""

    def __init__(self, data: Path) -> None:
        self.clock = ManualClock(NOW)
        self.studio = Studio(data, MemoryStore(self.clock), self.clock)
        self.fallback = FallbackRequests(self.studio.store, self.clock, STATION)
        self.standing = LaneStatus(id=LaneId.station(STATION), lead=0, guard=10, target=30, is_ready=False)

    async def ask_if_needed(self, programme: Programme, *, seconds: int) -> list[tuple[str, str]]:
        """Once a second; what was asked in that time."""
        await self.studio.card(fallback="rerun")
        card = (await self.studio.events(names.card(STATION), records.CARD))[-1]
        assert isinstance(card, records.Card)
        before = len(await asked(self.studio))
        for _ in range(seconds):
            await self.fallback.ask_if_needed(programme, self.standing, card)
            self.clock.mono_s += 1
        return (await asked(self.studio))[before:]


async def test_a_scheduler_that_comes_back_is_asked_within_a_minute(tmp_path: Path) -> None:
    asking = Asking(tmp_path)
    dry = programme(source(RUN, at_s=-60, until_s=600), end_s=5)
    assert len(await asking.ask_if_needed(dry, seconds=3_600)) < 70
    assert await asking.ask_if_needed(dry, seconds=60) == [("dry", "")]


async def test_a_fallbacks_end_is_asked_for_again_while_it_stays_open(tmp_path: Path) -> None:
    asking = Asking(tmp_path)
    below = source(RUN, at_s=-60, until_s=600, text=LONG)
    above = source(FALLBACK, at_s=-60, until_s=600, text=LONG)
    assert await asking.ask_if_needed(programme(above, below, current=FALLBACK), seconds=5) == [
        ("fed", FALLBACK)
    ]
    assert await asking.ask_if_needed(programme(above, below, current=RUN), seconds=30) == [("fed", FALLBACK)]
    dry = programme(source(RUN, at_s=-60, until_s=600), end_s=5)
    assert await asking.ask_if_needed(dry, seconds=1) == [("dry", "")]


async def test_a_fallback_that_was_not_needed_is_left_alone(tmp_path: Path) -> None:
    asking = Asking(tmp_path)
    below = source(RUN, at_s=-60, until_s=600, text=LONG)
    above = source(FALLBACK, at_s=-60, until_s=600, text=LONG)
    assert await asking.ask_if_needed(programme(above, below, current=RUN), seconds=100) == []


async def test_a_fallback_that_does_not_keep_the_station_on_air_is_named_to_the_scheduler(
    tmp_path: Path,
) -> None:
    asking = Asking(tmp_path)
    empty = source(FALLBACK, at_s=-60, until_s=600)
    assert await asking.ask_if_needed(programme(empty, end_s=6), seconds=30) == []
    assert await asking.ask_if_needed(programme(empty, end_s=4), seconds=15) == [("dry", FALLBACK)]
    new = source(FALLBACK, at_s=-5, until_s=600)
    assert await asking.ask_if_needed(programme(new, end_s=4), seconds=30) == []


async def test_a_fallback_of_which_nothing_can_be_heard_fails_too(tmp_path: Path) -> None:
    asking = Asking(tmp_path)
    garbage = source(FALLBACK, at_s=-60, until_s=600, text=LONG)
    assert await asking.ask_if_needed(programme(garbage, end_s=-4), seconds=5) == []
    assert await asking.ask_if_needed(programme(garbage, end_s=-6), seconds=5) == [("dry", FALLBACK)]


async def test_a_station_without_a_fallback_asks_for_none(studio: Studio) -> None:
    await studio.card(fallback="off")
    await studio.begin()
    async with studio.narrator():
        await studio.script("Hello to all of you out there.")
        await studio.finished()
    assert await asked(studio) == []
