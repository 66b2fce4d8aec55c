"""Steps of the wall clock that this narrator saw while it did not own a station.

Whoever owns a station writes a step into its broadcast. If the owner ends before it does, the step is known
only to those who were there: the one of them who takes the station makes up for it.
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
"""Records before the tail at which a step was seen: its owner may have been faster to write it."""


@dataclass(frozen=True, slots=True)
class Step:
    """Seen when the broadcast ended at `tail`; None: that was not known."""

    ms: int
    tail: int | None


def unannounced(steps: Sequence[int], epochs: Sequence[int]) -> int:
    """The sum of the steps, in ms, that none of these epochs is. Pure; each epoch counts for one step."""
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
    """By station."""

    steps: dict[str, list[Step]] = field(default_factory=dict)

    async def note(self, store: StreamStore, stations: Collection[str], step_ms: int) -> None:
        """The clock stepped while these stations were not ours."""
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
        """The station is ours: how far its broadcast lags behind the clock, in ms, by what nobody wrote."""
        total = 0
        while seen := list(self.steps.get(station, ())):
            total += unannounced([step.ms for step in seen], await _epochs(store, station, seen))
            self.steps[station] = self.steps[station][len(seen) :]
        return total


async def _epochs(store: StreamStore, station: str, seen: Sequence[Step]) -> list[int]:
    """The steps that were written since about when these were seen."""
    name = names.broadcast(station)
    end = await tail_of(store, name)
    first = min(end if step.tail is None else step.tail for step in seen)
    found = []
    start = FromSeq(max(0, first - SLACK))
    async for _, event in all_events(store, records.BROADCAST, name, start, end=end):
        if isinstance(event, records.Epoch):
            found.append(event.step)
    return found
