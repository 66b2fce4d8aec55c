"""Ways to answer that several route families share."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from aiohttp import web

from radio.errors import RadioError
from radio.log import log_event
from radio.relay.http.problems import CORS

log = logging.getLogger(__name__)

WRITE_DEADLINE_S: Final = 20.0
"""A client that takes nothing of its events or text for this long is gone."""
PAUSE_S: Final = 600.0
"""The same for sound that stands in the store: a player may be paused, and one that reads at the pace of its
sound leaves the buffers between us full for minutes."""
ICY_HEADERS: Final = "icy-metaint, icy-br, icy-name, icy-genre, icy-description, icy-url"


class Endless(web.StreamResponse):
    """A body that ends when the connection does: no length, no chunks. Players need it so on live audio.

    Nothing tells its end from a cut, so what has an end is no such body.

    aiohttp chunks every body without a length on HTTP/1.1; switching off its length check, as its own
    WebSocket response does, is the only way around. `tests/relay/live/test_live_routes.py` sees raw bytes.
    """

    _length_check = False

    def __init__(self, *, headers: Mapping[str, str]) -> None:
        super().__init__(headers={**headers, "Connection": "close"})
        self.force_close()


def reply(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """JSON for anybody."""
    return web.Response(
        status=status,
        body=encoded(body),
        content_type="application/json",
        headers={"Cache-Control": "no-cache", **CORS, **(headers or {})},
    )


def encoded(body: Any) -> bytes:
    """As JSON; what UTF-8 cannot hold is replaced."""
    return json.dumps(body, ensure_ascii=False, default=dict).encode(errors="replace")


def tagged(
    request: web.Request, body: Any, etag: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    """JSON, or 304 if the client has it already."""
    more = {"ETag": etag, **(headers or {})}
    if _has(request, etag):
        return web.Response(status=304, headers={"Cache-Control": "no-cache", **CORS, **more})
    return reply(body, headers=more)


def text(body: str, content_type: str, headers: Mapping[str, str] | None = None) -> web.Response:
    """Text in UTF-8 for anybody."""
    return web.Response(
        body=body.encode(),
        headers={"Content-Type": f"{content_type}; charset=utf-8", "Cache-Control": "no-cache", **CORS}
        | dict(headers or {}),
    )


def _has(request: web.Request, etag: str) -> bool:
    known = request.headers.get("If-None-Match", "")
    return etag.removeprefix("W/") in [tag.strip().removeprefix("W/") for tag in known.split(",")]


async def push(
    request: web.Request, response: web.StreamResponse, data: bytes, *, within_s: float | None = None
) -> None:
    """Write with a deadline, `WRITE_DEADLINE_S` if no other is given.

    Raises:
        ConnectionError: the client is gone, or takes nothing; its connection is then aborted.
    """
    try:
        async with asyncio.timeout(WRITE_DEADLINE_S if within_s is None else within_s):
            await response.write(data)
    except TimeoutError:
        abort(request)
        raise ConnectionResetError("the client takes nothing") from None


@asynccontextmanager
async def streaming(request: web.Request) -> AsyncIterator[None]:
    """Around what is sent after the head: an error then cuts the connection, as nothing else can be said."""
    try:
        yield
    except RadioError as error:
        said = log_event("stream.cut", path=request.path, error=str(error))
        log.warning("a stream was cut", extra=said)
        abort(request)


def abort(request: web.Request) -> None:
    """Cut the connection, so that the client sees that what it got is not whole."""
    if request.transport is not None:
        request.transport.abort()


async def preflight(_: web.Request) -> web.StreamResponse:
    """The answer to a browser that asks before it asks."""
    return web.Response(
        status=204,
        headers={
            **CORS,
            "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
            "Access-Control-Allow-Headers": "Icy-MetaData, Range, If-Range, Last-Event-ID",
            "Access-Control-Expose-Headers": ICY_HEADERS,
            "Access-Control-Max-Age": "86400",
        },
    )
