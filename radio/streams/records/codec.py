"""The one codec of all records, and which kinds a stream may hold."""

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from radio.streams.contract import Headers, NewRecord, Record
from radio.streams.records.casts import (
    CastEnd,
    CastMeta,
    CastStart,
)
from radio.streams.records.kind import VERSION, ScriptPosition, UnknownRecord
from radio.streams.records.shared import (
    Bye,
    ControlRequest,
    CopyBegun,
    CopyDone,
    CursorMark,
    DeadJob,
    Heartbeat,
    Job,
    Receipt,
    Recipe,
)
from radio.streams.records.stations import (
    Again,
    ArchivedRun,
    Audio,
    Begin,
    BroadcastEnd,
    BroadcastStart,
    Card,
    Clip,
    Cut,
    Epoch,
    Heard,
    InputStart,
    RunEnd,
    RunOver,
    ScriptEnd,
    ScriptStart,
    ShowBegin,
    Skip,
    Text,
)

AnyRecord = (
    InputStart | Begin | RunEnd | ScriptStart | Text | Cut | Clip | Again | ScriptEnd | Heard
    | BroadcastStart | ShowBegin | Audio | Skip | Epoch | BroadcastEnd | ArchivedRun | RunOver | Card
    | CastMeta | CastStart | CastEnd | Recipe | Job | DeadJob | CursorMark | Receipt | ControlRequest
    | Heartbeat | Bye | CopyBegun | CopyDone
)  # fmt: skip

Family = tuple[type[AnyRecord], ...]

STATION_INPUT: Family = (InputStart, Begin, RunEnd)
SCRIPT: Family = (ScriptStart, Text, Cut, Clip, Again, ScriptEnd)
MEMORY: Family = (InputStart, Heard)
BROADCAST: Family = (BroadcastStart, ShowBegin, Audio, Skip, Epoch, BroadcastEnd)
ARCHIVE: Family = (ArchivedRun, RunOver)
CARD: Family = (InputStart, Card)
CAST: Family = (CastMeta, CastStart, Audio, Skip, CastEnd)
CATALOG: Family = (Recipe,)
JOBS: Family = (Job,)
DEAD: Family = (DeadJob,)
CURSOR: Family = (CursorMark,)
DONE: Family = (Receipt,)
CONTROL: Family = (ControlRequest,)
MEMBER: Family = (Heartbeat, Bye)
COPY: Family = (CopyBegun, CopyDone)


def encode(record: AnyRecord) -> NewRecord:
    """The record as it goes into its stream. Fields that are None are left out."""
    kind: Any = type(record)
    values = {
        wire: getattr(record, name) for name, wire, _ in _layout(kind) if getattr(record, name) is not None
    }
    head: Headers = ((b"e", record.EVENT.encode()), (b"v", str(VERSION).encode()))
    if not record.IN_HEADERS:
        return NewRecord(headers=head, body=_dump(values))
    body = values.pop("body")
    return NewRecord(
        headers=head + tuple((k.encode(), str(v).encode()) for k, v in values.items()), body=body
    )


def decode(family: Family, record: Record) -> AnyRecord:
    """The record as one of its stream's family.

    Raises:
        UnknownRecord: a command, a newer version, an event that is not of this family, or a broken record.
    """
    head = {name.decode(errors="replace"): value.decode(errors="replace") for name, value in record.headers}
    kind: Any = next((k for k in family if head.get("e") == k.EVENT), None)
    if kind is None or head.get("v") != str(VERSION):
        raise UnknownRecord(f"record {record.seq}: event {head.get('e')!r}, version {head.get('v')!r}")
    try:
        values: Mapping[str, Any] = (
            {**head, "body": record.body} if kind.IN_HEADERS else json.loads(record.body)
        )
        decoded: AnyRecord = kind(
            **{name: revive(values[wire]) for name, wire, revive in _layout(kind) if wire in values}
        )
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise UnknownRecord(f"record {record.seq}: broken {kind.EVENT}: {e}") from e
    return decoded


def event_of(record: Record) -> str | None:
    """The record's event without decoding it; None for commands."""
    return next((value.decode(errors="replace") for name, value in record.headers if name == b"e"), None)


def _dump(values: Mapping[str, Any]) -> bytes:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode()


def _revive(annotation: str) -> Any:
    """From a wire value (header text or JSON value) to a field of that type."""
    if annotation.startswith("ScriptPosition"):
        return ScriptPosition.parse
    if annotation.startswith("int"):
        return int
    if annotation.startswith("float"):
        return float
    if annotation == "tuple[tuple[int, int], ...]":
        return lambda value: tuple((int(a), int(b)) for a, b in value)
    if annotation.startswith("tuple"):
        return tuple
    return lambda value: value


@cache
def _layout(kind: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    """(field, wire name, reviver) of each field; a field without default must be there."""
    rows = []
    for field in fields(kind):
        wire = kind.WIRE.get(field.name, field.name)
        spelt = field.type if isinstance(field.type, str) else _spell(field.type)
        rows.append((field.name, wire, _revive(spelt)))
    return tuple(rows)


def _spell(annotation: Any) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return re.sub(r"\w+\.", "", str(annotation))
