"""Reading all that stands of a stream, page by page. A missing stream holds nothing."""

from collections.abc import AsyncIterator

from radio.streams.contract import FromSeq, FromTimestamp, Record, Start, StreamNotFound, StreamStore

_BEGIN = FromSeq(0)


async def all_records(store: StreamStore, name: str, start: Start = _BEGIN) -> AsyncIterator[Record]:
    """The data records from `start` up to the tail, as seen on the way."""
    while True:
        try:
            page = await store.read(name, start)
        except StreamNotFound:
            return
        for record in page.records:
            yield record
        at_start = isinstance(start, FromSeq) and page.next_seq == start.seq
        if at_start or (page.tail is not None and page.next_seq >= page.tail.seq):
            return
        if isinstance(start, FromTimestamp) and not page.records and page.tail is None:
            return
        start = FromSeq(page.next_seq)


async def between(store: StreamStore, name: str, first: int, end: int) -> AsyncIterator[Record]:
    """The data records from seq `first` on, below `end`."""
    while first < end:
        page = await store.read(name, FromSeq(first), max_records=min(1000, end - first))
        for record in page.records:
            if record.seq < end:
                yield record
        if page.next_seq == first:
            return
        first = page.next_seq


async def tail_of(store: StreamStore, name: str) -> int:
    """The next seq of a stream; 0 if it is missing."""
    try:
        return (await store.check_tail(name)).seq
    except StreamNotFound:
        return 0
