"""What a replay request selects: stretches of a broadcast, and their bytes.

Lengths are subtractions of `pos`; the place of a byte is found by binary search. Bodies are read in pages.
"""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from radio.errors import NotFound
from radio.relay.http.problems import Gone
from radio.relay.http.query_numbers import MAX_SEQ
from radio.streams import names
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.index import Index
from radio.streams.reading import known, pages
from radio.streams.records import BROADCAST, AnyRecord, Audio

PAGE_BYTES: Final = 256 * 1024


class NotYet(NotFound):
    """Nothing of that was on air yet.

    Attributes:
        oldest: the first sequence number that stands.
        next: the number that the next record will have.
    """

    def __init__(self, message: str, *, oldest: int, next_seq: int) -> None:
        super().__init__(message, hint=f"numbers {oldest} to {next_seq - 1} are there" if next_seq else "")
        self.oldest = oldest
        self.next = next_seq


class RecordingTrimmed(Gone):
    """It was on air, but is not kept any more.

    Attributes:
        oldest: the first sequence number that stands.
    """

    def __init__(self, message: str, *, oldest: int) -> None:
        super().__init__(message, hint=f"the oldest that is kept has number {oldest}")
        self.oldest = oldest


@dataclass(frozen=True, slots=True)
class ReplaySpan:
    """The audio of records `first` to `last`, both inclusive: `size` bytes from `pos` of all audio."""

    first: int
    last: int
    pos: int
    size: int


class Recordings:
    """Reads the recordings of one station."""

    def __init__(self, store: StreamStore, station: str) -> None:
        self._store, self._name = store, names.broadcast(station)
        self.index = Index(store, self._name)

    async def check(self, seq: int) -> None:
        """Raises `NotYet` or `RecordingTrimmed` unless record `seq` stands."""
        bounds = await self.index.bounds()
        if seq >= bounds.next:
            message = f"number {seq} was not on air yet"
            raise NotYet(message, oldest=bounds.oldest, next_seq=bounds.next)
        if seq < bounds.oldest:
            raise RecordingTrimmed(f"number {seq} is no longer kept", oldest=bounds.oldest)

    async def span(self, first: int, last: int) -> ReplaySpan:
        """The audio of [first, last]; both must stand, and something must have been spoken there."""
        await self.check(first)
        await self.check(last)
        begin, end = await self.index.spot(first), await self.index.last(first, last)
        if begin is None or end is None:
            raise NotFound(f"nothing was spoken from {first} to {last}", hint="ask for a longer stretch")
        return ReplaySpan(begin.seq, end.seq, begin.pos, end.end_pos - begin.pos)

    async def bytes_of(self, span: ReplaySpan, skip: int) -> AsyncIterator[bytes]:
        """The span's audio from byte `skip` on, record by record.

        Raises:
            RecordingTrimmed: it was trimmed meanwhile.
        """
        begin = await self.index.at_pos(span.pos + skip, span.first, span.last)
        if begin is None:
            return
        cut = span.pos + skip - begin.pos
        async for _, record in self.records(begin.seq, span.last):
            if isinstance(record, Audio):
                yield record.body[cut:]
                cut = 0

    async def records(
        self, first: int, last: int = MAX_SEQ, *, whole: bool = True
    ) -> AsyncIterator[tuple[int, AnyRecord]]:
        """Records `first` to `last`, as far as they stand now, with their numbers.

        Raises:
            Trimmed: some are gone, and `whole` asks for all of them.
        """
        found = pages(
            self._store, self._name, FromSeq(first), end=last + 1, max_bytes=PAGE_BYTES, must_exist=True
        )
        async with aclosing(found):
            async for page in found:
                if page.gap and whole:
                    raise RecordingTrimmed("it went while it was read", oldest=page.next_seq)
                for record in page.records:
                    entry = known(BROADCAST, record, self._name)
                    if entry is not None and record.seq <= last:
                        yield record.seq, entry
