"""The figures of a radio at one moment: what is heard of each station, then casts, narrators and the store.

Only gathered here; `metrics` spells them. Nothing is known of who listens but how many they are.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from radio.mp3.frames import FRAME_MS
from radio.relay.casts.admission import casts_are
from radio.relay.context import RelayContext
from radio.relay.live import now_playing
from radio.relay.live.station_feed import KEPT_FRAMES, StationFeed
from radio.settings import S2_SCHEME
from radio.streams import names, reading
from radio.streams.contract import StoreError, StreamNotFound, StreamStore
from radio.streams.ownership.observer import Peer

MOST_STATIONS: Final = 200
"""Stations that are told of, the first by id: a bound for who keeps the figures."""
MOST_NARRATORS: Final = 50
NARRATOR: Final = "narrator"
WAIT_S: Final = 5.0
"""Figures do not wait for a store that takes longer: those of stations are told without it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StationFigures:
    """A station as it is heard now.

    Attributes:
        speech_s: seconds since a spoken frame was heard; if none was, since this relay knows the station.
        silence: share of the last minute without a record on air, 0 to 1; 1 if nothing was heard yet.
        rung: of its fallbacks, the one it is on; None while it needs none.
        begun: fallback runs of the last days by rung.
    """

    station: str
    state: str
    is_muted: bool
    lead_s: float
    speech_s: float
    silence: float
    late_frames: int
    listeners: int
    dropped: int
    rung: str | None
    begun: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFigures:
    """What only the store knows. `waiting`: casts that are not begun; `failed`: since the store was new."""

    waiting: int
    failed: int
    narrators: tuple[Peer, ...]

    @property
    def admitted(self) -> int:
        """Casts that are being spoken."""
        return sum(lane.kind == "cast" for peer in self.narrators for lane in peer.leads)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All of it. `store` is None if the store did not answer in time; `answered_s`: how long it took."""

    stations: tuple[StationFigures, ...]
    store_kind: str
    store: StoreFigures | None
    answered_s: float
    casts: str
    disk: Mapping[str, Any] | None
    connections: int
    unknown_records: int
    streams: Mapping[str, int]
    requests: Mapping[tuple[str, str], int]


async def gather(relay: RelayContext) -> Figures:
    """As they are now."""
    known = relay.stations.all()
    begun = relay.clock.monotonic()
    store = await _of_store(relay, known)
    answered_s = relay.clock.monotonic() - begun
    mono = relay.clock.monotonic()
    return Figures(
        stations=tuple(of_station(station, mono) for station in known[:MOST_STATIONS]),
        store_kind="s2" if relay.settings.store.startswith(S2_SCHEME) else relay.settings.store,
        store=store,
        answered_s=answered_s,
        casts=casts_are(relay),
        disk=await relay.disk.describe(),
        connections=relay.connections,
        unknown_records=sum(reading.passed_over().values()),
        streams={"sound": relay.listening.total(), "events": relay.following.total()},
        requests=relay.answered,
    )


def of_station(station: StationFeed, mono_s: float) -> StationFigures:
    """One station at a monotonic time."""
    line = station.pump.line(mono_s)
    silent_ms = now_playing.silent_ms(station, line)
    ladder = station.card.ladder or {}
    return StationFigures(
        station=station.id,
        state=now_playing.describe(station, mono_s, store="", server_time=0)["state"],
        is_muted=station.is_muted,
        lead_s=now_playing.lead_ms(station, line) / 1000,
        speech_s=max(mono_s - station.known_s, 0.0) if silent_ms is None else silent_ms / 1000,
        silence=silence(station, line),
        late_frames=station.late_frames,
        listeners=station.fanout.counted(mono_s),
        dropped=station.fanout.dropped,
        rung=ladder.get("rung"),
        begun=ladder.get("begun") or {},
    )


def silence(station: StationFeed, line: int) -> float:
    """Share of the last minute, up to frame `line`, in which no record was on air.

    A relay that began later than a minute ago counts from the first record that it knows of. A station that
    was not heard is silent.
    """
    heard = [(entry.start, min(entry.end, line)) for entry in station.spoken() if entry.start < line]
    if not heard:
        return 1.0
    first = max(line - KEPT_FRAMES, min(start for start, _ in heard))
    spoken, at = 0, first
    for start, end in sorted(heard):
        spoken += max(end - max(start, at), 0)
        at = max(at, end)
    return 1 - spoken / (line - first)


async def _of_store(relay: RelayContext, stations: list[StationFeed]) -> StoreFigures | None:
    live = sum(station.card.fallback != "off" for station in stations)
    try:
        async with asyncio.timeout(WAIT_S):
            living = await relay.observer.peers()
            return StoreFigures(
                waiting=await relay.queue.waiting(stations=live),
                failed=await _count(relay.store, names.JOBS_DEAD),
                narrators=tuple(peer for peer in living if peer.role == NARRATOR)[:MOST_NARRATORS],
            )
    except (StoreError, TimeoutError):
        return None


async def _count(store: StreamStore, name: str) -> int:
    try:
        return (await store.check_tail(name)).seq
    except StreamNotFound:
        return 0


def seconds(frames: int) -> float:
    """How long so many frames are heard."""
    return frames * FRAME_MS / 1000
