"""One station while this scheduler owns it: each look does what is due, as the plan says."""

import logging
from functools import partial

from radio.runs import Assignment
from radio.stations import plan
from radio.stations.book import Book
from radio.stations.crew import Crew
from radio.stations.office import Office
from radio.stations.station import Off, Station
from radio.stations.sweep import Sweep
from radio.streams.records import Begin

log = logging.getLogger(__name__)

LOOK_S = 10.0
"""The longest time between two looks: producers may hang, and clocks may step."""
SWEEP_MS = 60_000
MOST_CARD_MS = 2 * 86_400_000
"""A card that is due later than this was written before the clock was set back: its days are wrong."""


class Term:
    """What a scheduler does with a station that it owns."""

    def __init__(self, office: Office, station: str, book: Book, crew: Crew) -> None:
        self._office = office
        self._id = station
        self._book = book
        self._crew = crew
        self._sweep = Sweep(office.store, station)
        self._told: Station | None = None
        self._card_due_at = 0
        self._sweep_due_at = 0

    @property
    def holds(self) -> bool:
        """False once the others forgot this process and it goes under another name."""
        return self._office.member.owner == self._book.owner

    async def look(self, station: Station, *, is_retired: bool, wants: str | None) -> int:
        """Do what is due; epoch ms of the next look.

        Args:
            is_retired: the station's file is gone: all that runs ends.
            wants: what the narrator asked for, `dry` or `fed`.
        """
        now = self._office.clock.now_ms()
        if not self._office.member.is_fresh:
            return now + 500
        todo = plan.plan(station, self._book.ledger, now)
        for run in todo.end:
            await self._end(run, "until")
        for begin in todo.begin:
            await self._book.begin(begin)
            self._log("run begins", "run.begins", begin.run)
        await self._answer(station, wants, now)
        for begin in self._book.ledger.open:
            await self._serve(station, begin, is_retired=is_retired)
        await self._crew.end_the_hung()
        await self._keep_books(station, now)
        return self._next_look(todo.look_at)

    async def _answer(self, station: Station, wants: str | None, now: int) -> None:
        """Begin a fallback run when the station is dry, end it when it is fed."""
        going = self._book.ledger.fallback
        if wants == "dry" and going is None and not isinstance(station.fallback, Off):
            begin = await self._book.begin_fallback(station, now)
            self._log("fallback begins", "fallback.begins", begin.run)
        elif wants == "fed" and going is not None:
            await self._end(going.run, "fed")

    async def _serve(self, station: Station, begin: Begin, *, is_retired: bool) -> None:
        """An open run has a producer, or it ends."""
        seal = await self._crew.seal_of(begin.run)
        if seal is not None:
            await self._end(begin.run, seal)
        elif is_retired or not await self._crew.man(begin.run, partial(self._assign, station, begin)):
            await self._end(begin.run, "removed")

    @staticmethod
    def _assign(station: Station, begin: Begin, attempt: int) -> Assignment | None:
        return plan.assignment(station, begin, attempt)

    async def _end(self, run: str, reason: str) -> None:
        await self._book.end(run, reason)
        await self._crew.dismiss(run)
        self._log("run ends", "run.ends", run, reason=reason)

    async def _keep_books(self, station: Station, now: int) -> None:
        if self._told is not station or not now < self._card_due_at <= now + MOST_CARD_MS:
            await self._book.write_card(plan.card(station, now))
            await self._book.trim(now)
            self._told, self._card_due_at = station, plan.next_midnight(station, now)
        if not now < self._sweep_due_at <= now + SWEEP_MS:
            await self._sweep.sweep(self._book.ledger, now)
            self._sweep_due_at = now + SWEEP_MS

    def _next_look(self, planned: int) -> int:
        now = self._office.clock.now_ms()
        wait_s = self._crew.next_start()
        restart = now + round(1000 * min(LOOK_S if wait_s is None else wait_s, LOOK_S)) + 1
        return min(planned, restart, self._card_due_at)

    def _log(self, message: str, action: str, run: str, **more: object) -> None:
        log.info(message, extra={"action": action, "station": self._id, "run": run, **more})
