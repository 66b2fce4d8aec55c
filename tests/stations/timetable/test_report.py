from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest

from radio.errors import NotFound
from radio.stations.definition.show import Show
from radio.stations.timetable import timetable
from radio.stations.timetable.occurrences import Occurrence, occurrences
from radio.stations.timetable.report import MOST_LINES, check, lines
from tests.stations.samples import HEAD
from tests.stations.timetable.test_timetable import ms


def write(folder: Path, shows: str) -> Path:
    path = folder / "harbor.yaml"
    path.write_text(HEAD.format(zone="Europe/Berlin") + shows)
    return path


def test_a_check_tells_what_will_air_and_when_the_clocks_change(tmp_path: Path) -> None:
    path = write(tmp_path, "  - {id: odd, title: T, at: '02:30', length: 1h, producer: llm, topics: [x]}\n")
    (outlook,) = check([path], ms("2026-03-28T12:00"), days=2).outlooks
    assert [(s.run, s.at) for s in outlook.slots] == [
        ("odd@20260329T0230", ms("2026-03-29T01:00")),
        ("odd@20260330T0230", ms("2026-03-30T00:30")),
    ]
    (change,) = outlook.clock_changes
    assert (change.at, change.shift) == (ms("2026-03-29T01:00"), timedelta(hours=1))
    assert outlook.bytes_per_day == 90 * 60_000 * 8 // 2


def test_all_of_the_time_is_told_with_offsets_and_the_change_of_the_clocks(tmp_path: Path) -> None:
    shows = (
        "  - {id: odd, title: Odd, at: '02:30', length: 1h, instead: {2026-03-30: even}, producer: llm,"
        " topics: [x]}\n  - {id: even, title: Even, producer: text, text: Words.}\n"
    )
    report = check([write(tmp_path, shows)], ms("2026-03-28T12:00"), days=2, weigh=lambda model: 3_000_000)
    assert list(lines(report)) == [
        "harbor: right, 2 shows, 22 MB a day, 1 LLM (3 MB of weights)",
        "  Sat 28 Mar 13:00 +0100 to Sun 29 Mar 03:00 +0200  off",
        "  Sun 29 Mar 03:00 +0200 the clocks go forward by 1 h",
        "  Sun 29 Mar 03:00 +0200 to 03:30 +0200  Odd (llm)",
        "  Sun 29 Mar 03:30 +0200 to Mon 30 Mar 02:30 +0200  off",
        "  Mon 30 Mar 02:30 +0200 to 03:30 +0200  Even (text, instead of odd)",
        "  Mon 30 Mar 03:30 +0200 to 14:00 +0200  off",
    ]


def test_a_fallback_fills_the_day_and_costs_what_it_costs(tmp_path: Path) -> None:
    shows = "".join(
        f"  - {{id: {name}, title: T, hours: '{hours}', producer: llm, model: {model}, topics: [x]}}\n"
        for name, hours, model in (("a", "06:00-07:00", "small"), ("b", "07:00-08:00", "large"))
    )
    path = write(tmp_path, shows)
    path.write_text(path.read_text().replace("fallback: off", "fallback: {producer: rerun}\nkeep: 2d"))
    weights = {"small": 100_000_000, "large": 200_000_000}
    summary, *told = lines(check([path], ms("2026-03-03T00:00"), weigh=weights.__getitem__))
    assert summary == (
        "harbor: right, 2 shows, 691 MB a day, 2 LLMs at once (300 MB of weights), 1382 MB for 2 days"
    )
    assert told[0] == "  Tue 03 Mar 01:00 +0100 to 06:00 +0100  fallback (rerun)"


def test_what_this_radio_does_not_have_is_a_warning(tmp_path: Path) -> None:
    shows = "  - {id: a, title: T, at: '02:30', length: 1h, voice: jf_alpha, producer: llm, topics: [x]}\n"

    def weigh(model: str) -> int:
        raise NotFound("not here", hint="fetch it")

    report = check(
        [write(tmp_path, shows)],
        ms("2026-03-03T00:00"),
        weigh=weigh,
        is_spoken=lambda language: language != "ja",
    )
    warnings = [line for line in lines(report) if "warning" in line]
    assert warnings == [
        "  warning: this radio cannot speak ja",
        "  warning: model default: not here; fetch it",
    ]


def test_two_stations_are_added_up(tmp_path: Path) -> None:
    shows = "  - {id: a, title: T, at: '02:30', length: 1h, producer: llm, topics: [x]}\n"
    one = write(tmp_path, shows)
    two = tmp_path / "two.yaml"
    two.write_text(one.read_text().replace("station: harbor", "station: two"))
    told = list(lines(check([one, two], ms("2026-03-03T00:00"), weigh=lambda model: 5_000_000)))
    assert told[-1] == "all 2 stations: 58 MB a day, 2 LLMs at once (10 MB of weights)"


def test_a_check_of_a_bad_file_tells_its_faults(tmp_path: Path) -> None:
    report = check([write(tmp_path, "  - {id: a}\n")], ms("2026-03-28T12:00"))
    assert report.outlooks == ()
    assert len(report.faults) == 2


@pytest.mark.parametrize("path", sorted(Path("schedules").glob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_schedules_are_right(path: Path) -> None:
    assert check([path], ms("2026-03-28T12:00")).faults == ()


def test_of_a_week_with_a_thousand_runs_the_first_are_told_and_the_rest_is_counted(tmp_path: Path) -> None:
    shows = "  - {id: a, title: A, every: 10m, length: 10m, producer: text, text: Words.}\n"
    report = check([write(tmp_path, shows)], ms("2026-03-03T00:00"))
    summary, *told, last = lines(report)
    assert summary.startswith("harbor: right")
    assert len(told) == MOST_LINES
    assert last == f"  and {7 * 24 * 6 - MOST_LINES} more: radio timetable harbor"


def test_midnight_as_24_00_is_told_how_it_is_written(tmp_path: Path) -> None:
    shows = "  - {id: a, title: A, hours: '00:00-24:00', producer: text, text: Words.}\n"
    (fault,) = check([write(tmp_path, shows)], ms("2026-03-03T00:00")).faults
    assert fault.message == "'24:00' is not a time of day; write 00:00 for midnight"


def test_a_day_of_an_outlook_is_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[date] = []

    def counted(shows: Sequence[Show], first: date, last: date) -> Iterator[Occurrence]:
        computed.append(first)
        assert first == last
        return occurrences(shows, first, last)

    monkeypatch.setattr(timetable, "occurrences", counted)
    path = write(tmp_path, "  - {id: a, title: T, every: 1h, length: 1h, producer: llm, topics: [x]}\n")
    report = check([path], ms("2026-01-01T00:00"), days=365)
    assert len(list(lines(report, 365))) == MOST_LINES + 2
    assert len(report.outlooks[0].slots) == 365 * 24 - 1  # an hour of March does not exist
    assert len(computed) == len(set(computed)) == 366
