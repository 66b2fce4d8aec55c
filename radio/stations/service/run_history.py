"""Which runs of a station have begun and ended: a fold of its input stream. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from radio.runs import is_fallback
from radio.stations.fallback.ladder import FED, REMOVED, Rung, Try
from radio.streams.records import AnyRecord, Begin, RunEnd

ALWAYS_KEPT = 64
"""So many runs are remembered though a clock says that they were over long ago."""


class RunHistory:
    """Runs that have begun, in order, and which of them have ended."""

    def __init__(self) -> None:
        self._begun: dict[str, Begin] = {}
        self._seqs: dict[str, int] = {}
        self._ended: set[str] = set()
        self._tries: dict[str, Try] = {}

    def fold(self, seq: int, record: AnyRecord) -> None:
        """The next record of the input stream."""
        if isinstance(record, Begin):
            self._begun[record.run] = record
            self._seqs[record.run] = seq
            if is_fallback(record.run):
                self._tries[record.run] = Try(record.run, Rung(record.rung or Rung.OWN), record.at)
        elif isinstance(record, RunEnd):
            self._ended.add(record.run)
            self._end_try(record)

    def _end_try(self, end: RunEnd) -> None:
        if end.reason in (FED, REMOVED) and is_fallback(end.run):
            self._tries = {run: one for run, one in self._tries.items() if self.is_open(run)}
        elif end.run in self._tries:
            one = self._tries[end.run]
            self._tries[end.run] = replace(one, end=end.reason, ended_at=end.at or one.at)

    def has_begun(self, run: str) -> bool:
        return run in self._begun

    def is_open(self, run: str) -> bool:
        return run in self._begun and run not in self._ended

    @property
    def begun(self) -> Mapping[str, Begin]:
        return MappingProxyType(self._begun)

    @property
    def open(self) -> list[Begin]:
        """Runs that began and did not end, in the order in which they began."""
        return [begin for run, begin in self._begun.items() if run not in self._ended]

    @property
    def fallbacks(self) -> list[Begin]:
        """The fallback runs that are open: one, or two while a better one is tried beside another."""
        return [begin for begin in self.open if is_fallback(begin.run)]

    @property
    def tries(self) -> list[Try]:
        """The fallback runs of the present episode, in the order of their begins."""
        return list(self._tries.values())

    def first_needed(self, before: int) -> int | None:
        """The seq below which all records are of runs that ended and were over `before` (epoch ms).

        The newest runs are needed whatever the time is said to be: a begun run is never begun again.
        """
        needed = [s for run, s in self._seqs.items() if self.is_open(run) or self._begun[run].until >= before]
        return min([*needed, *sorted(self._seqs.values())[-ALWAYS_KEPT:]], default=None)


def folded(records: Iterable[tuple[int, AnyRecord]]) -> RunHistory:
    """The ledger after these records."""
    ledger = RunHistory()
    for seq, record in records:
        ledger.fold(seq, record)
    return ledger
