"""Reading the records of a stream: from a position to the tail, between two positions, or the newest ones.

A missing stream counts as empty. Records that this version does not know, as after a downgrade, are handled
by one rule (`known`): passed over, counted, and logged once for each stream and kind.
"""

import logging
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from types import MappingProxyType

from radio.log import log_event
from radio.streams.contract import (
    MAX_READ_BYTES,
    MAX_READ_RECORDS,
    FromSeq,
    FromTail,
    ReadResult,
    Record,
    Start,
    StreamNotFound,
    StreamStore,
)
from radio.streams.records import AnyRecord, Family, UnknownRecord, decode, event_of

log = logging.getLogger(__name__)

BEGIN = FromSeq(0)
NEWEST = 8
"""Records read to find the newest of a kind: commands and unknown ones may follow it."""
MAX_NAMED = 1000
"""Streams and kinds that are counted and logged separately; all others share one count."""
OTHERS = ("others", "")

_unknown: Counter[tuple[str, str]] = Counter()


def known(family: Family, record: Record, stream: str) -> AnyRecord | None:
    """The record decoded for its stream's family; None for a command, or if this version does not know it."""
    if record.kind != "data":
        return None
    try:
        return decode(family, record)
    except UnknownRecord as unknown:
        kind = event_of(record) or "none"
        key = (stream, kind) if (stream, kind) in _unknown or len(_unknown) < MAX_NAMED else OTHERS
        _unknown[key] += 1
        if _unknown[key] == 1:
            log.warning(
                "records passed over, this is the first: %s",
                unknown,
                extra=log_event("record.unknown", stream=stream, kind=kind),
            )
        return None


def passed_over() -> Mapping[tuple[str, str], int]:
    """How many records this process passed over, by stream and kind."""
    return MappingProxyType(_unknown)


async def pages(
    store: StreamStore,
    name: str,
    start: Start = BEGIN,
    *,
    end: int | None = None,
    max_records: int = MAX_READ_RECORDS,
    max_bytes: int = MAX_READ_BYTES,
    must_exist: bool = False,
) -> AsyncGenerator[ReadResult, None]:
    """The records from `start` up to the tail, as seen on the way, in the store's pages.

    Args:
        end: no page begins at this seq or later; the last one may reach beyond it.
        max_records, max_bytes: of a page, as in the contract.
        must_exist: raise `StreamNotFound` for a missing stream, instead of treating it as empty.
    """
    while True:
        at = start.seq if isinstance(start, FromSeq) else None
        if end is not None and at is not None and at >= end:
            return
        try:
            page = await store.read(name, start, max_records=max_records, max_bytes=max_bytes, clamp=True)
        except StreamNotFound:
            if must_exist:
                raise
            return
        if at is not None and page.next_seq <= at:
            return
        yield page
        if page.tail is not None and page.next_seq >= page.tail.seq:
            return
        start = FromSeq(page.next_seq)


async def all_records(
    store: StreamStore, name: str, start: Start = BEGIN, *, end: int | None = None
) -> AsyncGenerator[Record, None]:
    """The data records from `start` up to the tail, or below seq `end`."""
    most = MAX_READ_RECORDS
    if end is not None and isinstance(start, FromSeq):
        most = max(1, min(most, end - start.seq))
    async for page in pages(store, name, start, end=end, max_records=most):
        for record in page.records:
            if end is None or record.seq < end:
                yield record


async def all_events(
    store: StreamStore, family: Family, name: str, start: Start = BEGIN, *, end: int | None = None
) -> AsyncGenerator[tuple[int, AnyRecord], None]:
    """As `all_records`, but decoded: the seq and the event of each record that this version knows."""
    async for record in all_records(store, name, start, end=end):
        event = known(family, record, name)
        if event is not None:
            yield record.seq, event


async def newest_events(
    store: StreamStore, family: Family, name: str, count: int = NEWEST
) -> list[tuple[int, AnyRecord]]:
    """The known ones of the newest `count` records, oldest first, with their seqs; empty if it is missing."""
    try:
        page = await store.read(name, FromTail(count))
    except StreamNotFound:
        return []
    decoded = [(record.seq, known(family, record, name)) for record in page.records]
    return [(seq, event) for seq, event in decoded if event is not None]


async def tail_of(store: StreamStore, name: str) -> int:
    """The next seq of a stream; 0 if it is missing."""
    try:
        return (await store.check_tail(name)).seq
    except StreamNotFound:
        return 0
