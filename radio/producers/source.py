"""What every kind of producer is to the runner: a source of script, in segments."""

from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from radio import producer_kinds
from radio.clock import Clock
from radio.errors import RadioError
from radio.producers.models.model_cache import ModelCache
from radio.producers.show_memory import NO_MEMORY, Memory
from radio.runs import Assignment
from radio.settings import Settings
from radio.streams.contract import StreamStore


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of script of a segment, whole code points.

    Attributes:
        heard_about: it tells the time, and is right if heard about then (epoch ms).
        mark: where in the source it ends, for whoever goes on after a crash or in a later run.
    """

    seg: int
    text: str
    heard_about: int | None = None
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class SoundPiece:
    """MP3 of the radio's own format, at most 12 s of it, with its caption."""

    seg: int
    mp3: bytes
    caption: str
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Records `first` to `last` of the station's broadcast again, about `ms` milliseconds of sound."""

    seg: int
    first: int
    last: int
    ms: int
    mark: str | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """What was written of this segment and is not spoken yet is void."""

    seg: int


Piece = Words | SoundPiece | Stretch | TakeBack


class Over(RadioError):
    """A source ends its run, for this reason: a few words, or a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the run ends: {reason}")
        self.reason = reason


def _nothing(seg: int) -> str:
    del seg
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What a source knows when it begins.

    Attributes:
        options: the show's own keys.
        next_seg: the segment to go on with; 0 at the run's begin.
        written: what stands of the script's text.
        heard_at: about when (epoch ms) the next word will be on air.
        stands: what stands of a segment's text.
        aired: what the station had on air before, in its words.
        discarded: to count what is left out, by reason.
        model_cache: the LLMs of this process.
        marks: of the pieces that stand, in order.
        was_begun: an earlier attempt took the script.
        memory: what earlier runs of the show came to, for kinds that have one.
        store: None only where a kind without use for it is tested alone.
    """

    assignment: Assignment
    options: producer_kinds.Options
    settings: Settings
    clock: Clock
    next_seg: int
    written: str
    heard_at: Callable[[], int]
    stands: Callable[[int], str] = _nothing
    aired: tuple[str, ...] = ()
    discarded: Counter[str] = field(default_factory=Counter)
    model_cache: ModelCache = field(default_factory=ModelCache)
    marks: Sequence[str] = ()
    was_begun: bool = False
    memory: Memory = field(default=NO_MEMORY)
    store: StreamStore | None = None


class Source(Protocol):
    """Writes one run."""

    first_piece_within_s: float
    """A first piece that takes longer means that it hangs; a model may have to be loaded."""
    piece_within_s: float
    """The same for every later piece. The time in which the runner does not ask does not count."""

    def pieces(self) -> AsyncGenerator[Piece, None]:
        """The script from `next_seg` on. The runner asks for the next piece when it is due, and closes it.

        Raises `Over` to end the run for a reason; at its end the reason is `done`.
        """
        ...
