"""The fallback runs of one station: begun when it is dry, ended when it is fed, each as the ladder says."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from radio import producer_kinds
from radio.log import log_event
from radio.stations.definition.station import Off, Station
from radio.stations.fallback import ident, ladder
from radio.stations.fallback.ladder import DONE, DRY, FAILED, FED, NOTHING, RELIEVED, Rung
from radio.stations.service.context import SchedulerContext
from radio.stations.service.empty_scripts import is_empty
from radio.stations.service.plan import AHEAD_MS
from radio.stations.service.producer_processes import ProducerProcesses
from radio.stations.service.run_log import RunLog
from radio.streams.records import Begin

log = logging.getLogger(__name__)

TRY_MS = 60_000
"""A better rung that is tried beside another must write within this."""


@dataclass(frozen=True, slots=True)
class FallbackRequest:
    """What a narrator asks for: `dry` or `fed`.

    `run`: with `dry`, the fallback run that does not keep the station on air.
    """

    what: str
    run: str = ""


class FallbackRuns:
    """See the module.

    Args:
        end: ends a run with a reason.
    """

    def __init__(
        self,
        context: SchedulerContext,
        station: str,
        run_log: RunLog,
        producers: ProducerProcesses,
        end: Callable[[str, str], Awaitable[None]],
    ) -> None:
        self._context = context
        self._id = station
        self._run_log = run_log
        self._producers = producers
        self._end = end
        self._options: dict[str, producer_kinds.Options] = {}
        self._passed: set[str] = set()
        """Runs that failed and after which the next rung was looked for."""
        self._with_words: set[str] = set()
        """Runs of which something was written: that stays so."""

    def forget(self, run: str) -> None:
        """The run has ended."""
        self._options.pop(run, None)
        self._with_words.discard(run)

    async def answer(self, station: Station, request: FallbackRequest | None, now: int) -> None:
        """Do what the narrator asks for."""
        if request is None:
            return
        going = self._run_log.history.fallbacks
        if request.what == FED:
            for begin in going:
                await self._end(begin.run, FED)
        elif not request.run or any(begin.run == request.run for begin in going):
            for begin in going:
                if begin.run == request.run:
                    await self._end(begin.run, NOTHING if await self._is_empty(begin) else DRY)
                elif not request.run and (end := await self._spent(begin, now)):
                    await self._end(begin.run, end)
            await self._begin_if_none(station, now)

    async def _spent(self, begin: Begin, now: int) -> str | None:
        """How a run ended of which no more comes, or whose time is all but over; None: neither."""
        seal = await self._producers.seal_of(begin.run, at_once=True)
        if seal is None:
            return DONE if begin.until - now < AHEAD_MS else None
        if await self._is_empty(begin):
            return NOTHING
        return DONE if seal == DONE else FAILED

    async def tend(self, station: Station, now: int) -> None:
        """End what has failed or is no longer needed, and begin what follows."""
        for begin in self._run_log.history.fallbacks:
            if await self._producers.seal_of(begin.run) is not None and await self._is_empty(begin):
                await self._end(begin.run, NOTHING)
        await self._compare(now)
        failed = [one.run for one in self._run_log.history.tries if one.has_failed]
        if failed and failed[-1] not in self._passed:
            self._passed = set(failed)
            await self._begin_if_none(station, now)
        better = ladder.better_rung(station, self._run_log.history.tries, now)
        if better is not None and not await self._is_complete():
            await self._begin(station, better, now)

    async def _is_complete(self) -> bool:
        """Whether what is on air ends by itself: then the next run is of the better rung anyway."""
        going = self._run_log.history.fallbacks
        seals = [await self._producers.seal_of(begin.run, at_once=True) for begin in going]
        return any(seal is not None for seal in seals)

    async def _compare(self, now: int) -> None:
        """Of two, end the older one once the newer one writes, or the newer one if it does not."""
        going = self._run_log.history.fallbacks
        if len(going) < 2:
            return
        older, newer = going[-2:]
        if not await self._is_empty(newer):
            await self._end(older.run, RELIEVED)
        elif not 0 <= now - newer.at < TRY_MS:
            await self._end(newer.run, DRY)

    async def _is_empty(self, begin: Begin) -> bool:
        if begin.run in self._with_words:
            return False
        if await is_empty(self._context.store, self._id, begin.run):
            return True
        self._with_words.add(begin.run)
        return False

    async def _begin_if_none(self, station: Station, now: int) -> None:
        if self._run_log.history.fallbacks:
            return
        rung = ladder.next_rung(station, self._run_log.history.tries, now)
        if rung != Rung.SILENCE:
            await self._begin(station, rung, now)
        elif ladder.rungs(station):
            log.error("every fallback has failed", extra=log_event("fallback.silence", station=self._id))

    async def _begin(self, station: Station, rung: Rung, now: int) -> None:
        options = await self._new_options(station, rung, now)
        coming = ident.following(station, now) if rung == Rung.IDENT else None
        begin = await self._run_log.begin_fallback(
            station, now, rung=rung, producer=options.producer, until=coming.at if coming else None
        )
        self._options[begin.run] = options
        said = {"station": self._id, "run": begin.run, "rung": str(rung), "producer": options.producer}
        log.info("fallback begins", extra=log_event("fallback.begins", **said))

    async def _new_options(self, station: Station, rung: Rung, now: int) -> producer_kinds.Options:
        if rung == Rung.IDENT:
            begun = self._run_log.history.begun.values()
            return await ident.options(self._context.store, station, begun, ident.words(station, now))
        if rung == Rung.RERUN:
            return producer_kinds.Rerun()
        assert not isinstance(station.fallback, Off), "it has no rungs"
        return station.fallback

    async def options(self, station: Station, begin: Begin) -> producer_kinds.Options | None:
        """What the producer of an open fallback run is told; None if it cannot go on."""
        if begin.run not in self._options:
            if begin.rung in (None, Rung.OWN):
                return None if isinstance(station.fallback, Off) else station.fallback
            options = await self._new_options(station, Rung(begin.rung), begin.at)
            if begin.rung == Rung.IDENT and begin.producer == "text":
                options = producer_kinds.TextFiles(text=ident.words(station, begin.at), resume=False)
            if options.producer != begin.producer:
                return None
            self._options[begin.run] = options
        return self._options[begin.run]

    def told(self, station: Station) -> Mapping[str, Any] | None:
        """The ladder as the card tells it; None if the station has none."""
        if not ladder.rungs(station):
            return None
        begun = self._run_log.history.fallbacks_begun
        tries = self._run_log.history.tries
        going = [one for one in tries if one.end is None]
        now_on = going[-1] if going else tries[-1] if tries and tries[-1].has_failed else None
        state = None if now_on is None else str(now_on.rung if going else Rung.SILENCE)
        return {"rung": state, "since": now_on.at if now_on else None, "begun": dict(sorted(begun.items()))}
