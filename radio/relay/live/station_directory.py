"""The directory of stations, and one upstream tail per station for this whole process.

A station exists for a relay as soon as its card does. `StationDirectory.run` owns every task here.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final

from radio.clock import Clock
from radio.control import Mutes, MuteSpan, Pause
from radio.errors import NotFound
from radio.log import log_event
from radio.relay.live import now_playing
from radio.relay.live.station_feed import StationFeed
from radio.relay.redacted_store import RedactedStore
from radio.streams import names
from radio.streams.contract import (
    FromSeq,
    FromTail,
    ReadResult,
    Record,
    Start,
    StoreClosed,
    StoreError,
    StreamNotFound,
    StreamStore,
)
from radio.streams.reading import known, pages
from radio.streams.records import BROADCAST, CARD, Audio, Card, Epoch

log = logging.getLogger(__name__)

STEP_S: Final = 0.24
"""Listeners are served this often: ten frames. Their cushion makes it inaudible."""
LOOK_S: Final = 1.0
"""How often new stations are looked for."""
RETRY_S: Final = 1.0
BACKLOG_RECORDS: Final = 64
MAX_BACKLOG_RECORDS: Final = 4096


class UnknownStation(NotFound):
    """There is no such station."""


class StationDirectory:
    """The stations of this radio, kept up to date while `run` runs.

    Args:
        players_per_client: HLS players of one address that count as listeners.
    """

    def __init__(self, store: RedactedStore, clock: Clock, *, players_per_client: int) -> None:
        self._store, self._clock = store, clock
        self._players_per_client = players_per_client
        self._stations: dict[str, StationFeed] = {}
        self._mutes, self._pause = Mutes(), Pause()
        self._looking = asyncio.Lock()
        self._group: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Follow every station until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            group.create_task(self._move(), name="relay-mover")
            group.create_task(self._watch_time(), name="relay-state")
            group.create_task(self._follow_control(), name="relay-control")
            while True:
                await self._look_safely()
                await asyncio.sleep(LOOK_S)

    def all(self) -> list[StationFeed]:
        """By id."""
        return [self._stations[station] for station in sorted(self._stations)]

    @property
    def are_casts_paused(self) -> bool:
        """As far as `control` was read, which is before any station is there."""
        return self._pause.is_on

    async def find(self, station: str) -> StationFeed:
        """The station with this id, looked for in the store if it is new. Raises `UnknownStation`."""
        if station not in self._stations and names.STATION_ID.fullmatch(station):
            await self._look()
        if station not in self._stations:
            known = ", ".join(self._stations) or "none yet"
            raise UnknownStation(f"no station {station[:40]!r}", hint=f"stations: {known}")
        return self._stations[station]

    def mutes(self, station: str) -> Sequence[MuteSpan]:
        """When its editor had the station muted, as far as `control` still tells."""
        return self._mutes.spans.get(station, ())

    def finish(self) -> None:
        """Tell everyone who listens that it ends here."""
        for station in self._stations.values():
            station.fanout.finish()
            station.signal.notify()

    async def _move(self) -> None:
        while True:
            for station in self._stations.values():
                station.step(self._clock.monotonic())
            await asyncio.sleep(STEP_S)

    async def _watch_time(self) -> None:
        """Time alone changes what is on: tell those who wait for a station's state."""
        while True:
            for station in self._stations.values():
                described = now_playing.describe(station, self._clock.monotonic(), store="", server_time=0)
                if now_playing.news(described) != station.news:
                    station.news = now_playing.news(described)
                    station.signal.notify()
            await asyncio.sleep(LOOK_S)

    async def _look_safely(self) -> None:
        try:
            await self._look()
        except StoreClosed:
            raise
        except StoreError as error:
            log.warning("stations cannot be listed", extra=log_event("stations.not_listed", error=str(error)))

    async def _look(self) -> None:
        async with self._looking:
            await self._read_control()
            async for station in self._listed():
                if station not in self._stations:
                    await self._open(station)

    async def _read_control(self) -> None:
        """What was asked until now holds before a station is heard."""
        try:
            found, next_seq = await read_all(self._store, names.CONTROL, FromSeq(self._mutes.next_seq))
        except StreamNotFound:
            return
        self._heed(found, next_seq)

    async def _follow_control(self) -> None:
        async with aclosing(self._tail(names.CONTROL, None, self._mutes.next_seq)) as tail:
            async for page in tail:
                self._heed(page.records, page.next_seq)

    def _heed(self, found: Sequence[Record], next_seq: int) -> None:
        self._mutes.fold(found, next_seq)
        self._pause.fold(found)
        self._store.redactions.fold(found, next_seq)
        for station in self._stations.values():
            self._obey(station)

    def _obey(self, station: StationFeed) -> None:
        station.mute(station.id in self._mutes.stations)
        station.redact(self._store.redactions.of(station.id))

    async def _listed(self) -> AsyncIterator[str]:
        after = ""
        while True:
            page = await self._store.list(names.BROADCASTS, start_after=after)
            for item in page.items:
                station, _, leaf = item.name.removeprefix(names.BROADCASTS).partition("/")
                if leaf == "card" and names.STATION_ID.fullmatch(station):
                    yield station
            if not page.has_more:
                return
            after = page.items[-1].name

    async def _open(self, station: str) -> None:
        page = await self._store.read(names.card(station), FromTail(8))
        card = _newest_card(page.records, station)
        if card is None or self._group is None:
            return
        records, next_seq = await self._backlog(names.broadcast(station))
        opened = StationFeed(
            station, card, records, next_seq=next_seq,
            now_ms=self._clock.now_ms(), mono_s=self._clock.monotonic(),
            players_per_client=self._players_per_client,
        )  # fmt: skip
        self._obey(opened)
        opened.step(self._clock.monotonic())
        self._stations[station] = opened
        log.info("station found", extra=log_event("station.found", station=station))
        self._group.create_task(self._follow_card(opened, page.next_seq), name=f"relay-card-{station}")
        self._group.create_task(self._follow_broadcast(opened), name=f"relay-tail-{station}")

    async def _backlog(self, name: str) -> tuple[list[Record], int]:
        """The newest records, back to what is heard now, and the number to go on at."""
        count = BACKLOG_RECORDS
        while True:
            try:
                records, next_seq = await read_all(self._store, name, FromTail(count))
            except StreamNotFound:
                return [], 0
            whole = not records or next_seq - count <= 0 or records[0].seq > max(next_seq - count, 0)
            if whole or count >= MAX_BACKLOG_RECORDS or _reaches_back(records, name, self._clock.now_ms()):
                return records, next_seq
            count *= 4

    async def _follow_card(self, station: StationFeed, next_seq: int) -> None:
        async with aclosing(self._tail(names.card(station.id), station.id, next_seq)) as tail:
            async for page in tail:
                station.card = _newest_card(page.records, station.id) or station.card
                station.signal.notify()

    async def _follow_broadcast(self, station: StationFeed) -> None:
        pages = self._tail(names.broadcast(station.id), station.id, station.next_seq)
        async with aclosing(pages):
            async for page in pages:
                for record in page.records:
                    station.take(record, self._clock.now_ms(), self._clock.monotonic())
                station.next_seq = page.next_seq
                station.signal.notify()

    async def _tail(self, name: str, station: str | None, seq: int) -> AsyncGenerator[ReadResult, None]:
        """Every page with records from `seq` on, for ever, across all that may happen to the store."""
        while True:
            try:
                async with self._store.follow(name, FromSeq(seq), await_stream=True, clamp=True) as follow:
                    async for page in follow:
                        seq = page.next_seq
                        if page.records:
                            yield page
            except StoreClosed:
                raise
            except StoreError as error:
                said = log_event("tail.lost", station=station, stream=name, error=str(error))
                log.warning("station tail lost", extra=said)
                await asyncio.sleep(RETRY_S)


async def read_all(store: StreamStore, name: str, start: Start) -> tuple[list[Record], int]:
    """All records from `start` to the tail of now, and the number after them."""
    page = await store.read(name, start)
    records, next_seq = list(page.records), page.next_seq
    async for page in pages(store, name, FromSeq(next_seq), must_exist=True):
        records.extend(page.records)
        next_seq = page.next_seq
    return records, next_seq


def _newest_card(records: tuple[Record, ...], station: str) -> Card | None:
    decoded = (known(CARD, record, names.card(station)) for record in reversed(records))
    return next((card for card in decoded if isinstance(card, Card)), None)


def _reaches_back(records: list[Record], name: str, now_ms: int) -> bool:
    """Whether the oldest audio here began before now, by the clock of today."""
    steps, first = 0, None
    for record in reversed(records):
        event = known(BROADCAST, record, name)
        if isinstance(event, Epoch):
            steps += event.step
        if isinstance(event, Audio) and event.at is not None:
            first = event.at + steps
    return first is not None and first <= now_ms
