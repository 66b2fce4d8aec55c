"""Fan-out of one station's frames to the connections that listen to it.

`Fanout.step` moves bytes and does nothing else: it never waits, and a connection that falls behind is dropped
alone. A listener is a place on the pump's line and a wire; the frames themselves exist once.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from radio.mp3.frames import FRAME_BYTES, FRAME_MS, SILENCE_FRAME
from radio.relay.icy import Injector
from radio.relay.pump import Pump

log = logging.getLogger(__name__)

CUSHION_FRAMES: Final = 416
"""What is sent ahead of now (9.984 s): the future is the listener's buffer."""
MAX_BACKLOG: Final = 64 * 1024
"""Bytes that may wait in this process for one connection; more are not handed over."""
WRITE_DEADLINE_S: Final = 10.0
"""A connection that has not taken all that waits for it within this time is dropped."""
COUNTED_AFTER_S: Final = 3.0
"""Players probe before they listen; a connection counts as a listener once it lasted this long."""


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
    """One live connection: `began` and `cursor` are frames of the pump's line."""

    wire: Wire
    began: int
    since: float
    injector: Injector | None = None
    key: str | None = None
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


class Fanout:
    """The listeners of one station."""

    def __init__(self, station: str, silent_title: Callable[[], str]) -> None:
        self._station, self._silent_title = station, silent_title
        self._listeners: list[Listener] = []
        self.joins: dict[str, Join] = {}
        self._keyed: dict[str, Listener] = {}
        """The newest connection of each key: the one that its page hears."""
        self.dropped = 0
        self.is_muted = False
        """Listeners get silence in place of what is on air; time goes on."""
        self._read: dict[tuple[int, int], list[tuple[bytes, Title | None]]] = {}
        self._seen_line: int | None = None

    def __len__(self) -> int:
        return len(self._listeners)

    def counted(self, now: float) -> int:
        """Listeners who stayed."""
        return sum(1 for listener in self._listeners if now - listener.since >= COUNTED_AFTER_S)

    def add(self, listener: Listener, pump: Pump[Title], now: float) -> None:
        """Begin to send, with the cushion at once."""
        self._listeners.append(listener)
        if listener.key is not None:
            self._keyed[listener.key] = listener
            self.joins[listener.key] = Join(pump.air_ms(listener.began), 0)
        log.info("listener joined", extra=self._said("listener_joined"))
        self._serve(listener, pump, now)

    def remove(self, listener: Listener) -> None:
        """The connection is gone, for whatever reason."""
        if listener not in self._listeners:
            return
        self._listeners.remove(listener)
        if listener.key is not None and self._keyed.get(listener.key) is listener:
            del self._keyed[listener.key], self.joins[listener.key]
        log.info("listener left", extra=self._said("listener_left"))

    def forget(self) -> None:
        """What the pump holds has changed."""
        self._read.clear()

    def finish(self) -> None:
        """Tell every listener that the stream ends here."""
        for listener in self._listeners:
            listener.finished.set()

    def step(self, pump: Pump[Title], now: float) -> bool:
        """Send each listener what is due. Returns whether a `join` changed because the clock was set."""
        self._read.clear()
        for listener in tuple(self._listeners):
            self._serve(listener, pump, now)
        line = pump.line(now)
        epochs = pump.epochs_between(self._seen_line, line) if self._seen_line is not None else []
        self._seen_line = line
        for start in epochs:
            self._rejoin(start, pump)
        return bool(epochs)

    def _rejoin(self, start: int, pump: Pump[Title]) -> None:
        for key, listener in self._keyed.items():
            if listener.began <= start:
                self.joins[key] = Join(pump.air_ms(start), (start - listener.began) * FRAME_MS)

    def _serve(self, listener: Listener, pump: Pump[Title], now: float) -> None:
        if listener.finished.is_set() or listener.wire.is_closing():
            return
        backlog = listener.wire.get_write_buffer_size()
        if _is_late(listener, backlog, now) or listener.cursor < pump.first:
            self._drop(listener)
            return
        due = min(pump.committed, pump.line(now) + CUSHION_FRAMES)
        if backlog < MAX_BACKLOG and listener.cursor < due:
            listener.wire.write(self._encode(listener, due, pump))
            listener.cursor = due

    def _encode(self, listener: Listener, due: int, pump: Pump[Title]) -> bytes:
        key = (listener.cursor, due)
        if key not in self._read:
            pieces = pump.read(*key)
            self._read[key] = [_silenced(audio) for audio, _ in pieces] if self.is_muted else pieces
        pieces = self._read[key]
        if listener.injector is None:
            return b"".join(audio for audio, _ in pieces)
        feed = listener.injector.feed
        return b"".join(feed(audio, tag.text if tag else self._silent_title()) for audio, tag in pieces)

    def _drop(self, listener: Listener) -> None:
        self.dropped += 1
        listener.finished.set()
        listener.wire.abort()
        log.warning("slow listener dropped", extra=self._said("listener_dropped"))

    def _said(self, action: str) -> dict[str, object]:
        return {"action": action, "station": self._station, "listeners": len(self._listeners)}


def _silenced(audio: bytes) -> tuple[bytes, None]:
    return SILENCE_FRAME * (len(audio) // FRAME_BYTES), None


def _is_late(listener: Listener, backlog: int, now: float) -> bool:
    if backlog == 0:
        listener.waiting_since = None
    elif listener.waiting_since is None:
        listener.waiting_since = now
    return listener.waiting_since is not None and now - listener.waiting_since > WRITE_DEADLINE_S
