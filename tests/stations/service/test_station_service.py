"""A desk with a clock, alarms and producers of the test's own; the store and the ownership are real."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.runs import Assignment, from_json
from radio.stations.definition.station import Station
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.service import producer_processes as crews
from radio.stations.service import station_service as services
from radio.stations.service.context import SchedulerContext
from radio.stations.service.station_service import StationService
from radio.streams import names
from radio.streams.contract import Fence, FromSeq, StreamNotFound, StreamStore
from radio.streams.ownership.stream_owner import Member, parse, sealed
from radio.streams.records import (
    CARD,
    STATION_INPUT,
    AnyRecord,
    ArchivedRun,
    Begin,
    Card,
    Family,
    InputStart,
    RunEnd,
    RunOver,
    ScriptPosition,
    ScriptStart,
    Text,
    decode,
    encode,
)
from radio.streams.stores.memory import MemoryStore
from tests.stations.samples import read, station
from tests.stations.timetable.test_timetable import ms
from tests.waiting import until

SEVEN = ms("2026-12-01T06:00")
BRIEF = "brief@20261201T0700"
HARBOR = station('id: brief, at: "07:00", length: 30m', 'id: wires, at: "08:00", length: 30m')


class Alarm:
    """Alarms that ring when the test moves the clock; up to a second early, which must be harmless."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._set: dict[str, tuple[int, Callable[[], None]]] = {}

    def at(self, key: str, ms: int, call: Callable[[], None]) -> None:
        self._set[key] = (ms, call)
        self.ring()

    def forget(self, key: str) -> None:
        self._set.pop(key, None)

    @property
    def keys(self) -> list[str]:
        return list(self._set)

    @property
    def times(self) -> list[int]:
        return [when for when, _ in self._set.values()]

    def ring(self, early_ms: int = 0) -> None:
        for key, (when, call) in list(self._set.items()):
            if when <= self._clock.now_ms() + early_ms:
                del self._set[key]
                call()


class Producer:
    """A producer process that does what the test says."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.was_stopped = False

    async def wait(self) -> int:
        return await asyncio.shield(self.ended)

    async def stop(self, grace_s: float = 3.0) -> int:
        self.was_stopped = True
        self.exit(0)
        return 0

    def exit(self, status: int) -> None:
        if not self.ended.done():
            self.ended.set_result(status)


class Stage:
    """A scheduler for a test, and the producers it started."""

    def __init__(self, folder: Path, store: MemoryStore, clock: ManualClock) -> None:
        self.store, self.clock, self.folder = store, clock, folder
        self.alarm = Alarm(clock)
        self.producers: list[Producer] = []

    async def spawn(self, argv: Sequence[str], *, name: str, first_line: bytes | None = None) -> Producer:
        assert list(argv) == ["produce"]
        assert first_line is not None
        producer = Producer(from_json(first_line))
        assert producer.assignment.run in name
        self.producers.append(producer)
        return producer

    @asynccontextmanager
    async def service(self, harbor: Station = HARBOR) -> AsyncIterator[StationService]:
        """A scheduler process with one station, at work until the block ends."""
        stop = asyncio.Event()
        async with (
            Member(self.store, self.clock, role="scheduler", data=self.folder) as member,
            asyncio.TaskGroup() as tasks,
        ):
            context = SchedulerContext(
                store=self.store, clock=self.clock, member=member, wakes=self.alarm, spawn=self.spawn,
                produce_argv=["produce"], stop=stop,
            )  # fmt: skip
            self.member, self.context, self.tasks = member, context, tasks
            service = StationService(context, harbor)
            self.work = tasks.create_task(service.work())
            try:
                yield service
            finally:
                stop.set()
                service.look_again()

    async def advance(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await self.member.beat()
        await asyncio.sleep(0.01)  # a look that was under way may have found the member not fresh
        self.alarm.ring(early_ms=600)

    async def records(self, name: str, family: Family) -> list[AnyRecord]:
        try:
            return [decode(family, r) for r in (await self.store.read(name, FromSeq(0))).records]
        except StreamNotFound:
            return []

    async def runs(self) -> list[str]:
        """`begin` and `end` records so far, in short."""
        found = []
        for record in await self.records(names.station_input("harbor"), STATION_INPUT):
            if isinstance(record, Begin):
                found.append(f"begin {record.run}")
            elif isinstance(record, RunEnd):
                found.append(f"end {record.run} {record.reason}")
        return found

    async def has(self, *runs: str) -> None:
        """Wait until exactly these begins and ends stand."""

        async def stands() -> bool:
            return await self.runs() == list(runs)

        try:
            await until(stands, within_s=60)
        except TimeoutError:
            assert await self.runs() == list(runs)

    async def producer(self, count: int) -> Producer:
        """Wait for the n-th producer."""
        await until(lambda: len(self.producers) >= count, within_s=60)
        assert len(self.producers) == count
        return self.producers[-1]

    async def write(self, run: str, attempt: int, words: str = "") -> None:
        """What a producer of that attempt does at first, and its words if it has any."""
        start = ScriptStart(attempt=attempt, keep=ScriptPosition(0, 0))
        texts = [encode(Text(seg=0, body=words.encode()))] if words else []
        await self.store.append(
            names.script("harbor", run), [Fence(f"e{attempt}.producer"), encode(start), *texts]
        )

    async def seal(self, run: str, reason: str) -> None:
        await self.store.append(names.script("harbor", run), [Fence(sealed(reason))])


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(SEVEN - 120_000)


@pytest.fixture
def stage(tmp_path: Path, clock: ManualClock) -> Stage:
    return Stage(tmp_path, MemoryStore(clock), clock)


async def cards(stage: Stage) -> list[Card]:
    return [r for r in await stage.records(names.card("harbor"), CARD) if isinstance(r, Card)]


async def test_a_run_begins_ahead_of_its_time_has_one_producer_and_ends_in_time(stage: Stage) -> None:
    async with stage.service():
        await until(lambda: _any(cards(stage)))
        assert await stage.runs() == []
        await stage.advance(60)
        first = await stage.producer(1)
        assert (first.assignment.run, first.assignment.attempt) == (BRIEF, 1)
        await stage.has(f"begin {BRIEF}")
        await stage.advance(60 + 30 * 60)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until")
        assert first.was_stopped


async def _any(found: object) -> bool:
    return bool(await found)  # type: ignore[misc]


async def test_a_sealed_script_ends_its_run(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        producer = await stage.producer(1)
        await stage.write(BRIEF, 1, "All. ")
        await stage.seal(BRIEF, "done")
        producer.exit(0)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} done")


async def test_a_producer_that_crashes_is_followed_by_the_next_attempt(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.write(BRIEF, 1, "One. ")
        first.exit(-9)
        await _eventually(stage, crews.FIRST_PAUSE_S, 2)
        assert stage.producers[1].assignment.attempt == 2
        await stage.has(f"begin {BRIEF}")


async def _eventually(stage: Stage, seconds: float, count: int) -> None:
    """Let time pass in small steps until there are so many producers, for at most so long."""
    passed = 0.0
    while len(stage.producers) < count:
        assert passed <= seconds + 1, "no producer was started in time"
        await stage.advance(0.25)
        passed += 0.25
        for _ in range(20):
            await asyncio.sleep(0)


async def test_a_producer_that_writes_nothing_is_followed_after_pauses_that_grow(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        (await stage.producer(1)).exit(1)
        pauses = []
        for attempt in range(2, 6):
            before = stage.clock.monotonic()
            await _eventually(stage, crews.MOST_PAUSE_S, attempt)
            pauses.append(stage.clock.monotonic() - before)
            stage.producers[-1].exit(1)
        assert pauses == sorted(pauses)
        assert pauses[-1] >= 4 * pauses[0]
        assert [p.assignment.attempt for p in stage.producers] == [1, 2, 3, 4, 5]


async def test_a_show_waits_for_its_producer_until_its_time_is_over(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with stage.service():
        await stage.advance(60)
        (await stage.producer(1)).exit(1)
        for attempt in range(2, crews.MOST_FAILURES + 5):
            before = stage.clock.monotonic()
            await _eventually(stage, crews.MOST_PAUSE_S, attempt)
            assert stage.clock.monotonic() - before <= crews.MOST_PAUSE_S + 1
            stage.producers[-1].exit(1)
        await stage.has(f"begin {BRIEF}")
        await _eventually(stage, crews.MOST_PAUSE_S, crews.MOST_FAILURES + 5)
        await stage.write(BRIEF, crews.MOST_FAILURES + 5, "The host is back. ")
        await stage.has(f"begin {BRIEF}")
    named = [
        record for record in caplog.records if getattr(record, "action", "") == "producer.writes_nothing"
    ]
    assert [getattr(record, "failures", None) for record in named] == [1]
    counted = [r for r in caplog.records if getattr(r, "action", "") == "producer.ended"]
    assert [getattr(r, "failures", None) for r in counted][: crews.MOST_FAILURES + 4] == list(
        range(1, crews.MOST_FAILURES + 5)
    )


async def test_a_fallback_whose_producers_write_nothing_leaves_the_air_to_the_next_rung(stage: Stage) -> None:
    text = "station: harbor\ntitle: A\ntimezone: UTC\nshows: []\nfallback: {producer: llm, topics: [calm]}\n"
    async with stage.service(read(text)) as service:
        service.ask(FallbackRequest("dry"))
        for attempt in range(1, crews.MOST_FAILURES + 1):
            await _eventually(stage, crews.MOST_PAUSE_S, attempt)
            stage.producers[-1].exit(1)
        await _eventually(stage, crews.MOST_PAUSE_S, crews.MOST_FAILURES + 1)
        first, last = stage.producers[0].assignment, stage.producers[-1].assignment
        assert (first.producer, last.producer) == ("llm", "rerun")
        assert last.run != first.run


async def test_one_that_writes_between_its_crashes_is_not_given_up(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        for attempt in range(1, crews.MOST_FAILURES + 3):
            await _eventually(stage, crews.MOST_PAUSE_S, attempt)
            await stage.write(BRIEF, attempt, "One. ")
            await stage.advance(crews.FIRST_PAUSE_S)
            stage.producers[-1].exit(1)
        await stage.has(f"begin {BRIEF}")


async def test_a_run_that_is_late_is_joined_in_progress(stage: Stage) -> None:
    stage.clock.advance(120 + 600)
    async with stage.service():
        await stage.producer(1)
        await stage.has(f"begin {BRIEF}")


async def test_who_takes_over_restarts_what_began_and_did_not_end(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        await stage.write(BRIEF, 4, "One. ")
    assert stage.producers[0].was_stopped
    async with stage.service():
        second = await stage.producer(2)
        assert second.assignment.attempt == 5
        await stage.has(f"begin {BRIEF}")


async def test_who_takes_over_ends_what_is_sealed_or_past(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        await stage.write(BRIEF, 1)
    await stage.seal(BRIEF, "done")
    async with stage.service():
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} done")
    assert len(stage.producers) == 1


async def test_of_two_schedulers_one_serves_and_the_other_follows_when_it_stops(stage: Stage) -> None:
    other = Stage(stage.folder, stage.store, stage.clock)
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        async with other.service():
            await asyncio.sleep(0.1)
            assert other.producers == []
            owner = parse(await stage.store.fencing_token(names.station_input("harbor"))).owner
            assert owner == stage.member.owner
    assert await stage.runs() == [f"begin {BRIEF}"]


async def test_a_scheduler_whose_station_was_taken_stops_its_producers(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.store.append(
            names.station_input("harbor"), [Fence("e9.zzzzzzzz"), encode(InputStart(owner="zzzzzzzz"))]
        )
        await stage.advance(31 * 60)
        await until(lambda: first.was_stopped)


async def test_a_producer_that_hangs_while_its_words_are_wanted_is_ended(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.write(BRIEF, 1, "Few words. ")
        await _wait(stage, crews.SILENT_S - 20)
        assert not first.was_stopped
        await _wait(stage, 20 + 2 * crews.CHECK_S)
        await until(lambda: first.was_stopped)
        await _eventually(stage, 10, 2)
        assert stage.producers[1].assignment.attempt == 2


async def _wait(stage: Stage, seconds: float) -> None:
    for _ in range(round(seconds / 10)):
        await stage.advance(10)
        await asyncio.sleep(0.01)


async def test_a_producer_that_loads_a_model_is_given_the_time_that_its_kind_takes(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.write(BRIEF, 1)
        await _wait(stage, crews.FIRST_SILENT_S - 20)
        assert not first.was_stopped
        await _wait(stage, 20 + 2 * crews.CHECK_S)
        await until(lambda: first.was_stopped)


async def test_a_producer_that_rests_far_ahead_is_left_alone(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.write(BRIEF, 1, "Many words. " * 200)
        for _ in range(20):
            await stage.advance(10)
            await asyncio.sleep(0.01)
        assert not first.was_stopped


async def test_a_reload_brings_new_runs_and_a_new_card(stage: Stage) -> None:
    async with stage.service() as service:
        await until(lambda: _any(cards(stage)))
        service.reload(station('id: new, at: "06:30", length: 1h'))
        await stage.has("begin new@20261201T0630")
        await until(lambda: _has_show(stage, "new"))


async def _has_show(stage: Stage, show: str) -> bool:
    told = await cards(stage)
    return bool(told) and any(day["show"] == show for day in told[-1].days)


async def test_a_station_whose_file_is_gone_ends_its_runs_and_is_given_up(stage: Stage) -> None:
    async with stage.service() as service:
        await stage.advance(60)
        producer = await stage.producer(1)
        service.retire()
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} removed")
        assert producer.was_stopped
        await until(lambda: _is_free(stage.store))
        assert (await cards(stage))[-1].days == ()


async def _is_free(store: StreamStore) -> bool:
    return parse(await store.fencing_token(names.station_input("harbor"))).kind == "free"


async def test_a_dry_station_gets_its_fallback_and_a_fed_one_loses_it(stage: Stage) -> None:
    text = "station: harbor\ntitle: A\ntimezone: UTC\nshows: []\nfallback: {producer: llm, topics: [calm]}\n"
    async with stage.service(read(text)) as service:
        service.ask(FallbackRequest("dry"))
        producer = await stage.producer(1)
        (begun,) = await stage.runs()
        assert begun == f"begin {producer.assignment.run}"
        record = (await stage.store.read(names.station_input("harbor"), FromSeq(0))).records[-1]
        assert producer.assignment.run == f"fallback@{record.seq}"
        service.ask(FallbackRequest("dry"))
        await stage.advance(10)
        service.ask(FallbackRequest("fed"))
        await stage.has(begun, f"end {producer.assignment.run} fed")
        assert producer.was_stopped


async def test_what_the_narrator_asks_while_the_heartbeats_fail_is_answered_after(stage: Stage) -> None:
    """It would ask again only after twenty seconds, and the station would be silent meanwhile."""
    text = "station: harbor\ntitle: A\ntimezone: UTC\nshows: []\nfallback: {producer: llm, topics: [calm]}\n"
    async with stage.service(read(text)) as service:
        await until(lambda: _any(cards(stage)))
        stage.clock.advance(30)
        assert not stage.member.is_fresh
        service.ask(FallbackRequest("dry"))
        await asyncio.wait([asyncio.create_task(service._rest(0.1))])
        assert await stage.runs() == []
        await stage.member.beat()
        fallback = await stage.producer(1)
        assert fallback.assignment.run.startswith("fallback@")


async def test_a_station_that_is_retired_while_the_heartbeats_fail_ends_its_runs_after(stage: Stage) -> None:
    async with stage.service() as service:
        await stage.advance(60)
        await stage.producer(1)
        stage.clock.advance(30)
        assert not stage.member.is_fresh
        service.retire()
        await asyncio.wait([asyncio.create_task(service._rest(0.1))])
        assert await stage.runs() == [f"begin {BRIEF}"]
        await stage.member.beat()
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} removed")


async def test_a_station_that_is_off_has_no_fallback(stage: Stage) -> None:
    async with stage.service() as service:
        await until(lambda: _any(cards(stage)))
        service.ask(FallbackRequest("dry"))
        await stage.advance(60)
        await stage.has(f"begin {BRIEF}")


async def test_a_script_is_deleted_once_its_run_is_archived(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        await stage.write(BRIEF, 1, "One. ")
        await stage.advance(31 * 60)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until")
        assert (await stage.store.check_tail(names.script("harbor", BRIEF))).seq == 3
        archived = ArchivedRun(
            run=BRIEF, show="brief", title="T", spans=((1, 2),), at=0, until=1, size=1, sentences=1
        )
        await stage.store.append(names.shows("harbor"), [encode(archived)])
        await stage.advance(61)
        await until(lambda: _is_gone(stage, BRIEF))


async def test_a_script_is_deleted_once_its_run_is_over_though_nothing_is_archived(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        await stage.write(BRIEF, 1, "One. ")
        await stage.advance(31 * 60)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until")
        await stage.store.append(names.shows("harbor"), [encode(RunOver(run=BRIEF))])
        await stage.advance(61)
        await until(lambda: _is_gone(stage, BRIEF))


async def test_a_script_whose_begin_is_long_forgotten_is_deleted(stage: Stage) -> None:
    forgotten = "brief@20250101T0600"
    await stage.write(forgotten, 1, "One. ")
    async with stage.service():
        await stage.advance(61)
        await until(lambda: _is_gone(stage, forgotten))


async def _is_gone(stage: Stage, run: str) -> bool:
    return all(info.name != names.script("harbor", run) for info in (await stage.store.list()).items)


async def test_a_card_is_renewed_each_day_and_the_one_before_goes(stage: Stage) -> None:
    async with stage.service(station('id: brief, at: "12:00", days: daily, length: 30m')):
        await until(lambda: _any(cards(stage)))
        (first,) = await cards(stage)
        await stage.advance(86_400)
        await until(lambda: _is_newer(stage, first))
        (second,) = await cards(stage)
        assert second.days[0]["at"] > first.days[0]["at"]


async def _is_newer(stage: Stage, card: Card) -> bool:
    return (await cards(stage))[-1] != card


async def test_a_card_of_a_clock_that_was_set_back_is_written_anew(stage: Stage) -> None:
    async with stage.service(station('id: brief, at: "12:00", days: daily, length: 30m')):
        await until(lambda: _any(cards(stage)))
        (first,) = await cards(stage)
        stage.clock.step(-30 * 86_400)
        await stage.advance(11)
        stage.alarm.ring(early_ms=31 * 86_400_000)
        await until(lambda: _is_newer(stage, first))
        assert (await cards(stage))[-1].days[0]["at"] < first.days[0]["at"]


async def test_who_gives_a_station_up_leaves_its_card_to_others_too(stage: Stage) -> None:
    async with stage.service() as service:
        await until(lambda: _any(cards(stage)))
        service.retire()
        await until(lambda: _is_free(stage.store))
        await until(lambda: _is_card_free(stage.store))


async def _is_card_free(store: StreamStore) -> bool:
    return parse(await store.fencing_token(names.card("harbor"))).kind == "free"


async def test_a_producer_that_cannot_be_started_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    spawn, failures = stage.spawn, [OSError("no memory"), OSError("no memory")]

    async def scarce(argv: Sequence[str], *, name: str, first_line: bytes | None = None) -> Producer:
        if failures:
            raise failures.pop()
        return await spawn(argv, name=name, first_line=first_line)

    monkeypatch.setattr(stage, "spawn", scarce)
    async with stage.service():
        await stage.advance(60)
        await until(lambda: len(failures) == 1)
        await _eventually(stage, 5, 1)
        assert await stage.runs() == [f"begin {BRIEF}"]


async def test_a_service_that_ends_late_leaves_its_successor_its_alarm(stage: Stage) -> None:
    async with stage.service() as service:
        await stage.advance(60)
        first = await stage.producer(1)
        is_held, may_end = asyncio.Event(), asyncio.Event()

        async def stop(grace_s: float = 3.0) -> int:
            is_held.set()
            await may_end.wait()
            first.exit(0)
            return 0

        first.stop = stop  # type: ignore[method-assign]
        service.retire()
        await is_held.wait()
        before = set(stage.alarm.keys)
        successor = StationService(stage.context, station('id: noon, at: "12:00", length: 1h'))
        stage.tasks.create_task(successor.work())
        await until(lambda: bool(set(stage.alarm.keys) - before))
        may_end.set()
        await stage.work
        assert len(stage.alarm.keys) == 1
        assert not set(stage.alarm.keys) & before
        successor.retire()


async def test_after_a_step_of_the_clock_forward_the_timetable_goes_on_from_the_new_now(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.write(BRIEF, 1, "Many words. " * 200)
        stage.clock.step(3600 + 120)
        await stage.advance(1)
        wires = "wires@20261201T0800"
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until", f"begin {wires}")
        assert first.was_stopped


async def test_after_a_step_of_the_clock_back_no_run_begins_again(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        await stage.producer(1)
        await stage.write(BRIEF, 1, "Many words. " * 200)
        await stage.advance(60 + 31 * 60)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until")
        stage.clock.step(-25 * 60)
        for _ in range(25 + 28):
            await stage.advance(60)
            stage.alarm.ring(early_ms=40 * 60_000)
        wires = "wires@20261201T0800"
        assert await stage.runs() == [f"begin {BRIEF}", f"end {BRIEF} until"]
        for _ in range(3):
            await stage.advance(60)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until", f"begin {wires}")


async def test_a_run_on_air_when_the_clock_is_set_back_goes_on_at_its_new_time(stage: Stage) -> None:
    async with stage.service():
        await stage.advance(60)
        producer = await stage.producer(1)
        await stage.write(BRIEF, 1, "Many words. " * 200)
        await stage.advance(60 + 10 * 60)
        stage.clock.step(-3600)
        for _ in range(60):
            await stage.advance(60)
            stage.alarm.ring(early_ms=90 * 60_000)
        await stage.has(f"begin {BRIEF}")
        assert not producer.was_stopped
        await stage.advance(25 * 60)
        await stage.has(f"begin {BRIEF}", f"end {BRIEF} until")


async def test_a_service_looks_again_although_its_alarm_was_set_before_the_clock_went_back(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "LOOK_S", 0.05)
    async with stage.service() as service:
        await until(lambda: _any(cards(stage)))
        stage.clock.step(-3600)
        service._station = station('id: early, at: "05:50", length: 30m')
        await stage.has("begin early@20261201T0550")


async def test_a_producer_that_is_started_again_is_told_what_held_when_its_run_began(stage: Stage) -> None:
    async with stage.service() as service:
        await stage.advance(60)
        first = await stage.producer(1)
        await stage.write(BRIEF, 1, "One. ")
        service.reload(station('id: other, at: "12:00", length: 1h'))
        await asyncio.sleep(0.05)
        first.exit(-9)
        await _eventually(stage, crews.FIRST_PAUSE_S, 2)
        again = stage.producers[1].assignment
        assert (again.run, again.attempt, again.options) == (BRIEF, 2, first.assignment.options)
