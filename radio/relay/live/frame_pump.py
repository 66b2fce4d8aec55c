"""From records with air times to one gapless sequence of frames, on the grid of 24 ms.

The sequence is a line of numbered frames that never stops and never changes once committed. It runs on
monotonic time; the wall clock is adopted at the start and at an epoch, for what comes after it. No I/O here.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from radio.mp3.frames import FRAME_BYTES, FRAME_MS, SILENCE_FRAME

AHEAD_FRAMES = 62
"""Silence is committed at most this far ahead of now (1.488 s); a narrator airs no sooner than 2 s ahead."""
BEHIND_FRAMES = 1250
"""Frames behind now that stay for listeners who lag (30 s)."""
STEP_NOTICED_MS = 500
"""A recorded clock step is believed if the own wall clock agrees within this; else the own one counts."""

Tag = TypeVar("Tag")


@dataclass(slots=True)
class FrameRun(Generic[Tag]):
    """`frames` committed frames from line number `start` on; without `body` they are silence."""

    start: int
    frames: int
    body: bytes | None
    tag: Tag | None

    @property
    def end(self) -> int:
        return self.start + self.frames


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a record stands on the line.

    Attributes:
        wanted: the frame of its air time.
        start: its first committed frame, and `frames` how many were committed.
        lost: frames that came too late.
    """

    wanted: int
    start: int
    frames: int
    lost: int

    @property
    def end(self) -> int:
        """Where it ends, had it come in time or not."""
        return self.wanted + self.frames + self.lost


class FramePump(Generic[Tag]):
    """The committed frames of one station around now.

    Args:
        now_ms: the wall clock, and `mono_s` the monotonic one, at the same moment.
        shift_ms: minus the sum of the clock steps that records fed from now on will still report, if they
            were appended before this pump began; on the grid.
    """

    def __init__(self, now_ms: int, mono_s: float, *, shift_ms: int = 0) -> None:
        self._base_ms = now_ms - mono_s * 1000
        self._shifts = [(0, shift_ms)]
        self._pieces: deque[FrameRun[Tag]] = deque()
        self.committed = self.line(mono_s)

    def line(self, mono_s: float) -> int:
        """The frame that is on air at this monotonic time."""
        return int((mono_s * 1000 + self._base_ms) // FRAME_MS)

    def air_ms(self, line: int) -> int:
        """Air time of a frame: the wall clock that was adopted for it."""
        return line * FRAME_MS + self._shifts[bisect_right(self._shifts, line, key=_first) - 1][1]

    def newest_ms(self, mono_s: float) -> int:
        """The air time that it is now by the newest clock, though older ones may still be heard."""
        return self.line(mono_s) * FRAME_MS + self._shifts[-1][1]

    def line_of(self, air_ms: int) -> int:
        """The frame of an air time by the newest clock."""
        return (air_ms - self._shifts[-1][1]) // FRAME_MS

    def epochs_between(self, after: int, line: int) -> list[int]:
        """The first frames of clocks adopted in (after, line]."""
        return [start for start, _ in self._shifts[1:] if after < start <= line]

    @property
    def first(self) -> int:
        """The oldest frame that is still there."""
        return self._pieces[0].start if self._pieces else self.committed

    def place(self, air_ms: int, body: bytes, tag: Tag) -> Placed:
        """Commit a record; what should be heard before `committed` is lost, the rest keeps its time."""
        frames = len(body) // FRAME_BYTES
        wanted = self.line_of(air_ms)
        self._silence_until(wanted)
        lost = min(self.committed - wanted, frames)
        placed = Placed(wanted, self.committed, frames - lost, lost)
        if placed.frames:
            self._pieces.append(FrameRun(placed.start, placed.frames, body[lost * FRAME_BYTES :], tag))
            self.committed = placed.end
        return placed

    def redacted_store(self, is_taken_out: Callable[[Tag], bool]) -> None:
        """Silence, of the same length, in place of the pieces with such tags."""
        for piece in self._pieces:
            if piece.tag is not None and piece.body is not None and is_taken_out(piece.tag):
                piece.body = SILENCE_FRAME * piece.frames

    def tick(self, mono_s: float) -> None:
        """Fill what is missing up to now + 1.5 s, and let go of what is long heard."""
        now = self.line(mono_s)
        self._silence_until(now + AHEAD_FRAMES)
        while self._pieces and self._pieces[0].end < now - BEHIND_FRAMES:
            self._pieces.popleft()

    def epoch(self, step_ms: int, now_ms: int, mono_s: float) -> None:
        """The wall clock stepped: frames committed from here on count in the new one."""
        seen = self._seen(now_ms, mono_s)
        self.past_epoch(step_ms if abs(seen - step_ms) <= STEP_NOTICED_MS else seen)

    def adopt(self, now_ms: int, mono_s: float) -> None:
        """Another owner begins: if the wall clock stepped while nobody was there to say so, it counts now."""
        seen = self._seen(now_ms, mono_s)
        if abs(seen) > STEP_NOTICED_MS:
            self.past_epoch(seen)

    def _seen(self, now_ms: int, mono_s: float) -> int:
        """How much the own wall clock stepped since it was adopted last, on the grid."""
        shift = round((now_ms - mono_s * 1000 - self._base_ms) / FRAME_MS) * FRAME_MS
        return shift - self._shifts[-1][1]

    def past_epoch(self, step_ms: int) -> None:
        """A step that the wall clock had made before this pump began."""
        self._shifts.append((self.committed, self._shifts[-1][1] + step_ms))

    def read(self, start: int, end: int) -> list[tuple[bytes, Tag | None]]:
        """The committed frames in [start, end), piece by piece, with the tag of each piece."""
        out: list[tuple[bytes, Tag | None]] = []
        for piece in self._pieces:
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                out.append((_cut(piece, first, last), piece.tag))
        return out

    def _silence_until(self, line: int) -> None:
        missing = line - self.committed
        if missing <= 0:
            return
        last = self._pieces[-1] if self._pieces else None
        if last is not None and last.body is None:
            last.frames += missing
        else:
            self._pieces.append(FrameRun(self.committed, missing, None, None))
        self.committed = line


def _first(shift: tuple[int, int]) -> int:
    return shift[0]


def _cut(piece: FrameRun[Tag], first: int, last: int) -> bytes:
    if piece.body is None:
        return SILENCE_FRAME * (last - first)
    return piece.body[(first - piece.start) * FRAME_BYTES : (last - piece.start) * FRAME_BYTES]
