"""What every handler needs, built once by `app` and found in the application under one key."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from aiohttp import web

from radio.clock import Clock
from radio.relay.archive.table_of_contents import TableOfContents
from radio.relay.casts.cast_cache import CastCache
from radio.relay.casts.queue_position import Queue
from radio.relay.hls.segment_cutter import SegmentCutter
from radio.relay.http.hosts import Hosts
from radio.relay.http.problems import TooMany
from radio.relay.http.rate_limits import Bucket, ClientBuckets, client_address
from radio.relay.http.shared_answers import SharedAnswers
from radio.relay.http.signals import wait
from radio.relay.live.station_directory import StationDirectory
from radio.relay.ops.disk_status import DiskStatus
from radio.relay.redacted_store import RedactedStore
from radio.relay.rights import Rights
from radio.relay.shared_tails import SharedTails
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.ownership.members import ttl_of
from radio.streams.ownership.observer import Observer

RETRY_AFTER_S: Final = "30"
"""What is told to who comes when there is no room."""
HLS_BURST_S: Final = 10
"""Seconds' worth of HLS that a client may have at once: who opens a player or moves in it fetches much."""
TEXTS_PER_CLIENT: Final = 10
"""That a client may be sending at once: each stands in memory until it is there."""
NAP_S: Final = 0.25
"""A handler that waits for time to pass looks at the clock this often."""


@dataclass(slots=True, kw_only=True)
class RelayContext:
    """One relay. `store_id` is that of the store at the start; ids of events carry it.

    `store` shows nothing of what is redacted.
    """

    settings: Settings
    store: RedactedStore
    clock: Clock
    store_id: str
    pages: Path
    stations: StationDirectory
    tails: SharedTails
    contents: TableOfContents
    segments: SegmentCutter
    cast_cache: CastCache
    queue: Queue
    casts_by_client: ClientBuckets
    casts_of_all: Bucket
    gateway: ClientBuckets
    hls: ClientBuckets
    answers: SharedAnswers
    disk: DiskStatus
    observer: Observer
    hosts: Hosts
    rights: Rights = field(default_factory=Rights)
    listening: Counter[str] = field(default_factory=Counter)
    """Open connections that carry sound, by client."""
    following: Counter[str] = field(default_factory=Counter)
    """Open connections that wait for events or records, by client."""
    sending: Counter[str] = field(default_factory=Counter)
    """Bodies that are being read, by client."""
    answered: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Requests by route and class of status."""
    server: web.Server | None = None
    """Once it serves."""
    by_wyoming: int = 0
    """Open connections to the Wyoming port."""
    closing: asyncio.Event = field(default_factory=asyncio.Event)

    def client(self, request: web.Request) -> str:
        """The address that limits are counted by."""
        forwarded = ",".join(request.headers.getall("X-Forwarded-For", []))
        return client_address(request.remote or "unknown", forwarded, self.settings.trusted_hops)

    def hearing(self, request: web.Request) -> AbstractContextManager[None]:
        """While a client gets sound, live or not. Raises `TooMany` if it gets as much at once as it may."""
        return self.heard_by(self.client(request))

    def followed(self, request: web.Request) -> AbstractContextManager[None]:
        """While a client waits for events or records. Raises `TooMany` if it waits as often as it may."""
        return self.followed_by(self.client(request))

    def heard_by(self, client: str) -> AbstractContextManager[None]:
        """As `hearing`, by its address."""
        hint = "close a player; behind a proxy, set the number of trusted hops"
        full = TooMany("this address listens as often as it may", retry_after=RETRY_AFTER_S, hint=hint)
        return _counted(self.listening, client, self.settings.limits.listeners_per_client, full)

    def followed_by(self, client: str) -> AbstractContextManager[None]:
        """As `followed`, by its address."""
        hint = "close a page; behind a proxy, set the number of trusted hops"
        full = TooMany("this address follows as much as it may", retry_after=RETRY_AFTER_S, hint=hint)
        return _counted(self.following, client, self.settings.limits.events_per_client, full)

    def sent(self, request: web.Request) -> AbstractContextManager[None]:
        """While a client sends a text. Raises `TooMany` if it sends as many at once as it may."""
        full = TooMany("this address sends as much as it may", retry_after=RETRY_AFTER_S, hint="one by one")
        return _counted(self.sending, self.client(request), TEXTS_PER_CLIENT, full)

    @property
    def connections(self) -> int:
        """Open ones, whatever they ask."""
        return self.by_wyoming + (0 if self.server is None else len(self.server.connections))

    async def nap(self, seconds: float) -> bool:
        """Wait a little, at most `seconds`. Returns whether the relay is closing."""
        return await wait(self.closing, max(min(seconds, NAP_S), 0))

    def finish(self) -> None:
        """Tell every stream to end."""
        self.closing.set()
        self.stations.finish()
        self.tails.finish()


@contextmanager
def _counted(counts: Counter[str], client: str, most: int, full: TooMany) -> Iterator[None]:
    if counts[client] >= most:
        raise full
    counts[client] += 1
    try:
        yield
    finally:
        counts[client] -= 1
        if counts[client] <= 0:
            del counts[client]


RELAY: Final = web.AppKey("relay", RelayContext)


def make_relay(
    settings: Settings, store: StreamStore, clock: Clock, *, store_id: str, pages: Path
) -> RelayContext:
    """A relay that has not started yet: its directory and tails must be run by the caller.

    Raises:
        BadInput: a token or a host that the settings name is none.
    """
    redacted_store = RedactedStore(store)
    limits, cast_cache = settings.limits, CastCache(redacted_store)
    now = clock.monotonic()
    observer = Observer(redacted_store, clock, data=settings.data, ttl_s=ttl_of(settings.store))
    stations = StationDirectory(redacted_store, clock, players_per_client=limits.listeners_per_client)
    return RelayContext(
        settings=settings,
        store=redacted_store,
        clock=clock,
        store_id=store_id,
        pages=pages,
        stations=stations,
        tails=SharedTails(redacted_store),
        contents=TableOfContents(redacted_store),
        segments=SegmentCutter(
            redacted_store, clock, stations, window_ms=round(settings.hls_window_s * 1000)
        ),
        cast_cache=cast_cache,
        queue=Queue(redacted_store, clock, cast_cache, observer),
        casts_by_client=ClientBuckets(limits.casts_per_client_hour, limits.casts_per_client_hour / 3600),
        casts_of_all=Bucket(limits.casts_per_hour, limits.casts_per_hour / 3600, limits.casts_per_hour, now),
        disk=DiskStatus(settings, observer),
        observer=observer,
        hosts=Hosts.of(settings),
        rights=Rights.of(settings),
        gateway=ClientBuckets(limits.gateway_bytes_per_s, limits.gateway_bytes_per_s),
        answers=SharedAnswers(clock),
        hls=ClientBuckets(limits.hls_bytes_per_s * HLS_BURST_S, limits.hls_bytes_per_s),
    )
