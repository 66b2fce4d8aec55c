"""Asking the scheduler for a fallback when the programme runs dry, and for its end when it is fed."""

import logging

from radio.clock import Clock
from radio.narrator.lead import Standing
from radio.narrator.programme import Programme
from radio.streams import names, records
from radio.streams.contract import StreamStore

log = logging.getLogger(__name__)

DRY = "dry"
FED = "fed"
EARLY_S = 10.0
"""Lead above the guard at which a dry programme asks."""
AGAIN_S = 20.0
"""A request that nothing came of is made again after this, then after twice that, and so on."""
AGAIN_MOST_S = 600.0
OFF = "off"


class Fallback:
    """The requests of one station's lane."""

    def __init__(self, store: StreamStore, clock: Clock, station: str) -> None:
        self._store = store
        self._clock = clock
        self._station = station
        self._asked_at: float | None = None
        self._pause_s = AGAIN_S
        self._fed: set[str] = set()

    async def tend(self, programme: Programme, standing: Standing, card: records.Card | None) -> None:
        """Ask for what the programme needs now."""
        now = self._clock.now_ms()
        fallback = programme.fallback(now)
        if fallback is not None:
            self._asked_at, self._pause_s = None, AGAIN_S
            due = programme.due(now)
            if (
                due is not None
                and due is not fallback
                and due.script.next
                and programme.current == fallback.run.id
            ):
                await self._ask_once(FED, fallback.run.id)
        elif self._is_needed(programme, standing, card, now):
            await self._ask_dry()

    def _is_needed(
        self, programme: Programme, standing: Standing, card: records.Card | None, now: int
    ) -> bool:
        if card is None or card.fallback == OFF or not programme.is_dry(now):
            return False
        return programme.audio_s(now) < standing.guard + EARLY_S

    async def _ask_dry(self) -> None:
        now = self._clock.monotonic()
        if self._asked_at is not None:
            if now - self._asked_at < self._pause_s:
                return
            self._pause_s = min(2 * self._pause_s, AGAIN_MOST_S)
        self._asked_at = now
        await self._ask(DRY, "")

    async def _ask_once(self, what: str, run: str) -> None:
        if run not in self._fed:
            self._fed.add(run)
            await self._ask(what, run)

    async def _ask(self, what: str, detail: str) -> None:
        request = records.Request(what=what, target=self._station, detail=detail)
        await self._store.append(names.CONTROL, [records.encode(request)])
        log.info(
            "asked the scheduler",
            extra={"action": f"fallback.{what}", "station": self._station, "run": detail},
        )
