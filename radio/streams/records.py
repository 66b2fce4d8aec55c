"""The records that pass between processes, and their one codec.

Each family below names what a kind of stream may hold. Headers are short byte pairs (`e` event, `v` format
version); control records carry a JSON body, `audio` a body of MP3, `text` a body of UTF-8. The formats are
pinned by golden files in `tests/streams/golden/`: change one only with a new version.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, Self

from radio.errors import BadInput
from radio.streams.contract import Headers, NewRecord, Record

VERSION = 1


class UnknownRecord(BadInput):
    """A record of a format that this version does not know."""


@dataclass(frozen=True, slots=True, order=True)
class ScriptPosition:
    """A place in a run's script: after `offset` UTF-8 bytes of the body of record `seq`: `seq:offset`."""

    seq: int
    offset: int

    def __str__(self) -> str:
        return f"{self.seq}:{self.offset}"

    @classmethod
    def parse(cls, text: str) -> Self:
        seq, colon, offset = text.partition(":")
        if not (colon and seq.isdecimal() and offset.isdecimal()):
            raise BadInput(f"not a script position: {text!r}", hint="it is spelt seq:offset")
        return cls(int(seq), int(offset))


SCRIPT_START = ScriptPosition(0, 0)


class _Kind:
    """A kind of record: a frozen dataclass whose fields are its wire fields."""

    __slots__ = ()
    EVENT: ClassVar[str]
    WIRE: ClassVar[Mapping[str, str]] = {}
    """Field name to wire name, where they differ."""
    IN_HEADERS: ClassVar[bool] = False
    """Fields go in headers and `body` is the record's body; otherwise all go in a JSON body."""


# --- in/stations/<id> -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class InputStart(_Kind):
    """A scheduler took the station."""

    EVENT = "start"
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(_Kind):
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
class RunEnd(_Kind):
    """No more script comes for the run; what stands is spoken until the run's `until`. `at` in epoch ms."""

    EVENT = "end"
    run: str
    reason: str
    at: int | None = None


# --- in/stations/<id>/<run> -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptStart(_Kind):
    """A producer took the run. Of the text before, what lies after `keep` and is unspoken is void."""

    EVENT = "start"
    attempt: int
    keep: ScriptPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(_Kind):
    """A piece of script: whole code points, UTF-8. `seg` counts the run's segments.

    `mark`: where in the producer's source it ends; only the producer reads it. The same below.
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
class Cut(_Kind):
    """What lies after `keep` and is unspoken is void."""

    EVENT = "cut"
    keep: ScriptPosition


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip(_Kind):
    """Sound instead of text: `d` ms, at most `MAX_CLIP_MS`, with caption `t`; the body is MP3 of our format.

    Of it, position `seq:1` lies behind it, and `seq:0` before.
    """

    EVENT = "clip"
    IN_HEADERS = True
    seg: int
    d: int
    t: str
    mark: str | None = None
    body: bytes


MAX_CLIP_MS = 12_000
"""As long as a sentence: it cannot be interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again(_Kind):
    """Records `first` to `last` of the station's own broadcast once more, about `d` ms of sound.

    Of it, position `seq:n` lies behind the first n of these records.
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
class ScriptEnd(_Kind):
    """The script is complete. Shares its batch with the fence that seals the stream.

    `discarded`: what was made and not written, counted by reason; None: nothing.
    """

    EVENT = "end"
    reason: str
    discarded: Mapping[str, int] | None = None


# --- memory/<station>/<show> ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard(_Kind):
    """A run of the show came to `mark` in its producer's source: what later runs go on from, or leave out."""

    EVENT = "heard"
    run: str
    mark: str


# --- pub/stations/<id> ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastStart(_Kind):
    """A narrator took the station. `tries`: earlier starts since the last sentence that had one ready."""

    EVENT = "start"
    WIRE: ClassVar[Mapping[str, str]] = {"tries": "try"}
    owner: str
    tries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(_Kind):
    """The audio that follows belongs to this run. `at` in epoch ms."""

    EVENT = "show"
    run: str
    show: str
    title: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio(_Kind):
    """A spoken sentence. `run`, `src` and `at` only in a broadcast.

    Attributes:
        i: sentence index within its run or cast.
        d: duration in ms: frames × 24.
        t: caption, as written.
        at: epoch ms at which its first sample is heard.
        pos: bytes of audio in this stream before this record.
        src: where the sentence ends in the run's script.
        c: seq of the control request that this record obeys.
        body: MP3, whole frames.
    """

    EVENT = "audio"
    IN_HEADERS = True
    i: int
    d: int
    t: str
    pos: int
    at: int | None = None
    run: str | None = None
    src: ScriptPosition | None = None
    c: int | None = None
    body: bytes

    @property
    def until(self) -> int:
        """Epoch ms at which the last sample has been heard (broadcasts only)."""
        if self.at is None:
            raise BadInput("a cast's audio has no air time")
        return self.at + self.d


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip(_Kind):
    """A sentence that could not be spoken."""

    EVENT = "skip"
    i: int
    t: str
    reason: str
    run: str | None = None
    src: ScriptPosition | None = None
    c: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch(_Kind):
    """The wall clock stepped by `step` ms (on the 24 ms grid); air time goes on from there."""

    EVENT = "epoch"
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BroadcastEnd(_Kind):
    """The run's last record stands before this one."""

    EVENT = "end"
    run: str
    reason: str


# --- pub/stations/<id>/shows, pub/stations/<id>/card ------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRun(_Kind):
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
class RunOver(_Kind):
    """A run that is finished and has no place in the archive: nobody takes it up again."""

    EVENT = "over"
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(_Kind):
    """What narrators and relays know of a station. Never holds prompts.

    Attributes:
        lead: target and guard in seconds.
        keep_ms: how long the broadcast is kept; None: no limit.
        days: the timetable of the next seven days, a list of objects with
            run, show, title, at, until (epoch ms).
        fallback: the producer of the fallback, or "off".
        ladder: while a fallback is on air or wanted: `rung` (own, rerun, ident or silence), `since` (epoch
            ms); and always `begun`, how many fallback runs of each rung began in the last days.
        model: the LLM that writes its words; None: none does, or it is missing.
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


# --- pub/casts/<id> ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CastMeta(_Kind):
    """The relay's claim. `created` in epoch ms, `characters` of the text."""

    EVENT = "meta"
    title: str
    voice: str
    created: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CastStart(_Kind):
    """A narrator took the cast; sentences below `first` stay valid."""

    EVENT = "start"
    WIRE: ClassVar[Mapping[str, str]] = {"first": "from", "tries": "try"}
    owner: str
    first: int
    tries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CastEnd(_Kind):
    """The cast is over: done, failed or removed.

    Attributes:
        job: the highest job of it that its writer had read.
        c: seq of the control request that this record obeys, and so all below it.
        recipes: where it was removed, the records of its catalog stream below this number go with it.
    """

    EVENT = "eos"
    reason: str
    job: int
    c: int | None = None
    recipes: int | None = None


# --- catalog/<cast>, jobs, jobs/dead, progress/done, control, member/<owner>, meta/copy ---------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(_Kind):
    """What a submitter sent. `voice` in canonical form with its speed; `token` is a SHA-256 in hex.

    Attributes:
        created: epoch ms of the first submission.
        asked: epoch ms of the submission from which its keeping counts; None: the first.
        keep_ms: how long it is kept; None: as long as the operator keeps casts.
    """

    EVENT = "recipe"
    text: str
    voice: str
    title: str
    created: int
    token: str
    asked: int | None = None
    keep_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(_Kind):
    """A cast to speak."""

    EVENT = "job"
    cast: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadJob(_Kind):
    """A cast that failed; readers drop duplicates by `job`."""

    EVENT = "dead"
    cast: str
    job: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorMark(_Kind):
    """The lowest job that is not finished, of the store with that id."""

    EVENT = "cursor"
    store: str
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(_Kind):
    """Work done. `id` is a cast's id or `<station>/<run>`; readers drop duplicates by `id` and `job`."""

    EVENT = "done"
    id: str
    reason: str
    voice: str
    sentences: int
    skipped: int
    audio_ms: int
    gen_ms: int
    job: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(_Kind):
    """Someone wants something of an owner, or of all relays. `target` is a station or a cast id."""

    EVENT = "request"
    what: str
    target: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat(_Kind):
    """A member lives.

    Attributes:
        xrt: seconds of audio that it makes per second, as measured.
        live: how many of its stations are live: each needs a second of audio per second.
        leads: by lane, in seconds.
        let_go: bytes of sound that it trimmed for want of disk space.
    """

    EVENT = "beat"
    role: str
    host: str
    xrt: float | None = None
    live: int | None = None
    leads: Mapping[str, float] | None = None
    let_go: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye(_Kind):
    """A member stopped."""

    EVENT = "bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyBegun(_Kind):
    """This store is being made a copy of the store with the id `source`."""

    EVENT = "copying"
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyDone(_Kind):
    """It is a whole copy; `digest` is a SHA-256 in hex over the digests of its streams."""

    EVENT = "copied"
    source: str
    streams: int
    records: int
    digest: str


AnyRecord = (
    InputStart | Begin | RunEnd | ScriptStart | Text | Cut | Clip | Again | ScriptEnd | Heard
    | BroadcastStart | Show | Audio | Skip | Epoch | BroadcastEnd | ArchivedRun | RunOver | Card | CastMeta
    | CastStart | CastEnd | Recipe | Job | DeadJob | CursorMark | Receipt | Request | Heartbeat | Bye
    | CopyBegun | CopyDone
)  # fmt: skip

Family = tuple[type[AnyRecord], ...]

STATION_INPUT: Family = (InputStart, Begin, RunEnd)
SCRIPT: Family = (ScriptStart, Text, Cut, Clip, Again, ScriptEnd)
MEMORY: Family = (InputStart, Heard)
BROADCAST: Family = (BroadcastStart, Show, Audio, Skip, Epoch, BroadcastEnd)
ARCHIVE: Family = (ArchivedRun, RunOver)
CARD: Family = (InputStart, Card)
CAST: Family = (CastMeta, CastStart, Audio, Skip, CastEnd)
CATALOG: Family = (Recipe,)
JOBS: Family = (Job,)
DEAD: Family = (DeadJob,)
CURSOR: Family = (CursorMark,)
DONE: Family = (Receipt,)
CONTROL: Family = (Request,)
MEMBER: Family = (Heartbeat, Bye)
COPY: Family = (CopyBegun, CopyDone)


def encode(record: AnyRecord) -> NewRecord:
    """The record as it goes into its stream. Fields that are None are left out."""
    kind: Any = type(record)
    values = {
        wire: getattr(record, name) for name, wire, _ in _layout(kind) if getattr(record, name) is not None
    }
    head: Headers = ((b"e", record.EVENT.encode()), (b"v", str(VERSION).encode()))
    if not record.IN_HEADERS:
        return NewRecord(headers=head, body=_dump(values))
    body = values.pop("body")
    return NewRecord(
        headers=head + tuple((k.encode(), str(v).encode()) for k, v in values.items()), body=body
    )


def decode(family: Family, record: Record) -> AnyRecord:
    """The record as one of its stream's family.

    Raises:
        UnknownRecord: a command, a newer version, an event that is not of this family, or a broken record.
    """
    head = {name.decode(errors="replace"): value.decode(errors="replace") for name, value in record.headers}
    kind: Any = next((k for k in family if head.get("e") == k.EVENT), None)
    if kind is None or head.get("v") != str(VERSION):
        raise UnknownRecord(f"record {record.seq}: event {head.get('e')!r}, version {head.get('v')!r}")
    try:
        values: Mapping[str, Any] = (
            {**head, "body": record.body} if kind.IN_HEADERS else json.loads(record.body)
        )
        decoded: AnyRecord = kind(
            **{name: revive(values[wire]) for name, wire, revive in _layout(kind) if wire in values}
        )
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise UnknownRecord(f"record {record.seq}: broken {kind.EVENT}: {e}") from e
    return decoded


def event_of(record: Record) -> str | None:
    """The record's event without decoding it; None for commands."""
    return next((value.decode(errors="replace") for name, value in record.headers if name == b"e"), None)


def _dump(values: Mapping[str, Any]) -> bytes:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=str)
    return text.encode()


def _revive(annotation: str) -> Any:
    """From a wire value (header text or JSON value) to a field of that type."""
    if annotation.startswith("ScriptPosition"):
        return ScriptPosition.parse
    if annotation.startswith("int"):
        return int
    if annotation.startswith("float"):
        return float
    if annotation == "tuple[tuple[int, int], ...]":
        return lambda value: tuple((int(a), int(b)) for a, b in value)
    if annotation.startswith("tuple"):
        return tuple
    return lambda value: value


@cache
def _layout(kind: type[Any]) -> tuple[tuple[str, str, Any], ...]:
    """(field, wire name, reviver) of each field; a field without default must be there."""
    rows = []
    for field in fields(kind):
        wire = kind.WIRE.get(field.name, field.name)
        spelt = field.type if isinstance(field.type, str) else _spell(field.type)
        rows.append((field.name, wire, _revive(spelt)))
    return tuple(rows)


def _spell(annotation: Any) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    text = str(annotation)
    return text.replace("radio.streams.records.", "").replace("typing.", "")
