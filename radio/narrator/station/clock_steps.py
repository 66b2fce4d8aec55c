"""Steps of the wall clock that this narrator saw while it did not own a station.

The owner of a station writes each step into its broadcast. If it dies before that, only narrators that saw
the step know of it: the one that takes the station makes up for it.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from radio.errors import RadioError
from radio.log import log_event
from radio.narrator.station.air_time import STEP_MS
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.reading import all_events, tail_of

log = logging.getLogger(__name__)

SLACK = 64
"""How many records before the tail at that time are searched: the owner may have written the step already."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of `ms`, seen when the broadcast's tail was at `tail`; None: the tail was not known."""

    ms: int
    tail: int | None


def unannounced(steps: Sequence[int], epochs: Sequence[int]) -> int:
    """The sum, in ms, of the steps that none of these epochs tells. Pure; each epoch counts for one step."""
    left, total = list(epochs), 0
    for step in steps:
        match = next((epoch for epoch in left if abs(epoch - step) <= STEP_MS), None)
        if match is None:
            total += step
        else:
            left.remove(match)
    return total


@dataclass(slots=True)
class MissedSteps:
    """The steps that were seen while a station was not ours, by station."""

    steps: dict[str, list[Step]] = field(default_factory=dict)

    async def note(self, store: StreamStore, stations: Collection[str], step_ms: int) -> None:
        """Note that the clock stepped while these stations were not ours."""
        for station in stations:
            tail = None
            try:
                tail = await tail_of(store, names.broadcast(station))
            except RadioError as failed:
                log.warning(
                    "tail not seen: %s", failed, extra=log_event("clock.tail_not_seen", station=station)
                )
            self.add(station, step_ms, tail)

        log.info("clock step seen", extra=log_event("clock.step_seen", step_ms=step_ms))

    def add(self, station: str, step_ms: int, tail: int | None) -> None:
        self.steps.setdefault(station, []).append(Step(step_ms, tail))

    async def settle(self, store: StreamStore, station: str) -> int:
        """Once the station is ours: the sum, in ms, of the steps that nobody wrote. Forgets its steps."""
        total = 0
        while seen := list(self.steps.get(station, ())):
            total += unannounced([step.ms for step in seen], await _epochs(store, station, seen))
            self.steps[station] = self.steps[station][len(seen) :]
        return total


async def _epochs(store: StreamStore, station: str, seen: Sequence[Step]) -> list[int]:
    """The steps in the broadcast since about when these were seen."""
    name = names.broadcast(station)
    end = await tail_of(store, name)
    first = min(end if step.tail is None else step.tail for step in seen)
    found = []
    start = FromSeq(max(0, first - SLACK))
    async for _, event in all_events(store, records.BROADCAST, name, start, end=end):
        if isinstance(event, records.Epoch):
            found.append(event.step)
    return found
