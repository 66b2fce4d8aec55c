"""The reference of station files has each key that a file may have, with its default, and no other."""

import re
from dataclasses import MISSING, Field, fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from radio import producer_kinds
from radio.stations.definition import loading, yaml_document
from radio.stations.definition.show import Show
from radio.stations.definition.station import Lead, Station

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/stations.md").read_text(encoding="utf-8")
SECTIONS: dict[str, type] = {
    "The station": Station,
    "Lead": Lead,
    "A show": Show,
    **{f"Producer `{name}`": kind for name, kind in producer_kinds.KINDS.items()},
    "A topic": producer_kinds.Topic,
}
INHERITED = {"voice", "persona", "model", "language"}
"""Of a show: where it does not say them, the station's hold."""


def section(heading: str) -> dict[str, list[str]]:
    """The cells of each row of the table under a heading, by the key."""
    found = re.search(rf"^##+ {re.escape(heading)}\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"no section {heading!r}"
    rows = [line.split(" | ") for line in found[1].splitlines() if line.startswith("| `")]
    return {row[0].strip("| `"): [cell.strip("| ") for cell in row] for row in rows}


def written(kind: type) -> dict[str, Field[Any]]:
    """The keys that an editor may write; a show's options are its producer's keys."""
    return {
        field.name: field for field in fields(kind) if field.init and (kind, field.name) != (Show, "options")
    }


def default_of(kind: type, field: Field[Any]) -> str:
    """How the document tells a field's default."""
    if (field.default is MISSING and field.default_factory is MISSING) or field.name == "producer":
        return "required"
    if kind is Show and field.name in INHERITED:
        return "the station's"
    spelt = {"days": "`daily`", "keep": "no limit", "length": "by `hours`", "lead": "see below"}
    if kind is Station and field.name == "language":
        return "the voice's"
    if field.default_factory is dict:
        return "none"
    if field.name in spelt:
        return spelt[field.name]
    if isinstance(field.default, timedelta):
        return f"`{field.default.total_seconds():g}s`"
    return f"`{str(field.default).lower()}`" if field.default not in (None, "", ()) else "none"


@pytest.mark.parametrize("heading", SECTIONS)
def test_each_key_is_documented_and_each_documented_key_exists(heading: str) -> None:
    assert set(section(heading)) == set(written(SECTIONS[heading]))


@pytest.mark.parametrize("heading", SECTIONS)
def test_each_key_has_the_default_of_the_code(heading: str) -> None:
    kind = SECTIONS[heading]
    told = {key: row[1] for key, row in section(heading).items()}
    assert told == {name: default_of(kind, field) for name, field in written(kind).items()}


def test_no_section_of_keys_is_left_out() -> None:
    assert len(re.findall(r"^\| key ", TEXT, re.MULTILINE)) == len(SECTIONS)


def test_the_example_is_right_and_uses_every_key(tmp_path: Path) -> None:
    for name in ("books/two-suitcases.txt", "books/on-rain.txt", "sounds/a.wav", "feeds/news.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    [example] = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    raw, lines = yaml_document.read_yaml(example)
    checked = loading.check_values(raw, tmp_path)
    assert checked.problems == ()
    used = {str(step) for path in lines for step in path}
    assert used >= {name for kind in SECTIONS.values() for name in written(kind)}
