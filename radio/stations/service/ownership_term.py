"""One station while this scheduler owns it: each look does what is due, as the plan says."""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from radio import producer_kinds
from radio.log import log_event
from radio.runs import Assignment, is_fallback
from radio.stations.definition.station import Station
from radio.stations.fallback.fallback_runs import FallbackRequest, FallbackRuns
from radio.stations.fallback.ladder import FAILED, REMOVED
from radio.stations.service import plan
from radio.stations.service.context import SchedulerContext
from radio.stations.service.producer_processes import ProducerProcesses
from radio.stations.service.run_log import RunLog
from radio.stations.service.script_cleanup import ScriptCleanup
from radio.stations.timetable.outlook import uses_llm
from radio.streams.records import Begin

log = logging.getLogger(__name__)

LOOK_S = 10.0
"""The longest time between two looks: producers may hang, and clocks may step."""
SWEEP_MS = 60_000
MOST_CARD_MS = 2 * 86_400_000
"""A card that is due later than this was written before the clock was set back: its days are wrong."""


class OwnershipTerm:
    """What a scheduler does with a station that it owns."""

    def __init__(
        self, context: SchedulerContext, station: str, run_log: RunLog, producers: ProducerProcesses
    ) -> None:
        self._context = context
        self._id = station
        self._run_log = run_log
        self._producers = producers
        self._cleanup = ScriptCleanup(context.store, station)
        self._fallbacks = FallbackRuns(context, station, run_log, producers, self._end)
        self._begun_as: dict[str, Station] = {}
        """By run, the station as its file was when this process first served the run."""
        self._told: Station | None = None
        self._told_ladder: Mapping[str, Any] | None = None
        self._card_due_at = 0
        self._sweep_due_at = 0

    @property
    def holds(self) -> bool:
        """False once the others forgot this process and it goes under another name."""
        return self._context.member.owner == self._run_log.owner

    async def look(self, station: Station, *, is_retired: bool, request: FallbackRequest | None) -> int:
        """Do what is due; epoch ms of the next look.

        Args:
            is_retired: the station's file is gone: all that runs ends.
            request: what the narrator asked for.
        """
        now = self._context.clock.now_ms()
        todo = plan.plan(station, self._run_log.history, now)
        for run in todo.end:
            await self._end(run, "until")
        for begin in todo.begin:
            await self._run_log.begin(begin)
            log.info("run begins", extra=log_event("run.begins", station=self._id, run=begin.run))
        if not is_retired:
            await self._fallbacks.answer(station, request, now)
        await self._serve_all(station, is_retired=is_retired)
        if not is_retired:
            await self._fallbacks.tend(station, now)
            await self._serve_all(station, is_retired=False)
        await self._producers.end_the_hung()
        await self._tidy(station, now)
        return self._next_look(todo.look_at)

    async def _serve_all(self, station: Station, *, is_retired: bool) -> None:
        for begin in self._run_log.history.open:
            await self._serve(station, begin, is_retired=is_retired)

    async def _serve(self, station: Station, begin: Begin, *, is_retired: bool) -> None:
        """An open run has a producer, or it ends; a fallback whose script is complete is heard first.

        A show waits for its producer until its time is over, and a fallback airs meanwhile. A fallback that
        fails ends, for the next rung is to air.
        """
        if is_retired:
            await self._end(begin.run, REMOVED)
            return
        seal = await self._producers.seal_of(begin.run)
        if seal is None and is_fallback(begin.run) and self._producers.is_barren(begin.run):
            log.error("run is given up", extra=log_event("run.given_up", station=self._id, run=begin.run))
            await self._end(begin.run, FAILED)
        elif seal is None:
            assign = partial(self._assign, station, begin, await self._fallback_options(station, begin))
            if not await self._producers.man(begin.run, assign):
                await self._end(begin.run, REMOVED)
        elif not is_fallback(begin.run) or seal == FAILED:
            await self._end(begin.run, seal)

    async def _fallback_options(self, station: Station, begin: Begin) -> producer_kinds.Options | None:
        return await self._fallbacks.options(station, begin) if is_fallback(begin.run) else None

    def _assign(
        self, station: Station, begin: Begin, options: producer_kinds.Options | None, attempt: int
    ) -> Assignment | None:
        """As when the run began, whatever the station's file says now; None if nobody here knows."""
        as_begun = self._begun_as.setdefault(begin.run, station)
        return plan.assignment(as_begun, begin, attempt, options=options)

    async def _end(self, run: str, reason: str) -> None:
        await self._run_log.end(run, reason, self._context.clock.now_ms())
        await self._producers.dismiss(run)
        self._begun_as.pop(run, None)
        self._fallbacks.forget(run)
        log.info("run ends", extra=log_event("run.ends", station=self._id, run=run, reason=reason))

    async def _tidy(self, station: Station, now: int) -> None:
        ladder = self._fallbacks.told(station)
        is_news = self._told is not station or self._told_ladder != ladder
        if is_news or not now < self._card_due_at <= now + MOST_CARD_MS:
            await self._run_log.write_card(plan.card(station, now, ladder, await self._model(station)))
            await self._run_log.trim(now)
            self._told, self._told_ladder = station, ladder
            self._card_due_at = plan.next_midnight(station, now)
        if not now < self._sweep_due_at <= now + SWEEP_MS:
            await self._cleanup.sweep(self._run_log.history, now)
            self._sweep_due_at = now + SWEEP_MS

    async def _model(self, station: Station) -> str | None:
        """The name of the LLM that writes for the station, if one does."""
        if not any(uses_llm(options) for options in (station.fallback, *(s.options for s in station.shows))):
            return None
        return await asyncio.to_thread(self._context.model_name, station.model)

    def _next_look(self, planned: int) -> int:
        now = self._context.clock.now_ms()
        wait_s = self._producers.next_start()
        restart = now + round(1000 * min(LOOK_S if wait_s is None else wait_s, LOOK_S)) + 1
        return min(planned, restart, self._card_due_at)
