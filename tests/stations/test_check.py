from datetime import timedelta
from pathlib import Path

import pytest

from radio.stations.check import check
from tests.stations.samples import HEAD
from tests.stations.test_timetable import ms


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


def test_a_check_of_a_bad_file_tells_its_faults(tmp_path: Path) -> None:
    report = check([write(tmp_path, "  - {id: a}\n")], ms("2026-03-28T12:00"))
    assert report.outlooks == ()
    assert len(report.faults) == 2


@pytest.mark.parametrize("path", sorted(Path("schedules").glob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_schedules_are_right(path: Path) -> None:
    assert check([path], ms("2026-03-28T12:00")).faults == ()
