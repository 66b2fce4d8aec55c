"""A cast as a fold of its records. Pure."""

from dataclasses import dataclass, field
from typing import Literal

from radio.streams import records

Status = Literal["queued", "live", "done", "failed", "removed"]


@dataclass(frozen=True, slots=True)
class CastSentence:
    """One sentence of a cast. `d` in ms and `size` in bytes; both 0 where `skipped` gives a reason."""

    i: int
    seq: int
    t: str
    d: int = 0
    size: int = 0
    skipped: str | None = None


@dataclass(slots=True)
class CastState:
    """What the records of a cast come to; grows by `add`, in order."""

    status: Status = "queued"
    meta: records.CastMeta | None = None
    start: records.CastStart | None = None
    lines: dict[int, CastSentence] = field(default_factory=dict)
    """By sentence index; the newest record of each."""
    reason: str | None = None
    """Why it failed or was removed."""
    job: int = -1
    """Jobs up to this one are over."""
    obeyed: int = -1
    """Requests up to this one are obeyed."""
    recipes: int = 0
    """Records of the catalog stream below this one belong to what was removed."""
    erased: str | None = None
    """The token of the recipes of what was removed."""
    is_new_start: bool = True
    """No sentence stands since the last `start`."""

    def add(self, seq: int, record: records.AnyRecord) -> None:
        match record:
            case records.CastMeta():
                self.meta, self.status, self.reason = record, "queued", None
                self.start, self.lines, self.is_new_start = None, {}, True
            case records.CastStart():
                self.start, self.status, self.reason, self.is_new_start = record, "live", None, True
                self.lines = {i: line for i, line in self.lines.items() if i < record.first}
            case records.Audio():
                self.lines[record.i] = CastSentence(record.i, seq, record.t, record.d, len(record.body))
                self.is_new_start = False
            case records.Skip():
                self.lines[record.i] = CastSentence(record.i, seq, record.t, skipped=record.reason)
                self.is_new_start = False
            case records.CastEnd():
                self._end(record)

    def _end(self, record: records.CastEnd) -> None:
        self.job = max(self.job, record.job)
        self.obeyed = max(self.obeyed, -1 if record.c is None else record.c)
        self.recipes = max(self.recipes, record.recipes or 0)
        self.erased = record.token or self.erased
        self.reason = None if record.reason == "done" else record.reason
        self.status = (
            "done" if record.reason == "done" else "removed" if record.reason == "removed" else "failed"
        )
        if self.status == "removed":
            self.meta, self.lines = None, {}

    def obeyed_with(self, request: int | None) -> int | None:
        """The `c` of an end that obeys this request, if any: nothing is obeyed twice."""
        highest = max(self.obeyed, -1 if request is None else request)
        return highest if highest >= 0 else None

    @property
    def is_over(self) -> bool:
        return self.status not in ("queued", "live")

    @property
    def next_index(self) -> int:
        """The first sentence that is neither spoken nor skipped."""
        return next(i for i in range(len(self.lines) + 1) if i not in self.lines)

    @property
    def sentences(self) -> int:
        return sum(line.skipped is None for line in self.lines.values())

    @property
    def skipped(self) -> int:
        return len(self.lines) - self.sentences

    @property
    def audio_ms(self) -> int:
        return sum(line.d for line in self.lines.values())

    @property
    def size(self) -> int:
        """Bytes of audio."""
        return sum(line.size for line in self.lines.values())


def is_open(state: CastState, job: int, *, has_recipe: bool, fence: str) -> bool:
    """Whether this job (its seq in `jobs`) of the cast is still to be done."""
    return state.meta is not None and has_recipe and not fence.startswith("end.") and state.job < job
