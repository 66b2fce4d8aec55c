"""Trims recordings that are older than a station's editor wants to keep. Its owner does it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from radio.errors import RadioError
from radio.log import log_event
from radio.narrator.context import Context
from radio.narrator.retention import trim_points
from radio.narrator.retention.policy import first_entry_to_stay, look_every_s, trim_point
from radio.narrator.station.editor_requests import FRESH_MS
from radio.narrator.station.lane import StationLane
from radio.streams import names, records
from radio.streams.contract import FromSeq, FromTimestamp, StreamNotFound, StreamStore
from radio.streams.reading import all_records, known
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

T = TypeVar("T")

TICK_S = 1.0
ENTRIES = 200
"""How many entries of a table of contents are read at a time."""


@dataclass(slots=True)
class _Watch:
    """A watched lane, and when (monotonic) it was last looked at."""

    lane: StationLane
    seen: float

    def is_due(self, now: float) -> bool:
        return now - self.seen >= look_every_s(self.lane.keep_ms)


class StationRecordings:
    """Looks at each station lane of this narrator, again and again."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._watched: dict[LaneId, _Watch] = {}

    async def run(self) -> None:
        while True:
            for watch in self._due():
                await self._trim_expired(watch)
            await asyncio.sleep(TICK_S)

    def _due(self) -> list[_Watch]:
        now = self._context.clock.monotonic()
        lanes = {lane.id: lane for lane in self._context.lanes if isinstance(lane, StationLane)}
        before = self._watched
        self._watched = {
            id_: before[id_] if id_ in before and before[id_].lane is lane else _Watch(lane, now)
            for id_, lane in lanes.items()
        }
        return [watch for watch in self._watched.values() if watch.is_due(now)]

    async def _trim_expired(self, watch: _Watch) -> None:
        watch.seen = self._context.clock.monotonic()
        lane, keep_ms = watch.lane, watch.lane.keep_ms
        stored = (
            None if keep_ms is None else await trim_points.stored_broadcast(self._context.store, lane.station)
        )
        if keep_ms is None or stored is None:
            return
        border = await trim_points.expired(stored, keep_ms=keep_ms, now=self._context.clock.now_ms())
        if border is not None:
            await trim_recordings(self._context, lane, stored, border)


async def trim_recordings(
    context: Context, lane: StationLane, stored: trim_points.StoredBroadcast, border: int
) -> int:
    """Trim a broadcast below record `border`, and its table of contents with it.

    Returns the bytes of sound that went.
    """
    asked = await _first_asked(context.store, lane.station, context.clock.now_ms())
    first = await _of_lane(
        context, lane, lambda: lane.writer.trim(trim_point(border, asked), lane.inputs.open_runs)
    )
    if first is None or first <= stored.bounds.oldest:
        return 0
    oldest = await stored.index.spot(first)
    size = (lane.on_air.pos if oldest is None else oldest.pos) - stored.oldest.pos
    said = log_event("station.trimmed", station=lane.station, first=first, bytes=size)
    log.info("recordings let go", extra=said)
    entry = await _first_entry(context.store, lane, first)
    if entry is not None:
        await _of_lane(context, lane, lambda: lane.writer.archive.trim(entry))
    return size


async def _first_asked(store: StreamStore, station: str, now: int) -> list[int]:
    """Where a successor looks for records that obey the editor's recent requests: at most one seq."""
    since = FromTimestamp(max(now - max(FRESH_MS.values()), 0))
    async for record in all_records(store, names.CONTROL, since):
        request = known(records.CONTROL, record, names.CONTROL)
        if (
            isinstance(request, records.ControlRequest)
            and request.target == station
            and request.what in FRESH_MS
        ):
            start = FromTimestamp(record.timestamp)
            page = await store.read(names.broadcast(station), start, max_records=1, include_commands=True)
            return [found.seq for found in page.records]
    return []


async def _of_lane(context: Context, lane: StationLane, step: Callable[[], Awaitable[T]]) -> T | None:
    """Run a step of a lane between two sentences. Returns None if it fails: then the lane is lost."""
    try:
        return await context.between.result_of(step)
    except RadioError as error:
        context.lanes.remove_lost(lane, error)
        return None


async def _first_entry(store: StreamStore, lane: StationLane, oldest: int) -> int | None:
    """The first record of the table of contents that stays; None: there is nothing to trim."""
    try:
        page = await store.read(names.shows(lane.station), FromSeq(0), max_records=ENTRIES)
        begun = await store.read(names.station_input(lane.station), FromSeq(0), max_records=1)
    except StreamNotFound:
        return None
    if not page.records:
        return None
    first_begun = begun.records[0].seq if begun.records else begun.next_seq
    name = names.shows(lane.station)
    decoded = [(record.seq, known(records.ARCHIVE, record, name)) for record in page.records]
    entries = [
        (seq, entry.run, entry.spans[-1][1] if isinstance(entry, records.ArchivedRun) else -1)
        for seq, entry in decoded
        if isinstance(entry, records.ArchivedRun | records.RunOver)
    ]
    stays = first_entry_to_stay(
        entries, oldest=oldest, begun=[run for run, seq in lane.inputs.begun.items() if seq >= first_begun]
    )
    first = page.records[-1].seq + 1 if stays is None else stays
    return first if first > page.records[0].seq else None
