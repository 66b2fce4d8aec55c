"""`/s2/records`: a read-only window on `pub/` streams, as JSON or events in the shape S2 gives them.

Nothing outside of `pub/` is read here, however its name is spelt. Each client has a rate in bytes.
"""

import base64
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from radio.errors import BadInput
from radio.relay.context import RELAY, RelayContext
from radio.relay.http.event_stream import PING_S, EventStream
from radio.relay.http.problems import Forbidden, TooFast
from radio.relay.http.query_numbers import MAX_SEQ, whole
from radio.relay.http.rate_limits import retry_after
from radio.relay.http.responses import reply, streaming
from radio.relay.http.signals import wait
from radio.streams import names
from radio.streams.contract import FromSeq, FromTail, FromTimestamp, ReadResult, Record, Start, StreamStore

MAX_COUNT: Final = 1000
MAX_WAIT_S: Final = 60
READ_WEIGHT: Final = 100
"""Bytes that a read counts for, and each record beside its body. Who owes reads nothing."""
_DOTS: Final = frozenset({"", ".", ".."})
_SEGMENT: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~@-")


@dataclass(frozen=True, slots=True)
class GatewayQuery:
    """A read: of `stream`, from `start`, at most `count` records, waiting `wait_s` if nothing is there."""

    stream: str
    start: Start
    count: int
    wait_s: int


async def records(request: web.Request) -> web.StreamResponse:
    """`GET /s2/records?stream=pub/…&seq_num=N[&count=][&wait=]`."""
    relay = request.app[RELAY]
    stream = public(request.query.get("stream", ""))
    asked = GatewayQuery(
        stream,
        _start(request),
        _number(request, "count", MAX_COUNT, low=1, high=MAX_COUNT),
        _number(request, "wait", 0, high=MAX_WAIT_S),
    )
    if "text/event-stream" in request.headers.get("Accept", ""):
        with relay.followed(request):
            return await _events(request, relay, asked)
    client = relay.client(request)
    owed = relay.gateway.take(client, READ_WEIGHT, relay.clock.monotonic())
    if owed > 0:
        raise TooFast("this address reads more than its share", retry_after=retry_after(owed))
    with relay.followed(request) if asked.wait_s else nullcontext():
        page = await _first_page(relay, asked)
    relay.gateway.owe(client, _weight(page), relay.clock.monotonic())
    return reply(_page(page), headers={"Cache-Control": "no-store"})


def public(stream: str) -> str:
    """The name, if it is one of a public stream. Raises `Forbidden`."""
    segments = stream.split("/")
    is_clean = all(segment not in _DOTS and set(segment) <= _SEGMENT for segment in segments)
    if not (stream.startswith(names.PUBLIC) and is_clean and len(stream) <= 512):
        raise Forbidden("only public streams are read here", hint="their names begin with pub/")
    return stream


async def _first_page(relay: RelayContext, asked: GatewayQuery) -> ReadResult:
    if asked.wait_s == 0:
        return await _read(relay.store, asked)
    deadline = relay.clock.monotonic() + asked.wait_s
    async with relay.tails.watch(asked.stream) as signal:
        while True:
            changed = signal.next()
            page = await _read(relay.store, asked)
            left = deadline - relay.clock.monotonic()
            if page.records or left <= 0 or relay.closing.is_set():
                return page
            asked = GatewayQuery(asked.stream, FromSeq(page.next_seq), asked.count, asked.wait_s)
            await wait(changed, left)


async def _read(store: StreamStore, asked: GatewayQuery) -> ReadResult:
    return await store.read(asked.stream, asked.start, max_records=asked.count, include_commands=True)


async def _events(request: web.Request, relay: RelayContext, asked: GatewayQuery) -> web.StreamResponse:
    await relay.store.check_tail(asked.stream)
    stream = EventStream(request)
    if not await stream.open():
        return stream.response
    async with streaming(request), aclosing(_pages(relay, asked)) as pages:
        async for page in pages:
            if page is None:
                await stream.ping()
                continue
            await _afford(relay, request, page)
            await stream.send("batch", _page(page), str(page.next_seq - 1))
    return stream.response


async def _pages(relay: RelayContext, asked: GatewayQuery) -> AsyncGenerator[ReadResult | None, None]:
    """Pages with records for ever; None when it is time for a ping."""
    async with relay.tails.watch(asked.stream) as signal:
        while not relay.closing.is_set():
            changed = signal.next()
            page = await _read(relay.store, asked)
            asked = GatewayQuery(asked.stream, FromSeq(page.next_seq), asked.count, asked.wait_s)
            if page.records:
                yield page
            elif not await wait(changed, PING_S):
                yield None


async def _afford(relay: RelayContext, request: web.Request, page: ReadResult) -> None:
    """Wait until the client may have the page."""
    client, weight = relay.client(request), _weight(page)
    while (owed := relay.gateway.take(client, weight, relay.clock.monotonic())) > 0:
        if await relay.nap(owed):
            return


def _start(request: web.Request) -> Start:
    last = whole(request.headers.get("Last-Event-ID", "").partition(",")[0])
    if last is not None:
        return FromSeq(min(last + 1, MAX_SEQ))
    given = [key for key in ("seq_num", "timestamp", "tail_offset") if key in request.query]
    if len(given) > 1:
        raise BadInput("a read begins at one place", hint="seq_num, timestamp or tail_offset")
    key = given[0] if given else "seq_num"
    value = _number(request, key, 0)
    starts: dict[str, Callable[[int], Start]]
    starts = {"seq_num": FromSeq, "timestamp": FromTimestamp, "tail_offset": FromTail}
    return starts[key](value)


def _number(request: web.Request, key: str, otherwise: int, *, low: int = 0, high: int = MAX_SEQ) -> int:
    text = request.query.get(key)
    if text is None:
        return otherwise
    number = whole(text)
    if number is None or number < low:
        raise BadInput(f"{key} is not a number that fits", hint=f"{low} to {high}")
    return min(number, high)


def _weight(page: ReadResult) -> int:
    return sum(len(record.body) for record in page.records) + READ_WEIGHT * len(page.records)


def _page(page: ReadResult) -> dict[str, Any]:
    body: dict[str, Any] = {"records": [_record(record) for record in page.records], "next": page.next_seq}
    if page.tail is not None:
        body["tail"] = {"seq_num": page.tail.seq, "timestamp": page.tail.timestamp}
    return body


def _record(record: Record) -> dict[str, Any]:
    headers = [[_text(name), _text(value)] for name, value in record.headers]
    return {
        "seq_num": record.seq,
        "timestamp": record.timestamp,
        "headers": headers if record.kind == "data" else [["", record.kind]],
        "body": base64.b64encode(record.body).decode(),
    }


def _text(value: bytes) -> str:
    return value.decode(errors="replace")
