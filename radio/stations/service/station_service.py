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
LOOKS = 4
"""At a living scheduler between two attempts at its station."""


class StationService:
    """Serves one station."""

    def __init__(self, office: SchedulerContext, station: Station) -> None:
        self._office = office
        self._id = station.station
        self._alarm = f"{self._id} {id(self)}"
        """A key of its own: a desk that is retired may still be ending while its successor works."""
        self._station = station
        self._is_retired = False
        self._wish: FallbackRequest | None = None
        self._stirred = asyncio.Event()

    def reload(self, station: Station) -> None:
        """The station's file has changed. Runs that have begun stay as they are."""
        self._station = station
        self.stir()

    def retire(self) -> None:
        """The station's file is gone: what runs ends, its archive stays."""
        self._station = replace(self._station, shows=(), fallback=Off())
        self._is_retired = True
        self.stir()

    def ask(self, wish: FallbackRequest) -> None:
        """The narrator asks for a fallback (`dry`), or no longer (`fed`)."""
        self._wish = wish
        self.stir()

    def stir(self) -> None:
        """Look again now."""
        self._stirred.set()

    async def work(self) -> None:
        """Serve the station until the scheduler stops or the station is retired and over."""
        while not self._office.stop.is_set():
            try:
                if await self._is_anothers():
                    continue
            except AppendConditionFailed as e:
                log.warning("station lost: %s", e, extra=log_event("station.lost", station=self._id))
            except (AppendUncertain, Unavailable) as e:
                log.warning("store failed: %s", e, extra=log_event("station.failed", station=self._id))
                await self._rest(RETRY_S)
                continue  # what a retired station still runs is to be ended, too
            if self._is_retired:
                return
            await self._rest(RETRY_S)

    async def _is_anothers(self) -> bool:
        """Serve it; True, after a rest, if another scheduler does. A retired station is left to that one."""
        try:
            await self._serve()
        except Owned as e:
            self._wish = None  # its owner has answered
            log.debug("station is served: %s", e, extra=log_event("station.owned", station=self._id))
            if not self._is_retired:
                await self._outlive(e.owner)
                return True
        return False

    async def _outlive(self, owner: str) -> None:
        """Rest until that scheduler is dead, or for `RETRY_S`, for it may also give the station up."""
        for _ in range(LOOKS):
            await self._rest(RETRY_S / LOOKS)
            if not await self._office.member.lives(owner):
                return

    async def _serve(self) -> None:
        """Take the station, and serve it for as long as it is ours."""
        book = await RunLog.take(self._office.store, self._id, self._office.member)
        log.info("station taken", extra=log_event("station.taken", station=self._id, owner=book.owner))
        try:
            async with asyncio.TaskGroup() as tasks:
                crew = ProducerProcesses(self._office, self._id, tasks=tasks, on_exit=self.stir)
                try:
                    await self._look_until_the_end(OwnershipTerm(self._office, self._id, book, crew))
                finally:
                    await crew.dismiss_all()
            await book.give_up()
        except BaseExceptionGroup as group:
            raise first_of(group) from None
        finally:
            self._office.wakes.forget(self._alarm)
            await book.close()

    async def _look_until_the_end(self, term: OwnershipTerm) -> None:
        while term.holds:
            self._stirred.clear()
            wish, self._wish = self._wish, None
            is_retired = self._is_retired
            look_at = await term.look(self._station, is_retired=is_retired, wish=wish)
            if is_retired or self._office.stop.is_set():
                return
            self._office.wakes.at(self._alarm, look_at, self.stir)
            await self._until_stirred()

    async def _until_stirred(self) -> None:
        """At most `LOOK_S`: an alarm by the wall clock rings late when that is set back."""
        try:
            async with asyncio.timeout(LOOK_S):
                await self._stirred.wait()
        except TimeoutError:
            return

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._office.stop.wait()
        except TimeoutError:
            return
