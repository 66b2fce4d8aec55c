"""Server-sent events: the reply that proxies leave alone, ids that survive a reconnect, and pings."""

import json
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import web

from radio.errors import BadInput
from radio.relay.http.problems import CORS
from radio.relay.http.query_numbers import whole
from radio.relay.http.responses import push

PING_S: Final = 15.0
RETRY_MS: Final = 3000
_HEADERS: Final = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
    **CORS,
}


@dataclass(frozen=True, slots=True)
class Resume:
    """Where a client wants to go on: at record `seq`, or nowhere in particular.

    Attributes:
        foreign: it comes from another store, so that its number means nothing here.
    """

    seq: int | None = None
    foreign: bool = False


def resume(request: web.Request, store: str) -> Resume:
    """By `Last-Event-ID: <store>:<seq>` (go on after it), else `?from=<seq>` (begin with it).

    A browser sends the header by itself when it reconnects, to the address that still says `from`.
    """
    last = request.headers.get("Last-Event-ID", "")
    owner, _, spelt = last.rpartition(":")
    seq = whole(spelt)
    if seq is not None and owner:
        return Resume(seq + 1) if owner == store else Resume(foreign=True)
    asked = request.query.get("from")
    if asked is None:
        return Resume()
    first = whole(asked)
    if first is None:
        raise BadInput("from is not a sequence number", hint="a whole number, as in the id of an event")
    return Resume(first)


def spell(event: str, data: Any, event_id: str | None = None) -> bytes:
    """One event; its data is JSON on one line."""
    head = f"id: {event_id}\n" if event_id is not None else ""
    return f"{head}event: {event}\ndata: {json.dumps(data, ensure_ascii=False, default=dict)}\n\n".encode()


class EventStream:
    """The events of one connection."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        self._response = web.StreamResponse(headers=_HEADERS)

    async def open(self) -> bool:
        """Send the head. Returns False if that was all, as for `HEAD`."""
        await self._response.prepare(self._request)
        if self._request.method != "GET":
            return False
        await push(self._request, self._response, f": connected\nretry: {RETRY_MS}\n\n".encode())
        return True

    async def send(self, event: str, data: Any, event_id: str | None = None) -> None:
        """Raises `ConnectionError` when the client is gone."""
        await push(self._request, self._response, spell(event, data, event_id))

    async def ping(self) -> None:
        """Keep proxies from closing the connection, and notice that the client did."""
        await push(self._request, self._response, b": ping\n\n")

    @property
    def response(self) -> web.StreamResponse:
        return self._response
