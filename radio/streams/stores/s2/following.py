"""Following a stream on S2: a pump puts results into a small buffer, and the follower takes them out.

Existing records are read page by page, as the follower takes them; a session opens only at the tail. A
follower that falls behind loses its session, because an unread session blocks others on its connection, and
gets pages instead.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

from radio.log import log_event
from radio.streams.contract import (
    BeyondTail,
    FromSeq,
    FromTimestamp,
    Position,
    ReadResult,
    StoreClosed,
    StreamDeleting,
    StreamNotFound,
    Unavailable,
)
from radio.streams.stores.s2.failures import CallFailed, Verdict
from radio.streams.stores.s2.reading import ReadRequest, read, result_of
from radio.streams.stores.s2.result_buffer import ResultBuffer
from radio.streams.stores.s2.retries import RetryingCalls, pauses
from radio.streams.stores.s2.sdk import Batch

log = logging.getLogger(__name__)

SLOW_S = 1.0
"""A session whose results are not taken for this long is closed: it fills a window that others share."""
FIRST_LOOK_S = 1.0
"""No heartbeat comes before the first answer about the stream, or this many seconds."""


class ReadSession(Protocol):
    """An open tail of the server."""

    @property
    def is_caught_up(self) -> bool: ...

    async def next(self) -> Batch: ...


class FollowServer(Protocol):
    """The part of the client that following needs."""

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch: ...

    async def check_tail(self, name: str) -> Position: ...

    def session(self, name: str, seq: int) -> AbstractAsyncContextManager[ReadSession]: ...


Birth = Callable[[str], Awaitable[datetime | None]]
"""When the stream of that name was created, None if there is none; identifies it after a re-creation."""


class SessionPump:
    """Puts the records of a stream from a start on into a buffer, across losses of the connection.

    Attributes:
        place: where to continue; everything before it is in the buffer.
        has_looked: the server has said once whether the stream exists.
    """

    def __init__(
        self,
        server: FollowServer,
        line: RetryingCalls,
        birth: Birth,
        request: ReadRequest,
        buffer: ResultBuffer,
        *,
        await_stream: bool,
        reconnect_timeout: float,
    ) -> None:
        self.place = request.start.seq if isinstance(request.start, FromSeq) else 0
        self.has_looked = False
        self._server = server
        self._line = line
        self._birth = birth
        self._request = request
        self._buffer = buffer
        self._await_stream = await_stream
        self._reconnect_timeout = reconnect_timeout
        self._born: datetime | None = None
        self._is_doubtful = True
        self._lost_since: float | None = None
        self._pauses = pauses()
        self._session: ReadSession | None = None
        self._at_tail = False

    @property
    def is_at_tail(self) -> bool:
        """Whether everything up to the last tail seen is in the buffer."""
        return self._at_tail or (self._session is not None and self._session.is_caught_up)

    async def run(self) -> None:
        """Runs for ever. Raises the error that ends the follow."""
        while True:
            while not self._at_tail:
                await self._step()
            await self._listen()

    async def _step(self) -> None:
        """Read the next page, when there is room."""
        await self._buffer.has_room()
        result = await self._look()
        if result is None:
            return
        had_place = self._request.start == FromSeq(self.place)
        self._request = replace(self._request, start=FromSeq(result.next_seq), clamp=False)
        if result.records or result.gap or (had_place and result.next_seq > self.place):
            self._buffer.put(result)
        self.place = result.next_seq
        self._at_tail = result.tail is not None and result.next_seq >= result.tail.seq

    async def _look(self) -> ReadResult | None:
        """One read; None if there is nothing yet."""
        try:
            result = await read(self._server, self._line, self._request, within_s=0)
            tail = result.tail or await self._line.patiently(
                lambda: self._server.check_tail(self._request.name), within_s=0
            )
            if self._is_doubtful:
                await self._identify()
        except Unavailable as e:
            await self._survive(e)
            return None
        except (StreamNotFound, StreamDeleting) as e:
            self.has_looked = True
            if not self._await_stream or self._born is not None:
                raise StreamNotFound(self._request.name) from e
            await self._line.pause(next(self._pauses))
            return None
        except BeyondTail as e:
            if self._born is None:
                raise
            raise StreamNotFound(self._request.name) from e  # deleted, and created again below our position
        self.has_looked = True
        self._lost_since = None
        return replace(result, tail=tail)

    async def _identify(self) -> None:
        """Raises `StreamNotFound` if the stream is no longer the same one."""
        born = await self._birth(self._request.name)
        if born is None or self._born not in {None, born}:
            raise StreamNotFound(self._request.name)
        self._born = born
        self._is_doubtful = False

    async def _listen(self) -> None:
        """Buffer what a session brings, until it is lost or nobody takes it."""
        late: ReadResult | None = None
        try:
            async with self._server.session(self._request.name, self.place) as self._session:
                while late is None:
                    late = await self._pass_on(self._session)
        except CallFailed as failed:
            await self._after_loss(failed)
        finally:
            self._session = None
        if late is not None:
            log.info("slow follower", extra=log_event("store.follower_slow", stream=self._request.name))
            await self._buffer.has_room()
            self._put(late)
            self._at_tail = False

    async def _pass_on(self, session: ReadSession) -> ReadResult | None:
        """Buffer the next result, or return it if there is no room."""
        batch = await session.next()
        self._at_tail = False
        self._pauses = pauses()
        result = result_of(
            batch,
            FromSeq(self.place),
            include_commands=self._request.include_commands,
            on_gap=self._request.on_gap,
        )
        if not await self._buffer.has_room(SLOW_S):
            return result
        self._put(result)
        return None

    def _put(self, result: ReadResult) -> None:
        self._buffer.put(result)
        self.place = result.next_seq
        self._request = replace(self._request, start=FromSeq(result.next_seq))
        self._at_tail = result.tail is not None and result.next_seq >= result.tail.seq

    async def _after_loss(self, failed: CallFailed) -> None:
        """The stream, the connection or the server may be gone."""
        name = self._request.name
        if isinstance(failed.error, StreamNotFound | StreamDeleting | BeyondTail):
            raise StreamNotFound(name) from failed
        if failed.verdict is Verdict.FINAL:
            raise failed.error from failed
        log.info("session lost: %s", failed.error, extra=log_event("store.session_lost", stream=name))
        self._is_doubtful = True
        self._at_tail = False
        await self._survive(failed.error)

    async def _survive(self, error: Exception) -> None:
        """Pause after a failure; raise it once nothing has succeeded for the allowed time."""
        now = asyncio.get_running_loop().time()
        self._is_doubtful = True
        if self._lost_since is None:
            self._lost_since = now
        elif now - self._lost_since >= self._reconnect_timeout:
            raise error
        await self._line.pause(next(self._pauses))


class S2Tail:
    """A `Follow` of an S2 stream: a pump, and the buffer that it fills.

    Args:
        family: the open tails of the store, including this one while it is entered.
    """

    def __init__(
        self,
        pump: SessionPump,
        buffer: ResultBuffer,
        line: RetryingCalls,
        *,
        name: str,
        heartbeat: float,
        family: "set[S2Tail]",
    ) -> None:
        self._pump = pump
        self._buffer = buffer
        self._line = line
        self._name = name
        self._heartbeat = heartbeat
        self._family = family
        self._running: asyncio.Task[None] | None = None
        self._is_left = False

    @property
    def caught_up(self) -> bool:
        return self._buffer.is_empty and self._pump.is_at_tail

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._pump.run(), name=f"follow {self._name}")
        self._running.add_done_callback(self._ended)
        self._family.add(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_left = True
        self._family.discard(self)
        await self.stop()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ReadResult:
        if self._is_left or self._running is None:
            raise StopAsyncIteration
        self._line.refuse_if_closed()
        wait_s = self._heartbeat if self._pump.has_looked else max(self._heartbeat, FIRST_LOOK_S)
        result = await self._buffer.take(asyncio.get_running_loop().time() + wait_s)
        return result or ReadResult((), self._pump.place)

    async def stop(self) -> None:
        """End the pump; its session is closed when this returns."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait([self._running])

    def _ended(self, task: asyncio.Task[None]) -> None:
        """The pump ends only by an error, or because the store or the follower closes."""
        error = None if task.cancelled() else task.exception()
        self._buffer.fail(error or StoreClosed())
