"""A station's table of contents, as its owner writes it: each finished run once; old entries are trimmed."""

import asyncio

from radio.narrator.station.archive_entry import finished
from radio.runs import Run
from radio.streams import names, records
from radio.streams.contract import StreamStore, Trim
from radio.streams.writer import CoalescingWriter


class ArchiveWriter:
    """Every append of the station's owner to its table of contents.

    Attributes:
        pending: runs that have their `end` and no entry yet. Until then their records must not be trimmed.
    """

    def __init__(self, store: StreamStore, station: str, *, token: str, next_seq: int) -> None:
        self.pending: set[str] = set()
        self._store = store
        self._station = station
        self._writer = CoalescingWriter(store, names.shows(station), fencing_token=token, start_at=next_seq)

    def enter(
        self, run: Run, tasks: asyncio.TaskGroup, *, reason: str, gen_ms: float, is_aired: bool
    ) -> None:
        """Enter a finished run, by a task of this group. The task raises `StoreError` if the station is lost.

        Args:
            gen_ms: wall time that this narrator spent on its sentences.
            is_aired: some of it may be in the broadcast.
        """
        self.pending.add(run.id)  # at once: the broadcast may be trimmed before the task begins
        entering = self._enter(run, reason=reason, gen_ms=gen_ms, is_aired=is_aired)
        tasks.create_task(entering, name=f"{self._station} archive")

    async def _enter(self, run: Run, *, reason: str, gen_ms: float, is_aired: bool) -> None:
        """The receipt, then the entry: a successor that finds no entry appends both again."""
        done = await finished(
            self._store, self._station, run, reason=reason, gen_ms=gen_ms, is_aired=is_aired
        )
        await self._store.append(names.DONE, [records.encode(done.receipt)])
        await self._writer.append(records.encode(done.entry))
        self.pending.discard(run.id)

    async def trim(self, first: int) -> None:
        """Trim the entries before record `first`."""
        await self._writer.append(Trim(first))

    async def close(self) -> None:
        """Finish the queued appends."""
        await self._writer.close()
