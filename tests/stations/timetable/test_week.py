"""A week of the sample stations, by a clock of the test's own: at each moment exactly one run is on air.

The scheduler and the store are real. The producers write what the test says. The narrator is a few rules: it
airs the run of the timetable, else the newest fallback that has something to say, else it asks.
"""

import asyncio
import math
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from radio.clock import ManualClock
from radio.runs import Assignment, is_fallback
from radio.stations.definition import loading
from radio.stations.definition.station import Station
from radio.stations.fallback import ladder
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.service import ownership_term
from radio.stations.service import station_service as services
from radio.stations.service.station_service import StationService
from radio.stations.timetable import timetable
from radio.streams import names
from radio.streams.contract import FromSeq
from radio.streams.reading import known
from radio.streams.records import STATION_INPUT, Begin, RunEnd
from radio.streams.stores.memory import MemoryStore
from tests.stations.service.test_station_service import Stage
from tests.stations.timetable.test_timetable import ms
from tests.waiting import until

MINUTE, DAY = 60_000, 86_400_000
MONDAY = ms("2027-03-21T23:00")
"""In Berlin. On the Sunday that follows the clocks go forward."""
END = ms("2027-03-28T22:00")
MUCH = "There is a lot to tell about this. " * 200


@pytest.fixture(autouse=True)
def looks_when_something_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only then, and not every ten seconds, for a week has many of these."""
    monkeypatch.setattr(ownership_term, "LOOK_S", 6 * 3600)
    monkeypatch.setattr(services, "LOOK_S", 3600)


@dataclass
class Said:
    """What a run has to say: nothing yet, or something until `until` (epoch ms)."""

    until: float = -math.inf
    is_sealed: bool = False
    hangs: bool = False


@dataclass
class Week:
    """The producers and the narrator of a station, and what was on air.

    Attributes:
        broken: shows whose producers write nothing, by the day of the month.
        emptied: moments (epoch ms) at which a fallback on air has no more to say, and hangs.
    """

    stage: Stage
    broken: dict[str, int] = field(default_factory=dict)
    emptied: list[int] = field(default_factory=list)
    said: dict[str, Said] = field(default_factory=dict)
    handled: int = 0
    archive: set[str] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)
    open: dict[str, Begin] = field(default_factory=dict)
    read_to: int = 0
    on_air: list[tuple[str, int]] = field(default_factory=list)
    """Each run and the epoch ms from which it was on air."""

    async def play(self, service: StationService) -> None:
        while self.now < END:
            if self.now in self.emptied and self.on_air:
                self.said[self.on_air[-1][0]] = Said(until=self.now, hangs=True)
            await self._write()
            await self._speak(service)
            await until(self._is_at_rest, within_s=60)
            await self.stage.advance((self._next_event() - self.now) / 1000)
            await settled()

    @property
    def now(self) -> int:
        return self.stage.clock.now_ms()

    def _is_at_rest(self) -> bool:
        """The scheduler waits for an alarm."""
        return any(when > self.now for when in self.stage.alarm.times)

    def _next_event(self) -> int:
        edges = self.stage.alarm.times
        edges += [int(said.until) for said in self.said.values() if math.isfinite(said.until)]
        edges += self.emptied
        return min((edge for edge in edges if edge > self.now), default=END)

    async def _write(self) -> None:
        """Producers that were started write."""
        while self.handled < len(self.stage.producers):
            producer = self.stage.producers[self.handled]
            self.handled += 1
            await self._perform(producer.assignment)
            await settled()

    async def _perform(self, told: Assignment) -> None:
        local = timetable.local_time(self.now, ZoneInfo(told.zone))
        if self.broken.get(told.show) == local.day:
            return
        lasts = self._lasts(told)
        self.said[told.run] = Said(until=max(self.now, told.at) + lasts if lasts else -math.inf)
        await self.stage.write(told.run, told.attempt, MUCH if lasts else "")
        if not lasts:
            await self._seal(told.run)

    def _lasts(self, told: Assignment) -> float:
        """Milliseconds of what a producer has to say."""
        if told.producer == "rerun":
            return math.inf if self.archive else 0
        if told.producer == "text" and not told.options["loop"]:
            has_read = told.options["once"] and any(run.startswith(told.show) for run in self.archive)
            return 0 if has_read else 10_000 if told.options["text"] else 17 * MINUTE
        return math.inf

    async def _seal(self, run: str) -> None:
        self.said.setdefault(run, Said()).is_sealed = True
        await self.stage.seal(run, "done")
        for producer in self.stage.producers:
            if producer.assignment.run == run:
                producer.exit(0)
        await settled()

    async def _speak(self, service: StationService) -> None:
        """Until something is on air at this moment."""
        for run, said in self.said.items():
            if said.until <= self.now and not said.is_sealed and not said.hangs:
                await self._seal(run)
        for _ in range(8):
            await self._write()
            begun = await self._open()
            due = self._due(begun)
            if due is not None:
                await self._air(due, service, any(map(is_fallback, begun)))
                return
            failing = [run for run in begun if is_fallback(run) and not self._is_over(run)]
            service.ask(FallbackRequest("dry", failing[-1] if failing else ""))
            await settled()
        raise AssertionError(f"nothing to air at {self.now}: {await self.stage.runs()}")

    async def _air(self, run: str, service: StationService, has_fallback: bool) -> None:
        if not self.on_air or self.on_air[-1][0] != run:
            self.on_air.append((run, self.now))
        if not is_fallback(run):
            self.archive.add(run)
            if has_fallback:
                service.ask(FallbackRequest("fed"))
                await settled()

    def _is_over(self, run: str) -> bool:
        return run in self.said and self.said[run].is_sealed

    def _due(self, begun: dict[str, Begin]) -> str | None:
        """What airs of the runs that have begun and not ended."""
        able = [run for run in begun if run in self.said and self.said[run].until > self.now]
        regular = [
            run for run in able if not is_fallback(run) and begun[run].at <= self.now < begun[run].until
        ]
        return next(reversed([*filter(is_fallback, able), *regular]), None)

    async def _open(self) -> dict[str, Begin]:
        """The runs that have begun and not ended."""
        name = names.station_input("harbor")
        page = await self.stage.store.read(name, FromSeq(self.read_to), clamp=True)
        for record in page.records:
            event = known(STATION_INPUT, record, name)
            if isinstance(event, Begin):
                assert event.run not in self.begun, "it begins once"
                self.begun.add(event.run)
                self.open[event.run] = event
            elif isinstance(event, RunEnd):
                del self.open[event.run]
        self.read_to = page.next_seq
        return self.open


async def settled() -> None:
    for _ in range(120):
        await asyncio.sleep(0)


def sample(name: str) -> Station:
    path = Path("schedules") / name
    loaded = loading.load([path])
    assert loaded.faults == ()
    return replace(loaded.stations[path], station="harbor")


async def week_of(station: Station, folder: Path, **changes: object) -> Week:
    clock = ManualClock(MONDAY)
    week = Week(Stage(folder, MemoryStore(clock), clock), **changes)  # type: ignore[arg-type]
    async with week.stage.service(station) as service:
        await settled()
        await week.play(service)
    return week


def spans(week: Week) -> list[tuple[str, int, int]]:
    """Each stretch of the week with its run: from, to."""
    ends = [at for _, at in week.on_air[1:]] + [END]
    return [(run, at, end) for (run, at), end in zip(week.on_air, ends, strict=True)]


def minutes(week: Week) -> list[str]:
    """The run on air in the middle of each minute of the week."""
    begins = [at for _, at, _ in spans(week)]
    middles = range(MONDAY + MINUTE // 2, END, MINUTE)
    return [week.on_air[bisect_right(begins, at) - 1][0] for at in middles]


def planned(station: Station) -> list[str]:
    """The run that the timetable has in the middle of each minute of the week; "" where there is none."""
    stretches = station.timetable.programme(MONDAY, END)
    begins = [stretch.at for stretch in stretches]
    found = [stretches[bisect_right(begins, at) - 1] for at in range(MONDAY + MINUTE // 2, END, MINUTE)]
    return [stretch.slot.run if stretch.slot else "" for stretch in found]


def producers(week: Week, show: str) -> list[str]:
    """The kinds of producers that were started for a show, in order."""
    told = [producer.assignment for producer in week.stage.producers]
    return [task.producer for task in told if task.show == show]


async def test_each_minute_of_a_week_of_harbor_has_its_run(tmp_path: Path) -> None:
    harbor = sample("harbor.yaml")
    week = await week_of(harbor, tmp_path, broken={"afternoon": 24})
    told, plan = minutes(week), planned(harbor)
    assert len(told) == len(plan) == 7 * 1440 - 60, "of which one hour does not exist"
    assert "" not in plan
    pairs = list(zip(told, plan, strict=True))
    unheard = {"night@20270321T2200": 6 * 60, "afternoon@20270324T1315": 285}
    assert Counter(of for run, of in pairs if run != of) == unheard
    assert {is_fallback(run) for run, of in pairs if run != of} == {True}
    assert producers(week, "fallback") == ["text", "text"], "one run for each of the two"


async def test_a_week_of_nightbook_reads_each_story_once_and_once_more_on_sunday(tmp_path: Path) -> None:
    nightbook = sample("nightbook.yaml")
    week = await week_of(nightbook, tmp_path)
    told, plan = minutes(week), planned(nightbook)
    assert len(told) == 7 * 1440 - 60
    assert "" not in plan
    read = Counter(run for run in told if not is_fallback(run))
    assert read == {"book@20270322T0000": 17, "sunday@20270328T0000": 17}
    assert set(producers(week, "fallback")) == {"rerun"}


async def test_a_fallback_that_runs_out_is_bridged_by_the_ident_until_it_works_again(tmp_path: Path) -> None:
    thursday = MONDAY + 3 * DAY + 8 * 60 * MINUTE
    week = await week_of(sample("nightbook.yaml"), tmp_path, emptied=[thursday])
    assert set(producers(week, "fallback")) == {"rerun", "text"}
    ident = [span for span in spans(week) if thursday <= span[1] < thursday + ladder.AGAIN_MS]
    assert ident[0][1] == thursday
    rerun_again = next(span for span in spans(week) if span[1] >= thursday + ladder.AGAIN_MS)
    assert rerun_again[2] - rerun_again[1] >= DAY, "and then it airs on"
