"""Reading from S2: its answers at and above the tail, under a trim and a byte limit, as R1 to R9 require."""

from dataclasses import dataclass
from typing import Protocol

from radio.streams.contract import (
    RESERVED_HEADER,
    BeyondTail,
    FromSeq,
    FromTail,
    FromTimestamp,
    OnGap,
    Position,
    ReadResult,
    Record,
    Start,
    StreamDeleting,
    StreamNotFound,
    Trimmed,
)
from radio.streams.stores.s2.failures import CallFailed
from radio.streams.stores.s2.retries import RetryingCalls
from radio.streams.stores.s2.sdk import Batch


class ReadServer(Protocol):
    """The part of the client that reading needs."""

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch: ...

    async def check_tail(self, name: str) -> Position: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """The parameters of a read, by `StreamStore.read` or a follower."""

    name: str
    start: Start
    max_records: int
    max_bytes: int
    include_commands: bool
    clamp: bool
    on_gap: OnGap


async def read(
    server: ReadServer, line: RetryingCalls, request: ReadRequest, *, within_s: float | None = None
) -> ReadResult:
    """Read as `StreamStore.read` promises; retried as `RetryingCalls.patiently` says."""
    try:
        return await line.patiently(lambda: _read(server, request), within_s=within_s)
    except StreamDeleting as e:
        raise StreamNotFound(request.name) from e


async def _read(server: ReadServer, request: ReadRequest) -> ReadResult:
    """One attempt. Raises `CallFailed`, and the errors of a refused start."""
    start = request.start
    if isinstance(start, FromTail):
        tail = await server.check_tail(request.name)
        if start.count == 0 or tail.seq == 0:
            return ReadResult((), tail.seq, tail)
        start = FromSeq(max(tail.seq - start.count, 0))
    try:
        batch = await server.read(request.name, start, request.max_records, request.max_bytes)
        if not batch.records:
            batch = await server.read(request.name, start, 1)
        if not batch.records:
            return await _beneath_a_trim(server, request, start)
    except CallFailed as failed:
        if isinstance(failed.error, BeyondTail):
            return _at_the_tail(start, failed.error, request.clamp)
        raise
    return result_of(batch, start, include_commands=request.include_commands, on_gap=request.on_gap)


async def _beneath_a_trim(
    server: ReadServer, request: ReadRequest, start: FromSeq | FromTimestamp
) -> ReadResult:
    """There was no record from the start on. The tail is asked for first and the records again after it: that
    finds records appended in between, and what was below the tail is surely gone."""
    tail = await server.check_tail(request.name)
    batch = await server.read(request.name, start, 1)
    if batch.records:
        return result_of(batch, start, include_commands=request.include_commands, on_gap=request.on_gap)
    is_gap = isinstance(start, FromSeq) and start.seq < tail.seq
    if is_gap and request.on_gap == "raise":
        raise Trimmed(None)
    return ReadResult((), tail.seq, tail, is_gap)


def _at_the_tail(start: FromSeq | FromTimestamp, beyond: BeyondTail, clamp: bool) -> ReadResult:
    """S2 refuses a start at its tail as it does one above it."""
    if isinstance(start, FromSeq) and start.seq > beyond.tail.seq and not clamp:
        raise beyond
    return ReadResult((), beyond.tail.seq, beyond.tail)


def result_of(
    batch: Batch, start: FromSeq | FromTimestamp, *, include_commands: bool, on_gap: OnGap
) -> ReadResult:
    """Records from a start on, as the contract shows them. Pure.

    Raises:
        Trimmed: records before them are gone, and `on_gap` is "raise".
    """
    first, last = batch.records[0], batch.records[-1]
    is_gap = isinstance(start, FromSeq) and first.seq > start.seq
    if is_gap and on_gap == "raise":
        raise Trimmed(first.seq)
    shown = tuple(
        _without_reserved(record) for record in batch.records if include_commands or record.kind == "data"
    )
    return ReadResult(shown, last.seq + 1, batch.tail, is_gap)


def _without_reserved(record: Record) -> Record:
    if not any(name.startswith(RESERVED_HEADER) for name, _ in record.headers):
        return record
    headers = tuple(pair for pair in record.headers if not pair[0].startswith(RESERVED_HEADER))
    return Record(record.seq, record.timestamp, headers, record.body, record.kind)
