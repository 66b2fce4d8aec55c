"""Records of casts as their listeners get them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from radio.streams.records.kind import RecordKind

# --- pub/casts/<id> ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CastMeta(RecordKind):
    """The relay's claim. `created` in epoch ms, `characters` of the text."""

    EVENT = "meta"
    title: str
    voice: str
    created: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CastStart(RecordKind):
    """A narrator took the cast; earlier sentences below `first` stay valid."""

    EVENT = "start"
    WIRE: ClassVar[Mapping[str, str]] = {"first": "from", "tries": "try"}
    owner: str
    first: int
    tries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CastEnd(RecordKind):
    """The cast is over: done, failed or removed.

    Attributes:
        job: the highest of the cast's jobs that the writer had read.
        c: seq of the control request that this record carries out; it covers all earlier requests.
        recipes: if the cast was removed, the records of its catalog stream below this number are removed too.
    """

    EVENT = "eos"
    reason: str
    job: int
    c: int | None = None
    recipes: int | None = None
    token: str | None = None
