"""The JSON schema of station files is the one that the code gives, and knows every key."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from radio import producer_kinds
from radio.stations.definition import yaml_document
from radio.stations.definition.json_schema import station_schema
from radio.stations.definition.show import Show
from radio.stations.definition.station import Station

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs/station.schema.json"
SAMPLES = sorted((ROOT / "schedules").glob("*.yaml"))
SHOWN = {field.name for field in fields(Show)} - {"options"}


def test_the_schema_in_the_documents_is_the_code_s() -> None:
    """`python -m radio.cli check --schema > docs/station.schema.json` renews it."""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == station_schema()


def test_the_schema_knows_the_keys_of_a_station() -> None:
    schema = station_schema()
    assert set(schema["properties"]) == {field.name for field in fields(Station) if field.init}
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("kind", producer_kinds.KINDS)
def test_the_schema_knows_the_keys_of_each_kind_of_show(kind: str) -> None:
    keys = {field.name for field in fields(producer_kinds.KINDS[kind])}
    assert not keys & SHOWN, "a show's own key hides the producer's"
    schema = station_schema()
    assert set(schema["$defs"][f"show-{kind}"]["properties"]) == SHOWN | keys
    assert set(schema["$defs"][kind]["properties"]) == keys
    assert {"id", "title", "producer"} <= set(schema["$defs"][f"show-{kind}"]["required"])


def test_each_reference_leads_to_a_part() -> None:
    schema = station_schema()
    named = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema)))
    assert named <= set(schema["$defs"])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_names_the_schema_and_holds_only_what_it_knows(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert named, "the first line tells editors of the schema"
    assert (path.parent / named[1]).resolve() == SCHEMA
    raw, _ = yaml_document.read_yaml(text)
    assert _unfit(station_schema(), station_schema(), raw) == []


def test_the_schema_refuses_what_is_misspelt() -> None:
    schema = station_schema()
    raw: dict[str, Any] = {"station": "a", "title": "A", "timezone": "UTC", "fallback": "off", "shows": []}
    assert _unfit(schema, schema, raw) == []
    assert _unfit(schema, schema, {**raw, "titel": "x"}) == ["titel"]
    show = {"id": "a", "title": "A", "producer": "llm", "topics": ["x"], "at": "07:00", "length": "30m"}
    assert _unfit(schema, schema, {**raw, "shows": [show]}) == []
    assert _unfit(schema, schema, {**raw, "shows": [{**show, "topcs": []}]}) != []
    assert _unfit(schema, schema, {**raw, "shows": [{**show, "length": "soon"}]}) != []


def _unfit(whole: dict[str, Any], schema: dict[str, Any], value: Any) -> list[str]:
    """What does not fit, by the parts of JSON schema that this one uses."""
    if "$ref" in schema:
        return _unfit(whole, whole["$defs"][schema["$ref"].removeprefix("#/$defs/")], value)
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        tried = [_unfit(whole, choice, value) for choice in choices]
        return [] if [] in tried else min(tried, key=len)
    if "const" in schema:
        return [] if value == schema["const"] else [repr(value)]
    if "enum" in schema:
        return [] if value in schema["enum"] else [repr(value)]
    kinds_of: dict[str, type | tuple[type, ...]] = {
        "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float),
        "null": type(None),
    }  # fmt: skip
    if "type" in schema and not isinstance(value, kinds_of[schema["type"]]):
        return [repr(value)]
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        return [value]
    if isinstance(value, list):
        return [bad for one in value for bad in _unfit(whole, schema.get("items", {}), one)]
    if isinstance(value, dict):
        return _unfit_keys(whole, schema, value)
    return []


def _unfit_keys(whole: dict[str, Any], schema: dict[str, Any], value: dict[str, Any]) -> list[str]:
    known = schema.get("properties", {})
    bad = [key for key in schema.get("required", []) if key not in value]
    if schema.get("additionalProperties") is False:
        bad += [key for key in value if key not in known]
    return bad + [b for key, one in value.items() if key in known for b in _unfit(whole, known[key], one)]
