"""A number that only goes up, kept in a stream: the lowest job that is not finished."""

import logging

from radio.log import log_event
from radio.streams import names, records
from radio.streams.contract import (
    FromSeq,
    FromTail,
    Record,
    SeqMismatch,
    StoreChanged,
    StreamNotFound,
    StreamStore,
)

log = logging.getLogger(__name__)

LOOK_BACK = 8
"""Records read from the tail: the newest mark, possibly followed by a few commands."""
KEEP = 100
TRIM_EVERY = 200
"""Marks between two trims."""


class Cursor:
    """Shared by all processes that move it; never goes down. 0 before the first mark."""

    def __init__(self, store: StreamStore, name: str = names.JOBS_CURSOR) -> None:
        self._store = store
        self._name = name

    async def read(self) -> int:
        """The current value.

        Raises:
            StoreChanged: the mark was made in another store.
        """
        mark, _ = await self._mark()
        mine = await self._store.store_id()
        if mark is not None and mark.store != mine:
            raise StoreChanged(mark.store, mine)
        return 0 if mark is None else mark.next

    async def advance(self, target: int) -> int:
        """Move it up to `target`, unless it is there or beyond; returns the new value.

        A mark made in another store does not apply to this one's jobs, and is overwritten.
        """
        while True:
            stands, tail = await self._stands_here()
            if target <= stands:
                return stands
            mark = records.CursorMark(store=await self._store.store_id(), next=target)
            try:
                ack = await self._store.append(self._name, [records.encode(mark)], match_seq_num=tail)
            except SeqMismatch:
                continue
            if ack.end.seq % TRIM_EVERY == 0:
                await self._store.trim(self._name, ack.end.seq - KEEP)
            return target

    async def _stands_here(self) -> tuple[int, int]:
        """The value, 0 if the mark is from another store, and the stream's tail."""
        mark, tail = await self._mark()
        mine = await self._store.store_id()
        if mark is not None and mark.store != mine:
            log.warning(
                "cursor of another store is overwritten",
                extra=log_event("cursor.overwritten", stream=self._name, stood=mark.next),
            )
            return 0, tail
        return (0 if mark is None else mark.next), tail

    async def _mark(self) -> tuple[records.CursorMark | None, int]:
        """The newest mark, and the stream's tail."""
        try:
            newest, tail = await self._newest()
        except StreamNotFound:
            return None, 0
        mark = None if newest is None else records.decode(records.CURSOR, newest)
        assert mark is None or isinstance(mark, records.CursorMark)
        return mark, tail

    async def _newest(self) -> tuple[Record | None, int]:
        """The newest data record, and the seq after all that was read."""
        result = await self._store.read(self._name, FromTail(LOOK_BACK))
        if not result.records:  # only commands: read the whole stream
            result = await self._store.read(self._name, FromSeq(0))
        return (result.records[-1] if result.records else None), result.next_seq
