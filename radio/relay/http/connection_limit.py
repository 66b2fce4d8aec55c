"""The way in: so many connections and no more, and the headers that every answer carries out.

A connection that asks nothing is closed by the server when its keep-alive time is over, the first one too.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

from aiohttp import web
from aiohttp.http_parser import RawRequestMessage

from radio.relay.context import RELAY, RETRY_AFTER_S

SECURITY: Final = {
    "Content-Security-Policy": "default-src 'none'; media-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
"""Of every answer that has none of its own: nothing that is sent here may act as a page but the pages."""
SERVER: Final = "radio"
"""In place of what aiohttp says of itself and of Python."""
CONTINUE: Final = "100-continue"
LEAVE_S: Final = 2.0
"""Whoever was told that there is no room is given this long to read it."""
_BODY: Final = json.dumps(
    {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "this radio has all the connections it takes",
        "hint": "try again later",
    }
)
_FULL: Final = (
    "HTTP/1.1 503 Service Unavailable\r\n"
    "Content-Type: application/problem+json\r\n"
    f"Content-Length: {len(_BODY)}\r\n"
    f"Retry-After: {RETRY_AFTER_S}\r\n"
    "Cache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Access-Control-Allow-Origin: *\r\n"
    "Connection: close\r\n"
    f"\r\n{_BODY}"
).encode()


class ConnectionLimit:
    """Makes the protocol of each connection that comes: the server's, while there is room."""

    def __init__(self, server: Callable[[], asyncio.Protocol], count: Callable[[], int], most: int) -> None:
        self._server, self._count, self._most = server, count, most

    def __call__(self) -> asyncio.Protocol:
        return self._server() if self._count() < self._most else _Full()


class _Full(asyncio.Protocol):
    """Says so, whatever is asked, and goes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(_FULL)
        transport.write_eof()
        asyncio.get_running_loop().call_later(LEAVE_S, transport.abort)


def without_expect(make: Callable[..., web.BaseRequest]) -> Callable[..., web.BaseRequest]:
    """Make requests that expect nothing but to be told to go on; another `Expect` is passed over.

    aiohttp refuses it before any middleware, and fails where it is no text.
    """

    def made(message: RawRequestMessage, *rest: Any) -> web.BaseRequest:
        if message.headers.get("Expect", CONTINUE).lower() != CONTINUE:
            headers = message.headers.copy()
            headers.popall("Expect")
            message = message._replace(headers=type(message.headers)(headers))
        return make(message, *rest)

    return made


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Before the head of any answer goes out: the headers, and one more answer counted."""
    for name, value in SECURITY.items():
        response.headers.setdefault(name, value)
    response.headers["Server"] = SERVER
    relay = request.app[RELAY]
    relay.answered[_route(request), f"{response.status // 100}xx"] += 1


def _route(request: web.Request) -> str:
    """Its path as routes spell it, so that there are no more than routes; "" for what is none."""
    resource = request.match_info.route.resource
    return "" if resource is None else resource.canonical
