"""What every record has: a kind is a frozen dataclass whose fields are its wire fields."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from radio.errors import BadInput

VERSION = 1


class UnknownRecord(BadInput):
    """A record of a format that this version does not know."""


@dataclass(frozen=True, slots=True, order=True)
class ScriptPosition:
    """A position in a run's script: after `offset` UTF-8 bytes of the body of record `seq`; written
    `seq:offset`."""

    seq: int
    offset: int

    def __str__(self) -> str:
        return f"{self.seq}:{self.offset}"

    @classmethod
    def parse(cls, text: str) -> Self:
        seq, colon, offset = text.partition(":")
        if not (colon and seq.isdecimal() and offset.isdecimal()):
            raise BadInput(f"not a script position: {text!r}", hint="it is spelt seq:offset")
        return cls(int(seq), int(offset))


SCRIPT_START = ScriptPosition(0, 0)


class RecordKind:
    """A kind of record: a frozen dataclass whose fields are its wire fields."""

    __slots__ = ()
    EVENT: ClassVar[str]
    WIRE: ClassVar[Mapping[str, str]] = {}
    """Field name to wire name, where they differ."""
    IN_HEADERS: ClassVar[bool] = False
    """Fields go in headers and `body` is the record's body; otherwise all go in a JSON body."""
