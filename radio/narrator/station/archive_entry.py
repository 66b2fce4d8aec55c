"""The entry of a finished run in its station's table of contents, made from the broadcast itself."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from radio.mp3 import BYTES_PER_MS
from radio.runs import Run
from radio.streams import names, records
from radio.streams.contract import FromTimestamp, StreamStore
from radio.streams.reading import all_events
from radio.streams.records import AnyRecord


@dataclass(slots=True)
class _Sum:
    """Totals over a run's records."""

    run: str
    spans: list[tuple[int, int]] = field(default_factory=list)
    at: int = 0
    until: int = 0
    size: int = 0
    sentences: int = 0
    skipped: int = 0
    is_whole: bool = False
    is_interrupted: bool = True

    def add(self, seq: int, record: AnyRecord) -> bool:
        """Count the record. Returns False at the run's `end`."""
        match record:
            case records.Audio() if record.run == self.run:
                self._audio(seq, record)
            case records.Skip() if record.run == self.run:
                self.skipped += 1
                self.is_whole = self.is_whole or record.i == 0
            case records.Audio():
                self.is_interrupted = True
            case records.BroadcastEnd() if record.run == self.run:
                return False
        return True

    def _audio(self, seq: int, record: records.Audio) -> None:
        if self.is_interrupted:
            self.spans.append((seq, seq))
        self.spans[-1] = (self.spans[-1][0], seq)
        self.at = self.at or record.at or 0
        self.until, self.is_interrupted = record.until, False
        self.size += len(record.body)
        self.sentences += 1
        self.is_whole = self.is_whole or record.i == 0


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A finished run: its entry in the table of contents, and its receipt."""

    entry: records.ArchivedRun | records.RunOver
    receipt: records.Receipt


async def finished(
    store: StreamStore, station: str, run: Run, *, reason: str, gen_ms: float, is_aired: bool
) -> FinishedRun:
    """Sum up a run that has its `end`. The broadcast is not read if the run never was on air."""
    name = names.broadcast(station)
    total = _Sum(run.id)
    if is_aired:
        total = await _sum(run.id, all_events(store, records.BROADCAST, name, FromTimestamp(run.begun_ms)))
    if is_aired and not total.is_whole:  # the store's clock was wrong when the run began
        total = await _sum(run.id, all_events(store, records.BROADCAST, name))
    receipt = records.Receipt(
        id=f"{station}/{run.id}",
        reason=reason,
        voice=run.voice or run.plan.voice,
        sentences=total.sentences,
        skipped=total.skipped,
        audio_ms=total.size // BYTES_PER_MS,
        gen_ms=round(gen_ms),
    )
    return FinishedRun(_entry(run, total), receipt)


def _entry(run: Run, total: _Sum) -> records.ArchivedRun | records.RunOver:
    """A fallback, or a run without audio, gets no entry that can be played."""
    if not total.sentences or run.is_fallback:
        return records.RunOver(run=run.id)
    return records.ArchivedRun(
        run=run.id,
        show=run.plan.show,
        title=run.plan.title,
        spans=tuple(total.spans),
        at=total.at,
        until=total.until,
        size=total.size,
        sentences=total.sentences,
    )


async def _sum(run: str, stored: AsyncIterator[tuple[int, AnyRecord]]) -> _Sum:
    total = _Sum(run)
    async for seq, record in stored:
        if not total.add(seq, record):
            break
    return total


async def finished_runs(store: StreamStore, station: str) -> set[str]:
    """The runs that are entered in the station's table of contents."""
    events = all_events(store, records.ARCHIVE, names.shows(station))
    over = (records.ArchivedRun, records.RunOver)
    return {entry.run async for _, entry in events if isinstance(entry, over)}
