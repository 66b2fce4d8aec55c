"""The script of a run as a fold of its records: which text still stands, and the next sentence of it. Pure.

Text that was taken to be spoken stands for ever. A `start` or `cut` says up to where the text before it
stands; what lies after that and was not taken is void. A sentence is known by where it ends (`src`), and who
begins anew at a `src` gets the same sentences as who was there all the time.
"""

from collections import deque
from dataclasses import dataclass

from radio.sentences import MAX_CHARS, Sentence, Splitter
from radio.streams.records import (
    SCRIPT_START,
    AnyRecord,
    Cut,
    ScriptEnd,
    ScriptPosition,
    ScriptStart,
    Text,
)


@dataclass(frozen=True, slots=True)
class ScriptSentence:
    """A sentence to speak, and the position in the script at which it ends."""

    text: str
    src: ScriptPosition


@dataclass(frozen=True, slots=True)
class _Piece:
    """Text that stands: the bytes of record `seq` from `offset` on."""

    seq: int
    offset: int
    body: bytes

    @property
    def end(self) -> int:
        return self.offset + len(self.body)

    def after(self, offset: int) -> "_Piece":
        kept = max(offset, self.offset)
        return _Piece(self.seq, kept, self.body[kept - self.offset :])

    def before(self, offset: int) -> "_Piece":
        return _Piece(self.seq, self.offset, self.body[: max(0, offset - self.offset)])


class Script:
    """The sentences of a run from `src` on; fold its records in order, from that of `src` or any earlier one.

    Args:
        src: up to where the script was taken before.
        max_chars, language: as for `Splitter`.
    """

    def __init__(
        self, src: ScriptPosition = SCRIPT_START, *, max_chars: int = MAX_CHARS, language: str = "en"
    ) -> None:
        self.src = src
        """Where the last taken sentence ends."""
        self.is_complete = False
        """No more text comes."""
        self._max_chars = max_chars
        self._language = language
        self._pieces: deque[_Piece] = deque()
        self._ready: deque[ScriptSentence] = deque()
        self._restart()

    @property
    def next(self) -> ScriptSentence | None:
        """The next whole sentence, if it stands already."""
        return self._ready[0] if self._ready else None

    @property
    def is_over(self) -> bool:
        """All of it was taken, and no more comes."""
        return self.is_complete and not self._ready

    @property
    def unspoken(self) -> int:
        """Characters of the sentences that are ready."""
        return sum(len(sentence.text) for sentence in self._ready)

    def take(self) -> ScriptSentence:
        """The next sentence; from now on its text stands, whatever is cut."""
        sentence = self._ready.popleft()
        self.src = sentence.src
        while self._pieces and (self._pieces[0].seq, self._pieces[0].end) <= (self.src.seq, self.src.offset):
            self._pieces.popleft()
        if self._pieces and self._pieces[0].seq == self.src.seq:
            self._pieces[0] = self._pieces[0].after(self.src.offset)
        return sentence

    def fold(self, seq: int, record: AnyRecord) -> None:
        """The next record of the run's input stream."""
        match record:
            case Text():
                self._add(_Piece(seq, 0, record.body))
            case ScriptStart() | Cut():
                self._void(max(record.keep, self.src))
            case ScriptEnd():
                self.finish()

    def finish(self) -> None:
        """No more text comes: what stands is cut to its end."""
        if not self.is_complete:
            self.is_complete = True
            self._place(self._splitter.finish())

    def _add(self, piece: _Piece) -> None:
        if piece.seq < self.src.seq or self.is_complete:
            return
        if piece.seq == self.src.seq:
            piece = piece.after(self.src.offset)
        if piece.body:
            self._feed(piece)
            self._pieces.append(piece)

    def _void(self, keep: ScriptPosition) -> None:
        """Only text up to `keep` stands; the sentences are cut anew from what was taken last."""
        kept: deque[_Piece] = deque()
        for piece in self._pieces:
            if piece.seq < keep.seq:
                kept.append(piece)
            elif piece.seq == keep.seq and piece.offset < keep.offset:
                kept.append(piece.before(keep.offset))
        self._pieces = kept
        self._restart()
        for piece in self._pieces:
            self._feed(piece)

    def _restart(self) -> None:
        self._splitter = Splitter(max_chars=self._max_chars, language=self._language)
        self._ready.clear()
        self._fed: deque[tuple[int, _Piece]] = deque()
        """Pieces that may hold the end of a sentence to come, each with the bytes fed before it."""
        self._fed_bytes = 0

    def _feed(self, piece: _Piece) -> None:
        text = piece.body.decode()
        self._fed.append((self._fed_bytes, piece))
        self._fed_bytes += len(piece.body)
        self._place(self._splitter.feed(text))

    def _place(self, sentences: list[Sentence]) -> None:
        for sentence in sentences:
            while self._fed[0][0] + len(self._fed[0][1].body) < sentence.end:
                self._fed.popleft()
            before, piece = self._fed[0]
            src = ScriptPosition(piece.seq, piece.offset + sentence.end - before)
            self._ready.append(ScriptSentence(sentence.text, src))
