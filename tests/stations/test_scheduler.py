"""The scheduler as a whole, on the machine's clock, with producers of the test's own."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from radio import producer_kinds
from radio.clock import ManualClock, SystemClock
from radio.errors import BadInput
from radio.runs import from_json
from radio.settings import Settings
from radio.stations import scheduler
from radio.stations.definition.station import Station
from radio.stations.fallback import requests
from radio.stations.service import clock_wait, plan
from radio.stations.service.alarms import Alarms
from radio.stations.service.removed_stations import orphans
from radio.streams import names
from radio.streams.contract import FromSeq, FromTail, StreamNotFound, Unavailable
from radio.streams.records import (
    CARD,
    STATION_INPUT,
    Begin,
    Card,
    ControlRequest,
    InputStart,
    RunEnd,
    decode,
    encode,
)
from radio.streams.stores.memory import MemoryStore
from tests.stations.service.test_station_service import Producer
from tests.waiting import until

ALWAYS = """\
station: {station}
title: T
timezone: UTC
fallback: {{producer: llm, topics: [calm]}}
shows:
  - {{id: {show}, title: T, at: "00:00", days: mon, length: 7d, producer: llm, topics: [x]}}
"""


class Radio:
    def __init__(self, folder: Path) -> None:
        self.clock = SystemClock()
        self.store = MemoryStore(self.clock)
        self.settings = Settings(data=folder / "data", schedules=folder / "schedules")
        self.settings.schedules.mkdir()
        self.stop = asyncio.Event()
        self.producers: list[Producer] = []

    def write(self, station: str, show: str = "all", text: str = ALWAYS) -> Path:
        path = self.settings.schedules / f"{station}.yaml"
        path.write_text(text.format(station=station, show=show))
        return path

    async def spawn(self, argv: Sequence[str], *, name: str, first_line: bytes | None = None) -> Producer:
        assert first_line is not None
        self.producers.append(Producer(from_json(first_line)))
        return self.producers[-1]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(
                scheduler.run(
                    self.settings, self.store, self.clock, self.stop, produce_argv=["p"], spawn=self.spawn
                )
            )
            yield
            self.stop.set()

    def shows(self) -> list[str]:
        return [f"{p.assignment.station}/{p.assignment.show}" for p in self.producers]

    async def ends(self, station: str) -> list[str]:
        try:
            result = await self.store.read(names.station_input(station), FromSeq(0))
        except StreamNotFound:
            return []
        records = [decode(STATION_INPUT, record) for record in result.records]
        return [r.reason for r in records if isinstance(r, RunEnd)]


@pytest.fixture
def radio(tmp_path: Path) -> Radio:
    return Radio(tmp_path)


@pytest.fixture(autouse=True)
def quick_reload(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "RELOAD_S", 0.05)


async def test_each_station_s_show_has_a_producer_and_all_stop_quickly(radio: Radio) -> None:
    radio.write("one")
    radio.write("two")
    async with radio.running():
        await until(lambda: sorted(radio.shows()) == ["one/all", "two/all"])
        begun = time.monotonic()
    assert time.monotonic() - begun < 3
    assert all(producer.was_stopped for producer in radio.producers)
    assert await radio.ends("one") == []


async def test_files_that_come_change_and_go_are_followed(radio: Radio) -> None:
    first = radio.write("one")
    async with radio.running():
        await until(lambda: radio.shows() == ["one/all"])
        radio.write("two")
        await until(lambda: radio.shows() == ["one/all", "two/all"])
        first.unlink()
        await until(lambda: _is(radio.ends("one"), ["removed"]))


async def test_a_file_that_is_written_anew_is_never_taken_for_one_that_went(radio: Radio) -> None:
    radio.write("two")
    one = radio.write("one")
    folder = scheduler.StationFiles(radio.settings.schedules)
    today = date(2026, 12, 1)
    await folder.first(today)
    one.unlink()
    assert await folder.changed(today) is None
    radio.write("one", show="other")
    found = await folder.changed(today)
    assert found is not None
    assert [(s.station, s.shows[0].id) for s in found] == [("one", "other"), ("two", "all")]
    one.unlink()
    assert await folder.changed(today) is None
    assert [s.station for s in await folder.changed(today) or ()] == ["two"]


async def test_a_schedules_folder_that_is_away_ends_no_station(
    radio: Radio, caplog: pytest.LogCaptureFixture
) -> None:
    radio.write("one")
    schedules = radio.settings.schedules
    folder = scheduler.StationFiles(schedules)
    today = date(2026, 12, 1)
    await folder.first(today)
    schedules.rename(schedules.with_name("away"))
    assert [await folder.changed(today) for _ in range(3)] == [None] * 3
    assert "no schedules folder" in caplog.text
    schedules.with_name("away").rename(schedules)
    assert await folder.changed(today) is None


async def _is(found: object, wanted: object) -> bool:
    return bool(await found == wanted)  # type: ignore[misc]


async def test_a_station_whose_file_went_while_nobody_looked_is_retired_at_the_start(radio: Radio) -> None:
    radio.write("one")
    two = radio.write("two")
    async with radio.running():
        await until(lambda: sorted(radio.shows()) == ["one/all", "two/all"])
        await until(lambda: _is(_days(radio, "two"), 2))
    two.unlink()
    bad = radio.write("bad", text="station: [{station}{show}\n")
    radio.stop = asyncio.Event()
    async with radio.running():
        await until(lambda: len(radio.shows()) == 3)
    assert (await radio.ends("two"), await _days(radio, "two")) == ([], 2)
    bad.unlink()
    radio.stop = asyncio.Event()
    async with radio.running():
        await until(lambda: _is(radio.ends("two"), ["removed"]))
        await until(lambda: _is(_days(radio, "two"), 0))
        await until(lambda: len(radio.shows()) == 4)
    assert await radio.ends("one") == []
    assert await orphans(radio.store, {"one"}) == []


async def test_a_station_whose_file_went_is_kept_as_long_as_before(radio: Radio) -> None:
    now, day_ms = radio.clock.now_ms(), 86_400_000
    for keep_ms in (None, 14 * day_ms):
        card = Card(
            station="gone", title="Gone", description="", zone="UTC", language="en-us", voice="af_heart",
            lead=(30.0, 10.0), keep_ms=keep_ms, fallback="llm", days=(),
        )  # fmt: skip
        await radio.store.append(names.card("gone"), [encode(card)])
        begin = Begin(run="a@1", show="a", title="A", voice="af_heart", producer="text", at=now, until=now)
        await radio.store.append(names.station_input("gone"), [encode(begin)])
        [station] = await orphans(radio.store, set())
        assert plan.card(station, now).keep_ms == keep_ms


async def _days(radio: Radio, station: str) -> int:
    """How many shows its card tells of."""
    try:
        newest = (await radio.store.read(names.card(station), FromTail(4))).records[-1]
    except StreamNotFound:
        return -1
    card = decode(CARD, newest)
    return len(card.days) if isinstance(card, Card) else -1


async def test_a_bad_file_keeps_the_old_timetable_and_says_so(
    radio: Radio, caplog: pytest.LogCaptureFixture
) -> None:
    radio.write("one")
    with caplog.at_level(logging.ERROR):
        async with radio.running():
            await until(lambda: radio.shows() == ["one/all"])
            radio.write("one", text="station: {station}{show}\n")
            await until(lambda: any(getattr(r, "action", "") == "stations.fault" for r in caplog.records))
    assert await radio.ends("one") == []
    assert "one.yaml:1:1: 'title' is missing" in caplog.text


async def test_without_a_good_file_it_says_all_that_is_wrong(radio: Radio) -> None:
    with pytest.raises(BadInput, match="there is no station file"):
        await scheduler.run(radio.settings, radio.store, radio.clock, radio.stop, produce_argv=[])
    radio.write("one", text="station: {station}\n")
    with pytest.raises(BadInput, match="'timezone' is missing"):
        await scheduler.run(radio.settings, radio.store, radio.clock, radio.stop, produce_argv=[])


async def test_a_request_for_a_fallback_is_heard(radio: Radio) -> None:
    radio.write("one")
    async with radio.running():
        await until(lambda: radio.shows() == ["one/all"])
        await radio.store.append(names.CONTROL, [encode(ControlRequest(what="dry", target="one"))])
        await until(lambda: radio.shows() == ["one/all", "one/fallback"])
        await radio.store.append(names.CONTROL, [encode(ControlRequest(what="fed", target="one"))])
        await until(lambda: _is(radio.ends("one"), ["fed"]))


async def test_requests_are_heard_again_after_the_store_failed(
    radio: Radio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "RETRY_S", 0.01)
    follow, failures = radio.store.follow, [Unavailable("busy")]

    def failing(name: str, *asked: Any, **options: Any) -> Any:
        if name == names.CONTROL and failures:
            raise failures.pop()
        return follow(name, *asked, **options)

    monkeypatch.setattr(radio.store, "follow", failing)
    radio.write("one")
    async with radio.running():
        await until(lambda: not failures)
        await radio.store.append(names.CONTROL, [encode(ControlRequest(what="dry", target="one"))])
        await until(lambda: "one/fallback" in radio.shows())


async def test_begins_say_when_the_run_was_planned(radio: Radio) -> None:
    radio.write("one")
    async with radio.running():
        await until(lambda: len(radio.producers) >= 1)
    record = next(
        r
        for r in (await radio.store.read(names.station_input("one"), FromSeq(0))).records
        if b"begin" in dict(r.headers).values()
    )
    begin = decode(STATION_INPUT, record)
    assert isinstance(begin, Begin)
    assert begin.at % 86_400_000 == 0
    assert begin.until - begin.at == 7 * 86_400_000


async def test_an_alarm_rings_at_its_time_and_the_newest_of_a_key_counts() -> None:
    rung: list[str] = []
    async with Alarms() as alarms:
        now = datetime.now(UTC)
        alarms.at("a", _ms(now + timedelta(hours=1)), lambda: rung.append("late"))
        alarms.at("a", _ms(now), lambda: rung.append("now"))
        alarms.at("b", _ms(now), lambda: rung.append("forgotten"))
        alarms.forget("b")
        alarms.forget("c")
        await until(lambda: rung == ["now"])


def _ms(when: datetime) -> int:
    return round(when.timestamp() * 1000)


READS = """\
station: {station}
title: T
timezone: UTC
fallback: off
shows:
  - {{id: {show}, title: T, at: "00:00", days: mon, length: 7d, producer: text, files: ["books/*.txt"]}}
"""


async def test_a_text_that_comes_is_read_from_the_next_run_on(radio: Radio) -> None:
    books = radio.settings.schedules / "books"
    books.mkdir()
    (books / "a.txt").write_text("A.")
    radio.write("one", text=READS)
    folder = scheduler.StationFiles(radio.settings.schedules)
    today = date(2026, 11, 30)
    assert [len(_files(s)) for s in await folder.first(today)] == [1]
    assert await folder.changed(today) is None
    (books / "b.txt").write_text("B.")
    assert [len(_files(s)) for s in await folder.changed(today) or []] == [2]
    assert await folder.changed(today) is None
    (books / "a.txt").unlink()
    assert [len(_files(s)) for s in await folder.changed(today) or []] == [1]


def _files(station: Station) -> tuple[str, ...]:
    options = station.shows[0].options
    assert isinstance(options, producer_kinds.TextFiles)
    return options.files


async def test_a_file_that_names_what_is_missing_is_right_once_it_is_there(radio: Radio) -> None:
    radio.write("one")
    radio.write("two", text=READS)
    folder = scheduler.StationFiles(radio.settings.schedules)
    today = date(2026, 11, 30)
    assert [s.station for s in await folder.first(today)] == ["one"]
    assert [fault.message for fault in folder.faults] == ["all: no file books/*.txt"]
    (radio.settings.schedules / "books").mkdir()
    (radio.settings.schedules / "books" / "a.txt").write_text("A.")
    assert sorted(s.station for s in await folder.changed(today) or []) == ["one", "two"]
    assert folder.faults == ()


async def test_a_station_that_keeps_its_old_timetable_is_named(
    radio: Radio, caplog: pytest.LogCaptureFixture
) -> None:
    radio.write("one")
    folder = scheduler.StationFiles(radio.settings.schedules)
    await folder.first(date(2026, 11, 30))
    radio.write("one", text="station: {station}{show}\n")
    with caplog.at_level(logging.ERROR):
        stations = await folder.changed(date(2026, 11, 30))
    assert stations is not None
    assert [s.shows[0].id for s in stations] == ["all"]
    kept = [r for r in caplog.records if getattr(r, "action", "") == "stations.kept"]
    assert [getattr(r, "station", "") for r in kept] == ["one"]


@pytest.fixture
async def early(monkeypatch: pytest.MonkeyPatch) -> tuple[MemoryStore, ManualClock]:
    """A store that knows of a later time than the clock."""
    monkeypatch.setattr(clock_wait, "LOOK_S", 0.01)
    clock = ManualClock()
    store = MemoryStore(clock)
    await store.append(names.station_input("one"), [encode(InputStart(owner="x"))])
    clock.step(-3600)
    return store, clock


async def test_a_clock_that_is_not_set_is_waited_for(early: tuple[MemoryStore, ManualClock]) -> None:
    store, clock = early
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(clock_wait.await_clock(store, clock, ["one", "two"], asyncio.Event()))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        clock.step(3600)
        await until(waiting.done)


async def test_a_clock_that_stays_early_counts_as_set_back(early: tuple[MemoryStore, ManualClock]) -> None:
    store, clock = early
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(clock_wait.await_clock(store, clock, ["one"], asyncio.Event()))
        await asyncio.sleep(0.05)
        clock.advance(clock_wait.PATIENCE_S - 1)
        await asyncio.sleep(0.05)
        assert not waiting.done()
        clock.advance(1)
        await until(waiting.done)


async def test_who_stops_waits_for_no_clock(early: tuple[MemoryStore, ManualClock]) -> None:
    store, clock = early
    stop = asyncio.Event()
    stop.set()
    async with asyncio.timeout(60):
        await clock_wait.await_clock(store, clock, ["one"], stop)


async def test_a_clock_that_may_be_right_is_not_waited_for(radio: Radio) -> None:
    await radio.store.append(names.station_input("one"), [encode(InputStart(owner="x"))])
    async with asyncio.timeout(60):
        await clock_wait.await_clock(radio.store, radio.clock, ["one"], asyncio.Event())
