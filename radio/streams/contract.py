"""The contract of a store of durable, ordered, replayable streams.

The numbered rules (N, A, C, R, F, T, X, D, M) that each method must hold are in `docs/streams.md`;
`tests/contract/` checks them against every store. Sizes are S2's, enforced by every store alike.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol

from radio.errors import BadInput, RadioError

Headers = tuple[tuple[bytes, bytes], ...]

MAX_BATCH_RECORDS = 1000
MAX_BATCH_BYTES = (1 << 20) - 32
"""Metered bytes of one append; 32 stay free for a batch id."""
MAX_READ_RECORDS = 1000
MAX_READ_BYTES = 1 << 20
MAX_NAME_BYTES = 512
MAX_TOKEN_BYTES = 36
RESERVED_HEADER = b"_s."


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to append. `timestamp` in epoch ms; the store bounds it (T1)."""

    body: bytes = b""
    headers: Headers = ()
    timestamp: int | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """A command record: from the next append on, `token` is the stream's fencing token."""

    token: str
    timestamp: int | None = None


@dataclass(frozen=True, slots=True)
class Trim:
    """A command record: records below `first_seq` may go."""

    first_seq: int
    timestamp: int | None = None


Appendable = NewRecord | Fence | Trim


@dataclass(frozen=True, slots=True)
class Record:
    """One entry of a stream. `timestamp` in epoch ms, by the store's clock.

    A command's body is its token (UTF-8) or its trim point (8 bytes, big endian); its headers are empty.
    """

    seq: int
    timestamp: int
    headers: Headers
    body: bytes
    kind: Literal["data", "fence", "trim"] = "data"


@dataclass(frozen=True, slots=True)
class Position:
    """As a tail: the next sequence number, and the timestamp of the last record (0 if there is none)."""

    seq: int
    timestamp: int


@dataclass(frozen=True, slots=True)
class AppendAck:
    """`end.seq` is the last record's number + 1; `tail.seq` is at least that."""

    start: Position
    end: Position
    tail: Position


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A contiguous stretch of a stream. Always continue at `next_seq`, also when `records` is empty.

    Attributes:
        gap: records between the asked start and the first one here are gone (trimmed).
    """

    records: tuple[Record, ...]
    next_seq: int
    tail: Position | None = None
    gap: bool = False


@dataclass(frozen=True, slots=True)
class FromSeq:
    seq: int


@dataclass(frozen=True, slots=True)
class FromTimestamp:
    """Start at the first record with this timestamp (epoch ms) or a later one."""

    ms: int


@dataclass(frozen=True, slots=True)
class FromTail:
    """Start `count` records before the tail; commands count."""

    count: int


Start = FromSeq | FromTimestamp | FromTail
OnGap = Literal["skip", "raise"]


@dataclass(frozen=True, slots=True)
class StreamInfo:
    name: str
    created_ms: int


@dataclass(frozen=True, slots=True)
class Page:
    items: tuple[StreamInfo, ...]
    has_more: bool


class Follow(Protocol):
    """A tail of one stream. An empty result is a heartbeat; cancelling `anext` loses nothing (F9)."""

    @property
    def caught_up(self) -> bool:
        """Everything up to the last observed tail has been yielded."""
        ...

    def __aiter__(self) -> AsyncIterator[ReadResult]: ...

    async def __anext__(self) -> ReadResult: ...


class StreamStore(Protocol):
    """Durable streams. Every method may raise `StoreClosed`, and `Unavailable` (safe to retry)."""

    async def store_id(self) -> str:
        """The random id that was given to this store once (M7)."""
        ...

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        """Append a batch, all of it or nothing; creates the stream.

        With `match_seq_num` exactly-once even if a reply is lost (A9). Cancelling leaves it unknown (A11).

        Raises:
            InvalidRequest: before any I/O.
            FenceMismatch, SeqMismatch: nothing was written.
            AppendUncertain: it may or may not have been applied.
            StreamDeleting: the name's deletion is not finished.
        """
        ...

    async def read(
        self,
        name: str,
        start: Start,
        *,
        max_records: int = MAX_READ_RECORDS,
        max_bytes: int = MAX_READ_BYTES,
        include_commands: bool = False,
        clamp: bool = False,
        on_gap: OnGap = "skip",
    ) -> ReadResult:
        """Read the records that are stored now.

        Raises:
            StreamNotFound: never created, or deleted.
            BeyondTail: `start` is above the tail and `clamp` is off.
            Trimmed: only with `on_gap="raise"`.
        """
        ...

    def follow(
        self,
        name: str,
        start: Start,
        *,
        include_commands: bool = False,
        await_stream: bool = False,
        clamp: bool = False,
        heartbeat: float = 10.0,
        reconnect_timeout: float = 60.0,
        on_gap: OnGap = "skip",
    ) -> AbstractAsyncContextManager[Follow]:
        """Tail a stream: every record from `start` on, once, in order (F1 to F12). Times in seconds."""
        ...

    async def check_tail(self, name: str) -> Position:
        """Raises `StreamNotFound`; never creates."""
        ...

    async def fencing_token(self, name: str) -> str:
        """The current token, "" if unfenced. Raises `StreamNotFound`; never creates."""
        ...

    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        """Let records below `first_seq` go (X1 to X5). Raises `StreamNotFound`; never creates."""
        ...

    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        """Names that begin with `prefix`, after `start_after`, ascending by UTF-8 bytes."""
        ...

    async def delete(self, name: str, *, missing_ok: bool = True) -> bool:
        """True if the stream existed. Safe to repeat."""
        ...

    async def close(self) -> None:
        """Fail pending follows, finish the append in flight. Idempotent."""
        ...


class StoreError(RadioError):
    """The store could not do that."""


class InvalidRequest(StoreError, BadInput):
    """A name, size, token or limit is not allowed."""


class StreamNotFound(StoreError):
    """There is no such stream."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no stream {name}")
        self.name = name


class StreamDeleting(StoreError):
    """The stream of that name is still being deleted."""

    def __init__(self, name: str) -> None:
        super().__init__(f"stream {name} is still being deleted", hint="try again in a minute")
        self.name = name


class AppendConditionFailed(StoreError):
    """A condition of the append did not hold; nothing was written."""


class SeqMismatch(AppendConditionFailed):
    """`actual` is the next sequence number that the store would assign."""

    def __init__(self, actual: int) -> None:
        super().__init__(f"the next sequence number is {actual}")
        self.actual = actual


class FenceMismatch(AppendConditionFailed):
    """`actual` is the stream's current token."""

    def __init__(self, actual: str) -> None:
        super().__init__(f"the stream is fenced with {actual!r}")
        self.actual = actual


class BeyondTail(StoreError):
    """The start lies above the tail."""

    def __init__(self, tail: Position) -> None:
        super().__init__(f"the stream ends at {tail.seq}")
        self.tail = tail


class Trimmed(StoreError):
    """The start was trimmed; `first_seq` is the oldest record that stands, if known."""

    def __init__(self, first_seq: int | None) -> None:
        super().__init__("the asked records are gone")
        self.first_seq = first_seq


class AppendUncertain(StoreError):
    """The append may or may not have been applied."""


class Unavailable(StoreError):
    """The store did not answer, or refused for now; nothing was applied."""


class StoreChanged(StoreError):
    """A cursor belongs to another store."""

    def __init__(self, expected: str, actual: str) -> None:
        super().__init__(
            f"the store is {actual}, not {expected}", hint="the data folder was replaced; cursors start anew"
        )
        self.expected = expected
        self.actual = actual


class StoreClosed(StoreError):
    """The store was closed."""
