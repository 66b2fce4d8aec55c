"""One stream as a fold of its appends. Pure; the memory and the SQLite store both use it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from radio.streams.call_checks import metered
from radio.streams.contract import (
    Appendable,
    AppendAck,
    BeyondTail,
    Fence,
    FenceMismatch,
    FromSeq,
    FromTail,
    NewRecord,
    OnGap,
    Position,
    ReadResult,
    Record,
    SeqMismatch,
    Start,
    Trim,
    Trimmed,
)


@dataclass(frozen=True, slots=True)
class StreamState:
    """A stream without its records; a missing one is `StreamState()`.

    Attributes:
        next_seq: of the record to come.
        last_ms: timestamp of the last record.
        first_seq: the trim point: records below it are gone, and all from it up to `next_seq` are kept.
        fence: the current fencing token.
    """

    next_seq: int = 0
    last_ms: int = 0
    first_seq: int = 0
    fence: str = ""

    @property
    def tail(self) -> Position:
        return Position(self.next_seq, self.last_ms)


@dataclass(frozen=True, slots=True)
class AppliedAppend:
    """The result of an append. `records` are all of the batch, even those that its own trim removes."""

    state: StreamState
    records: tuple[Record, ...]
    ack: AppendAck


def append(
    state: StreamState,
    batch: Sequence[Appendable],
    *,
    now_ms: int,
    match_seq_num: int | None = None,
    fencing_token: str | None = None,
) -> AppliedAppend:
    """The stream after the batch; `FenceMismatch` or `SeqMismatch` if a condition fails (fence first, C5)."""
    if fencing_token is not None and fencing_token != state.fence:
        raise FenceMismatch(state.fence)
    if match_seq_num is not None and match_seq_num != state.next_seq:
        raise SeqMismatch(state.next_seq)
    records = []
    after = state
    for item in batch:
        record = _record(item, after, now_ms)
        after = _fold(after, item, record)
        records.append(record)
    start = Position(records[0].seq, records[0].timestamp)
    return AppliedAppend(after, tuple(records), AppendAck(start, after.tail, after.tail))


def _record(item: Appendable, state: StreamState, now_ms: int) -> Record:
    wanted = now_ms if item.timestamp is None else min(item.timestamp, now_ms)
    timestamp = max(state.last_ms, wanted)
    match item:
        case NewRecord():
            return Record(state.next_seq, timestamp, item.headers, item.body)
        case Fence():
            return Record(state.next_seq, timestamp, (), item.token.encode(), "fence")
        case Trim():
            return Record(state.next_seq, timestamp, (), item.first_seq.to_bytes(8, "big"), "trim")


def _fold(state: StreamState, item: Appendable, record: Record) -> StreamState:
    first, fence = state.first_seq, state.fence
    match item:
        case Fence():
            fence = item.token
        case Trim():
            first = max(first, min(item.first_seq, record.seq + 1))
    return StreamState(record.seq + 1, record.timestamp, first, fence)


def seek(
    state: StreamState, start: Start, *, clamp: bool, on_gap: OnGap, timestamp_at: Callable[[int], int]
) -> tuple[int, bool]:
    """The first seq to read, and whether records before it are missing (R3 to R7).

    Args:
        timestamp_at: timestamp of an existing record, by its seq.
    """
    if isinstance(start, FromSeq):
        wanted = start.seq
    elif isinstance(start, FromTail):
        wanted = max(state.next_seq - start.count, 0)
    else:
        return _search(state, start.ms, timestamp_at), False
    if wanted > state.next_seq:
        if not clamp:
            raise BeyondTail(state.tail)
        wanted = state.next_seq
    gap = wanted < state.first_seq
    if gap and on_gap == "raise":
        raise Trimmed(state.first_seq if state.first_seq < state.next_seq else None)
    return max(wanted, state.first_seq), gap


def _search(state: StreamState, ms: int, timestamp_at: Callable[[int], int]) -> int:
    """Binary search: timestamps never fall with seq, and no seq from `first_seq` on is missing."""
    low, high = state.first_seq, state.next_seq
    while low < high:
        middle = (low + high) // 2
        if timestamp_at(middle) < ms:
            low = middle + 1
        else:
            high = middle
    return low


def collect(
    state: StreamState,
    records: Iterable[Record],
    *,
    gap: bool,
    max_records: int,
    max_bytes: int,
    include_commands: bool,
) -> ReadResult:
    """The result of a read of `records`, which begin where `seek` said. Hidden commands count (as on S2)."""
    taken: list[Record] = []
    size = 0
    for record in records:
        size += stored_size(record)
        if taken and size > max_bytes:
            break
        taken.append(record)
        if len(taken) == max_records:
            break
    next_seq = taken[-1].seq + 1 if taken else state.next_seq
    visible = tuple(r for r in taken if include_commands or r.kind == "data")
    return ReadResult(visible, next_seq, state.tail, gap)


def stored_size(record: Record) -> int:
    """Size of an existing record, as S2 counts it."""
    if record.kind == "fence":
        return metered(Fence(record.body.decode()))
    if record.kind == "trim":
        return metered(Trim(0))
    return metered(NewRecord(record.body, record.headers))
