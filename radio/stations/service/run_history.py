"""What a scheduler asks of a station's runs: which are open, which it may forget, which fallbacks failed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from radio.runs import RunHistory, is_fallback
from radio.stations.fallback.ladder import FED, REMOVED, Rung, Try
from radio.streams.records import AnyRecord, Begin, RunEnd

ALWAYS_KEPT = 64
"""So many runs are remembered though a clock says that they were over long ago."""


class StationHistory:
    """The fold of the station's runs, and beside it the fallbacks that were tried in this episode."""

    def __init__(self) -> None:
        self._runs = RunHistory()
        self._tries: dict[str, Try] = {}
        self.fallbacks_begun: Counter[str] = Counter()
        """Fallback runs by their rung, those included that are forgotten by now."""

    def fold(self, seq: int, record: AnyRecord) -> None:
        """The next record of the input stream."""
        is_new = isinstance(record, Begin) and not self._runs.has_begun(record.run)
        self._runs.fold(seq, record)
        if isinstance(record, Begin) and is_fallback(record.run):
            self.fallbacks_begun[record.rung or str(Rung.OWN)] += is_new
            self._tries[record.run] = Try(record.run, Rung(record.rung or Rung.OWN), record.at)
        elif isinstance(record, RunEnd):
            self._end_try(record)

    def _end_try(self, end: RunEnd) -> None:
        if end.reason in (FED, REMOVED) and is_fallback(end.run):
            self._tries = {run: one for run, one in self._tries.items() if self.is_open(run)}
        elif end.run in self._tries:
            one = self._tries[end.run]
            self._tries[end.run] = replace(one, end=end.reason, ended_at=end.at or one.at)

    def has_begun(self, run: str) -> bool:
        return self._runs.has_begun(run)

    def is_open(self, run: str) -> bool:
        return self._runs.is_open(run)

    def begin_of(self, run: str) -> Begin | None:
        """None: it is not known, or not any more."""
        found = self._runs.runs.get(run)
        return None if found is None else found.plan

    def forget(self, below: int) -> None:
        """Let go of runs that ended and began below this seq."""
        self._runs.forget(below)

    @property
    def begun(self) -> Mapping[str, Begin]:
        return {run.id: run.plan for run in self._runs.runs.values()}

    @property
    def open(self) -> list[Begin]:
        """Runs that began and did not end, in the order in which they began."""
        return [run.plan for run in self._runs.open]

    @property
    def fallbacks(self) -> list[Begin]:
        """The fallback runs that are open: one, or two while a better one is tried beside another."""
        return [run.plan for run in self._runs.open if run.is_fallback]

    @property
    def tries(self) -> list[Try]:
        """The fallback runs of the present episode, in the order of their begins."""
        return list(self._tries.values())

    def first_needed(self, before: int) -> int | None:
        """The seq below which all records are of runs that ended and were over `before` (epoch ms).

        The newest runs are needed whatever the time is said to be: a begun run is never begun again.
        """
        runs = self._runs.runs.values()
        needed = [run.seq for run in runs if not run.is_ended or run.plan.until >= before]
        return min([*needed, *sorted(run.seq for run in runs)[-ALWAYS_KEPT:]], default=None)


def folded(records: Iterable[tuple[int, AnyRecord]]) -> StationHistory:
    """The history after these records."""
    history = StationHistory()
    for seq, record in records:
        history.fold(seq, record)
    return history
