"""The runs of a station, as its scheduler began and ended them: a fold of `in/stations/<id>`. Pure."""

from dataclasses import dataclass, field

from radio.runs import is_fallback
from radio.streams.records import AnyRecord, Begin, RunEnd


@dataclass(slots=True, eq=False)
class Run:
    """A run that began. Times in epoch ms.

    Attributes:
        seq, begun_ms: of its `begin` record.
        is_ended: no more script comes.
        voice: what it is spoken with, if that is not the planned one.
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
class StationRuns:
    """All runs that began, by id."""

    runs: dict[str, Run] = field(default_factory=dict)

    def fold(self, seq: int, timestamp_ms: int, record: AnyRecord) -> Run | None:
        """The run that the record begins or ends. A run that began is not begun again."""
        match record:
            case Begin() if record.run not in self.runs:
                self.runs[record.run] = Run(seq, timestamp_ms, record)
                return self.runs[record.run]
            case RunEnd() if record.run in self.runs:
                self.runs[record.run].is_ended = True
                return self.runs[record.run]
        return None

    def in_order(self) -> list[Run]:
        """By planned air time."""
        return sorted(self.runs.values(), key=lambda run: (run.plan.at, run.seq))
