"""When free disk space falls below its limit, the oldest recordings of all stations are trimmed.

Each narrator trims the stations that it owns. All of them see in the streams which recordings are the oldest,
so they need not talk to each other.
"""

import asyncio
import logging
from dataclasses import dataclass

from radio.log import log_event
from radio.narrator.context import Context
from radio.narrator.retention import trim_points
from radio.narrator.retention.policy import HEARD_MS
from radio.narrator.retention.station_recordings import trim_recordings
from radio.narrator.retention.trim_points import StoredBroadcast
from radio.narrator.station.lane import StationLane
from radio.streams import disk, station_list
from radio.streams.contract import StreamStore
from radio.streams.index import Spot
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

LOOK_S = 5.0
SETTLE_S = {"sqlite": 60.0}
"""Seconds between two trims while space is low, by store: it takes a while until the space is free."""
SETTLE_SLOW_S = 900.0
"""The same for other stores: S2 Lite frees space when it compacts its files."""
LEAST_STRETCH = 1 << 20
"""The least bytes of audio of one station that are chosen in one step."""
STRETCHES = 32


class DiskQuota:
    """Watches free disk space, and trims recordings when it is low."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._level = disk.Level(context.settings.disk_floor)
        self._settle_s = SETTLE_S.get(context.settings.store, SETTLE_SLOW_S)
        self._rest_until = float("-inf")
        self._is_unknown = False

    async def run(self) -> None:
        folder = disk.watched(self._context.settings)
        if folder is None:
            log.info("disk space is not watched", extra=log_event("disk.unwatched"))
            return
        while True:
            try:
                free = await asyncio.to_thread(disk.free_bytes, folder)
            except OSError as e:
                self._note_unknown(e)
            else:
                self._is_unknown = False
                await self._look(free)
            await asyncio.sleep(LOOK_S)

    def _note_unknown(self, error: OSError) -> None:
        if not self._is_unknown:
            log.warning("disk space is not known: %s", error, extra=log_event("disk.unknown"))
        self._is_unknown = True

    async def _look(self, free: int) -> None:
        was_low, is_low = self._level.is_low, self._level.see(free)
        said = {"free": free, "floor": self._level.floor}
        if is_low and not was_low:
            log.warning(
                "little disk space: the oldest recordings go first", extra=log_event("disk.low", **said)
            )
        elif was_low and not is_low:
            log.info("enough disk space again", extra=log_event("disk.enough", **said))
        now = self._context.clock.monotonic()
        if is_low and now >= self._rest_until:
            self._rest_until = now + self._settle_s
            await self._make_room(self._level.enough - free)

    async def _make_room(self, size: int) -> None:
        store, now = self._context.store, self._context.clock.now_ms()
        trimmed = 0
        for candidate in await oldest_first(store, await station_list.stations(store), size, now):
            lane = self._context.lanes.get(LaneId.station(candidate.station))
            border = await candidate.border() if isinstance(lane, StationLane) else None
            if border is not None and isinstance(lane, StationLane):
                trimmed += await trim_recordings(self._context, lane, candidate.stored, border)
        self._context.totals.trimmed_bytes += trimmed
        log.warning("recordings let go for space", extra=log_event("disk.recordings_trimmed", bytes=trimmed))


@dataclass(slots=True)
class TrimCandidate:
    """What may be trimmed of a station: all audio before `head`."""

    station: str
    stored: StoredBroadcast
    head: Spot
    end_pos: int
    """Audio that begins at this byte or later is never trimmed."""

    @property
    def is_at_end(self) -> bool:
        return self.head.pos >= self.end_pos

    async def advance(self, size: int) -> int:
        """Move `head` about `size` bytes on. Returns by how many it moved."""
        at = self.head.pos
        step = await self.stored.at(min(max(at + size, self.head.end_pos), self.end_pos))
        if step is None or step.pos <= at:
            self.end_pos = at
            return 0
        self.head = step
        return step.pos - at

    async def border(self) -> int | None:
        return await self.stored.border(self.head.pos)


async def oldest_first(store: StreamStore, stations: list[str], size: int, now: int) -> list[TrimCandidate]:
    """What to trim of each station to free about `size` bytes, the oldest audio by air time first.

    Audio that was heard within the last `HEARD_MS`, or is still to be heard, is never chosen.
    """
    found = [await _candidate(store, station, now) for station in stations]
    candidates = [candidate for candidate in found if candidate is not None]
    stretch, left = max(size // STRETCHES, LEAST_STRETCH), size
    while left > 0 and (left_to_trim := [one for one in candidates if not one.is_at_end]):
        oldest = min(left_to_trim, key=lambda one: one.head.at)
        left -= await oldest.advance(min(stretch, left))
    return candidates


async def _candidate(store: StreamStore, station: str, now: int) -> TrimCandidate | None:
    stored = await trim_points.stored_broadcast(store, station)
    if stored is None:
        return None
    stays = await stored.first_after(now - HEARD_MS) or stored.newest
    return TrimCandidate(station, stored, stored.oldest, stays.pos)
