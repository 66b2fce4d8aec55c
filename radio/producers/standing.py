"""What stands of a run's script, as its producer sees it when it begins or goes on. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from radio.streams.records import SCRIPT_START, AnyRecord, Cut, ScriptPosition, ScriptStart, Text


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that stands: `size` bytes of the record `seq`, which belongs to segment `seg`."""

    seq: int
    seg: int
    text: str
    size: int

    @property
    def end(self) -> ScriptPosition:
        return ScriptPosition(self.seq, self.size)


class Standing:
    """A fold of the script's records, and of how far the narrator has come."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.spoken = SCRIPT_START

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

    @property
    def unspoken_bytes(self) -> int:
        left = 0
        for piece in reversed(self.pieces):
            if piece.seq < self.spoken.seq:
                break
            left += piece.size - (self.spoken.offset if piece.seq == self.spoken.seq else 0)
        return max(left, 0)

    def hear(self, src: ScriptPosition) -> None:
        """The narrator has spoken up to there."""
        self.spoken = max(self.spoken, src)

    def fold(self, seq: int, record: AnyRecord) -> None:
        """The next record of the script."""
        match record:
            case Text():
                self.pieces.append(Piece(seq, record.seg, record.text, len(record.body)))
            case ScriptStart() | Cut():
                self._void(max(record.keep, self.spoken))

    def begin_of(self, seg: int) -> ScriptPosition:
        """Up to where the script stands without this segment and later ones."""
        before = [piece for piece in self.pieces if piece.seg < seg]
        return before[-1].end if before else SCRIPT_START

    def _void(self, keep: ScriptPosition) -> None:
        while self.pieces and self.pieces[-1].end > keep:
            last = self.pieces.pop()
            if last.seq == keep.seq and keep.offset:
                head = last.text.encode()[: keep.offset]
                self.pieces.append(Piece(last.seq, last.seg, head.decode(), len(head)))
                return


def folded(records: Iterable[tuple[int, AnyRecord]]) -> Standing:
    """The standing after these records."""
    standing = Standing()
    for seq, record in records:
        standing.fold(seq, record)
    return standing
