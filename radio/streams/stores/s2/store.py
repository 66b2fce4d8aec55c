"""The S2 store: the contract's calls, over two clients, one for tails and one for everything else.

An unread tail blocks everything on its connection; on a client of its own it blocks no call.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Self, TypeVar

from radio.log import log_event
from radio.streams import call_checks, names
from radio.streams.call_checks import MAX_SEQ
from radio.streams.contract import (
    MAX_READ_BYTES,
    MAX_READ_RECORDS,
    Appendable,
    AppendAck,
    FenceMismatch,
    NewRecord,
    OnGap,
    Page,
    Position,
    ReadResult,
    SeqMismatch,
    Start,
    StoreError,
    StreamDeleting,
    StreamInfo,
    StreamNotFound,
    Trim,
)
from radio.streams.stores.s2 import appending, basin, reading
from radio.streams.stores.s2.address import S2Address
from radio.streams.stores.s2.failures import CallFailed, NoBasin
from radio.streams.stores.s2.following import S2Tail, SessionPump
from radio.streams.stores.s2.result_buffer import ResultBuffer
from radio.streams.stores.s2.retries import RetryingCalls
from radio.streams.stores.s2.sdk import BasinClient, ListedStream

log = logging.getLogger(__name__)

T = TypeVar("T")

CLOSE_S = 5.0
"""How long `close` waits for appends in flight."""
PROBE = "!"
"""A token that no stream has: an append with it is refused with the actual one."""
LEAST_PAGE = 50
"""Minimum number of names per list call: some of them may be hidden or about to be deleted."""
HIDDEN = frozenset({names.STORE})
"""Streams of the store's own, which `list` does not show."""


class S2Store:
    """A `StreamStore` in a basin of S2. Open it with `S2Store.open`, in the event loop that uses it.

    Attributes:
        durability: `power`, which s2.dev and an S2 Lite with a folder or a bucket keep. The answers of one
            that keeps everything in memory do not show it.
    """

    durability = "power"

    def __init__(self, place: S2Address) -> None:
        self._place = place
        self._line = RetryingCalls()
        self._calls = BasinClient(place)
        self._tailing = BasinClient(place)
        self._appends: set[asyncio.Task[AppendAck]] = set()
        self._tails: set[S2Tail] = set()
        self._closing = asyncio.Lock()

    @classmethod
    async def open(cls, place: S2Address) -> Self:
        """Prepare the basin, and create it if it is missing.

        Raises:
            Unavailable, Denied, Unsupported: it cannot be used; the hint says what to do.
        """
        store = cls(place)
        try:
            await basin.prepare(store._calls, store._line, place)
            await store.store_id()
        except BaseException:
            await store.close()
            raise
        return store

    async def store_id(self) -> str:
        """As in the contract; a missing basin is created again, as by `open`, and has another id."""
        try:
            return await basin.store_id(self._calls, self._line)
        except NoBasin as gone:
            log.error("%s", gone, extra=log_event("store.basin_gone"))
        await basin.prepare(self._calls, self._line, self._place)
        return await basin.store_id(self._calls, self._line)

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        call_checks.check_append(name, records, match_seq_num, fencing_token)
        return await self._append(appending.AppendRequest(name, tuple(records), match_seq_num, fencing_token))

    async def read(
        self,
        name: str,
        start: Start,
        *,
        max_records: int = MAX_READ_RECORDS,
        max_bytes: int = MAX_READ_BYTES,
        include_commands: bool = False,
        clamp: bool = False,
        on_gap: OnGap = "skip",
    ) -> ReadResult:
        call_checks.check_read(name, start, max_records, max_bytes)
        request = reading.ReadRequest(
            name=name,
            start=start,
            max_records=max_records,
            max_bytes=min(max_bytes, MAX_READ_BYTES),
            include_commands=include_commands,
            clamp=clamp,
            on_gap=on_gap,
        )
        return await reading.read(self._calls, self._line, request)

    def follow(
        self,
        name: str,
        start: Start,
        *,
        include_commands: bool = False,
        await_stream: bool = False,
        clamp: bool = False,
        heartbeat: float = 10.0,
        reconnect_timeout: float = 60.0,
        on_gap: OnGap = "skip",
    ) -> S2Tail:
        call_checks.check_read(name, start)
        request = reading.ReadRequest(
            name=name,
            start=start,
            max_records=MAX_READ_RECORDS,
            max_bytes=MAX_READ_BYTES,
            include_commands=include_commands,
            clamp=clamp,
            on_gap=on_gap,
        )
        buffer = ResultBuffer()
        pump = SessionPump(
            self._tailing,
            self._line,
            self._birth,
            request,
            buffer,
            await_stream=await_stream,
            reconnect_timeout=reconnect_timeout,
        )
        return S2Tail(pump, buffer, self._line, name=name, heartbeat=heartbeat, family=self._tails)

    async def check_tail(self, name: str) -> Position:
        call_checks.check_name(name)
        return await self._of_a_stream(name, lambda: self._calls.check_tail(name))

    async def fencing_token(self, name: str) -> str:
        """Checks first that the stream exists: the probe is an append, which would create it."""
        tail = await self.check_tail(name)
        probe = (NewRecord(),)
        place = min(tail.seq + (1 << 40), MAX_SEQ)
        try:
            await self._line.patiently(lambda: self._calls.append(name, probe, place, PROBE))
        except FenceMismatch as told:
            return told.actual
        except SeqMismatch:
            return PROBE
        raise StoreError(f"S2 took an append to {name} whose conditions could not hold")

    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        batch = (Trim(first_seq),)
        call_checks.check_append(name, batch, None, fencing_token)
        await self.check_tail(name)
        return await self._append(
            appending.AppendRequest(name, batch, fencing_token=fencing_token, is_repeatable=True)
        )

    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        call_checks.check_list(prefix, start_after, limit)
        if "\0" in prefix:
            return Page((), False)  # as in no name
        place = start_after.partition("\0")[0]
        found: list[ListedStream] = []
        more = True
        while more and len(found) <= limit:
            items, more = await self._page(prefix, place, min(max(limit + 1, LEAST_PAGE), 1000))
            found += (item for item in items if not item.is_deleting and item.name not in HIDDEN)
            place = items[-1].name if items else place
        shown = tuple(StreamInfo(item.name, _ms(item.created)) for item in found[:limit])
        return Page(shown, len(found) > limit)

    async def delete(self, name: str, *, missing_ok: bool = True) -> bool:
        call_checks.check_name(name)
        existed = await self._birth(name) is not None and await self._delete(name)
        if not existed and not missing_ok:
            raise StreamNotFound(name)
        return existed

    async def close(self) -> None:
        self._line.close()
        async with self._closing:
            for tail in tuple(self._tails):
                await tail.stop()
            await self._let_appends_end()
            await self._tailing.close()
            await self._calls.close()
            await self._let_appends_end()  # what did not end in time has lost its connection now

    async def _let_appends_end(self) -> None:
        if self._appends:
            await asyncio.wait(self._appends, timeout=CLOSE_S)

    async def _append(self, request: appending.AppendRequest) -> AppendAck:
        """In a task of its own, so that a caller who is cancelled leaves no torn exchange."""
        self._line.refuse_if_closed()
        task = asyncio.create_task(
            appending.append(self._calls, self._line, request), name=f"append {request.name}"
        )
        self._appends.add(task)
        task.add_done_callback(self._appended)
        return await asyncio.shield(task)

    def _appended(self, task: asyncio.Task[AppendAck]) -> None:
        self._appends.discard(task)
        if not task.cancelled():
            task.exception()  # the caller may be gone

    async def _delete(self, name: str) -> bool:
        """Whether this call deleted it; if it is gone when an attempt is repeated, it did."""
        attempts = 0

        async def attempt() -> bool:
            nonlocal attempts
            attempts += 1
            try:
                await self._calls.delete(name)
            except CallFailed as failed:
                if isinstance(failed.error, StreamNotFound | StreamDeleting):
                    return attempts > 1
                raise
            return True

        return await self._line.patiently(attempt)

    async def _birth(self, name: str) -> datetime | None:
        items, _ = await self._page(name, "", 1)
        if items and items[0].name == name and not items[0].is_deleting:
            return items[0].created
        return None

    async def _page(self, prefix: str, start_after: str, limit: int) -> tuple[Sequence[ListedStream], bool]:
        return await self._line.patiently(lambda: self._calls.page(prefix, start_after, limit))

    async def _of_a_stream(self, name: str, call: Callable[[], Awaitable[T]]) -> T:
        try:
            return await self._line.patiently(call)
        except StreamDeleting as e:
            raise StreamNotFound(name) from e


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
