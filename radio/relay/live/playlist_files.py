"""Playlists that hold the address of a live stream, for players that want a file to open."""

from aiohttp import web

from radio.relay.context import RELAY, RelayContext
from radio.relay.http.header_text import attachment
from radio.relay.http.plain_text import one_line
from radio.relay.http.responses import text
from radio.relay.live import now_playing


async def m3u(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/live.m3u`."""
    station = await request.app[RELAY].stations.find(request.match_info["station"])
    title = one_line(station.card.title)
    body = f"#EXTM3U\n#EXTINF:-1,{title}\n{_live_url(request, station.id)}\n"
    return text(body, "audio/x-mpegurl", {"Content-Disposition": attachment(title, ".m3u")})


async def pls(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/live.pls`."""
    station = await request.app[RELAY].stations.find(request.match_info["station"])
    title = one_line(station.card.title)
    entries = (
        f"File1={_live_url(request, station.id)}\nTitle1={title}\nLength1=-1\nNumberOfEntries=1\nVersion=2\n"
    )
    return text("[playlist]\n" + entries, "audio/x-scpls", {"Content-Disposition": attachment(title, ".pls")})


def base_url(request: web.Request, relay: RelayContext) -> str:
    """The public address: as configured, else as a trusted proxy says, else as the client asked."""
    if relay.settings.base_url:
        return relay.settings.base_url.rstrip("/")
    scheme, host = request.scheme, request.host
    if relay.settings.trusted_hops > 0:
        scheme = _last(request.headers.get("X-Forwarded-Proto", "")) or scheme
        host = _last(request.headers.get("X-Forwarded-Host", "")) or host
    return f"{scheme if scheme in {'http', 'https'} else 'http'}://{one_line(host)}"


def _live_url(request: web.Request, station: str) -> str:
    return base_url(request, request.app[RELAY]) + now_playing.urls(station)["live"]


def _last(forwarded: str) -> str:
    return forwarded.rpartition(",")[2].strip()
