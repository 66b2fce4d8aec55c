"""Where a cast stands in the queue, and about how long it will wait: read from `jobs` and the heartbeats.

Casts are spoken at the pace at which they are heard, a few at a time; so the wait is the sound of those
before it, shared among as many as the measured speed can carry beside the stations.
"""

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from radio.casts import CastGone, CastState
from radio.clock import Clock
from radio.errors import NotFound
from radio.relay.casts.cast_cache import CastCache
from radio.runs import SPEECH_BYTES_PER_S
from radio.streams import names
from radio.streams.contract import FromSeq, StoreChanged, StreamStore
from radio.streams.job_cursor import Cursor
from radio.streams.ownership.observer import Observer
from radio.streams.reading import all_events
from radio.streams.records import JOBS, Job

log = logging.getLogger(__name__)

FRESH_S: Final = 1.0
"""How long a look at the queue is good for."""


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """`position` 1 is next; `estimate_s` until it is begun, None where nobody can tell."""

    position: int
    estimate_s: float | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A cast that is not over: how much sound it still needs, and whether it was begun."""

    cast: str
    left_s: float
    is_begun: bool


def place(waiting: list[Waiting], cast: str, capacity: int) -> QueuePlace | None:
    """The place of a cast that is not begun among all that wait, in the order of their jobs.

    Args:
        capacity: casts that keep their pace beside the stations. Below 1 the stations, which go first, take
            all of the voice at times, or its speed is not known: then the wait has no estimate.
    """
    before: list[Waiting] = []
    for one in waiting:
        if one.cast == cast:
            if one.is_begun:
                return None
            position = 1 + sum(not other.is_begun for other in before)
            ahead_s = sum(other.left_s for other in before)
            return QueuePlace(position, round(ahead_s / capacity, 1) if capacity >= 1 else None)
        before.append(one)
    return None


class Queue:
    """The casts that wait, looked at no more often than once a second."""

    def __init__(self, store: StreamStore, clock: Clock, casts: CastCache, observer: Observer) -> None:
        self._store, self._clock, self._casts, self._observer = store, clock, casts, observer
        self._looked_at = float("-inf")
        self._waiting: list[Waiting] = []
        self._capacity = 0
        self._looking = asyncio.Lock()

    async def place(self, cast: str, *, stations: int) -> QueuePlace | None:
        """The place of a cast, beside so many live stations; None if it does not wait."""
        asked_at = self._clock.monotonic()
        async with self._looking:
            if self._looked_at < asked_at and not self._is_known(cast, asked_at):
                await self._look_anew(stations)
        return place(self._waiting, cast, self._capacity)

    async def waiting(self, *, stations: int) -> int:
        """How many casts wait to be begun, as of at most a second ago; beside so many live stations."""
        async with self._looking:
            if self._clock.monotonic() - self._looked_at >= FRESH_S:
                await self._look_anew(stations)
        return sum(not one.is_begun for one in self._waiting)

    async def _look_anew(self, stations: int) -> None:
        self._looked_at = self._clock.monotonic()
        self._waiting = await self._look()
        self._capacity = int(await self._spare(stations))

    def _is_known(self, cast: str, now: float) -> bool:
        return now - self._looked_at < FRESH_S and any(one.cast == cast for one in self._waiting)

    async def _look(self) -> list[Waiting]:
        waiting: dict[str, Waiting] = {}
        start = FromSeq(await self._first_open())
        async for seq, job in all_events(self._store, JOBS, names.JOBS, start):
            if isinstance(job, Job) and job.cast not in waiting:
                one = await self._judge(job.cast, seq)
                waiting |= {job.cast: one} if one is not None else {}
        return list(waiting.values())

    async def _first_open(self) -> int:
        try:
            return await Cursor(self._store).read()
        except StoreChanged:
            return 0

    async def _judge(self, cast: str, job: int) -> Waiting | None:
        try:
            state = await self._casts.find(cast)
        except (NotFound, CastGone):
            return None
        if state.is_over or state.job >= job:
            return None
        return Waiting(cast, left_s(state), state.status == "live")

    async def _spare(self, stations: int) -> float:
        """Seconds of speech that all living narrators make in a second, as they measured it, for casts.

        Args:
            stations: those on air, where no narrator tells with how many it must keep up.
        """
        speed, live = 0.0, list[int]()
        for peer in await self._observer.peers():
            if peer.xrt:
                speed += peer.xrt
                live += [] if peer.live is None else [peer.live]
        return speed - (sum(live) if live else stations)


def left_s(state: CastState) -> float:
    """Seconds of sound that a cast still needs, by the length of its text."""
    characters = state.meta.characters if state.meta is not None else 0
    return max(characters / SPEECH_BYTES_PER_S - state.audio_ms / 1000, 0.0)
