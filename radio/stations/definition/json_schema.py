"""The JSON schema of station files, by which editors complete and check keys as they are typed.

Made from the classes by which the files are checked, so it knows what they know. What several values must be
together (overlaps, dates that do not fit) `radio check` alone can tell.
"""

from typing import Any

from radio import producer_kinds
from radio.stations.definition.show import Show
from radio.stations.definition.station import Station
from radio.stations.definition.validation import json_schema

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]


def station_schema() -> Schema:
    """A JSON document."""
    whole = json_schema(Station)
    defs = {name: part for name, part in whole.pop("$defs", {}).items() if name not in ("Off", "Show")}
    options = {name: defs.pop(kind.__name__) for name, kind in producer_kinds.KINDS.items()}
    defs |= {name: _with_producer(name, part) for name, part in options.items()}
    defs |= {f"show-{name}": _show(part) for name, part in options.items()}
    whole["properties"]["fallback"] = {"anyOf": [{"const": "off"}, *_either(list(options))]}
    whole["properties"]["shows"]["items"] = {"anyOf": _either([f"show-{name}" for name in options])}
    return {"$schema": _DRAFT, "title": "Station file", **_bare({**whole, "$defs": defs})}


def _bare(part: Any) -> Any:
    """Without what the classes are called, how their authors describe them, and their own defaults."""
    if isinstance(part, list):
        return [_bare(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in part.items() if key not in ("title", "description", "default")}
    return {
        key: {name: _bare(one) for name, one in value.items()}
        if key in ("properties", "$defs")
        else _bare(value)
        for key, value in kept.items()
    }


def _either(names: list[str]) -> list[Schema]:
    return [{"$ref": f"#/$defs/{name}"} for name in names]


def _with_producer(name: str, part: Schema) -> Schema:
    return {**part, "required": ["producer", *part.get("required", [])]}


def _show(options: Schema) -> Schema:
    """A show's own keys beside those of its producer."""
    own = json_schema(Show)
    properties = {key: value for key, value in own["properties"].items() if key != "options"}
    required = [key for key in own["required"] if key != "options"]
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {**properties, **options["properties"]},
        "required": [*required, "producer", *options.get("required", [])],
    }
