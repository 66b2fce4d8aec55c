"""Following a stream of a store on this machine: the hub of waiting followers, and the tail of each."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Self

from radio.streams.contract import BeyondTail, FromSeq, ReadResult, Start, StoreClosed, StreamNotFound

SnapshotRead = Callable[[Start], Awaitable[tuple[int, ReadResult]]]
"""Reads from a start: the stream's incarnation (another after delete and re-creation), and the result."""


class FollowHub:
    """Followers of one store in one event loop, by stream name. All methods run in that loop's thread."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._seen: dict[str, object] = {}
        self.followed: tuple[str, ...] = ()
        """Names that someone follows; replaced, never changed, so that other threads may read it."""
        self.is_closed = False

    def watch(self, name: str) -> asyncio.Event:
        """An event that is set whenever the stream changed."""
        event = asyncio.Event()
        self._waiting.setdefault(name, set()).add(event)
        self.followed = tuple(self._waiting)
        return event

    def unwatch(self, name: str, event: asyncio.Event) -> None:
        events = self._waiting[name]
        events.discard(event)
        if not events:
            del self._waiting[name]
            self._seen.pop(name, None)
        self.followed = tuple(self._waiting)

    def tell(self, changes: Mapping[str, object]) -> None:
        """The streams have this state now; wakes the followers that saw another state."""
        for name, look in changes.items():
            if name in self._waiting and (name not in self._seen or self._seen[name] != look):
                self._seen[name] = look
                self._wake(name)

    def wake_all(self) -> None:
        for name in self._waiting:
            self._wake(name)

    def close(self) -> None:
        self.is_closed = True
        self.wake_all()

    def _wake(self, name: str) -> None:
        for event in self._waiting[name]:
            event.set()


class LocalTail:
    """A `Follow`: reads from the store, and waits on the hub when nothing is there.

    Its position moves only when a result is handed out, so cancelling `anext` loses nothing.
    """

    def __init__(
        self,
        hub: FollowHub,
        name: str,
        start: Start,
        read: SnapshotRead,
        *,
        await_stream: bool,
        heartbeat: float,
    ) -> None:
        self._hub = hub
        self._name = name
        self._place = start
        self._read = read
        self._await_stream = await_stream
        self._heartbeat = heartbeat
        self._incarnation: int | None = None
        self._event: asyncio.Event | None = None
        self._caught_up = False

    @property
    def caught_up(self) -> bool:
        return self._caught_up

    async def __aenter__(self) -> Self:
        self._event = self._hub.watch(self._name)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._event is not None:
            self._hub.unwatch(self._name, self._event)
            self._event = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ReadResult:
        loop = asyncio.get_running_loop()
        due = loop.time() + self._heartbeat
        while True:
            event = self._event
            if event is None:
                raise StopAsyncIteration
            if self._hub.is_closed:
                raise StoreClosed
            event.clear()
            result = await self._look()
            if result is not None and self._is_news(result):
                return self._hand_out(result)
            if not await _set_before(event, due):
                return self._heartbeat_result(result)

    async def _look(self) -> ReadResult | None:
        """The records from our position on; None while the stream is awaited."""
        try:
            incarnation, result = await self._read(self._place)
        except StreamNotFound:
            if self._await_stream and self._incarnation is None:
                return None
            raise
        except BeyondTail as e:
            if self._incarnation is None:
                raise
            raise StreamNotFound(self._name) from e  # deleted, and created again below our position
        if self._incarnation is None:
            self._incarnation = incarnation
        elif self._incarnation != incarnation:
            raise StreamNotFound(self._name)
        if not self._is_news(result):
            self._place = FromSeq(result.next_seq)
            self._caught_up = True
        return result

    def _is_news(self, result: ReadResult) -> bool:
        """Records, a gap, or only a way past hidden commands."""
        if result.records or result.gap:
            return True
        more = result.tail is not None and result.next_seq < result.tail.seq
        return more or (isinstance(self._place, FromSeq) and result.next_seq > self._place.seq)

    def _hand_out(self, result: ReadResult) -> ReadResult:
        self._place = FromSeq(result.next_seq)
        self._caught_up = result.tail is not None and result.next_seq >= result.tail.seq
        return result

    def _heartbeat_result(self, result: ReadResult | None) -> ReadResult:
        if result is not None:
            return ReadResult((), result.next_seq, result.tail)
        return ReadResult((), self._place.seq if isinstance(self._place, FromSeq) else 0)


async def _set_before(event: asyncio.Event, due: float) -> bool:
    """Wait for the event until `due` (loop time); False if that came first."""
    try:
        async with asyncio.timeout_at(due):
            await event.wait()
    except TimeoutError:
        return False
    return True
