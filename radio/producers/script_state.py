"""What stands of a run's script, as its producer sees it when it begins or goes on. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from radio.mp3 import duration_ms
from radio.producers.source import SoundPiece, Stretch, Words
from radio.runs import SPEECH_BYTES_PER_S
from radio.streams.records import (
    SCRIPT_START,
    Again,
    AnyRecord,
    Clip,
    Cut,
    ScriptPosition,
    ScriptStart,
    Text,
)

_CLOCK_MARK = "clock:"


def clock_mark(heard_about: int) -> str:
    """The mark of a piece that tells the time, and is right if heard about then (epoch ms)."""
    return f"{_CLOCK_MARK}{heard_about}"


@dataclass(frozen=True, slots=True)
class ScriptPiece:
    """What stands of the record `seq`, which belongs to segment `seg`.

    Attributes:
        text: "" of sound.
        size: in bytes of text; a clip has size 1, a stretch that of its records.
        ms: how long it lasts, of text about.
        mark: None if the record has none, or is cut.
    """

    seq: int
    seg: int
    text: str
    size: int
    ms: float
    mark: str | None = None

    @property
    def end(self) -> ScriptPosition:
        return ScriptPosition(self.seq, self.size)

    def is_heard(self, spoken: ScriptPosition) -> bool:
        """Nothing of it is left to be spoken; white space at its end is not."""
        size = len(self.text.rstrip().encode()) if self.text else self.size
        return ScriptPosition(self.seq, size) <= spoken

    def share(self, position: ScriptPosition) -> float:
        """How much of it lies before a position, 0 to 1."""
        if self.seq != position.seq:
            return 1.0 if self.seq < position.seq else 0.0
        return min(position.offset / self.size, 1.0) if self.size else 1.0

    def head(self, size: int) -> "ScriptPiece":
        """Only the first `size` of it."""
        text = self.text.encode()[:size].decode()
        return ScriptPiece(self.seq, self.seg, text, size, self.ms * size / self.size)


def _piece(seq: int, record: Text | Clip | Again) -> ScriptPiece:
    match record:
        case Text():
            size = len(record.body)
            ms = 1000 * size / SPEECH_BYTES_PER_S
            return ScriptPiece(seq, record.seg, record.text, size, ms, record.mark)
        case Clip():
            return ScriptPiece(seq, record.seg, "", 1, record.d, record.mark)
        case Again():
            return ScriptPiece(seq, record.seg, "", record.size, record.d, record.mark)


class ScriptState:
    """A fold of the script's records, and of how far the narrator has come."""

    def __init__(self) -> None:
        self.pieces: list[ScriptPiece] = []
        self.spoken = SCRIPT_START
        self.was_begun = False
        """An attempt took the script before."""

    @property
    def end(self) -> ScriptPosition:
        """Up to where the script stands."""
        return max(self.pieces[-1].end, self.spoken) if self.pieces else self.spoken

    @property
    def next_seg(self) -> int:
        return self.pieces[-1].seg + 1 if self.pieces else 0

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    def text_of(self, seg: int) -> str:
        """What stands of a segment."""
        return "".join(piece.text for piece in self.pieces if piece.seg == seg)

    @property
    def unspoken_s(self) -> float:
        """About how many seconds what is not spoken lasts."""
        return self.seconds_before(self.end)

    def seconds_before(self, position: ScriptPosition) -> float:
        """The same of what lies before a position."""
        left = 0.0
        for piece in reversed(self.pieces):
            if piece.seq < self.spoken.seq:
                break
            left += piece.ms * max(piece.share(position) - piece.share(self.spoken), 0.0)
        return left / 1000

    @property
    def marks(self) -> list[str]:
        """Of the pieces that stand, in order."""
        return [piece.mark for piece in self.pieces if piece.mark is not None]

    @property
    def heard_mark(self) -> str | None:
        """The last mark up to which all is spoken."""
        heard = (p.mark for p in reversed(self.pieces) if p.mark is not None and p.is_heard(self.spoken))
        return next(heard, None)

    @property
    def clocks(self) -> list[tuple[ScriptPosition, int]]:
        """Where words begin that tell the time and of which none is spoken, and when they are right."""
        found: list[tuple[ScriptPosition, int]] = []
        begin = SCRIPT_START
        for piece in self.pieces:
            if begin >= self.spoken and piece.mark is not None and piece.mark.startswith(_CLOCK_MARK):
                found.append((begin, int(piece.mark.removeprefix(_CLOCK_MARK))))
            begin = piece.end
        return found

    def hear(self, src: ScriptPosition) -> None:
        """The narrator has spoken up to there."""
        self.spoken = max(self.spoken, src)

    def fold(self, seq: int, record: AnyRecord) -> None:
        """The next record of the script."""
        match record:
            case Text() | Clip() | Again():
                self.pieces.append(_piece(seq, record))
            case ScriptStart() | Cut():
                self.was_begun = self.was_begun or isinstance(record, ScriptStart)
                self._void(max(record.keep, self.spoken))

    def begin_of(self, seg: int) -> ScriptPosition:
        """Up to where the script stands without this segment and later ones."""
        before = [piece for piece in self.pieces if piece.seg < seg]
        return before[-1].end if before else SCRIPT_START

    def _void(self, keep: ScriptPosition) -> None:
        while self.pieces and self.pieces[-1].end > keep:
            last = self.pieces.pop()
            if last.seq == keep.seq and keep.offset:
                self.pieces.append(last.head(keep.offset))
                return


def folded(records: Iterable[tuple[int, AnyRecord]]) -> ScriptState:
    """The standing after these records."""
    standing = ScriptState()
    for seq, record in records:
        standing.fold(seq, record)
    return standing


def seconds_of(piece: object) -> float:
    """About how long a source's piece lasts."""
    match piece:
        case Words():
            return len(piece.text.encode("utf-8", "replace")) / SPEECH_BYTES_PER_S
        case SoundPiece():
            return duration_ms(piece.mp3) / 1000
        case Stretch():
            return piece.ms / 1000
    return 0.0
