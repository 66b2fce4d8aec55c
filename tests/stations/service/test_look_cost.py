"""What a look of the scheduler costs, counted: days computed, and questions to the store."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.runs import fallback_id
from radio.stations.definition.show import Show
from radio.stations.definition.station import Station
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.service import ownership_term, plan, producer_processes
from radio.stations.service.plan import Plan
from radio.stations.service.run_history import StationHistory
from radio.stations.timetable import timetable
from radio.stations.timetable.occurrences import Occurrence, occurrences
from radio.streams.contract import Position, ReadResult, Start
from radio.streams.stores.memory import MemoryStore
from tests.stations.samples import read, station
from tests.stations.service.test_station_service import BRIEF, SEVEN, Stage
from tests.waiting import until


class CountingStore(MemoryStore):
    """Counts what is asked of scripts."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.asked: Counter[str] = Counter()

    async def fencing_token(self, name: str) -> str:
        self.asked["fencing_token"] += "@" in name
        return await super().fencing_token(name)

    async def check_tail(self, name: str) -> Position:
        self.asked["check_tail"] += "@" in name
        return await super().check_tail(name)

    async def read(self, name: str, start: Start, **how: object) -> ReadResult:
        self.asked["read"] += "@" in name
        return await super().read(name, start, **how)  # type: ignore[arg-type]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(SEVEN - 120_000)


@pytest.fixture
def store(clock: ManualClock) -> CountingStore:
    return CountingStore(clock)


@pytest.fixture
def stage(tmp_path: Path, store: CountingStore, clock: ManualClock) -> Stage:
    return Stage(tmp_path, store, clock)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time of each look."""
    found: list[int] = []

    def counted(harbor: Station, history: StationHistory, now: int) -> Plan:
        found.append(now)
        return plan_at(harbor, history, now)

    plan_at = plan.plan
    monkeypatch.setattr(plan, "plan", counted)
    return found


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Counter[date]:
    """How often the slots of each date were computed."""
    found: Counter[date] = Counter()

    def counted(shows: Sequence[Show], first: date, last: date) -> Iterator[Occurrence]:
        found[first] += 1
        return occurrences(shows, first, last)

    monkeypatch.setattr(timetable, "occurrences", counted)
    return found


async def pass_time(stage: Stage, looks: list[int], *, seconds: int, step_s: int) -> None:
    """Let time pass in steps, with a look after each."""
    for _ in range(seconds // step_s):
        before = len(looks)
        await stage.advance(step_s)
        await until(lambda before=before: len(looks) > before)  # type: ignore[misc]


async def test_an_hour_of_a_show_every_two_minutes_computes_its_day_twice(
    stage: Stage, looks: list[int], computed: Counter[date]
) -> None:
    async with stage.service(station("id: often, every: 2m, length: 2m")):
        await pass_time(stage, looks, seconds=3600, step_s=30)
        await until(lambda: len(stage.producers) >= 30)
    assert len(looks) >= 120
    assert computed[date(2026, 12, 1)] == 2, "once for the card, once for all looks"
    assert max(computed.values()) <= 2


async def test_a_look_at_which_nothing_is_due_asks_the_store_nothing(
    stage: Stage, store: CountingStore, looks: list[int]
) -> None:
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        await stage.write(BRIEF, 1, "Words. ")
        await pass_time(stage, looks, seconds=60, step_s=10)
        store.asked.clear()
        before = len(looks)
        await pass_time(stage, looks, seconds=120, step_s=10)
        assert len(looks) - before >= 12
        checks = 120 // producer_processes.CHECK_S + 1
        assert store.asked["read"] == 0
        assert 0 < store.asked["check_tail"] <= checks
        assert 0 < store.asked["fencing_token"] <= 2 * checks  # a look serves twice, around the fallbacks


async def test_a_complete_fallback_that_is_still_heard_costs_a_look_now_and_then(
    stage: Stage, store: CountingStore, looks: list[int]
) -> None:
    text = "station: harbor\ntitle: A\ntimezone: UTC\nshows: []\nfallback: {producer: llm, topics: [calm]}\n"
    async with stage.service(read(text)) as service:
        await until(lambda: bool(looks))
        service.ask(FallbackRequest("dry"))
        producer = await stage.producer(1)
        run = producer.assignment.run
        assert run.startswith(fallback_id(0)[:-1])
        await stage.write(run, 1, "Calm words. ")
        await stage.seal(run, "done")
        producer.exit(0)
        await until(lambda: bool(looks))
        await pass_time(stage, looks, seconds=30, step_s=10)
        await asyncio.sleep(0)
        store.asked.clear()
        await pass_time(stage, looks, seconds=60, step_s=10)
        assert min(stage.alarm.times) > stage.clock.now_ms() + 1000 * ownership_term.LOOK_S / 2
        assert store.asked.total() == 0
        assert await stage.runs() == [f"begin {run}"]
