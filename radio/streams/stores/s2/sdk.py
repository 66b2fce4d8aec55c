"""The only module that imports s2-sdk: a client for one basin, and the meaning of its errors.

Records and positions are converted to the contract's types, but as S2 keeps them: with commands and with the
store's own headers. Each call is one attempt; the caller decides whether to make another.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeVar

import s2_sdk
from s2_sdk import _exceptions as transport

from radio.streams.call_checks import MAX_SEQ
from radio.streams.contract import (
    Appendable,
    AppendAck,
    BeyondTail,
    Fence,
    FenceMismatch,
    FromSeq,
    FromTimestamp,
    NewRecord,
    Position,
    Record,
    SeqMismatch,
    StoreError,
    StreamDeleting,
    StreamNotFound,
    Trim,
    Unavailable,
)
from radio.streams.stores.s2.address import S2Address
from radio.streams.stores.s2.call_tasks import AGAIN_S, CallTasks, end
from radio.streams.stores.s2.failures import CallFailed, Denied, NoBasin, Verdict

T = TypeVar("T")

CONNECT_S = 3.0
REQUEST_S = 10.0
"""For the first byte of a reply, and between two."""
CALL_S = 15.0
"""For a whole call. The library would wait for ever while a hanging server accepts nothing."""
MESSAGE_CHARACTERS = 300
"""Maximum length of a server's own message that is passed on: a proxy may answer with a page."""
_REFUSALS = {"unavailable", "rate_limited", "hot_server", "server_draining", "transaction_conflict"}
"""Codes that guarantee that nothing happened."""
_LOUD = ("hpack", "h2")
"""At debug level these loggers log request headers, and so the token, inside HTTP/2's own code."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive records, and the tail if the server gave it."""

    records: tuple[Record, ...]
    tail: Position | None


@dataclass(frozen=True, slots=True)
class ListedStream:
    """A stream in a basin's list. `created` distinguishes it from another of its name."""

    name: str
    created: datetime
    is_deleting: bool


class BasinClient:
    """Calls about one basin, over connections of their own. Every method raises `CallFailed`."""

    def __init__(self, place: S2Address) -> None:
        for name in _LOUD:
            logging.getLogger(name).setLevel(logging.WARNING)
        self._place = place
        self._s2 = s2_sdk.S2(
            place.token,
            endpoints=s2_sdk.Endpoints(place.account, place.streams),
            timeout=s2_sdk.Timeout(
                request=timedelta(seconds=REQUEST_S), connection=timedelta(seconds=CONNECT_S)
            ),
            retry=s2_sdk.Retry(max_attempts=1, append_retry_policy=s2_sdk.AppendRetryPolicy.NO_SIDE_EFFECTS),
        )
        self._basin = self._s2.basin(place.basin)
        self._apart = CallTasks()

    async def close(self) -> None:
        """Close the connections; running calls fail."""
        await self._s2.close()
        await self._apart.close()

    async def append(
        self, name: str, records: Sequence[Appendable], match_seq_num: int | None, fencing_token: str | None
    ) -> AppendAck:
        batch = s2_sdk.AppendInput([_outgoing(item) for item in records], match_seq_num, fencing_token)
        ack = await self._call(self._basin.stream(name).append(batch), name)
        return AppendAck(_position(ack.start), _position(ack.end), _position(ack.tail))

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch:
        """Empty if there are no records or the first exceeds `size`; at the tail `BeyondTail`."""
        limit = s2_sdk.ReadLimit(count=count, bytes=size)
        return _batch(await self._call(self._basin.stream(name).read(start=_start(start), limit=limit), name))

    async def check_tail(self, name: str) -> Position:
        return _position(await self._call(self._basin.stream(name).check_tail(), name))

    async def page(self, prefix: str, start_after: str, limit: int) -> tuple[list[ListedStream], bool]:
        """Streams in byte order, including those being deleted, and whether there are more."""
        page = await self._call(
            self._basin.list_streams(prefix=prefix, start_after=start_after, limit=limit), prefix
        )
        items = [ListedStream(i.name, i.created_at, i.deleted_at is not None) for i in page.items]
        return items, page.has_more

    async def delete(self, name: str) -> None:
        await self._call(self._basin.delete_stream(name), name)

    async def is_configured(self) -> bool:
        """Whether the basin is configured as the radio needs it."""
        return _suits(await self._call(self._s2.get_basin_config(self._place.basin), ""))

    async def create_basin(self) -> None:
        await self._call(self._s2.create_basin(self._place.basin, config=_config()), "")

    async def configure_basin(self) -> None:
        await self._call(self._s2.reconfigure_basin(self._place.basin, config=_config()), "")

    @asynccontextmanager
    async def session(self, name: str, seq: int) -> "AsyncIterator[SdkSession]":
        """A tail from `seq` on."""
        session = SdkSession(
            self._basin.stream(name).read_session(start=s2_sdk.SeqNum(seq)), self._apart, self._place, name
        )
        try:
            yield session
        finally:
            await session.close()

    async def _call(self, call: Awaitable[T], name: str) -> T:
        try:
            return await self._apart.run(call, f"s2 {name}", CALL_S)
        except (s2_sdk.S2Error, TimeoutError, ConnectionAbortedError) as e:
            raise CallFailed(judge(e), translate(e, self._place, name)) from e


class SdkSession:
    """An open tail. Read it or close it: an unread one blocks the others on its connection."""

    def __init__(self, session: s2_sdk.ReadSession, apart: CallTasks, place: S2Address, name: str) -> None:
        self._session = session
        self._apart = apart
        self._next: asyncio.Task[s2_sdk.ReadBatch] | None = None
        self._place = place
        self._name = name

    @property
    def is_caught_up(self) -> bool:
        return self._session.is_caught_up()

    async def next(self) -> Batch:
        """The next records; raises `CallFailed` at its end. Cancelling loses nothing."""
        self._next = self._next or self._apart.start(anext(self._session), f"s2 tail {self._name}")
        await asyncio.wait([self._next])
        ended, self._next = self._next, None
        try:
            return _batch(ended.result())
        except StopAsyncIteration as e:
            raise CallFailed(Verdict.REFUSED, Unavailable("S2 ended the session")) from e
        except (s2_sdk.S2Error, asyncio.CancelledError) as e:
            verdict = (
                judge(e) if isinstance(e, s2_sdk.S2ServerError) else Verdict.UNKNOWN
            )  # another may go on
            raise CallFailed(verdict, translate(e, self._place, self._name)) from e

    async def close(self) -> None:
        """Close it, and the request that it uses."""
        if self._next is not None:
            await end(self._next)
        closing = self._apart.start(self._session.close(), f"s2 close {self._name}")
        await end(closing, patience_s=AGAIN_S)


def judge(error: BaseException) -> Verdict:
    """Whether a call that failed like this may have had an effect, and whether a retry may succeed. Pure."""
    if isinstance(error, s2_sdk.S2ServerError):
        if error.code in _REFUSALS or error.status_code == 429:
            return Verdict.REFUSED
        may_pass = error.status_code == 408 or (error.status_code >= 500 and error.status_code != 501)
        return Verdict.UNKNOWN if may_pass else Verdict.FINAL
    cause = error.__cause__
    if isinstance(cause, transport.ConnectError | transport.ConnectionRetiredError):
        return Verdict.REFUSED  # no request had been sent
    is_validation = isinstance(error, s2_sdk.S2ClientError) and cause is None
    return Verdict.FINAL if is_validation else Verdict.UNKNOWN


def translate(error: BaseException, place: S2Address, name: str) -> StoreError:
    """A library's error about the stream `name` as an error of the contract. Pure; never shows the token."""
    match error:
        case s2_sdk.SeqNumMismatchError():
            return SeqMismatch(error.expected_seq_num)
        case s2_sdk.FencingTokenMismatchError():
            return FenceMismatch(error.expected_fencing_token)
        case s2_sdk.ReadUnwrittenError():
            return BeyondTail(_position(error.tail))
        case s2_sdk.S2ServerError():
            return _answer(error, place, name)
        case TimeoutError():
            return Unavailable(f"S2 did not answer within {CALL_S:g} s ({place})", hint=_hint(place))
    text = _text(error, place)
    if judge(error) is Verdict.FINAL:
        return StoreError(f"S2 client: {text}")
    return Unavailable(f"S2 cannot be reached ({place}): {text}", hint=_hint(place))


def _answer(error: s2_sdk.S2ServerError, place: S2Address, name: str) -> StoreError:
    if error.code == "stream_not_found":
        return StreamNotFound(name)
    if error.code == "stream_deletion_pending":
        return StreamDeleting(name)
    if error.code in {"basin_not_found", "basin_deletion_pending"}:
        return NoBasin(place.basin)
    text = f"{error.status_code} {error.code}: {_text(error, place)}"
    if error.status_code in {401, 403}:
        return Denied(f"S2 refused the access token ({place}): {text}", hint=_TOKEN_HINT)
    if judge(error) is Verdict.FINAL:
        return StoreError(f"S2 refused ({place}): {text}")
    return Unavailable(f"S2 cannot do that now ({place}): {text}")


_TOKEN_HINT = (
    "it is wrong or expired, or must also allow: read, append, list, create and delete streams of the basin"
)


def _hint(place: S2Address) -> str:
    if place.is_cloud:
        return "look at the network, and at the state of s2.dev"
    return "does S2 Lite run there? `radio up --s2-lite` runs one; --s2-endpoint says where it is"


def _text(error: BaseException, place: S2Address) -> str:
    line = " ".join(str(error).split()) or type(error).__name__
    return place.without_token(line)[:MESSAGE_CHARACTERS]


def _config() -> s2_sdk.BasinConfig:
    """What the contract needs from a basin: A1, R11, X7, T1."""
    stamps = s2_sdk.Timestamping(mode=s2_sdk.TimestampingMode.CLIENT_PREFER, uncapped=False)
    return s2_sdk.BasinConfig(
        default_stream_config=s2_sdk.StreamConfig(retention_policy="infinite", timestamping=stamps),
        create_stream_on_append=True,
        create_stream_on_read=False,
    )


def _suits(config: s2_sdk.BasinConfig) -> bool:
    streams = config.default_stream_config
    if streams is None or streams.retention_policy != "infinite":
        return False
    stamps = streams.timestamping
    usual = stamps is None or (
        stamps.mode in {None, s2_sdk.TimestampingMode.CLIENT_PREFER} and not stamps.uncapped
    )
    return usual and bool(config.create_stream_on_append) and not config.create_stream_on_read


def _outgoing(item: Appendable) -> s2_sdk.Record:
    match item:
        case Fence():
            record = s2_sdk.CommandRecord.fence(item.token)
        case Trim():
            record = _trim(item.first_seq)
        case NewRecord():
            record = s2_sdk.Record(item.body, list(item.headers))
    record.timestamp = None if item.timestamp is None else min(max(item.timestamp, 0), MAX_SEQ)
    return record


def _trim(first_seq: int) -> s2_sdk.Record:
    record: s2_sdk.Record = s2_sdk.CommandRecord.trim(first_seq)
    return record


def _incoming(record: s2_sdk.SequencedRecord) -> Record:
    if not record.is_command_record():
        return Record(record.seq_num, record.timestamp, tuple(record.headers), record.body)
    kind: Literal["fence", "trim"] = "fence" if record.headers[0][1] == s2_sdk.CommandRecord.FENCE else "trim"
    return Record(record.seq_num, record.timestamp, (), record.body, kind)


def _batch(batch: s2_sdk.ReadBatch) -> Batch:
    tail = None if batch.tail is None else _position(batch.tail)
    return Batch(tuple(map(_incoming, batch.records)), tail)


def _position(position: s2_sdk.StreamPosition) -> Position:
    return Position(position.seq_num, position.timestamp)


def _start(start: FromSeq | FromTimestamp) -> s2_sdk.SeqNum | s2_sdk.Timestamp:
    return s2_sdk.SeqNum(start.seq) if isinstance(start, FromSeq) else s2_sdk.Timestamp(max(start.ms, 0))
