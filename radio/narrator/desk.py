"""What the parts of a narrator share: its lanes, its speed, and the bell that wakes the scheduler."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from radio.clock import Clock
from radio.errors import RadioError
from radio.narrator.lanes import Lane, Load
from radio.narrator.lead import Speed
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.ownership import Member, Vitals

Errand = Callable[[], Awaitable[None]]

FIRST_XRT = 1.0
"""Taken as the speed until it was measured."""
BACK_OFF_S = 0.5
BACK_OFF_MOST_S = 30.0


@dataclass(slots=True)
class Desk:
    """Only the event loop's thread touches it.

    Attributes:
        changed: something happened that the scheduler should look at.
        errands: what is to be done between two sentences.
        lanes: by name.
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

    @property
    def load(self) -> Load:
        return Load(sum(lane.is_live for lane in self.lanes.values()), self.xrt)

    @property
    def xrt(self) -> float:
        return self.speed.xrt or FIRST_XRT

    @property
    def casts(self) -> list[str]:
        """Names of the cast lanes."""
        return [name for name in self.lanes if name.startswith("cast ")]

    def vitals(self) -> Vitals:
        """For the heartbeat."""
        load = self.load
        leads = {name: round(lane.standing(load).lead, 1) for name, lane in self.lanes.items()}
        return Vitals(xrt=self.speed.xrt and round(self.speed.xrt, 2), leads=leads)

    def add(self, lane: Lane) -> None:
        self.lanes[lane.name] = lane
        self.changed.set()

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
