"""Runs for tests of producers."""

from pathlib import Path
from typing import Any

from radio.runs import Assignment
from radio.streams import names
from radio.streams.contract import FromSeq, Record, StreamStore
from radio.streams.records import SCRIPT, AnyRecord, decode

NOW = 1_800_000_000_000
STATION, RUN = "harbor", "night@20270115T0900"


def assignment(folder: Path, **changes: Any) -> Assignment:
    """A text run that is on air for an hour from now, reading `a.txt`."""
    values: dict[str, Any] = {
        "station": STATION, "station_title": "Harbor FM", "run": RUN, "show": "night", "title": "Night Book",
        "producer": "text", "options": {"producer": "text", "files": [str(folder / "a.txt")]},
        "at": NOW, "until": NOW + 3_600_000, "attempt": 1,
    }  # fmt: skip
    return Assignment(**{**values, **changes})


async def records(store: StreamStore, name: str = names.script(STATION, RUN)) -> list[Record]:
    """All that stands, commands too."""
    found: list[Record] = []
    at = 0
    while True:
        result = await store.read(name, FromSeq(at), include_commands=True)
        if result.next_seq == at:
            return found
        found += result.records
        at = result.next_seq


async def script(store: StreamStore) -> list[AnyRecord]:
    return [decode(SCRIPT, r) for r in await records(store) if r.kind == "data"]
