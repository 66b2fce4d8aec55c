"""Finds up to which record a broadcast may be trimmed: by a few small reads, however long it is."""

from dataclasses import dataclass

from radio.mp3 import BYTES_PER_MS
from radio.narrator.retention import policy
from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.index import Bounds, Index, Probe, Spot, newest_at


@dataclass(frozen=True, slots=True)
class StoredBroadcast:
    """What is stored of a broadcast: its bounds, and its first and last audio."""

    index: Index
    bounds: Bounds
    oldest: Spot
    newest: Spot

    async def first_after(self, air_ms: int) -> Spot | None:
        """The first audio that ends after an air time; the newer place if the clock went back over it."""
        return await newest_at(self.index.spot, self.bounds.oldest, self.bounds.next, air_ms)

    async def at(self, pos: int) -> Spot | None:
        """The audio that holds this byte."""
        return await self.index.at_pos(pos, self.bounds.oldest, self.bounds.next - 1)

    async def border(self, pos: int) -> int | None:
        """The first record after all audio that ends at byte `pos` or before; None: all of it ends later.

        Records that belong to the next audio, such as its `show`, are not before the border.
        """
        if pos < self.oldest.end_pos:
            return None
        kept = await self.at(pos)
        end = self.bounds.next if kept is None else kept.seq
        last = await self.index.last(self.bounds.oldest, end - 1)
        return None if last is None else last.seq + 1


async def stored_broadcast(store: StreamStore, station: str) -> StoredBroadcast | None:
    """What is stored of the station's broadcast; None: no audio is."""
    index = Index(store, names.broadcast(station))
    bounds = await index.bounds()
    oldest = await index.spot(bounds.oldest) if bounds.oldest < bounds.next else None
    newest = None if oldest is None else await index.last(bounds.oldest, bounds.next - 1)
    return None if oldest is None or newest is None else StoredBroadcast(index, bounds, oldest, newest)


async def expired(stored: StoredBroadcast, *, keep_ms: int, now: int) -> int | None:
    """The border below which recordings are older than `keep_ms`; None: none are."""
    newest = stored.newest
    by_sound = policy.old_by_sound(keep_ms=keep_ms, end_at=newest.until, end_pos=newest.end_pos, now=now)
    young = await first_young(stored.index.spot, stored.oldest, newest, keep_ms=keep_ms, now=now)
    return await stored.border(max(by_sound, young.pos))


async def first_young(probe: Probe, oldest: Spot, newest: Spot, *, keep_ms: int, now: int) -> Spot:
    """The first audio from which on all is younger than `keep_ms` by the clock; `newest` if that is old too.

    Gaps count as `policy.longest_gap_ms` at most, so at most two long ones matter.
    """
    limit = now - keep_ms - policy.excess_ms(now - newest.until, keep_ms)
    young, last = newest, newest
    while True:
        gap = await last_gap(probe, oldest, last, policy.longest_gap_ms(keep_ms))
        begin = oldest if gap is None else gap.after
        found = await newest_at(probe, begin.seq, last.seq + 1, limit)
        if found is None:
            return young
        if gap is None or found.seq > begin.seq:
            return found
        young, last = found, gap.before
        limit -= policy.excess_ms(gap.ms, keep_ms)


@dataclass(frozen=True, slots=True)
class Gap:
    """The time between two audio records that follow one another."""

    before: Spot
    after: Spot

    @property
    def ms(self) -> int:
        return self.after.at - self.before.until


async def last_gap(probe: Probe, first: Spot, last: Spot, longer_than_ms: int) -> Gap | None:
    """The last gap between two audio records that is longer than `longer_than_ms`; None: there is none.

    A gap does not count if a step back of the clock made up for it. The gaps between two records add up
    to their distance in air time less the audio between them. A stretch whose sum is too small holds no such
    gap, and is not searched.
    """
    stretches = [(first, last, last.seq)]
    while stretches:
        a, b, end = stretches.pop()
        if _idle_ms(b) - _idle_ms(a) <= longer_than_ms:
            continue
        if a.seq + 1 >= end:
            return Gap(a, b)
        middle = (a.seq + 1 + end) // 2
        spot = await probe(middle)
        if spot is None or spot.seq >= end:  # no audio between there and b
            stretches.append((a, b, middle))
        else:
            stretches += [(a, spot, middle), (spot, b, end)]
    return None


def _idle_ms(spot: Spot) -> int:
    """A measure that grows by the length of each gap and not with audio, in ms."""
    return spot.at - spot.pos // BYTES_PER_MS
