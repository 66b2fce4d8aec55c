"""The script of a run as a fold of its records: what of it is valid, and its next item. Pure.

An item is a sentence, a clip, or the rest of a stretch of the broadcast to repeat. Audio ends the sentence
before it. Items that were taken stay valid for ever. A `start` or `cut` says up to where the script before it
is valid; what comes after that and was not taken is void. An item is identified by where it ends (`src`).
Starting from a `src` gives the same items as reading from the beginning.
"""

from collections import deque
from dataclasses import dataclass, replace

from radio.runs import SPEECH_BYTES_PER_S
from radio.sentences import MAX_CHARS, Sentence, Splitter
from radio.streams.records import (
    SCRIPT_START,
    Again,
    AnyRecord,
    Clip,
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
class ScriptClip:
    """A clip to append as it is, and the position at which it ends."""

    text: str
    d: int
    mp3: bytes
    src: ScriptPosition


@dataclass(frozen=True, slots=True)
class ScriptAgain:
    """Records `first` to `last` of the broadcast to copy: what is left of them, about `d` ms.

    Attributes:
        src: the position before `first`; each record taken adds one to its offset.
    """

    first: int
    last: int
    d: int
    src: ScriptPosition


ScriptItem = ScriptSentence | ScriptClip | ScriptAgain


@dataclass(frozen=True, slots=True)
class _Piece:
    """Valid text: the bytes of record `seq` from `offset` on."""

    seq: int
    offset: int
    body: bytes
    seg: int

    @property
    def end(self) -> int:
        return self.offset + len(self.body)

    def after(self, offset: int) -> "_Piece":
        kept = max(offset, self.offset)
        return replace(self, offset=kept, body=self.body[kept - self.offset :])

    def before(self, offset: int) -> "_Piece":
        return replace(self, body=self.body[: max(0, offset - self.offset)])


@dataclass(frozen=True, slots=True)
class _Sound:
    """Valid audio: the part of record `seq` between two offsets."""

    seq: int
    offset: int
    end: int
    record: Clip | Again

    @property
    def seg(self) -> int:
        return self.record.seg

    def after(self, offset: int) -> "_Sound":
        return replace(self, offset=max(offset, self.offset))

    def before(self, offset: int) -> "_Sound":
        return replace(self, end=min(offset, self.end))

    @property
    def item(self) -> ScriptItem:
        match self.record:
            case Clip() as clip:
                return ScriptClip(clip.t, clip.d, clip.body, ScriptPosition(self.seq, 1))
            case Again() as again:
                left = again.d * (self.end - self.offset) // again.size
                first, last = again.first + self.offset, again.first + self.end - 1
                return ScriptAgain(first, last, left, ScriptPosition(self.seq, self.offset))


class Script:
    """The items of a run from `src` on; fold its records in order, from that of `src` or any earlier one.

    Args:
        src: up to where the script was taken earlier.
        is_skipping: whether the segment that `src` lies in was skipped.
        max_chars, language: as for `Splitter`.
    """

    def __init__(
        self,
        src: ScriptPosition = SCRIPT_START,
        *,
        is_skipping: bool = False,
        max_chars: int = MAX_CHARS,
        language: str = "en",
    ) -> None:
        self.src = src
        """Where the last taken item ends."""
        self.seg: int | None = None
        """The segment that `src` lies in; None if nothing was taken yet."""
        self._is_skipping = is_skipping
        self._passed: ScriptPosition | None = None
        """Up to where a skipped segment was passed over since the last `take_passed`."""
        self.is_complete = False
        """No more text comes."""
        self._max_chars = max_chars
        self._language = language
        self._pieces: deque[_Piece | _Sound] = deque()
        self._ready: deque[ScriptItem] = deque()
        self._restart()

    @property
    def next(self) -> ScriptItem | None:
        """The next whole item; None if it is not complete yet."""
        return self._ready[0] if self._ready else None

    @property
    def is_over(self) -> bool:
        """Whether all of it was taken, and no more comes."""
        return self.is_complete and not self._ready

    @property
    def unspoken_s(self) -> float:
        """About how many seconds the ready items last."""
        return sum(map(_seconds, self._ready))

    def take(self) -> ScriptSentence | ScriptClip:
        """Take the next item, which is not an `again`. It stays valid whatever is cut later."""
        item = self._ready[0]
        assert not isinstance(item, ScriptAgain)
        self._ready.popleft()
        self._move_to(item.src)
        return item

    def take_again(self, count: int) -> None:
        """Take the first `count` records of the next item, which is an `again`."""
        item = self._ready.popleft()
        assert isinstance(item, ScriptAgain)
        self._move_to(ScriptPosition(item.src.seq, item.src.offset + count))
        head = self._pieces[0] if self._pieces else None
        if isinstance(head, _Sound) and head.seq == item.src.seq:
            self._ready.appendleft(head.item)

    def skip_segment(self) -> None:
        """Pass over the rest of the segment that `src` lies in, now and as it comes."""
        self._is_skipping = True
        pieces, self._pieces = self._pieces, deque()
        self._restart()
        for piece in pieces:
            self._admit(piece)
        if self.is_complete:
            self._place(self._splitter.finish())

    @property
    def has_passed(self) -> bool:
        """Whether part of a skipped segment was passed over since the last `take_passed`."""
        return self._passed is not None

    def take_passed(self) -> None:
        """Move `src` behind what was passed over, as if it were taken."""
        self.src, self._passed = self._passed or self.src, None

    def _move_to(self, src: ScriptPosition) -> None:
        self.src = src
        while self._pieces and self._pieces[0].seq <= src.seq:
            head = self._pieces.popleft()
            self._enter(head.seg)
            if head.seq == src.seq and head.end > src.offset:
                self._pieces.appendleft(head.after(src.offset))
                break

    def _enter(self, seg: int) -> None:
        self._is_skipping = self._is_skipping and seg == self.seg
        self.seg = seg

    def fold(self, seq: int, record: AnyRecord) -> None:
        """Add the next record of the run's script."""
        match record:
            case Text():
                self._add(_Piece(seq, 0, record.body, record.seg))
            case Clip():
                self._add(_Sound(seq, 0, 1, record))
            case Again():
                self._add(_Sound(seq, 0, record.size, record))
            case ScriptStart() | Cut():
                self._void(max(record.keep, self.src))
            case ScriptEnd():
                self.finish()

    def finish(self) -> None:
        """Note that no more text comes, so the last sentence ends with the text."""
        if not self.is_complete:
            self.is_complete = True
            self._place(self._splitter.finish())

    def _add(self, piece: _Piece | _Sound) -> None:
        if piece.seq < self.src.seq or self.is_complete:
            return
        if piece.seq == self.src.seq and self.src != SCRIPT_START:
            self.seg = piece.seg if self.seg is None else self.seg
            piece = piece.after(self.src.offset)
        if piece.offset < piece.end:
            self._admit(piece)

    def _admit(self, piece: _Piece | _Sound) -> None:
        if self._is_skipping and piece.seg == self.seg and not self._pieces:
            self._passed = ScriptPosition(piece.seq, piece.end)
            return
        self._feed(piece)
        self._pieces.append(piece)

    def _void(self, keep: ScriptPosition) -> None:
        """Void what comes after `keep`, and split the sentences anew from what was taken last."""
        if self._passed is not None:
            self._passed = min(self._passed, keep) if keep > self.src else None
        kept: deque[_Piece | _Sound] = deque()
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
        self._ready.clear()
        self._begin_text()

    def _begin_text(self) -> None:
        self._splitter = Splitter(max_chars=self._max_chars, language=self._language)
        self._fed: deque[tuple[int, _Piece]] = deque()
        """Pieces that may hold the end of a later sentence, each with the bytes fed before it."""
        self._fed_bytes = 0

    def _feed(self, piece: _Piece | _Sound) -> None:
        if isinstance(piece, _Sound):
            self._place(self._splitter.finish())
            self._begin_text()
            self._ready.append(piece.item)
            return
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


def _seconds(item: ScriptItem) -> float:
    return len(item.text) / SPEECH_BYTES_PER_S if isinstance(item, ScriptSentence) else item.d / 1000
