"""A station's table of contents, as its owner writes it: finished runs are entered once, old entries go."""

from radio.narrator.station.archive_entry import finished
from radio.runs import Run
from radio.streams import names, records
from radio.streams.contract import StreamStore, Trim
from radio.streams.writer import CoalescingWriter


class ArchiveWriter:
    """The pen of who owns the station.

    Attributes:
        pending: runs that have their `end` and no entry yet. What stands of them must stay meanwhile.
    """

    def __init__(self, store: StreamStore, station: str, *, token: str, next_seq: int) -> None:
        self.pending: set[str] = set()
        self._store = store
        self._station = station
        self._writer = CoalescingWriter(store, names.shows(station), fencing_token=token, start_at=next_seq)

    async def enter(self, run: Run, *, reason: str, gen_ms: float, is_aired: bool) -> None:
        """The receipt, then the entry: who finds no entry does both again.

        Args:
            is_aired: something of it may stand in the broadcast.
        """
        self.pending.add(run.id)
        done = await finished(
            self._store, self._station, run, reason=reason, gen_ms=gen_ms, is_aired=is_aired
        )
        await self._store.append(names.DONE, [records.encode(done.receipt)])
        await self._writer.append(records.encode(done.entry))
        self.pending.discard(run.id)

    async def trim(self, first: int) -> None:
        """Let go of the entries before record `first`."""
        await self._writer.append(Trim(first))

    async def close(self) -> None:
        """Let what is queued go in."""
        await self._writer.close()
