"""What every kind of producer is to the runner: a source of text, in segments."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Protocol

from radio import kinds
from radio.clock import Clock
from radio.runs import Assignment
from radio.settings import Settings


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of script of a segment, whole code points."""

    seg: int
    text: str


@dataclass(frozen=True, slots=True)
class TakeBack:
    """What was written of this segment and is not spoken yet is void."""

    seg: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What a source knows when it begins.

    Attributes:
        options: the show's own keys.
        next_seg: the segment to go on with; 0 at the run's begin.
        written: what stands of the script.
        heard_at: about when (epoch ms) the next word will be on air.
    """

    assignment: Assignment
    options: kinds.Options
    settings: Settings
    clock: Clock
    next_seg: int
    written: str
    heard_at: Callable[[], int]


class Source(Protocol):
    """Writes one run."""

    first_piece_within_s: float
    """A first piece that takes longer means that it hangs; a model may have to be loaded."""
    piece_within_s: float
    """The same for every later piece. The time in which the runner does not ask does not count."""

    def pieces(self) -> AsyncGenerator[Words | TakeBack, None]:
        """The script from `next_seg` on. The runner asks for the next piece when it is due, and closes it."""
        ...
