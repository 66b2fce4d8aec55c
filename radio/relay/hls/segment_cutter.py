"""HLS segments of a broadcast, made from its records in the store by air time.

Nothing here depends on what a relay heard or when it began. An epoch of air time is named by the number of
its record, 0 before the first: air times go up within one, and epochs go up, so a binary search finds both.
"""

import asyncio
from collections import OrderedDict
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final

from radio.clock import Clock
from radio.errors import NotFound
from radio.relay.archive.recordings import PAGE_BYTES
from radio.relay.hls import segment_grid
from radio.relay.hls.segment_grid import GridSound
from radio.relay.http.problems import Gone
from radio.relay.live.station_directory import StationDirectory
from radio.relay.live.station_feed import StationFeed
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.index import Bounds, Index, Spot
from radio.streams.reading import known, pages
from radio.streams.records import BROADCAST, Audio

CACHED: Final = 256
"""Segments in memory: 12 MB, enough that the newest ones of many stations are made once."""
LOOK_S: Final = 5.0
"""How far back a broadcast stands is looked at this often."""
SLACK: Final = 2
"""Segments stay for so many windows: players ask for what they saw in a playlist a while ago."""


class SegmentGone(Gone):
    """That segment is over for HLS.

    Attributes:
        oldest: the first sequence number that stands.
    """

    def __init__(self, message: str, *, oldest: int, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.oldest = oldest


@dataclass(frozen=True, slots=True)
class SegmentRange:
    """The segments of an epoch that are there: `first` to `last`; `is_over`: another epoch has begun."""

    first: int
    last: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class _Standing:
    """What stands of an epoch.

    Attributes:
        first: its first sound; None if none stands.
        last_ms: air time of the end of its last sound, once the epoch is over.
        oldest: the first number that stands of the broadcast.
        seen_s: monotonic time at which that was so.
    """

    first: Spot | None
    last_ms: int | None
    oldest: int
    seen_s: float


@dataclass(frozen=True, slots=True)
class _Made:
    """A segment, and the record that the one after it begins with."""

    data: bytes
    next_seq: int


class SegmentCutter:
    """Segments and their playlists, for all stations.

    Args:
        window_ms: how far back playlists go.
    """

    def __init__(
        self, store: StreamStore, clock: Clock, stations: StationDirectory, *, window_ms: int
    ) -> None:
        self._store, self._clock, self._stations, self._window_ms = store, clock, stations, window_ms
        self._made: OrderedDict[tuple[str, int, int], _Made] = OrderedDict()
        self._standing: dict[tuple[str, int], _Standing] = {}
        self._since: dict[tuple[str, int], int] = {}
        self._making: dict[str, asyncio.Lock] = {}
        self._redacted: dict[str, tuple[tuple[int, int], ...]] = {}
        self._looking: dict[str, asyncio.Lock] = {}

    async def epoch(self, station: StationFeed) -> int:
        """The epoch that air times count in now."""
        if station.epoch is None:
            index = self._index(station)
            bounds = await index.bounds()
            spot = await index.last(bounds.oldest, bounds.next - 1) if bounds.oldest < bounds.next else None
            if station.epoch is None:  # no record came meanwhile
                station.epoch = spot.epoch if spot else 0
                station.made_until = spot.until if spot else None
        return station.epoch

    async def reach(self, station: StationFeed, epoch: int) -> SegmentRange:
        """What a playlist lists.

        Raises:
            NotFound: there is no such epoch.
            Past: nothing of it stands.
        """
        return await self._reach(station, epoch, self._window_ms, with_silence=False)

    async def segment(self, station: StationFeed, epoch: int, n: int) -> bytes:
        """Segment n of this epoch.

        Raises:
            NotFound: it is not there yet.
            Past: it is not there any more.
        """
        reach = await self._reach(station, epoch, self._window_ms * SLACK, with_silence=True)
        if n > reach.last:
            raise NotFound(f"segment {n} is not there yet", hint=f"the newest one is {reach.last}")
        if n < reach.first:
            raise self._past(station, epoch, f"segment {n} is no longer there")
        since_ms = await self._since_ms(station, epoch)
        if segment_grid.is_muted(n, self._stations.mutes(station.id), since_ms=since_ms):
            return segment_grid.segment(n, ())
        async with self._making.setdefault(station.id, asyncio.Lock()):
            key = (station.id, epoch, n)
            self._heed_redactions(station)
            while key not in self._made:
                self._made[key] = await self._make(station, epoch, n, since_ms)
                self._heed_redactions(station)  # what came meanwhile counts: caches keep what goes out
            self._made.move_to_end(key)
            while len(self._made) > CACHED:
                self._made.popitem(last=False)
            return self._made[key].data

    def _heed_redactions(self, station: StationFeed) -> None:
        """What was made of a station before an operator took records out is made anew."""
        if self._redacted.get(station.id, ()) != station.redacted:
            self._redacted[station.id] = station.redacted
            kept = [(key, made) for key, made in self._made.items() if key[0] != station.id]
            self._made = OrderedDict(kept)

    async def _reach(
        self, station: StationFeed, epoch: int, window_ms: int, *, with_silence: bool
    ) -> SegmentRange:
        """What is there within a window; `with_silence`: also of the time before all sound of the epoch."""
        current = await self.epoch(station)
        if epoch > current:
            raise NotFound(f"there is no epoch {epoch}", hint=f"/stations/{station.id}/live.m3u8 names it")
        is_over = epoch < current
        standing = await self._look(station, epoch, is_over=is_over)
        is_whole = standing.oldest <= epoch
        if not is_over:
            last = segment_grid.newest(station.pump.newest_ms(self._clock.monotonic()), station.made_until)
        elif standing.last_ms is not None:
            last = -(-standing.last_ms // segment_grid.SEGMENT_MS) - 1
        elif is_whole:
            raise NotFound(f"there is no epoch {epoch}", hint=f"/stations/{station.id}/live.m3u8 names it")
        else:
            raise self._past(station, epoch, f"nothing stands of epoch {epoch}")
        first_ms = standing.first.at if standing.first else None
        if with_silence and is_whole:
            first_ms = 0
        first = segment_grid.oldest(last, window_ms, first_ms, is_whole=is_whole)
        return SegmentRange(first, last, is_over)

    async def _look(self, station: StationFeed, epoch: int, *, is_over: bool) -> _Standing:
        """What stands of an epoch, as it was at most `LOOK_S` ago."""
        key, now = (station.id, epoch), self._clock.monotonic()
        async with self._looking.setdefault(station.id, asyncio.Lock()):
            seen = self._standing.pop(key, None)
            if seen is None or now - seen.seen_s > LOOK_S:
                seen = await self._see(station, epoch, seen, is_over=is_over)
            self._standing[key] = seen
            while len(self._standing) > CACHED:
                del self._standing[next(iter(self._standing))]
            return seen

    async def _see(
        self, station: StationFeed, epoch: int, before: _Standing | None, *, is_over: bool
    ) -> _Standing:
        """Look into the store; what was seen before holds as long as it stands."""
        index, now = self._index(station), self._clock.monotonic()
        bounds = await index.bounds()
        first, last_ms = (before.first, before.last_ms) if before else (None, None)
        if first is None or first.seq < bounds.oldest:
            first = await _first_of(index, epoch, bounds)
        if first is not None and is_over and last_ms is None:
            after = await index.in_epoch(epoch + 1, -1)
            last = await index.last(first.seq, (after.seq if after else bounds.next) - 1)
            last_ms = last.until if last else first.until
        return _Standing(first, last_ms if first else None, bounds.oldest, now)

    async def _since_ms(self, station: StationFeed, epoch: int) -> int:
        """When the store took the record of this epoch, else the oldest after it; 0 for the first epoch."""
        key = (station.id, epoch)
        if epoch and key not in self._since:
            name = names.broadcast(station.id)
            page = await self._store.read(name, FromSeq(epoch), max_records=1, clamp=True)
            self._since[key] = page.records[0].timestamp if page.records else 0
        return self._since[key] if epoch else 0

    async def _make(self, station: StationFeed, epoch: int, n: int, since_ms: int) -> _Made:
        before = self._made.get((station.id, epoch, n - 1))
        if before is not None:
            seq = before.next_seq
        else:
            seq = await self._find(station, epoch, n)
        try:
            sounds, next_seq = await self._sounds(station, epoch, n, seq)
        except StreamNotFound:  # nothing was ever on air
            sounds, next_seq = [], 0
        return _Made(segment_grid.segment(n, sounds, since_ms=since_ms), next_seq)

    async def _find(self, station: StationFeed, epoch: int, n: int) -> int:
        """The record with which segment n begins.

        Raises:
            SegmentGone: what stood before it may have been trimmed.
        """
        index = self._index(station)
        spot = await index.in_epoch(epoch, segment_grid.begin_ms(n))
        bounds = await index.bounds()
        if bounds.oldest > epoch:
            first = await index.spot(bounds.oldest)
            if first is not None and (first.epoch, first.at) > (epoch, segment_grid.begin_ms(n)):
                raise self._past(station, epoch, f"segment {n} is no longer there")
        return spot.seq if spot else bounds.next

    async def _sounds(
        self, station: StationFeed, epoch: int, n: int, seq: int
    ) -> tuple[list[GridSound], int]:
        """The audio from `seq` on that is heard before segment n is over, and the record to go on with."""
        sounds: list[GridSound] = []
        next_seq: int | None = None
        name = names.broadcast(station.id)
        found = pages(self._store, name, FromSeq(seq), max_bytes=PAGE_BYTES, must_exist=True)
        async with aclosing(found):
            async for page in found:
                if page.gap:
                    raise self._past(station, epoch, f"segment {n} went while it was read")
                for record in page.records:
                    audio = known(BROADCAST, record, name)
                    if not isinstance(audio, Audio) or audio.at is None:
                        continue
                    is_later = (audio.epoch or 0, audio.at) >= (epoch, segment_grid.end_ms(n))
                    if next_seq is None and (is_later or audio.until > segment_grid.end_ms(n)):
                        next_seq = record.seq
                    if is_later:
                        return sounds, next_seq or record.seq
                    sounds.append(GridSound(audio.at, record.timestamp, audio.body))
                seq = page.next_seq
        return sounds, seq if next_seq is None else next_seq

    def _past(self, station: StationFeed, epoch: int, message: str) -> SegmentGone:
        standing = self._standing.get((station.id, epoch))
        hint = f"what is kept is at /stations/{station.id}/replay.mp3?at=…"
        return SegmentGone(message, oldest=standing.oldest if standing else 0, hint=hint)

    def _index(self, station: StationFeed) -> Index:
        return Index(self._store, names.broadcast(station.id))


async def _first_of(index: Index, epoch: int, bounds: Bounds) -> Spot | None:
    """The first sound of this epoch that stands."""
    if bounds.oldest >= bounds.next:
        return None
    spot = await index.spot(bounds.oldest)
    if spot is not None and spot.epoch < epoch:
        spot = await index.in_epoch(epoch, -1)
    return spot if spot is not None and spot.epoch == epoch else None
