"""Appending exactly once over a network: attempts, lost replies, and finding out what was stored.

With `match_seq_num` a batch carries a random id on its first data record. An attempt whose reply was lost is
repeated at the same number. The repetition decides, not a read, because only one of two appends at one number
can be stored. If the number turns out to be taken, the id there tells whether the append was ours.
"""

import asyncio
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from radio.log import log_event
from radio.streams.contract import (
    RESERVED_HEADER,
    Appendable,
    AppendAck,
    AppendConditionFailed,
    AppendUncertain,
    BeyondTail,
    Fence,
    FromSeq,
    FromTimestamp,
    NewRecord,
    Position,
    Record,
    StoreClosed,
    StoreError,
    Trim,
)
from radio.streams.stores.s2.failures import CallFailed, Verdict
from radio.streams.stores.s2.retries import RetryingCalls, pauses
from radio.streams.stores.s2.sdk import Batch

log = logging.getLogger(__name__)

BATCH_ID = RESERVED_HEADER + b"b"
BATCH_ID_BYTES = 8
APPEND_S = 20.0
"""How long an append is retried: longer than a restart of the server or a short network failure."""


class AppendServer(Protocol):
    """The part of the client that appending needs."""

    async def append(
        self, name: str, records: Sequence[Appendable], match_seq_num: int | None, fencing_token: str | None
    ) -> AppendAck: ...

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch: ...

    async def check_tail(self, name: str) -> Position: ...


@dataclass(frozen=True, slots=True)
class AppendRequest:
    """One call of `append`.

    Attributes:
        is_repeatable: repeating it has no further effect.
    """

    name: str
    records: tuple[Appendable, ...]
    match_seq_num: int | None = None
    fencing_token: str | None = None
    is_repeatable: bool = False

    @property
    def may_be_made_again(self) -> bool:
        """Raised although an earlier attempt may have been stored."""
        return self.match_seq_num is not None or self.is_repeatable


def tagged(records: Sequence[Appendable], batch_id: bytes) -> tuple[Appendable, ...]:
    """The batch with the id on its first data record, if it has one. Pure."""
    for place, record in enumerate(records):
        if isinstance(record, NewRecord):
            marked = replace(record, headers=((BATCH_ID, batch_id), *record.headers))
            return (*records[:place], marked, *records[place + 1 :])
    return tuple(records)


def is_ours(sent: Sequence[Appendable], found: Sequence[Record], place: int) -> bool | None:
    """Whether the records from `place` on are the tagged batch; None if that can no longer be told. Pure."""
    if not found or found[0].seq != place:
        return None
    if not all(map(_is_same, sent, found)):
        return False
    return True if len(found) == len(sent) else None


def _is_same(sent: Appendable, found: Record) -> bool:
    match sent:
        case Fence():
            return found.kind == "fence" and found.body == sent.token.encode()
        case Trim():
            return found.kind == "trim" and found.body == sent.first_seq.to_bytes(8, "big")
        case NewRecord():
            return found.kind == "data" and (found.headers, found.body) == (sent.headers, sent.body)


async def append(server: AppendServer, line: RetryingCalls, request: AppendRequest) -> AppendAck:
    """Append, as `StreamStore.append` promises (A9, A10)."""
    if request.match_seq_num is not None:
        request = replace(request, records=tagged(request.records, os.urandom(BATCH_ID_BYTES)))
    loop = asyncio.get_running_loop()
    deadline = loop.time() + APPEND_S
    is_unsure = False
    try:
        for pause in pauses():
            try:
                return await _attempt(server, request)
            except CallFailed as failed:
                if is_unsure and isinstance(failed.error, AppendConditionFailed):
                    return await _resolve(server, line, request, failed.error)
                unclear = failed.verdict is Verdict.UNKNOWN
                is_unsure = is_unsure or unclear
                is_over = failed.verdict is Verdict.FINAL or loop.time() + pause > deadline
                if is_over or (unclear and not request.may_be_made_again):
                    raise (_uncertain(request, failed.error) if is_unsure else failed.error) from failed
                _tell(request, failed)
            await line.pause(pause)
    except StoreClosed as closed:
        raise (_uncertain(request, closed) if is_unsure else closed) from closed
    raise AssertionError("pauses never end")


async def _attempt(server: AppendServer, request: AppendRequest) -> AppendAck:
    return await server.append(request.name, request.records, request.match_seq_num, request.fencing_token)


async def _resolve(
    server: AppendServer, line: RetryingCalls, request: AppendRequest, refusal: AppendConditionFailed
) -> AppendAck:
    """A repeated attempt was refused, either because an earlier one was stored or because of another
    writer."""
    if request.match_seq_num is None:
        raise refusal
    try:
        ack = await _landed(server, line, request, request.match_seq_num)
    except StoreError as e:
        raise _uncertain(request, e) from e
    if ack is None:
        raise refusal
    return ack


async def _landed(
    server: AppendServer, line: RetryingCalls, request: AppendRequest, place: int
) -> AppendAck | None:
    """The ack of an earlier attempt of ours that was stored at `place`; None if none was.

    Raises:
        StoreError: it cannot be found out.
    """
    try:
        batch = await line.patiently(lambda: server.read(request.name, FromSeq(place), len(request.records)))
    except BeyondTail as beyond:
        if beyond.tail.seq == place:
            return None
        raise
    answer = is_ours(request.records, batch.records, place)
    if answer is None:
        raise AppendUncertain(f"what stood at {place} is gone")
    if not answer:
        return None
    first, last = batch.records[0], batch.records[-1]
    end = Position(last.seq + 1, last.timestamp)
    tail = await line.patiently(lambda: server.check_tail(request.name))
    return AppendAck(Position(first.seq, first.timestamp), end, tail)


def _uncertain(request: AppendRequest, error: StoreError) -> AppendUncertain:
    return AppendUncertain(
        f"whether {len(request.records)} records are in {request.name} is not known: {error}",
        hint=error.hint,
    )


def _tell(request: AppendRequest, failed: CallFailed) -> None:
    log.info(
        "append is tried again: %s",
        failed.error,
        extra=log_event("store.append_retried", stream=request.name, verdict=failed.verdict.name),
    )
