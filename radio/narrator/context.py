"""What the parts of a narrator share: its lanes, its speed, and the bell that wakes the scheduler."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from radio import control
from radio.clock import Clock
from radio.errors import RadioError
from radio.log import log_event
from radio.narrator.lane_scheduler import LaneStatus, Speed
from radio.narrator.lanes import Lane, Load
from radio.narrator.sharing import Capacity, Strain
from radio.narrator.station.clock_steps import MissedSteps
from radio.settings import Settings
from radio.streams.contract import Record, StreamStore
from radio.streams.ownership.observer import Peer
from radio.streams.ownership.stream_owner import Member, Vitals

log = logging.getLogger(__name__)

Errand = Callable[[], Awaitable[None]]

NARRATOR = "narrator"
"""This process's role as a member."""
CAST = "cast "
"""Begins the names of cast lanes."""
MOST_HURRIED = 1000
"""Casts remembered that someone waits for."""
FIRST_XRT = 1.0
"""Taken as the speed until it was measured."""
BACK_OFF_S = 0.5
BACK_OFF_MOST_S = 30.0


@dataclass(slots=True)
class Context:
    """Only the event loop's thread touches it.

    Attributes:
        changed: something happened that the scheduler should look at.
        errands: what is to be done between two sentences.
        lanes: by name.
        peers: the other narrators that live, as they were seen last.
        stations: all that are known, ours or not.
        taking: the stations that are being taken.
        missed: steps of the clock that came while a station was not ours.
        let_go: bytes of sound that were trimmed for want of disk space.
        pause: while it is on, no cast is begun or gone on with.
        hurried: casts that someone waits for as files, whether they have a lane yet or not.
        engine: what speaks, as its heartbeats tell it.
        at_once: sentences that it speaks together.
    """

    settings: Settings
    store: StreamStore
    clock: Clock
    stop: asyncio.Event
    member: Member
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    errands: deque[Errand] = field(default_factory=deque)
    lanes: dict[str, Lane] = field(default_factory=dict)
    speed: Speed = field(default_factory=Speed)
    strain: Strain = field(default_factory=Strain)
    peers: Sequence[Peer] = ()
    stations: set[str] = field(default_factory=set)
    taking: set[str] = field(default_factory=set)
    missed: MissedSteps = field(default_factory=MissedSteps)
    let_go: int = 0
    pause: control.Pause = field(default_factory=control.Pause)
    hurried: dict[str, None] = field(default_factory=dict)
    engine: str | None = None
    at_once: int = 1

    @property
    def load(self) -> Load:
        return Load(self._live, self.xrt, self.member.ttl_s if self.peers else None, self.at_once)

    @property
    def _live(self) -> int:
        return sum(lane.is_live for lane in self.lanes.values())

    @property
    def owned(self) -> list[Lane]:
        """The lanes that are ours on the store."""
        return [lane for lane in self.lanes.values() if lane.owner]

    def capacity(self, *, but: str = "") -> Capacity:
        """What this narrator can make and carries, and takes just now except the station `but`."""
        casts = sum(lane.name.startswith(CAST) for lane in self.owned)
        return Capacity(self.xrt, self._live + len(self.taking - {but}), casts)

    @property
    def others(self) -> list[Capacity]:
        """What the other narrators can make and carry, as far as they have told."""
        return [
            Capacity(peer.xrt, peer.live, sum(name.startswith(CAST) for name in peer.leads))
            for peer in self.peers
            if peer.xrt is not None
        ]

    async def look_around(self) -> None:
        """See the other narrators."""
        self.peers = [peer for peer in await self.member.peers() if peer.role == NARRATOR]

    @property
    def xrt(self) -> float:
        return self.speed.xrt or FIRST_XRT

    @property
    def casts(self) -> list[str]:
        """Names of the cast lanes."""
        return [name for name in self.lanes if name.startswith(CAST)]

    @property
    def is_strained(self) -> bool:
        """A station is below its guard, and another narrator could take casts meanwhile."""
        return bool(self.strain.since) and any(other.has_room_for_cast for other in self.others)

    def vitals(self) -> Vitals:
        """For the heartbeat."""
        load = self.load
        leads = {lane.name: round(lane.standing(load).lead, 1) for lane in self.owned}
        xrt = self.speed.xrt and round(self.speed.xrt, 2)
        return Vitals(
            xrt=xrt, live=load.stations, leads=leads, let_go=self.let_go or None, engine=self.engine
        )

    def standings(self) -> list[LaneStatus]:
        """Of all that may be served."""
        load = self.load
        return [
            lane.standing(load)
            for lane in self.lanes.values()
            if not (self.pause.is_on and lane.name.startswith(CAST))
        ]

    def add(self, lane: Lane) -> None:
        self.lanes[lane.name] = lane
        self.changed.set()

    def hurry(self, cast: str) -> None:
        """Someone waits for this cast as a file. It may be asked before the job is seen."""
        self.hurried[cast] = None
        while len(self.hurried) > MOST_HURRIED:
            del self.hurried[next(iter(self.hurried))]

    def heed_pause(self, found: Iterable[Record]) -> None:
        """Records of `control`, in order: leave casts as they are, or go on with them."""
        was_on = self.pause.is_on
        self.pause.fold(found)
        if self.pause.is_on != was_on:
            self.changed.set()
            log.info("casts paused or resumed", extra=log_event("casts.pause", is_on=self.pause.is_on))

    def drop(self, lane: Lane) -> None:
        """Serve it no more. A later lane of the same name stays."""
        if self.lanes.get(lane.name) is lane:
            del self.lanes[lane.name]
        self.changed.set()

    def lose(self, lane: Lane, error: RadioError) -> None:
        """The lane is no longer ours; who minds it sees the error."""
        self.drop(lane)
        lane.lose(error)

    async def wait(self, seconds: float) -> None:
        """Until something changes, so many seconds at most."""
        try:
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            return


@dataclass(slots=True)
class BackOff:
    """Growing pauses of something that fails again and again."""

    pause_s: float = BACK_OFF_S

    def next(self) -> float:
        pause, self.pause_s = self.pause_s, min(2 * self.pause_s, BACK_OFF_MOST_S)
        return pause

    def reset(self) -> None:
        self.pause_s = BACK_OFF_S
