"""Fan-out of one station's frames to the connections that listen to it.

`FanOut.step` moves bytes and does nothing else: it never waits, and a connection that falls behind is dropped
alone. A listener is a place on the pump's line and a wire; the frames themselves exist once.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from radio.log import log_event
from radio.mp3.frames import FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.relay.live.frame_pump import FramePump
from radio.relay.live.icy_metadata import Injector

log = logging.getLogger(__name__)

CUSHION_FRAMES: Final = 416
"""What is sent ahead of now (9.984 s): the future is the listener's buffer."""
PORTION_FRAMES: Final = 40
"""Sent at once in step (0.96 s): what a listener costs is the number of writes, not of bytes."""
LOW_FRAMES: Final = CUSHION_FRAMES // 2
"""A listener with less in hand gets every frame as soon as it is there."""
MAX_BACKLOG: Final = 64 * 1024
"""Bytes that may wait in this process for one connection; more are not handed over."""
WRITE_DEADLINE_S: Final = 10.0
"""A connection that has not taken all that waits for it within this time is dropped."""
COUNTED_AFTER_S: Final = 3.0
"""Players probe before they listen; a connection counts as a listener once it lasted this long."""
TWIN_S: Final = 6.0
"""Some players open two connections for one listener, the second within this time."""


class Wire(Protocol):
    """The parts of a transport that are used here."""

    def write(self, data: bytes) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def is_closing(self) -> bool: ...
    def abort(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Join:
    """`ms` of sound were sent on a connection before the frame that is on air at `at` (epoch ms)."""

    at: int
    ms: int


@dataclass(slots=True, eq=False)
class Listener:
    """One live connection.

    Attributes:
        began, cursor: its first frame and the next one to send, on the pump's line.
        player: the same for connections of one player, as far as it can be told; "": nobody else's.
        twin: the connection that its player opened just before it.
        last: the frame before which it ends; None: it does not.
    """

    wire: Wire
    began: int
    since: float
    injector: Injector | None = None
    key: str | None = None
    player: str = ""
    twin: "Listener | None" = None
    last: int | None = None
    cursor: int = field(init=False)
    waiting_since: float | None = None
    finished: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.cursor = self.began


@dataclass(frozen=True, slots=True)
class Title:
    """The tag of a piece of audio: whose sentence it is (heard again: `of`), and how players may call it."""

    seq: int
    text: str
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Portion:
    """A stretch of the line, once for all who are sent it: piece by piece, and as one."""

    pieces: list[tuple[bytes, Title | None]]
    sound: bytes


class FanOut:
    """The listeners of one station."""

    def __init__(self, station: str, silent_title: Callable[[], str]) -> None:
        self._station, self._silent_title = station, silent_title
        self._listeners: dict[Listener, None] = {}
        self._alone: dict[str, Listener] = {}
        """The newest connection of each player, while it has no twin."""
        self.joins: dict[str, Join] = {}
        self._keyed: dict[str, Listener] = {}
        """The newest connection of each key: the one that its page hears."""
        self.dropped = 0
        self.is_muted = False
        """Listeners get silence in place of what is on air; time goes on."""
        self._portions: dict[tuple[int, int], Portion] = {}
        self._seen_line: int | None = None

    def __len__(self) -> int:
        return len(self._listeners)

    def __iter__(self) -> Iterator[Listener]:
        return iter(self._listeners)

    def counted(self, now: float) -> int:
        """Listeners who stayed; two connections of one player are one."""
        stayed = (one for one in self._listeners if now - one.since >= COUNTED_AFTER_S)
        return sum(1 for one in stayed if one.twin is None or one.twin not in self._listeners)

    def add(self, listener: Listener, pump: FramePump[Title], now: float) -> None:
        """Begin to send, with the cushion at once."""
        self._listeners[listener] = None
        self._pair(listener, now)
        if listener.key is not None:
            self._keyed[listener.key] = listener
            self.joins[listener.key] = Join(pump.air_ms(listener.began), 0)
        log.info("listener joined", extra=log_event("listener.joined", **self._fields()))
        self._serve(listener, pump, _due(pump, pump.line(now)), now)

    def remove(self, listener: Listener) -> None:
        """The connection is gone, for whatever reason."""
        if listener not in self._listeners:
            return
        del self._listeners[listener]
        if self._alone.get(listener.player) is listener:
            del self._alone[listener.player]
        if listener.key is not None and self._keyed.get(listener.key) is listener:
            del self._keyed[listener.key], self.joins[listener.key]
        log.info("listener left", extra=log_event("listener.left", **self._fields()))

    def forget(self) -> None:
        """What the pump holds has changed."""
        self._portions.clear()

    def finish(self) -> None:
        """Tell every listener that the stream ends here."""
        for listener in self._listeners:
            listener.finished.set()

    def step(self, pump: FramePump[Title], now: float) -> bool:
        """Send each listener what is due. Returns whether a `join` changed because the clock was set."""
        self._portions.clear()
        line = pump.line(now)
        due = _due(pump, line)
        for listener in tuple(self._listeners):
            if due - listener.cursor >= PORTION_FRAMES or listener.cursor - line < LOW_FRAMES:
                self._serve(listener, pump, due, now)
        epochs = pump.epochs_between(self._seen_line, line) if self._seen_line is not None else []
        self._seen_line = line
        for start in epochs:
            self._rejoin(start, pump)
        return bool(epochs)

    def _rejoin(self, start: int, pump: FramePump[Title]) -> None:
        for key, listener in self._keyed.items():
            if listener.began <= start:
                self.joins[key] = Join(pump.air_ms(start), (start - listener.began) * FRAME_MS)

    def _pair(self, listener: Listener, now: float) -> None:
        if not listener.player:
            return
        other = self._alone.pop(listener.player, None)
        if other is not None and now - other.since <= TWIN_S:
            listener.twin = other
        else:
            self._alone[listener.player] = listener

    def _serve(self, listener: Listener, pump: FramePump[Title], due: int, now: float) -> None:
        if listener.finished.is_set() or listener.wire.is_closing():
            return
        backlog = listener.wire.get_write_buffer_size()
        if _is_late(listener, backlog, now) or listener.cursor < pump.first:
            self._drop(listener)
            return
        if listener.last is not None and listener.cursor >= listener.last:
            listener.finished.set()
            return
        due = due if listener.last is None else min(due, listener.last)
        if backlog < MAX_BACKLOG and listener.cursor < due:
            listener.wire.write(self._encode(listener, due, pump))
            listener.cursor = due

    def _encode(self, listener: Listener, due: int, pump: FramePump[Title]) -> bytes:
        portion = self._portion(listener.cursor, due, pump)
        if listener.injector is None:
            return portion.sound
        feed = listener.injector.feed
        silent = self._silent_title
        return b"".join(feed(audio, tag.text if tag else silent()) for audio, tag in portion.pieces)

    def _portion(self, start: int, end: int, pump: FramePump[Title]) -> Portion:
        portion = self._portions.get((start, end))
        if portion is None:
            pieces = pump.read(start, end)
            if self.is_muted:
                pieces = [_silenced(audio) for audio, _ in pieces]
            portion = Portion(pieces, b"".join(audio for audio, _ in pieces))
            self._portions[start, end] = portion
        return portion

    def _drop(self, listener: Listener) -> None:
        self.dropped += 1
        listener.finished.set()
        listener.wire.abort()
        log.warning("slow listener dropped", extra=log_event("listener.dropped", **self._fields()))

    def _fields(self) -> dict[str, object]:
        return {"station": self._station, "listeners": len(self._listeners)}


def _due(pump: FramePump[Title], line: int) -> int:
    """Up to which frame listeners are sent what there is, when `line` is on air."""
    return min(pump.committed, line + CUSHION_FRAMES)


def _silenced(audio: bytes) -> tuple[bytes, None]:
    return SILENCE_FRAME * (len(audio) // FRAME_BYTES), None


def _is_late(listener: Listener, backlog: int, now: float) -> bool:
    if backlog == 0:
        listener.waiting_since = None
    elif listener.waiting_since is None:
        listener.waiting_since = now
    return listener.waiting_since is not None and now - listener.waiting_since > WRITE_DEADLINE_S
