"""One station's place in the scheduler: takes the station, serves it while it owns it, takes it again.

All it knows is on the store and in the station's file, so another process can take over at any moment.
"""

import asyncio
import logging
from dataclasses import replace

from radio.errors import first_of
from radio.log import log_event
from radio.stations.definition.station import Off, Station
from radio.stations.fallback.fallback_runs import FallbackRequest
from radio.stations.service.context import SchedulerContext
from radio.stations.service.ownership_term import LOOK_S, OwnershipTerm
from radio.stations.service.producer_processes import ProducerProcesses
from radio.stations.service.run_log import RunLog
from radio.streams.contract import AppendConditionFailed, AppendUncertain, Unavailable
from radio.streams.ownership.stream_owner import Owned

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""Between attempts at a station that another scheduler has, or a store that does not answer."""
FAULT_RETRY_S = 30.0
"""Between attempts at a station that failed in a way that nobody foresaw, unless it has news before."""
STALE_S = 0.5
"""Between two looks at whether the own heartbeats are written again."""
LOOKS = 4
"""At a living scheduler between two attempts at its station."""


class StationService:
    """Serves one station."""

    def __init__(self, context: SchedulerContext, station: Station) -> None:
        self._context = context
        self._id = station.station
        self._alarm = f"{self._id} {id(self)}"
        """A key of its own: a service that is retired may still be ending while its successor works."""
        self._station = station
        self._is_retired = False
        self._request: FallbackRequest | None = None
        self._look_now = asyncio.Event()

    def reload(self, station: Station) -> None:
        """The station's file has changed. Runs that have begun stay as they are."""
        self._station = station
        self.look_again()

    def retire(self) -> None:
        """The station's file is gone: what runs ends, its archive stays."""
        self._station = replace(self._station, shows=(), fallback=Off())
        self._is_retired = True
        self.look_again()

    def ask(self, request: FallbackRequest) -> None:
        """The narrator asks for a fallback (`dry`), or no longer (`fed`)."""
        self._request = request
        self.look_again()

    def look_again(self) -> None:
        """Look again now."""
        self._look_now.set()

    async def work(self) -> None:
        """Serve the station until the scheduler stops or the station is retired and over."""
        while not self._context.stop.is_set():
            try:
                if await self._is_served_elsewhere():
                    continue
            except AppendConditionFailed as e:
                log.warning("station lost: %s", e, extra=log_event("station.lost", station=self._id))
            except (AppendUncertain, Unavailable) as e:
                log.warning("store failed: %s", e, extra=log_event("station.failed", station=self._id))
                await self._rest(RETRY_S)
                continue  # what a retired station still runs is to be ended, too
            except Exception:  # whatever it is, it is this station's, and the others go on
                log.exception("station is at fault", extra=log_event("station.at_fault", station=self._id))
                await self._rest_after_fault()
                continue
            if self._is_retired:
                return
            await self._rest(RETRY_S)

    async def _is_served_elsewhere(self) -> bool:
        """Serve it; True, after a rest, if another scheduler does. A retired station is left to that one."""
        try:
            await self._serve()
        except Owned as e:
            self._request = None  # its owner has answered
            log.debug("station is served: %s", e, extra=log_event("station.owned", station=self._id))
            if not self._is_retired:
                await self._outlive(e.owner)
                return True
        return False

    async def _outlive(self, owner: str) -> None:
        """Rest until that scheduler is dead, or for `RETRY_S`, for it may also give the station up."""
        for _ in range(LOOKS):
            await self._rest(RETRY_S / LOOKS)
            if not await self._context.member.lives(owner):
                return

    async def _serve(self) -> None:
        """Take the station, and serve it for as long as it is ours."""
        run_log = await RunLog.take(self._context.store, self._id, self._context.member)
        log.info("station taken", extra=log_event("station.taken", station=self._id, owner=run_log.owner))
        try:
            async with asyncio.TaskGroup() as tasks:
                producers = ProducerProcesses(self._context, self._id, tasks=tasks, on_exit=self.look_again)
                try:
                    await self._look_until_the_end(OwnershipTerm(self._context, self._id, run_log, producers))
                finally:
                    await producers.stop_all()
            await run_log.give_up()
        except BaseExceptionGroup as group:
            raise first_of(group) from None
        finally:
            self._context.wakes.forget(self._alarm)
            await run_log.close()

    async def _look_until_the_end(self, term: OwnershipTerm) -> None:
        """A request is forgotten only once it was answered: answering it again would do nothing twice."""
        while term.holds:
            if not self._context.member.is_fresh:  # others may think that this process is dead
                await self._rest(STALE_S)
                if self._context.stop.is_set():
                    return
                continue
            self._look_now.clear()
            request, is_retired = self._request, self._is_retired
            look_at = await term.look(self._station, is_retired=is_retired, request=request)
            if self._request is request:
                self._request = None
            if is_retired or self._context.stop.is_set():
                return
            self._context.wakes.at(self._alarm, look_at, self.look_again)
            await self._until_looked_for()

    async def _until_looked_for(self, most_s: float = LOOK_S) -> None:
        """At most `LOOK_S`: an alarm by the wall clock rings late when that is set back."""
        try:
            async with asyncio.timeout(most_s):
                await self._look_now.wait()
        except TimeoutError:
            return

    async def _rest_after_fault(self) -> None:
        self._look_now.clear()
        await self._rest(RETRY_S)
        if not self._context.stop.is_set():
            await self._until_looked_for(FAULT_RETRY_S)

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._context.stop.wait()
        except TimeoutError:
            return
