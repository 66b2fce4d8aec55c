"""Radios to measure: whole ones, started as an operator would, on a data folder of their own."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.flow.conftest import reading_radio
from tests.flow.running import Radio
from tests.flow.stations import HEAD, WRITTEN_LIVE, tale


@contextmanager
def ended(radio: Radio) -> Iterator[Radio]:
    """A radio that is surely over at the end."""
    try:
        yield radio
    finally:
        radio.end()


@contextmanager
def folder() -> Iterator[Path]:
    """A folder that is gone at the end."""
    with tempfile.TemporaryDirectory(prefix="radio-bench-") as made:
        yield Path(made)


def writing(place: Path) -> Radio:
    """Its station is written by the LLM."""
    return Radio(place, {"harbor": WRITTEN_LIVE})


def reading(place: Path) -> Radio:
    """Its station reads a file aloud."""
    return reading_radio(place)


def off(place: Path) -> Radio:
    """Its station is off for the next twelve hours."""
    start = datetime.now(UTC) + timedelta(hours=12)
    show = (
        f'{{id: later, title: Later, at: "{start:%H:%M}", length: 1m, producer: text, files: ["later.txt"]}}'
    )
    radio = Radio(place, {"harbor": f"{HEAD}  - {show}\n"})
    (radio.schedules / "later.txt").write_text("Later.", encoding="utf-8")
    return radio


def on_air(place: Path, stations: int, every: int) -> Radio:
    """All its stations read a file aloud, in shows of so many minutes (0: all day); the tone speaks."""
    when = f"every: {every}m, length: {every}m" if every else 'hours: "00:00-00:00"'
    show = f'{{id: tales, title: Tales, {when}, producer: text, files: ["tales.txt"]}}'
    files = {
        f"s{n}": HEAD.replace("station: harbor", f"station: s{n}") + f"  - {show}\n" for n in range(stations)
    }
    radio = Radio(place, files, "--engine=tone", f"--tone-xrt={8 * stations}")
    (radio.schedules / "tales.txt").write_text(" ".join(tale(2000)), encoding="utf-8")
    return radio
