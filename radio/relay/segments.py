"""HLS segments of a broadcast, made from its records in the store by air time.

Nothing here depends on what a relay heard or when it began. An epoch of air time is named by the number of
its record, 0 before the first: air times go up within one, and epochs go up, so a binary search finds both.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from radio.clock import Clock
from radio.errors import NotFound
from radio.relay import grid
from radio.relay.grid import Sound
from radio.relay.problems import Gone
from radio.relay.recordings import PAGE_BYTES, known
from radio.relay.station import Station
from radio.relay.stations import Directory
from radio.streams import names
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.index import Index
from radio.streams.records import Audio

CACHED: Final = 256
"""Segments in memory: 12 MB, enough that the newest ones of many stations are made once."""
LOOK_S: Final = 5.0
"""How far back a broadcast stands is looked at this often."""
SLACK: Final = 2
"""Segments stay for so many windows: players ask for what they saw in a playlist a while ago."""


class Past(Gone):
    """That segment is over for HLS.

    Attributes:
        oldest: the first sequence number that stands.
    """

    def __init__(self, message: str, *, oldest: int, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.oldest = oldest


@dataclass(frozen=True, slots=True)
class Reach:
    """The segments of an epoch that are there: `first` to `last`; `is_over`: another epoch has begun."""

    first: int
    last: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class _Standing:
    """What stands of an epoch: air times of the begin of its first sound and the end of its last.

    `is_whole`: nothing of it is gone. `oldest`: the first number that stands of the broadcast.
    """

    first_ms: int | None
    last_ms: int | None
    is_whole: bool
    oldest: int
    seen_s: float


@dataclass(frozen=True, slots=True)
class _Made:
    """A segment, and the record that the one after it begins with."""

    data: bytes
    next_seq: int


class Segments:
    """Segments and their playlists, for all stations.

    Args:
        window_ms: how far back playlists go.
    """

    def __init__(self, store: StreamStore, clock: Clock, stations: Directory, *, window_ms: int) -> None:
        self._store, self._clock, self._stations, self._window_ms = store, clock, stations, window_ms
        self._made: OrderedDict[tuple[str, int, int], _Made] = OrderedDict()
        self._standing: dict[tuple[str, int], _Standing] = {}
        self._since: dict[tuple[str, int], int] = {}
        self._making: dict[str, asyncio.Lock] = {}

    async def epoch(self, station: Station) -> int:
        """The epoch that air times count in now."""
        if station.epoch is None:
            index = self._index(station)
            bounds = await index.bounds()
            spot = await index.last(bounds.oldest, bounds.next - 1) if bounds.oldest < bounds.next else None
            if station.epoch is None:  # no record came meanwhile
                station.epoch = spot.epoch if spot else 0
                station.made_until = spot.until if spot else None
        return station.epoch

    async def reach(self, station: Station, epoch: int) -> Reach:
        """What a playlist lists.

        Raises:
            NotFound: there is no such epoch.
            Past: nothing of it stands.
        """
        return await self._reach(station, epoch, self._window_ms)

    async def segment(self, station: Station, epoch: int, n: int) -> bytes:
        """Segment n of this epoch.

        Raises:
            NotFound: it is not there yet.
            Past: it is not there any more.
        """
        reach = await self._reach(station, epoch, self._window_ms * SLACK)
        if n > reach.last:
            raise NotFound(f"segment {n} is not there yet", hint=f"the newest one is {reach.last}")
        if n < reach.first:
            raise self._past(station, epoch, f"segment {n} is no longer there")
        since_ms = await self._since_ms(station, epoch)
        if grid.is_muted(n, self._stations.mutes(station.id), since_ms=since_ms):
            return grid.segment(n, ())
        async with self._making.setdefault(station.id, asyncio.Lock()):
            key = (station.id, epoch, n)
            if key not in self._made:
                self._made[key] = await self._make(station, epoch, n, since_ms)
            self._made.move_to_end(key)
            while len(self._made) > CACHED:
                self._made.popitem(last=False)
            return self._made[key].data

    async def _reach(self, station: Station, epoch: int, window_ms: int) -> Reach:
        current = await self.epoch(station)
        if epoch > current:
            raise NotFound(f"there is no epoch {epoch}", hint=f"/stations/{station.id}/live.m3u8 names it")
        standing = await self._look(station, epoch)
        is_over = epoch < current
        if not is_over:
            last = grid.newest(station.pump.newest_ms(self._clock.monotonic()), station.made_until)
        elif standing.last_ms is not None:
            last = -(-standing.last_ms // grid.SEGMENT_MS) - 1
        elif standing.is_whole:
            raise NotFound(f"there is no epoch {epoch}", hint=f"/stations/{station.id}/live.m3u8 names it")
        else:
            raise self._past(station, epoch, f"nothing stands of epoch {epoch}")
        first = grid.oldest(last, window_ms, standing.first_ms, is_whole=standing.is_whole)
        return Reach(first, last, is_over)

    async def _look(self, station: Station, epoch: int) -> _Standing:
        """What stands of an epoch, as far as it is known since at most `LOOK_S`."""
        key, now = (station.id, epoch), self._clock.monotonic()
        seen = self._standing.get(key)
        if seen is None or now - seen.seen_s > LOOK_S:
            self._standing = {k: old for k, old in self._standing.items() if now - old.seen_s <= LOOK_S}
            seen = self._standing[key] = await self._seen(station, epoch, now)
        return seen

    async def _seen(self, station: Station, epoch: int, now_s: float) -> _Standing:
        index = self._index(station)
        bounds = await index.bounds()
        first = await index.in_epoch(epoch, -1)
        if first is None or first.epoch != epoch:
            return _Standing(None, None, bounds.oldest <= epoch, bounds.oldest, now_s)
        after = await index.in_epoch(epoch + 1, -1)
        last = await index.last(first.seq, (after.seq if after else bounds.next) - 1)
        return _Standing(
            first.at, last.until if last else first.until, bounds.oldest <= epoch, bounds.oldest, now_s
        )

    async def _since_ms(self, station: Station, epoch: int) -> int:
        """When the store took the record of this epoch; 0 for the first one, and if it is gone."""
        key = (station.id, epoch)
        if epoch and key not in self._since:
            name = names.broadcast(station.id)
            page = await self._store.read(name, FromSeq(epoch), max_records=1, clamp=True)
            found = [record.timestamp for record in page.records if record.seq == epoch]
            self._since[key] = found[0] if found else 0
        return self._since[key] if epoch else 0

    async def _make(self, station: Station, epoch: int, n: int, since_ms: int) -> _Made:
        before = self._made.get((station.id, epoch, n - 1))
        if before is not None:
            seq = before.next_seq
        else:
            seq = await self._find(station, epoch, n)
        sounds, next_seq = await self._sounds(station, epoch, n, seq)
        return _Made(grid.segment(n, sounds, since_ms=since_ms), next_seq)

    async def _find(self, station: Station, epoch: int, n: int) -> int:
        """The record with which segment n begins. Raises `Past` if what stood before it may be gone."""
        index = self._index(station)
        spot = await index.in_epoch(epoch, grid.begin_ms(n))
        bounds = await index.bounds()
        if bounds.oldest > epoch:
            first = await index.spot(bounds.oldest)
            if first is not None and (first.epoch, first.at) > (epoch, grid.begin_ms(n)):
                raise self._past(station, epoch, f"segment {n} is no longer there")
        return spot.seq if spot else bounds.next

    async def _sounds(self, station: Station, epoch: int, n: int, seq: int) -> tuple[list[Sound], int]:
        """The audio from `seq` on that is heard before segment n is over, and the record to go on with."""
        sounds: list[Sound] = []
        next_seq: int | None = None
        while True:
            name = names.broadcast(station.id)
            page = await self._store.read(name, FromSeq(seq), max_bytes=PAGE_BYTES, clamp=True)
            if page.gap:
                raise self._past(station, epoch, f"segment {n} went while it was read")
            for record in page.records:
                audio = known(record)
                if not isinstance(audio, Audio) or audio.at is None:
                    continue
                is_later = (audio.epoch or 0, audio.at) >= (epoch, grid.end_ms(n))
                if next_seq is None and (is_later or audio.until > grid.end_ms(n)):
                    next_seq = record.seq
                if is_later:
                    return sounds, next_seq or record.seq
                sounds.append(Sound(audio.at, record.timestamp, audio.body))
            if page.next_seq <= seq:
                return sounds, seq if next_seq is None else next_seq
            seq = page.next_seq

    def _past(self, station: Station, epoch: int, message: str) -> Past:
        standing = self._standing.get((station.id, epoch))
        hint = f"what is kept is at /stations/{station.id}/replay.mp3?at=…"
        return Past(message, oldest=standing.oldest if standing else 0, hint=hint)

    def _index(self, station: Station) -> Index:
        return Index(self._store, names.broadcast(station.id))
