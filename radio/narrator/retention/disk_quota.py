"""The floor of free disk space: below it the oldest recordings of all stations go first.

Each owner trims its own stations. Which recordings are the oldest they all see in the streams, so they need
no word between them.
"""

import asyncio
import logging
from dataclasses import dataclass

from radio.log import log_event
from radio.narrator.context import Context
from radio.narrator.retention import trim_points
from radio.narrator.retention.policy import HEARD_MS
from radio.narrator.retention.station_recordings import trim
from radio.narrator.retention.trim_points import StoredBroadcast
from radio.narrator.station.lane import StationLane
from radio.streams import disk, station_list
from radio.streams.contract import StreamStore
from radio.streams.index import Spot
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

LOOK_S = 5.0
SETTLE_S = {"sqlite": 60.0}
"""Between two trims of one episode, by store: the space comes back a while after."""
SETTLE_SLOW_S = 900.0
"""With other stores: S2 Lite gives space back when it tidies its files."""
LEAST_STRETCH = 1 << 20
"""Bytes of sound of one station that are weighed against the others' at a time."""
STRETCHES = 32


class DiskQuota:
    """Watches the disk."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._level = disk.Level(context.settings.disk_floor)
        self._settle_s = SETTLE_S.get(context.settings.store, SETTLE_SLOW_S)
        self._rest_until = float("-inf")
        self._is_blind = False

    async def run(self) -> None:
        folder = disk.watched(self._context.settings)
        if folder is None:
            log.info("disk space is not watched", extra=log_event("disk.unwatched"))
            return
        while True:
            try:
                free = await asyncio.to_thread(disk.free_bytes, folder)
            except OSError as e:
                self._miss(e)
            else:
                self._is_blind = False
                await self._look(free)
            await asyncio.sleep(LOOK_S)

    def _miss(self, error: OSError) -> None:
        if not self._is_blind:
            log.warning("disk space is not known: %s", error, extra=log_event("disk.unknown"))
        self._is_blind = True

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
        went = 0
        for place in await oldest_first(store, await station_list.stations(store), size, now):
            lane = self._context.lanes.get(LaneId.station(place.station))
            border = await place.border() if isinstance(lane, StationLane) else None
            if border is not None and isinstance(lane, StationLane):
                went += await trim(self._context, lane, place.stands, border)
        self._context.totals.trimmed_bytes += went
        log.warning("recordings let go for space", extra=log_event("disk.recordings_trimmed", bytes=went))


@dataclass(slots=True)
class TrimCandidate:
    """How far a station's recordings go: up to, and without, the sound at `head`."""

    station: str
    stands: StoredBroadcast
    head: Spot
    end_pos: int
    """What begins here or later stays whatever happens."""

    @property
    def is_at_end(self) -> bool:
        return self.head.pos >= self.end_pos

    async def advance(self, size: int) -> int:
        """Some bytes further; how many."""
        at = self.head.pos
        step = await self.stands.at(min(max(at + size, self.head.end_pos), self.end_pos))
        if step is None or step.pos <= at:
            self.end_pos = at
            return 0
        self.head = step
        return step.pos - at

    async def border(self) -> int | None:
        return await self.stands.border(self.head.pos)


async def oldest_first(store: StreamStore, stations: list[str], size: int, now: int) -> list[TrimCandidate]:
    """How far each station's recordings go so that about `size` bytes do, the oldest by air time first.

    Nothing that was heard within `HEARD_MS`, or is still to be heard, is among them.
    """
    places = [p for p in [await _place(store, station, now) for station in stations] if p is not None]
    stretch, left = max(size // STRETCHES, LEAST_STRETCH), size
    while left > 0 and (open_places := [place for place in places if not place.is_at_end]):
        oldest = min(open_places, key=lambda place: place.head.at)
        left -= await oldest.advance(min(stretch, left))
    return places


async def _place(store: StreamStore, station: str, now: int) -> TrimCandidate | None:
    stands = await trim_points.status(store, station)
    if stands is None:
        return None
    stays = await stands.first_after(now - HEARD_MS) or stands.newest
    return TrimCandidate(station, stands, stands.oldest, stays.pos)
