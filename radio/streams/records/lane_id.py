"""What a narrator's lane serves: one station or one cast."""

from dataclasses import dataclass
from typing import Literal, Self, get_args

from radio.errors import BadInput

LaneKind = Literal["station", "cast"]
_KINDS: tuple[str, ...] = get_args(LaneKind)


@dataclass(frozen=True, slots=True, order=True)
class LaneId:
    """Unique within a narrator. On the wire and in the log it is `station <id>` or `cast <id>`."""

    kind: LaneKind
    id: str

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @classmethod
    def station(cls, station: str) -> Self:
        return cls("station", station)

    @classmethod
    def cast(cls, cast: str) -> Self:
        return cls("cast", cast)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises `BadInput` if this version knows no such kind of lane."""
        kind, space, id_ = text.partition(" ")
        if kind == "station" and space and id_:
            return cls("station", id_)
        if kind == "cast" and space and id_:
            return cls("cast", id_)
        raise BadInput(f"not a lane: {text!r}", hint=f"it begins with {' or '.join(_KINDS)}")
