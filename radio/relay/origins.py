"""What a page of another site may do here: read what is public, change nothing."""

from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from radio.relay.context import RELAY
from radio.relay.problems import Forbidden, Handler

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@web.middleware
async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what a page of another site would change. A program sends no `Origin`."""
    origin = request.headers.get("Origin")
    if request.method not in READING and origin is not None:
        own = {request.host, urlsplit(request.app[RELAY].settings.base_url).netloc}
        if urlsplit(origin).netloc not in own:
            raise Forbidden(
                "a page of another site may not do this", hint="behind a proxy, the radio needs --base-url"
            )
    return await handler(request)
