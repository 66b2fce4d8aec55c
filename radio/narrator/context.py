"""What all parts of a narrator share: settings, store, clock, lanes, peers."""

import asyncio
from dataclasses import dataclass, field

from radio.clock import Clock
from radio.narrator.between_sentences import BetweenSentences
from radio.narrator.cast.pause import CastPause
from radio.narrator.lane_registry import LaneRegistry
from radio.narrator.lane_scheduler import LaneStatus, Speed
from radio.narrator.lanes import Load
from radio.narrator.peers import Peers
from radio.narrator.sharing import Capacity, Strain
from radio.narrator.station.clock_steps import MissedSteps
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.ownership.members import Member, Vitals

FIRST_XRT = 1.0
"""The speed that is assumed until one is measured."""


@dataclass(slots=True)
class StationClaims:
    """The stations of the store, and those that this narrator is taking.

    Attributes:
        known: ids of all stations, ours or not.
        taking: ids, from before the pause that lets a less loaded narrator be faster.
        missed_steps: steps of the wall clock that were seen while a station was not ours.
    """

    known: set[str] = field(default_factory=set)
    taking: set[str] = field(default_factory=set)
    missed_steps: MissedSteps = field(default_factory=MissedSteps)


@dataclass(slots=True)
class Totals:
    """`trimmed_bytes`: bytes of sound trimmed because disk space was low."""

    trimmed_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """One narrator. Only the event loop's thread uses it.

    Attributes:
        changed: set when the lane scheduler should choose again.
        engine: name of the voice engine, for the heartbeat.
        at_once: how many sentences the engine speaks together.
    """

    settings: Settings
    store: StreamStore
    clock: Clock
    stop: asyncio.Event
    member: Member
    engine: str | None
    at_once: int
    changed: asyncio.Event
    lanes: LaneRegistry
    peers: Peers
    pause: CastPause
    between: BetweenSentences
    claims: StationClaims = field(default_factory=StationClaims)
    speed: Speed = field(default_factory=Speed)
    strain: Strain = field(default_factory=Strain)
    totals: Totals = field(default_factory=Totals)

    @property
    def xrt(self) -> float:
        return self.speed.xrt or FIRST_XRT

    @property
    def load(self) -> Load:
        ttl_s = self.member.ttl_s if self.peers.seen else None
        return Load(self.lanes.live, self.xrt, ttl_s, self.at_once)

    def capacity(self, *, but: str = "") -> Capacity:
        """What this narrator can make and carries, with the stations that it is taking except `but`."""
        casts = sum(lane.id.kind == "cast" for lane in self.lanes.owned)
        return Capacity(self.xrt, self.lanes.live + len(self.claims.taking - {but}), casts)

    @property
    def is_strained(self) -> bool:
        """A station is below its guard, and another narrator could take casts meanwhile."""
        return bool(self.strain.since) and any(other.has_room_for_cast for other in self.peers.capacities)

    def statuses(self) -> list[LaneStatus]:
        """The status of each lane that may be served: without casts while they are paused."""
        load = self.load
        return [lane.status(load) for lane in self.lanes if not (self.pause.is_on and lane.id.kind == "cast")]

    async def wait(self, seconds: float) -> None:
        """Wait until something changes, at most this many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            return

    def vitals(self) -> Vitals:
        """What the heartbeat tells."""
        load = self.load
        return Vitals(
            xrt=self.speed.xrt and round(self.speed.xrt, 2),
            live=load.stations,
            leads={lane.id: round(lane.status(load).lead, 1) for lane in self.lanes.owned},
            let_go=self.totals.trimmed_bytes or None,
            engine=self.engine,
        )


def new_context(
    settings: Settings,
    store: StreamStore,
    clock: Clock,
    stop: asyncio.Event,
    member: Member,
    *,
    engine: str | None = None,
    at_once: int = 1,
) -> Context:
    """The context of a narrator that serves no lane yet."""
    changed = asyncio.Event()
    return Context(
        settings=settings,
        store=store,
        clock=clock,
        stop=stop,
        member=member,
        engine=engine,
        at_once=at_once,
        changed=changed,
        lanes=LaneRegistry(changed),
        peers=Peers(member),
        pause=CastPause(changed),
        between=BetweenSentences(changed),
    )
