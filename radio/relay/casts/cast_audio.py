"""The sound and the events of a cast, while it is made and after.

Who follows hears each sentence once and in order, whatever happens to narrators: the next sentence is always
the newest record of the lowest index that was not sent on this connection.
"""

import hashlib
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final

from aiohttp import web

from radio.casts import CastSentence, CastState
from radio.errors import BadInput, NotFound
from radio.relay.casts.cast_routes import describe, standing
from radio.relay.context import RELAY, RelayContext
from radio.relay.http import finite_body, ranges
from radio.relay.http.event_stream import PING_S, EventStream, Resume, resume
from radio.relay.http.header_text import attachment
from radio.relay.http.problems import CORS
from radio.relay.http.query_numbers import whole
from radio.relay.http.responses import PAUSE_S, abort, push, streaming
from radio.relay.http.signals import wait
from radio.streams import names

LOOK_S: Final = 5.0
"""While a cast waits, its place in the queue is looked at this often."""


async def mp3(request: web.Request) -> web.StreamResponse:
    """`GET /casts/<id>.mp3[?from=<i>]`: a file once it is done; before that, all of it as it is made."""
    relay = request.app[RELAY]
    cast, state = await standing(request)
    first = _first(request)
    if not state.is_over:
        with relay.hearing(request):
            return await _follow(request, relay, cast, state, first)
    lines = [line for i, line in sorted(state.lines.items()) if line.size and i >= first]
    if not lines:
        raise NotFound("nothing of this cast could be spoken", hint=state.reason or "see its status")
    with relay.hearing(request):
        return await _file(request, relay, cast, state, lines)


def _first(request: web.Request) -> int:
    first = whole(request.query.get("from", "0"))
    if first is None:
        raise BadInput("from is not the number of a sentence", hint="the i of a caption")
    return first


async def _file(
    request: web.Request, relay: RelayContext, cast: str, state: CastState, lines: list[CastSentence]
) -> web.StreamResponse:
    size = sum(line.size for line in lines)
    etag = _entity_tag(relay.store_id, cast, lines)
    headers = {**_headers(cast, state), "Cache-Control": "no-cache"}
    response, part = await finite_body.begin(request, headers, etag=etag, size=size)
    if part is not None:
        async with streaming(request):
            await _send_part(request, response, relay, cast, lines, part)
    return response


async def _send_part(
    request: web.Request,
    response: web.StreamResponse,
    relay: RelayContext,
    cast: str,
    lines: list[CastSentence],
    part: ranges.ByteRange,
) -> None:
    begin = 0
    for line in lines:
        first, last = max(part.first, begin), min(part.last, begin + line.size - 1)
        if first <= last:
            audio = await relay.cast_cache.audio(cast, line.seq)
            if audio is None:
                abort(request)
                return
            await push(request, response, audio[first - begin : last - begin + 1], within_s=PAUSE_S)
        begin += line.size


async def _follow(
    request: web.Request, relay: RelayContext, cast: str, state: CastState, index: int
) -> web.StreamResponse:
    headers = {**_headers(cast, state), "Cache-Control": "no-cache, no-store", "icy-br": "64"}
    response = web.StreamResponse(headers=headers)  # chunked to HTTP/1.1: it has an end
    await response.prepare(request)
    if request.method != "GET":
        return response
    async with streaming(request), aclosing(sound(relay, cast, index)) as records:
        async for record in records:
            await push(request, response, record, within_s=PAUSE_S)
        if (await relay.cast_cache.find(cast)).status != "done":
            abort(request)
    return response


async def sound(relay: RelayContext, cast: str, index: int = 0) -> AsyncGenerator[bytes, None]:
    """The records of a cast from sentence `index` on, as they are made; ends where it does, or the relay."""
    async with aclosing(_states(relay, cast, PING_S)) as states:
        async for state in states:
            while (line := state.lines.get(index)) is not None:
                audio = await relay.cast_cache.audio(cast, line.seq) if line.size else b""
                if audio is None:
                    break
                if audio:
                    yield audio
                index += 1


async def events(request: web.Request) -> web.StreamResponse:
    """`GET /casts/<id>/events`: captions with their place in the sound, status, and `end`."""
    relay = request.app[RELAY]
    cast, _ = await standing(request)
    asked = resume(request, relay.store_id)
    stream = EventStream(request)
    with relay.followed(request):
        if await stream.open():
            async with streaming(request):
                await _tell(relay, cast, stream, asked)
    return stream.response


async def _tell(relay: RelayContext, cast: str, stream: EventStream, asked: Resume) -> None:
    if asked.foreign:
        await stream.send("reset", {"store": relay.store_id, "seq": 0})
    told: dict[str, Any] = {}
    index, at_ms = 0, 0
    async with aclosing(_states(relay, cast, LOOK_S)) as states:
        async for state in states:
            described = await describe(relay, cast, state)
            if described != told:
                told = described
                await stream.send("status", described)
            else:
                await stream.ping()
            while (line := state.lines.get(index)) is not None:
                if line.skipped is None and line.seq >= (asked.seq or 0):
                    caption = {"seq": line.seq, "i": line.i, "at_ms": at_ms, "d": line.d, "t": line.t}
                    await stream.send("caption", caption, f"{relay.store_id}:{line.seq}")
                at_ms += line.d
                index += 1
    if told.get("status") not in ("queued", "live"):
        await stream.send("end", told)


async def _states(relay: RelayContext, cast: str, every_s: float) -> AsyncGenerator[CastState, None]:
    """The cast now, whenever something was appended, and at least every `every_s`, until it is over."""
    async with relay.tails.watch(names.cast(cast)) as signal:
        while not relay.closing.is_set():
            changed = signal.next()
            state = await relay.cast_cache.find(cast)
            yield state
            if state.is_over:
                return
            await wait(changed, every_s)


def _headers(cast: str, state: CastState) -> dict[str, str]:
    return {
        "Content-Type": "audio/mpeg",
        "Content-Disposition": attachment(state.meta.title if state.meta else cast, ".mp3"),
        "Access-Control-Expose-Headers": "Content-Length, Content-Range, Accept-Ranges, ETag",
        **CORS,
    }


def _entity_tag(store: str, cast: str, lines: list[CastSentence]) -> str:
    numbers = ",".join(str(line.seq) for line in lines)
    return f'"{hashlib.sha256(f"{store}:{cast}:{numbers}".encode()).hexdigest()[:24]}"'
