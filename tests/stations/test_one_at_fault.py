"""A fault of one station is that one's: whatever call for it fails, the others go on, and it is named."""

import inspect
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from radio.stations import scheduler
from radio.stations.definition import loading, rules
from radio.stations.fallback import fallback_runs, ident, ladder
from radio.stations.service import (
    ownership_term,
    plan,
    producer_processes,
    producer_stall,
    run_log,
    script_cleanup,
    station_service,
)
from radio.stations.service.removed_stations import orphans
from radio.stations.timetable import report, timetable
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound
from radio.streams.records import CARD, Card, InputStart, decode, encode
from radio.streams.writer import claim
from tests.stations.test_scheduler import ALWAYS, Radio
from tests.waiting import until

CLASSES = (
    ownership_term.OwnershipTerm,
    run_log.RunLog,
    producer_processes.ProducerProcesses,
    producer_stall.StallWatch,
    fallback_runs.FallbackRuns,
    script_cleanup.ScriptCleanup,
)
MODULES = (plan, ladder, ident, timetable)
OF_SERVICE = ("_serve", "_is_served_elsewhere", "_look_until_the_end")


def calls() -> Iterator[tuple[Any, str]]:
    """Every function that serves one station, and where it stands."""
    yield from ((station_service.StationService, name) for name in OF_SERVICE)
    for kind in CLASSES:
        for name, value in vars(kind).items():
            if inspect.isfunction(value) or isinstance(value, classmethod):
                yield kind, name
    for module in MODULES:
        for name, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__ == module.__name__:
                yield module, name


def concerns_bad(arguments: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether a call is for the station `bad`."""
    for value in (*arguments, *named.values()):
        own = [getattr(value, name, None) for name in ("station", "_id", "_station")]
        if value == "bad" or "bad" in own:
            return True
    return False


def failing(monkeypatch: pytest.MonkeyPatch, owner: type | ModuleType, name: str) -> Callable[[], int]:
    """Let that call fail for `bad`; returns how often it did."""
    told = inspect.getattr_static(owner, name)
    real = getattr(owner, name) if isinstance(told, classmethod) else told
    count = 0

    def fail(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        if concerns_bad(arguments, named):
            count += 1
            raise RuntimeError(f"injected into {name}")
        return real(*arguments, **named)

    async def fail_later(*arguments: Any, **named: Any) -> Any:
        return await fail(*arguments, **named)

    instead = fail_later if inspect.iscoroutinefunction(real) else fail
    monkeypatch.setattr(owner, name, staticmethod(instead) if isinstance(told, classmethod) else instead)
    return lambda: count


@pytest.fixture
def radio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Radio:
    monkeypatch.setattr(scheduler, "RELOAD_S", 0.05)
    monkeypatch.setattr(station_service, "RETRY_S", 0.02)
    monkeypatch.setattr(station_service, "FAULT_RETRY_S", 0.02)
    return Radio(tmp_path)


def at_fault(caplog: pytest.LogCaptureFixture) -> set[str]:
    """The stations that the log names."""
    return {r.station for r in caplog.records if getattr(r, "action", "") == "station.at_fault"}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("owner", "name"), list(calls()), ids=lambda value: getattr(value, "__name__", value)
)
async def test_whatever_fails_for_one_station_the_others_go_on(
    radio: Radio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, owner: Any, name: str
) -> None:
    failures = failing(monkeypatch, owner, name)
    radio.write("bad")
    radio.write("good")
    async with radio.running():
        await until(lambda: "good/all" in radio.shows())
        await until(lambda: "bad/all" in radio.shows() or failures() > 0)
        radio.write("late")
        await until(lambda: "late/all" in radio.shows())
        if failures():
            await until(lambda: at_fault(caplog) == {"bad"})
        good = [p for p in radio.producers if p.assignment.station == "good"]
        assert [p.was_stopped for p in good] == [False]


async def test_a_station_that_was_at_fault_is_served_once_it_can_be(
    radio: Radio, caplog: pytest.LogCaptureFixture
) -> None:
    radio.write("bad")
    with pytest.MonkeyPatch.context() as injected:
        failures = failing(injected, run_log.RunLog, "write_card")
        async with radio.running():
            await until(lambda: failures() > 2)
            assert not await _has_card(radio)
            injected.undo()
            await until(lambda: _has_card(radio))
    assert at_fault(caplog) == {"bad"}


async def _has_card(radio: Radio) -> bool:
    try:
        found = await radio.store.read(names.card("bad"), FromSeq(0))
    except StreamNotFound:
        return False
    return any(r.headers[0][0] and isinstance(decode(CARD, r), Card) for r in found.records)


async def test_a_card_that_cannot_be_read_keeps_no_other_station_from_its_end(
    radio: Radio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from radio.streams import station_list

    for station in ("bad", "gone"):
        card = Card(
            station=station, title="T", description="", zone="UTC", language="en", voice="af_heart",
            lead=(30.0, 10.0), fallback="llm", days=(),
        )  # fmt: skip
        await claim(
            radio.store, names.station_input(station), [encode(InputStart(owner="x"))], fencing_token=""
        )
        await claim(radio.store, names.card(station), [encode(card)], fencing_token="")
    failing(monkeypatch, station_list, "newest_card")
    assert [s.station for s in await orphans(radio.store, set())] == ["gone"]
    assert at_fault(caplog) == {"bad"}


def test_a_file_whose_check_fails_is_a_fault_and_hinders_no_other(
    radio: Radio, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [radio.write("bad"), radio.write("good")]
    failing(monkeypatch, rules, "problems")
    loaded = loading.load(files)
    assert [s.station for s in loaded.stations.values()] == ["good"]
    assert [str(f) for f in loaded.faults] == [
        f"{files[0]}: cannot be checked: RuntimeError: injected into problems"
    ]


def test_a_station_whose_days_cannot_be_computed_is_a_fault_of_the_check(
    radio: Radio, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [radio.write("bad"), radio.write("good")]
    failing(monkeypatch, report, "outlook")
    found = report.check(files, radio.clock.now_ms())
    assert [one.station.station for one in found.outlooks] == ["good"]
    assert "cannot be planned: RuntimeError" in str(found.faults[0])


@pytest.mark.parametrize("pattern", ["closed/link.txt", "**/*.txt", "/**/*.txt"])
def test_a_path_that_cannot_be_looked_at_is_a_fault_of_its_station(
    radio: Radio, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    """The system lets root look everywhere, so the refusal is made here, where `Path` asks the system."""
    books = radio.settings.schedules / "closed"
    books.mkdir()
    (books / "b.md").write_text("B.")
    (books / "link.txt").symlink_to("b.md")
    real = Path.is_file

    def refuse(path: Path) -> bool:
        if path.name == "link.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "is_file", refuse)
    pattern = pattern.replace("/**", f"{radio.settings.schedules}/**") if pattern[0] == "/" else pattern
    text = ALWAYS.replace(
        "{{producer: llm, topics: [calm]}}", f'{{{{producer: text, files: ["{pattern}"]}}}}'
    )
    files = [radio.write("bad", text=text), radio.write("good")]
    loaded = loading.load(files)
    assert [s.station for s in loaded.stations.values()] == ["good"]
    assert "link.txt cannot be looked at: Permission denied" in str(loaded.faults[0])


def test_a_link_that_leads_to_itself_and_a_name_that_is_too_long_are_faults(radio: Radio) -> None:
    (radio.settings.schedules / "loop.txt").symlink_to("loop.txt")
    for name, said in (("x" * 300 + ".txt", "File name too long"), ("loop.txt", "no file loop.txt")):
        text = ALWAYS.replace("{{producer: llm, topics: [calm]}}", f"{{{{producer: text, files: [{name}]}}}}")
        loaded = loading.load([radio.write("bad", text=text), radio.write("good")])
        assert [s.station for s in loaded.stations.values()] == ["good"]
        assert said in str(loaded.faults[0])


@pytest.fixture(autouse=True)
def all_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
