"""Records of the streams that processes share: casts to speak, receipts, requests, members, copies."""

from collections.abc import Mapping
from dataclasses import dataclass

from radio.streams.records.kind import RecordKind

# --- catalog/<cast>, jobs, jobs/dead, progress/done, control, member/<owner>, meta/copy ---------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(RecordKind):
    """What a submitter sent. `voice` in canonical form with its speed; `token` is a SHA-256 in hex.

    Attributes:
        created: epoch ms of the first submission.
        asked: epoch ms of the submission from which `keep_ms` counts; None: the first.
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
class Job(RecordKind):
    """A cast to speak."""

    EVENT = "job"
    cast: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadJob(RecordKind):
    """A cast that failed; readers drop duplicates by `job`."""

    EVENT = "dead"
    cast: str
    job: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CursorMark(RecordKind):
    """The lowest job that is not finished, of the store with that id."""

    EVENT = "cursor"
    store: str
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(RecordKind):
    """Work is done. `id` is a cast's id or `<station>/<run>`; readers drop duplicates by `id` and `job`."""

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
class ControlRequest(RecordKind):
    """A request to an owner, or to all relays. `target` is a station or a cast id.

    `since`: when the request was made (epoch ms), if this record is a later copy of it.
    """

    EVENT = "request"
    what: str
    target: str
    detail: str = ""
    since: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat(RecordKind):
    """A member is alive.

    Attributes:
        xrt: seconds of audio that it makes per second, as measured.
        live: how many of its stations are live: each needs a second of audio per second.
        leads: by lane, in seconds; a lane is spelt as `LaneId` spells it.
        let_go: bytes of sound that it trimmed because disk space was low.
        engine: of a narrator, its voice engine and what that runs on, as `native avx2, 2 threads`.
    """

    EVENT = "beat"
    role: str
    host: str
    xrt: float | None = None
    live: int | None = None
    leads: Mapping[str, float] | None = None
    let_go: int | None = None
    engine: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye(RecordKind):
    """A member stopped."""

    EVENT = "bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyBegun(RecordKind):
    """This store is being made a copy of the store with the id `source`."""

    EVENT = "copying"
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyDone(RecordKind):
    """The copy is whole; `digest` is a SHA-256 in hex over the digests of its streams."""

    EVENT = "copied"
    source: str
    streams: int
    records: int
    digest: str
