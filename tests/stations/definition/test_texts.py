"""Every text that an editor may write, with everything that a text may hold."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from radio.runs import to_json
from radio.stations.definition import loading
from radio.stations.definition.station import Station
from radio.stations.service import plan
from radio.stations.service.run_history import StationHistory
from radio.streams.records import encode

NOW = 1_800_000_000_000
TEXTS = st.one_of(
    st.text(st.characters(codec=None), max_size=12),
    st.sampled_from(["\ud83d\ude00", "\ud83d", "\x00", "\ufffe", "\x1b[2J", "\u202e", "\x85", "a\ude00b"]),
)


def station(text: str) -> dict[str, Any]:
    """A station with the text wherever a text may stand."""
    show: dict[str, Any] = {"title": text, "persona": text, "model": text, "length": "1h"}
    kinds: list[dict[str, Any]] = [
        {"producer": "llm", "topics": [text, {"topic": text, "facts": [text]}], "prompt": text},
        {"producer": "text", "text": text},
        {"producer": "exec", "exec": [text, text]},
        {"producer": "feed", "feeds": ["https://radio.example/" + text], "prompt": text},
    ]
    shows = [
        {**show, "id": f"s{n}", "at": f"{n:02}:00", **{k: v for k, v in kind.items()}}
        for n, kind in enumerate(kinds)
    ]
    return {
        "station": "harbor", "title": text, "description": text, "persona": text, "timezone": "UTC",
        "model": text, "pronounce": {"Kyoto" + text: "key oat " + text},
        "fallback": {"producer": "text", "text": text}, "shows": shows,
    }  # fmt: skip


def is_written(station: Station) -> None:
    """The card and each assignment become bytes."""
    encode(plan.card(station, NOW, model=station.model))
    for begin in plan.plan(station, StationHistory(), NOW).begin:
        encode(begin)
    for show in station.shows:
        begin = plan.fallback_begin(station, "fallback@1", NOW, rung="own", producer=show.options.producer)
        told = plan.assignment(station, begin, 1, options=show.options)
        assert told is not None
        to_json(told).encode()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(text=TEXTS)
def test_any_text_of_a_station_file_is_told_as_a_fault_or_can_be_written(tmp_path: Path, text: str) -> None:
    file = tmp_path / "harbor.yaml"
    file.write_text(json.dumps(station(text)), encoding="ascii")
    loaded = loading.load([file])
    for found in loaded.stations.values():
        is_written(found)
    for fault in loaded.faults:
        str(fault).encode()
        assert fault.line
    assert bool(loaded.faults) != bool(loaded.stations)


def test_an_emoji_as_json_spells_it_is_the_emoji(tmp_path: Path) -> None:
    file = tmp_path / "harbor.yaml"
    file.write_text(json.dumps(station("\U0001f600 hi")), encoding="ascii")
    assert "\\ud83d\\ude00" in file.read_text()
    (found,) = loading.load([file]).stations.values()
    assert found.description == "\U0001f600 hi"
    is_written(found)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (r'description: "\ud83d"', "2:14: not YAML: U+D83D (half of a character) cannot be written"),
        (r'description: "a\0"', "2:14: not YAML: U+0000 (a control character) cannot be written"),
        ("description: a\x07b", "2:15: not YAML: U+0007 (a control character)"),
        ("descr\ufffeiption: a", "2:6: not YAML: U+FFFE (no character)"),
    ],
)
def test_what_cannot_be_written_is_a_fault_with_its_place(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "harbor.yaml"
    file.write_text(f"station: harbor\n{line}\ntitle: T\n", encoding="utf-8")
    (fault,) = loading.load([file]).faults
    assert str(fault).removeprefix(f"{file}:").startswith(said)


def test_a_file_whose_name_is_not_utf_8_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    with open(bytes(tmp_path / "books") + b"/caf\xe9.txt", "w") as book:
        book.write("One.")
    file = tmp_path / "harbor.yaml"
    file.write_text(
        "station: harbor\ntitle: T\ntimezone: UTC\nshows: []\n"
        "fallback: {producer: text, files: [books/*.txt]}\n"
    )
    (fault,) = loading.load([file]).faults
    assert "is not UTF-8; rename the file" in fault.message
