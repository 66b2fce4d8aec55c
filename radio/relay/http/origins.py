"""What a page of another site may do here: read what is public, change nothing."""

from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from radio.relay.context import RELAY
from radio.relay.http.problems import Forbidden, Handler

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})


@web.middleware
async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse what a page of another site would change. A program sends no `Origin`."""
    origin = request.headers.get("Origin")
    if request.method not in READING and origin is not None:
        own, site = {request.host, _site(request.app[RELAY].settings.base_url)}, _site(origin)
        if not site or site not in own:  # `null`, of a page without a site, is none of ours
            raise Forbidden(
                "a page of another site may not do this", hint="behind a proxy, the radio needs --base-url"
            )
    return await handler(request)


def _site(url: str) -> str:
    """Host and port that it names; "" if it names none."""
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""
