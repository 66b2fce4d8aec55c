"""The id of a run, and the assignment of its producer process.

The station's scheduler writes an `Assignment` as one JSON line to the producer's stdin; besides it the
producer needs only the store and the models.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

from radio.errors import BadInput
from radio.streams.names import FALLBACK

SPEECH_BYTES_PER_S = 14.0
"""UTF-8 bytes of script that the voice speaks in a second: an estimate, only for pacing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """All that a producer process needs to write one run.

    Attributes:
        station, station_title: id, and the name as it is said on air.
        run, show, title: ids, and the show's name as it is said on air.
        producer: its kind.
        options: the show's own keys, by `radio.producer_kinds`; files are absolute paths.
        persona: who speaks; goes into prompts, never to a listener.
        model: the LLM, by name or path.
        language: of the voice, `en-us`.
        zone: IANA name of the station's time zone.
        at, until: planned air times in epoch ms.
        attempt: from 1; also the epoch with which the run's script is owned.
        lead_low_s, lead_high_s: seconds of unspoken script and lead between which the producer keeps.
        next_title, next_at: the show after this one and its air time in epoch ms, if one is known.
    """

    station: str
    station_title: str
    run: str
    show: str
    title: str
    producer: str
    options: Mapping[str, Any] = field(default_factory=dict)
    persona: str = ""
    model: str = "default"
    language: str = "en-us"
    zone: str = "UTC"
    voice: str = "af_heart"
    at: int
    until: int
    attempt: int = 1
    lead_low_s: float = 40.0
    lead_high_s: float = 75.0
    next_title: str | None = None
    next_at: int | None = None


def run_id(show: str, local_start: datetime) -> str:
    """A show's run that starts at this local time: `brief@20261129T0700`; the same on every machine."""
    return f"{show}@{local_start:%Y%m%dT%H%M}"


def fallback_id(seq: int) -> str:
    """A fallback run, by the seq of its `begin` in the station's input stream."""
    return f"{FALLBACK}@{seq}"


def is_fallback(run: str) -> bool:
    return run.partition("@")[0] == FALLBACK


def to_json(assignment: Assignment) -> str:
    """One line."""
    return json.dumps(asdict(assignment), ensure_ascii=False, separators=(",", ":"))


def from_json(line: str | bytes) -> Assignment:
    """Raises `BadInput` if it is not an assignment of this version."""
    try:
        values = json.loads(line)
    except ValueError as e:
        raise BadInput(f"not an assignment: {e}") from e
    if not isinstance(values, dict):
        raise BadInput("not an assignment: not a JSON object")
    if unknown := values.keys() - {f.name for f in fields(Assignment)}:
        raise BadInput(f"not an assignment: unknown {', '.join(sorted(unknown))}")
    try:
        return Assignment(**values)
    except TypeError as e:
        raise BadInput(f"not an assignment: {e}") from e
