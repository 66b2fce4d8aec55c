from datetime import UTC, datetime
from pathlib import Path

import pytest

from radio.app.manual_assignment import assignment
from radio.errors import BadInput, NotFound
from radio.settings import Settings

STATION = """\
station: harbor
title: Harbor FM
timezone: UTC
persona: Ada
fallback: off
shows:
  - {id: tides, title: Tides, at: "07:00", length: 30m, producer: llm, topics: [tides]}
"""
NOON = round(datetime(2026, 11, 29, 12, tzinfo=UTC).timestamp() * 1000)
SEVEN_TEN = round(datetime(2026, 11, 29, 7, 10, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "harbor.yaml").write_text(STATION)
    return Settings(schedules=tmp_path)


@pytest.mark.parametrize(
    ("now", "run", "expected"),
    [
        (NOON, None, "tides@20261130T0700"),
        (SEVEN_TEN, None, "tides@20261129T0700"),
        (NOON, "tides@20261202T0700", "tides@20261202T0700"),
    ],
)
def test_the_run_is_the_one_asked_for_or_on_air_or_next(
    settings: Settings, now: int, run: str | None, expected: str
) -> None:
    told = assignment(settings, "harbor", "tides", run, now)
    assert (told.run, told.station_title, told.persona) == (expected, "Harbor FM", "Ada")
    assert told.until - told.at == 30 * 60_000


@pytest.mark.parametrize(
    ("station", "show", "run", "hint"),
    [
        ("harbour", "tides", None, "did you mean harbor?"),
        ("harbor", "tide", None, "did you mean tides?"),
        ("harbor", "tides", "tides@19990101T0700", "tides@20261130T0700"),
    ],
)
def test_what_is_not_there_is_said_with_the_nearest(
    settings: Settings, station: str, show: str, run: str | None, hint: str
) -> None:
    with pytest.raises(NotFound) as refused:
        assignment(settings, station, show, run, NOON)
    assert hint in refused.value.hint


def test_a_wrong_file_is_said(settings: Settings) -> None:
    (settings.schedules / "harbor.yaml").write_text("station: [")
    with pytest.raises(BadInput, match=r"harbor\.yaml:1"):
        assignment(settings, "harbor", "tides", None, NOON)
