"""Appending as the owner of a stream: one append in flight, each at a known number."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from radio.streams import call_checks
from radio.streams.contract import (
    MAX_BATCH_BYTES,
    MAX_BATCH_RECORDS,
    Appendable,
    AppendAck,
    FenceMismatch,
    Position,
    SeqMismatch,
    StoreClosed,
    StreamStore,
    Unavailable,
)

RETRY_S = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""Pauses between attempts at an append that the store refused for the moment."""


async def append_exact(
    store: StreamStore,
    name: str,
    records: Sequence[Appendable],
    *,
    match_seq_num: int,
    fencing_token: str | None = None,
) -> AppendAck:
    """Append at `match_seq_num` or not at all, retrying for some seconds while the store is unavailable.

    Raises: as `StreamStore.append`.
    """
    for pause_s in RETRY_S:
        try:
            return await store.append(name, records, match_seq_num=match_seq_num, fencing_token=fencing_token)
        except Unavailable:
            await asyncio.sleep(pause_s)
    return await store.append(name, records, match_seq_num=match_seq_num, fencing_token=fencing_token)


async def claim(
    store: StreamStore, name: str, records: Sequence[Appendable], *, fencing_token: str | None = None
) -> bool:
    """Begin a stream. Of all who try exactly one gets True; False: it was begun before."""
    try:
        await append_exact(store, name, records, match_seq_num=0, fencing_token=fencing_token)
    except (SeqMismatch, FenceMismatch):
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Call:
    """One call of `append`; its records stay together."""

    records: tuple[Appendable, ...]
    size: int
    done: asyncio.Future[AppendAck]


class CoalescingWriter:
    """The owner's writer of one stream.

    It has one append in flight, at a known number and with the owner's token; records written meanwhile go
    into the next. The first failure fails everything queued, and every later append, because the stream may
    have another owner. After cancelling `append` it is unknown whether its records are stored.
    """

    def __init__(self, store: StreamStore, name: str, *, fencing_token: str, start_at: int) -> None:
        self.next_seq = start_at
        """The number of the next record, after everything that is queued."""
        self._store = store
        self._name = name
        self._token = fencing_token
        self._place = start_at
        self._queue: deque[_Call] = deque()
        self._flight: asyncio.Task[None] | None = None
        self._failure: BaseException | None = None
        self._is_closed = False

    async def append(self, *records: Appendable) -> AppendAck:
        """Append, in the order of the calls. Durable when it returns; atomic per call.

        The timestamps of the ack are those of the batch that held the records.

        Raises:
            InvalidRequest: for this call's records, which are left out; the writer continues.
            StoreError: the error that failed the writer.
        """
        call_checks.check_append(self._name, records, self.next_seq, self._token)
        if self._failure is not None:
            raise self._failure
        if self._is_closed:
            raise StoreClosed
        call = _Call(
            records, sum(map(call_checks.metered, records)), asyncio.get_running_loop().create_future()
        )
        self._queue.append(call)
        self.next_seq += len(records)
        if self._flight is None:
            self._flight = asyncio.create_task(self._fly(), name=f"append {self._name}")
        return await asyncio.shield(call.done)

    async def close(self) -> None:
        """Wait until everything queued is stored or has failed. Nothing can be appended afterwards."""
        self._is_closed = True
        if self._flight is not None:
            await self._flight

    async def _fly(self) -> None:
        calls: list[_Call] = []
        try:
            while self._queue:
                calls = self._next_batch()
                await self._append(calls)
        except BaseException as e:
            self._fail([*calls, *self._queue], e)
            if not isinstance(e, Exception):
                raise
        finally:
            self._flight = None

    async def _append(self, calls: list[_Call]) -> None:
        batch = [record for call in calls for record in call.records]
        ack = await self._store.append(
            self._name, batch, match_seq_num=self._place, fencing_token=self._token
        )
        for call in calls:
            start, self._place = self._place, self._place + len(call.records)
            if not call.done.cancelled():
                call.done.set_result(_part(ack, start, self._place))

    def _next_batch(self) -> list[_Call]:
        """As many whole calls as fit into one append."""
        calls: list[_Call] = []
        records = size = 0
        while self._queue:
            call = self._queue[0]
            records, size = records + len(call.records), size + call.size
            if calls and (records > MAX_BATCH_RECORDS or size > MAX_BATCH_BYTES):
                break
            calls.append(self._queue.popleft())
        return calls

    def _fail(self, calls: list[_Call], error: BaseException) -> None:
        self._failure = error
        self._queue.clear()
        for call in calls:
            if not call.done.done():
                call.done.set_exception(error if isinstance(error, Exception) else StoreClosed())
                call.done.exception()  # the caller may be gone


def _part(ack: AppendAck, start: int, end: int) -> AppendAck:
    return AppendAck(Position(start, ack.start.timestamp), Position(end, ack.end.timestamp), ack.tail)
