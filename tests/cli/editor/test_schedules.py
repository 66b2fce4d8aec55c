import json
import re
from pathlib import Path

import pytest

from radio.cli import main

RIGHT = """\
station: harbor
title: Harbor FM
timezone: Europe/Berlin
fallback: off
shows:
  - {id: tides, title: Tides, at: "07:00", length: 30m, producer: llm, topics: [tides]}
"""


def test_a_right_file_is_said_to_be_right_and_what_airs_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "harbor.yaml"
    file.write_text(RIGHT)
    assert main(["check", "--days", "7", str(file)]) == 0
    summary, *shows = capsys.readouterr().out.splitlines()
    assert summary.startswith("harbor: right, 1 show, 14 MB a day, 1 LLM")
    airs = re.compile(r"  \w+ \d\d \w+ 07:00 \+0[12]00 to 07:30 \+0[12]00  Tides \(llm\)")
    assert len([line for line in shows if airs.fullmatch(line)]) in (6, 7, 8)


def test_one_day_is_shown_and_the_costs_are_those_of_a_week(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT)
    assert main(["check", "--schedules", str(tmp_path)]) == 0
    summary, *shows, last = capsys.readouterr().out.splitlines()
    assert summary.startswith("harbor: right, 1 show, 14 MB a day")
    assert sum("Tides (llm)" in line for line in shows) in (1, 2)
    assert len(shows) <= 4
    assert last == "the first day of 7; --days 7 shows all"


def test_no_password_of_a_server_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = "model: 'http://user:p@ss-word@10.0.0.7:8080/v1#small'\n"
    (tmp_path / "a.yaml").write_text(RIGHT + model)
    for options in ([], ["--json"]):
        assert main(["check", *options, "--schedules", str(tmp_path)]) == 0
        said = capsys.readouterr().out
        assert "ss-word" not in said
    assert json.loads(said)["costs"][0]["models"] == ["http://…@10.0.0.7:8080/v1#small"]
    assert json.loads(said)["weights"] == {"http://…@10.0.0.7:8080/v1#small": 0}


def test_every_fault_is_shown_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT.replace("Europe/Berlin", "Europe/Berlln").replace("30m", "soon"))
    (tmp_path / "b.yaml").write_text("station: [")
    assert main(["check", "--schedules", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" ")[0] for line in lines[:2]] == [
        f"{tmp_path}/a.yaml:3:1:",
        f"{tmp_path}/a.yaml:6:44:",
    ]
    assert "Europe/Berlin" in lines[0]
    assert lines[2].startswith(f"{tmp_path}/b.yaml")


def test_programs_get_the_same_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT.replace("30m", "soon"))
    assert main(["check", "--json", "--schedules", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["stations"] == []
    assert [(fault["line"], fault["column"]) for fault in found["faults"]] == [(6, 44)]


def test_no_station_at_all_is_an_error_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--schedules", str(tmp_path)]) == 1
    assert "--schedules" in capsys.readouterr().err


def test_the_schema_is_printed_for_editors(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--schema"]) == 0
    assert "timezone" in json.loads(capsys.readouterr().out)["properties"]


def timetable(capsys: pytest.CaptureFixture[str], *args: str) -> list[dict[str, str]]:
    assert main(["timetable", "--json", *args]) == 0
    found: list[dict[str, str]] = json.loads(capsys.readouterr().out)["runs"]
    return found


def test_a_timetable_lists_runs_with_the_offset_of_their_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT)
    where = ("--schedules", str(tmp_path))
    runs = timetable(capsys, "harbor", *where, "--from", "2027-03-27", "--days", "2")
    assert runs == [
        {
            "station": "harbor", "run": f"tides@202703{day}T0700", "show": "tides", "title": "Tides",
            "producer": "llm", "at": f"2027-03-{day}T07:00{offset}", "until": f"2027-03-{day}T07:30{offset}",
        }
        for day, offset in (("27", "+01:00"), ("28", "+02:00"))
    ]  # fmt: skip
    assert timetable(capsys, *where, "--from", "2027-03-27", "--days", "2") == runs
    assert len(timetable(capsys, *where)) in (7, 8)
    assert main(["timetable", *where, "--from", "2027-03-27", "--days", "1"]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["STATION", "RUN", "SHOW", "TITLE", "PRODUCER", "AT", "UNTIL"]
    assert "tides@20270327T0700" in line


def test_a_timetable_of_no_station_or_no_day_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT)
    where = ("--schedules", str(tmp_path))
    assert main(["timetable", "harbour", *where]) == 1
    assert "there is harbor" in capsys.readouterr().err
    assert main(["timetable", *where, "--from", "tomorrow"]) == 2
    assert "2026-12-24" in capsys.readouterr().err


def test_a_fault_of_another_file_hinders_no_timetable_and_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT)
    (tmp_path / "b.yaml").write_text("station: [")
    assert main(["timetable", "harbor", "--schedules", str(tmp_path)]) == 0
    assert "b.yaml:1:" in capsys.readouterr().err
    assert main(["timetable", "--schedules", str(tmp_path)]) == 1
