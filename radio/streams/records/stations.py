"""Records of stations: their runs and scripts, their broadcasts, and what others know about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from radio.errors import BadInput
from radio.streams.records.kind import RecordKind, ScriptPosition

# --- in/stations/<id> -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class InputStart(RecordKind):
    """A scheduler took the station."""

    EVENT = "start"
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(RecordKind):
    """A run begins. `at` and `until` are the planned air times in epoch ms.

    `rung`: of a fallback run, its place on the station's ladder: own, rerun or ident.
    """

    EVENT = "begin"
    run: str
    show: str
    title: str
    voice: str
    producer: str
    at: int
    until: int
    rung: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd(RecordKind):
    """No more script comes for the run; what is written is spoken until the run's `until`. `at` in epoch
    ms."""

    EVENT = "end"
    run: str
    reason: str
    at: int | None = None


# --- in/stations/<id>/<run> -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptStart(RecordKind):
    """A producer took the run. Earlier text after `keep` that is not yet spoken is void."""

    EVENT = "start"
    attempt: int
    keep: ScriptPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(RecordKind):
    """A piece of script: whole code points, UTF-8. `seg` counts the run's segments.

    `mark`: where in the producer's source the piece ends; only the producer reads it. The same below.
    """

    EVENT = "text"
    IN_HEADERS = True
    seg: int
    mark: str | None = None
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(RecordKind):
    """Text after `keep` that is not yet spoken is void."""

    EVENT = "cut"
    keep: ScriptPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip(RecordKind):
    """Sound instead of text: `d` ms, at most `MAX_CLIP_MS`, with caption `t`; the body is MP3 of our format.

    Script position `seq:1` is after the clip, `seq:0` before it.
    """

    EVENT = "clip"
    IN_HEADERS = True
    seg: int
    d: int
    t: str
    mark: str | None = None
    body: bytes


MAX_CLIP_MS = 12_000
"""At most as long as a sentence, because a clip cannot be interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again(RecordKind):
    """Airs records `first` to `last` of the station's own broadcast again, about `d` ms of sound.

    Script position `seq:n` is after the first n of these records.
    """

    EVENT = "again"
    seg: int
    first: int
    last: int
    d: int
    mark: str | None = None

    @property
    def size(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptEnd(RecordKind):
    """The script is complete. Shares its batch with the fence that seals the stream.

    `discarded`: what was generated but not written, counted by reason; None: nothing.
    """

    EVENT = "end"
    reason: str
    discarded: Mapping[str, int] | None = None


# --- memory/<station>/<show> ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(RecordKind):
    """A run of the show reached `mark` in its producer's source: later runs continue from it, or leave it
    out."""

    EVENT = "heard"
    run: str
    mark: str


# --- pub/stations/<id> ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastStart(RecordKind):
    """A narrator took the station. `tries`: earlier starts since the last sentence, with a sentence ready."""

    EVENT = "start"
    WIRE: ClassVar[Mapping[str, str]] = {"tries": "try"}
    owner: str
    tries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowBegin(RecordKind):
    """The audio that follows belongs to this run. `at` in epoch ms."""

    EVENT = "show"
    run: str
    show: str
    title: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio(RecordKind):
    """A spoken sentence. `run`, `src` and `at` only in a broadcast.

    Attributes:
        i: sentence index within its run or cast.
        d: duration in ms: frames × 24.
        t: caption, as written.
        at: epoch ms at which its first sample is heard.
        pos: bytes of audio in this stream before this record.
        src: where the sentence ends in the run's script.
        of: seq of the record that this one repeats, in the same broadcast: the first that had this sound.
        c: seq of the control request that this record carries out.
        epoch: seq of the newest `epoch` record before it, whose clock `at` uses; None: there was none.
        body: MP3, whole frames.
    """

    EVENT = "audio"
    WIRE: ClassVar[Mapping[str, str]] = {"epoch": "ep"}
    IN_HEADERS = True
    i: int
    d: int
    t: str
    pos: int
    at: int | None = None
    run: str | None = None
    src: ScriptPosition | None = None
    of: int | None = None
    c: int | None = None
    epoch: int | None = None
    body: bytes

    @property
    def until(self) -> int:
        """Epoch ms at which the last sample has been heard (broadcasts only)."""
        if self.at is None:
            raise BadInput("a cast's audio has no air time")
        return self.at + self.d


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip(RecordKind):
    """A sentence that could not be spoken."""

    EVENT = "skip"
    i: int
    t: str
    reason: str
    run: str | None = None
    src: ScriptPosition | None = None
    c: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch(RecordKind):
    """The wall clock stepped by `step` ms (on the 24 ms grid); air time continues from there."""

    EVENT = "epoch"
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastEnd(RecordKind):
    """The run's last record is before this one."""

    EVENT = "end"
    run: str
    reason: str


# --- pub/stations/<id>/shows, pub/stations/<id>/card ------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRun(RecordKind):
    """A finished run. `spans`: [first, last] seqs of its audio, both inclusive; times in epoch ms."""

    EVENT = "run"
    run: str
    show: str
    title: str
    spans: tuple[tuple[int, int], ...]
    at: int
    until: int
    size: int
    sentences: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOver(RecordKind):
    """A run that is finished and is not in the archive; nobody continues it."""

    EVENT = "over"
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(RecordKind):
    """What narrators and relays know about a station. Never holds prompts.

    Attributes:
        lead: target and guard in seconds.
        keep_ms: how long the broadcast is kept; None: no limit.
        days: the timetable of the next seven days, a list of objects with
            run, show, title, at, until (epoch ms).
        fallback: the producer of the fallback, or "off".
        ladder: while a fallback is on air or wanted: `rung` (own, rerun, ident or silence), `since` (epoch
            ms); and always `begun`, how many fallback runs of each rung began in the last days.
        model: the LLM that writes its text; None: none does, or it is missing.
        pronounce: words that are not pronounced by the rules: a respelling, or phonemes between slashes.
    """

    EVENT = "card"
    station: str
    title: str
    description: str
    zone: str
    language: str
    voice: str
    lead: tuple[float, float]
    keep_ms: int | None = None
    fallback: str
    days: tuple[Mapping[str, Any], ...]
    ladder: Mapping[str, Any] | None = None
    model: str | None = None
    pronounce: Mapping[str, str] | None = None
