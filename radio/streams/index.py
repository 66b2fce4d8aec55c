"""Finding a byte or an instant of a broadcast: binary search over sequence numbers by `pos` and `at`.

Only probed records are known; a probe is one small read. Nothing is cached: the log is the index.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from radio.streams.contract import FromSeq, FromTail, Record, StreamNotFound, StreamStore
from radio.streams.reading import known
from radio.streams.records import BROADCAST, Audio

Probe = Callable[[int], Awaitable["Spot | None"]]
PROBE_RECORDS = 8
"""Records read at once when the probed one is not audio."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One audio record: its number, air time, bytes of audio before it and in it, its run, and its index.

    `epoch`: number of the newest `epoch` before it; 0 if there was none.
    """

    seq: int
    at: int
    pos: int
    size: int
    run: str
    i: int
    epoch: int = 0

    @property
    def end_pos(self) -> int:
        return self.pos + self.size

    @property
    def until(self) -> int:
        """Air time of its end: 8 bytes are a millisecond."""
        return self.at + self.size // 8


@dataclass(frozen=True, slots=True)
class Bounds:
    """`oldest` is the first number that is kept, `next` the one that comes next."""

    oldest: int
    next: int


async def first_where(probe: Probe, lo: int, hi: int, holds: Callable[[Spot], bool]) -> Spot | None:
    """The first audio in [lo, hi) for which `holds`, given that it holds for all after it."""
    best = None
    while lo < hi:
        middle = (lo + hi) // 2
        spot = await probe(middle)
        if spot is None or spot.seq >= hi:
            hi = middle
        elif holds(spot):
            best, hi = spot, middle
        else:
            lo = spot.seq + 1
    return best


async def newest_at(probe: Probe, lo: int, hi: int, at: int) -> Spot | None:
    """The first audio that ends after air time `at`, searched from the newest end.

    Air times rise except where the clock was set back. Steps that double from the end find the newer of two.
    """
    step, upper = 1, hi
    while True:
        lower = max(hi - step, lo)
        spot = await probe(lower)
        if spot is not None and spot.seq < upper and spot.until <= at:
            return await first_where(probe, spot.seq + 1, hi, lambda s: s.until > at)
        upper = lower
        if lower == lo:
            return await first_where(probe, lo, hi, lambda s: s.until > at)
        step *= 2


class Index:
    """Looks things up in one broadcast stream."""

    def __init__(self, store: StreamStore, name: str) -> None:
        self._store, self._name = store, name

    async def bounds(self) -> Bounds:
        """The range of records; 0 and 0 if nothing was ever on air."""
        try:
            tail = await self._store.check_tail(self._name)
            first = await self._store.read(self._name, FromSeq(0), max_records=1, include_commands=True)
        except StreamNotFound:
            return Bounds(0, 0)
        return Bounds(first.records[0].seq if first.records else tail.seq, tail.seq)

    async def spot(self, seq: int) -> Spot | None:
        """The first audio at or after `seq`."""
        count = 1
        while True:
            page = await self._store.read(self._name, FromSeq(seq), max_records=count, clamp=True)
            for record in page.records:
                spot = spot_of(record.seq, _audio(record, self._name))
                if spot is not None:
                    return spot
            if page.next_seq <= seq:
                return None
            seq, count = page.next_seq, PROBE_RECORDS

    async def last(self, first: int, last: int) -> Spot | None:
        """The last audio in [first, last]."""
        step = 1
        while True:
            lower = max(last - step + 1, first)
            found = None
            spot = await self.spot(lower)
            while spot is not None and spot.seq <= last:
                found, spot = spot, await self.spot(spot.seq + 1)
            if found is not None or lower == first:
                return found
            step *= 4

    async def at(self, air_ms: int) -> Spot | None:
        """The audio that was on air at this time, or else the next one after it."""
        bounds = await self.bounds()
        if bounds.oldest >= bounds.next:
            return None
        return await newest_at(self.spot, bounds.oldest, bounds.next, air_ms)

    async def in_epoch(self, epoch: int, air_ms: int) -> Spot | None:
        """The first audio that ends after this air time of this epoch, or counts in a later one."""
        bounds = await self.bounds()
        after = (epoch, air_ms)
        return await first_where(self.spot, bounds.oldest, bounds.next, lambda s: (s.epoch, s.until) > after)

    async def at_pos(self, pos: int, first: int, last: int) -> Spot | None:
        """The audio in [first, last] that holds byte `pos` of the stream's audio."""
        return await first_where(self.spot, first, last + 1, lambda s: s.end_pos > pos)

    async def newest(self) -> Spot | None:
        """The last audio in the stream."""
        try:
            page = await self._store.read(self._name, FromTail(PROBE_RECORDS))
        except StreamNotFound:
            return None
        return await self.last(page.records[0].seq, page.next_seq - 1) if page.records else None


def spot_of(seq: int, audio: Audio | None) -> Spot | None:
    """Position of an audio record in its broadcast; None for one without air time."""
    if audio is None or audio.at is None:
        return None
    return Spot(seq, audio.at, audio.pos, len(audio.body), audio.run or "", audio.i, audio.epoch or 0)


def _audio(record: Record, stream: str) -> Audio | None:
    decoded = known(BROADCAST, record, stream)
    return decoded if isinstance(decoded, Audio) else None
