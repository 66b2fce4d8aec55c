"""The runs of a station, as its scheduler began and ended them: the only fold of `in/stations/<id>`. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from radio.runs.assignment import is_fallback
from radio.streams.records import AnyRecord, Begin, RunEnd


@dataclass(slots=True, eq=False)
class Run:
    """A run that began. Times in epoch ms.

    Attributes:
        seq, begun_ms: of its `begin` record.
        is_ended: no more script comes.
        voice: the voice that a narrator speaks it with, if not the planned one.
    """

    seq: int
    begun_ms: int
    plan: Begin
    is_ended: bool = False
    voice: str | None = None

    @property
    def id(self) -> str:
        return self.plan.run

    @property
    def is_fallback(self) -> bool:
        return is_fallback(self.plan.run)


@dataclass(slots=True)
class RunHistory:
    """All runs that began, by id, in the order in which they began."""

    runs: dict[str, Run] = field(default_factory=dict)
    _open: dict[str, Run] = field(default_factory=dict)

    @classmethod
    def of(cls, entries: Iterable[tuple[int, AnyRecord]]) -> Self:
        """The history after these records, each with its seq."""
        history = cls()
        for seq, record in entries:
            history.fold(seq, record)
        return history

    def fold(self, seq: int, record: AnyRecord, timestamp_ms: int = 0) -> Run | None:
        """Returns the run that the record begins or ends. A run that has begun is not begun again."""
        match record:
            case Begin() if record.run not in self.runs:
                self.runs[record.run] = self._open[record.run] = Run(seq, timestamp_ms, record)
                return self.runs[record.run]
            case RunEnd() if record.run in self.runs:
                self._open.pop(record.run, None)
                self.runs[record.run].is_ended = True
                return self.runs[record.run]
        return None

    def has_begun(self, run: str) -> bool:
        return run in self.runs

    def is_open(self, run: str) -> bool:
        return run in self._open

    @property
    def open(self) -> list[Run]:
        """Runs that began and did not end, in the order in which they began."""
        return list(self._open.values())

    def forget(self, below: int) -> None:
        """Forget runs that ended and whose `begin` has a seq below this one."""
        gone = [name for name, run in self.runs.items() if run.seq < below and name not in self._open]
        for name in gone:
            del self.runs[name]

    def by_air_time(self) -> list[Run]:
        """All runs in the order in which they are planned to be heard."""
        return sorted(self.runs.values(), key=lambda run: (run.plan.at, run.seq))
