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
    assert main(["check", str(file)]) == 0
    summary, *shows = capsys.readouterr().out.splitlines()
    assert summary == "harbor: right, 1 show, 14 MB a day"
    assert any(re.fullmatch(r"  \w+ \d\d \w+ 07:00 \+0[12]00 to .* 07:30 .*  Tides", line) for line in shows)


def test_every_fault_is_shown_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT.replace("Europe/Berlin", "Europe/Berlln").replace("30m", "soon"))
    (tmp_path / "b.yaml").write_text("station: [")
    assert main(["check", "--schedules", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" ")[0] for line in lines[:2]] == [
        f"{tmp_path}/a.yaml:3:",
        f"{tmp_path}/a.yaml:6:",
    ]
    assert "Europe/Berlin" in lines[0]
    assert lines[2].startswith(f"{tmp_path}/b.yaml")


def test_programs_get_the_same_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(RIGHT.replace("30m", "soon"))
    assert main(["check", "--json", "--schedules", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["stations"] == []
    assert [fault["line"] for fault in found["faults"]] == [6]


def test_no_station_at_all_is_an_error_with_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--schedules", str(tmp_path)]) == 1
    assert "--schedules" in capsys.readouterr().err
