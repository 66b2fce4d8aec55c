"""Asks the scheduler for a fallback when no run has a sentence ready, and for its end when one has again."""

import logging

from radio.clock import Clock
from radio.log import log_event
from radio.narrator.lane_scheduler import LaneStatus
from radio.narrator.station.programme import Programme, ReadableRun
from radio.streams import names, records
from radio.streams.contract import StreamStore

log = logging.getLogger(__name__)

DRY = "dry"
FED = "fed"
EARLY_S = 10.0
"""Seconds of lead above the guard at which a fallback is asked for."""
AGAIN_S = 20.0
"""A request without effect is repeated after this, then after twice that, and so on."""
AGAIN_MOST_S = 60.0
"""The longest pause between two requests. A scheduler that restarts reads only the last half minute's."""
LOW_S = 5.0
"""With less audio ahead than this, a fallback that has no sentence ready fails."""
TRY_S = 12.0
"""How long a fallback may take from its begin to its first sentence: a model may have to be loaded."""
OFF = "off"


class FallbackRequests:
    """The requests of one station's lane."""

    def __init__(self, store: StreamStore, clock: Clock, station: str) -> None:
        self._store = store
        self._clock = clock
        self._station = station
        self._asked: tuple[str, str] | None = None
        self._asked_at = 0.0
        self._pause_s = AGAIN_S

    async def ask_if_needed(
        self, programme: Programme, standing: LaneStatus, card: records.Card | None
    ) -> None:
        """Ask for what the programme needs now, if anything."""
        now = self._clock.now_ms()
        fallback = programme.fallback(now)
        if fallback is None:
            if self._is_needed(programme, standing, card, now):
                await self._ask(DRY, "")
            return
        if self._asked == (DRY, ""):
            self._asked = None
        if self._is_fed(programme, fallback.run.id, now):
            await self._ask(FED, fallback.run.id)
        elif self._is_failing(programme, fallback, now):
            await self._ask(DRY, fallback.run.id)

    @staticmethod
    def _is_failing(programme: Programme, fallback: ReadableRun, now: int) -> bool:
        """Whether the fallback has no sentence, or its sentences come too late to be heard in time."""
        if not programme.is_dry(now) or now - fallback.run.plan.at < TRY_S * 1000:
            return False
        ahead_s = programme.audio_s(now)
        return ahead_s < (LOW_S if fallback.script.next is None else -LOW_S)

    def _is_fed(self, programme: Programme, fallback: str, now: int) -> bool:
        """Whether the regular run has taken over from the fallback, or does so with its next sentence."""
        due = programme.due(now)
        if due is None or due.run.id == fallback or due.script.next is None:
            return False
        return programme.current == fallback or self._asked == (FED, fallback)

    def _is_needed(
        self, programme: Programme, standing: LaneStatus, card: records.Card | None, now: int
    ) -> bool:
        if card is None or card.fallback == OFF or not programme.is_dry(now):
            return False
        return programme.audio_s(now) < standing.guard + EARLY_S

    async def _ask(self, what: str, detail: str) -> None:
        """Ask once, and again after growing pauses while it is still needed."""
        now = self._clock.monotonic()
        if self._asked != (what, detail):
            self._asked, self._pause_s = (what, detail), AGAIN_S
        elif now - self._asked_at < self._pause_s:
            return
        else:
            self._pause_s = min(2 * self._pause_s, AGAIN_MOST_S)
        self._asked_at = now
        request = records.ControlRequest(what=what, target=self._station, detail=detail)
        await self._store.append(names.CONTROL, [records.encode(request)])
        log.info(
            "asked the scheduler",
            extra=log_event("fallback.requested", station=self._station, what=what, run=detail),
        )
