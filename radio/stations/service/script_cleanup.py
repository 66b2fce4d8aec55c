"""Scripts of runs that are over are deleted: once finished on air, or long after they could be spoken."""

import logging

from radio.log import log_event
from radio.stations.service.run_history import StationHistory
from radio.streams import names
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.listing import every_name
from radio.streams.reading import known, pages
from radio.streams.records import ARCHIVE, ArchivedRun, RunOver

log = logging.getLogger(__name__)

LATE_MS = 3_600_000
"""A script that was not finished so long after its run was over never will be."""


class ScriptCleanup:
    """Knows which runs of a station are finished on air; deletes their scripts."""

    def __init__(self, store: StreamStore, station: str) -> None:
        self._store = store
        self._station = station
        self._over: set[str] = set()
        self._next = 0

    async def sweep(self, history: StationHistory, now: int) -> list[str]:
        """Delete what may go; the runs whose scripts went."""
        present = [run for run in await self._scripts() if not history.is_open(run)]
        if not present:
            return []
        await self._read_archive()
        gone = [run for run in present if self._may_go(run, history, now)]
        for run in gone:
            await self._store.delete(names.script(self._station, run))
            log.info("script deleted", extra=log_event("script.deleted", station=self._station, run=run))
        self._over -= set(gone)
        return gone

    def _may_go(self, run: str, history: StationHistory, now: int) -> bool:
        """One whose begin is not known any more was over long ago."""
        begin = history.begin_of(run)
        return run in self._over or begin is None or begin.until + LATE_MS <= now

    async def _scripts(self) -> list[str]:
        prefix = names.station_input(self._station) + "/"
        return [name.removeprefix(prefix) for name in await every_name(self._store, prefix)]

    async def _read_archive(self) -> None:
        name = names.shows(self._station)
        async for page in pages(self._store, name, FromSeq(self._next)):
            archived = (known(ARCHIVE, record, name) for record in page.records)
            self._over |= {entry.run for entry in archived if isinstance(entry, ArchivedRun | RunOver)}
            self._next = page.next_seq
