"""What each station's archive holds: its table of contents, read on from where it was read to before."""

import asyncio
import logging
from dataclasses import dataclass, field

from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.reading import known, pages
from radio.streams.records import ARCHIVE, ArchivedRun

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Table:
    runs: dict[str, ArchivedRun] = field(default_factory=dict)
    next_seq: int = 0
    oldest: int = 0
    """Runs of which nothing stands from this record on are forgotten."""
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)


class TableOfContents:
    """The finished runs of stations that exist; one small record each stays in memory."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self._tables: dict[str, _Table] = {}

    async def of(self, station: str, *, oldest: int = 0) -> dict[str, ArchivedRun]:
        """Finished runs by id; the newest record of each counts. Not to be changed by the caller.

        Args:
            oldest: runs of which nothing stands from this record of the broadcast on are forgotten.
        """
        table = self._tables.setdefault(station, _Table())
        async with table.reading:
            try:
                await self._read_on(names.shows(station), table)
            except StreamNotFound:
                table.runs, table.next_seq = {}, 0
        if oldest > table.oldest:
            table.oldest = oldest
            table.runs = {name: run for name, run in table.runs.items() if not _is_before(run, oldest)}
        return table.runs

    def version(self, station: str) -> tuple[int, int]:
        """Changes whenever `of` answers something else."""
        table = self._tables.setdefault(station, _Table())
        return table.next_seq, table.oldest

    async def _read_on(self, name: str, table: _Table) -> None:
        async for page in pages(self._store, name, FromSeq(table.next_seq), must_exist=True):
            for record in page.records:
                run = known(ARCHIVE, record, name)
                if isinstance(run, ArchivedRun):
                    table.runs[run.run] = run
            table.next_seq = page.next_seq


def _is_before(run: ArchivedRun, oldest: int) -> bool:
    return bool(run.spans) and run.spans[-1][1] < oldest
