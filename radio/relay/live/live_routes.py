"""`live.mp3`: the endless stream of a station, and what a station says of itself as JSON."""

import asyncio
import re
import socket
from typing import Final

from aiohttp import web

from radio.errors import BadInput
from radio.mp3.frames import FRAME_BYTES
from radio.relay.context import RELAY, RETRY_AFTER_S, RelayContext
from radio.relay.http.header_text import fold
from radio.relay.http.problems import CORS, TooMany
from radio.relay.http.responses import ICY_HEADERS, Endless, reply, tagged
from radio.relay.live import now_playing
from radio.relay.live.disclosure import about_header
from radio.relay.live.fan_out import Listener
from radio.relay.live.icy_metadata import METAINT, Injector
from radio.relay.live.playlist_files import base_url
from radio.relay.live.station_feed import StationFeed

SEND_BUFFER: Final = 64 * 1024
"""Of the socket: the kernel doubles it. Larger ones would hide for minutes that nobody reads."""
UNACKNOWLEDGED_MS: Final = 30_000
"""A peer that vanished is given up after this time."""
LONG_BYTES: Final = (2**31 - 1) // FRAME_BYTES * FRAME_BYTES
"""The length that renderers get which take nothing without one: three days, as much as 32 bits can say."""
_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FIXED: Final = {
    "Content-Type": "audio/mpeg",
    "Cache-Control": "no-cache, no-store",
    "Pragma": "no-cache",
    "Expires": "Mon, 26 Jul 1997 05:00:00 GMT",
    **CORS,
    "Access-Control-Expose-Headers": ICY_HEADERS,
    "icy-br": "64",
    "icy-pub": "0",
}


async def stations(request: web.Request) -> web.StreamResponse:
    """`GET /stations`: every station, by id."""
    relay = request.app[RELAY]
    return reply({"stations": [_describe(relay, station) for station in relay.stations.all()]})


async def station(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>`: what is on, with an entity tag."""
    relay = request.app[RELAY]
    described = _describe(relay, await relay.stations.find(request.match_info["station"]))
    return tagged(request, described, now_playing.entity_tag(described))


async def live(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/live.mp3`: from the frame that is on air now, until one of us goes."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    _check_room(relay, station)
    with relay.hearing(request):
        return await _live(request, relay, station)


async def _live(request: web.Request, relay: RelayContext, station: StationFeed) -> web.StreamResponse:
    key = key_of(request)
    is_long = request.query.get("cl") == "1"
    wants_titles = request.headers.get("Icy-MetaData", "").strip() == "1" and not is_long
    page = base_url(request, relay) + now_playing.urls(station.id)["page"]
    length = {"Content-Length": str(LONG_BYTES)} if is_long else {}
    response = Endless(headers=_headers(station, page, wants_titles) | length)
    await response.prepare(request)
    if request.method != "GET" or request.transport is None:
        return response
    _tune(request.transport)
    mono = relay.clock.monotonic()
    station.pump.tick(mono)
    began = station.pump.line(mono)
    listener = Listener(
        wire=request.transport, began=began, since=mono,
        last=began + LONG_BYTES // FRAME_BYTES if is_long else None,
        injector=Injector() if wants_titles else None, key=key, player=_player(request, relay, key),
    )  # fmt: skip
    await _listen(relay, station, listener)
    return response


def _player(request: web.Request, relay: RelayContext, key: str | None) -> str:
    """The same for connections of one player, as far as it can be told: some open two."""
    return f"{relay.client(request)} {key or ''} {request.headers.get('User-Agent', '')}"


def key_of(request: web.Request) -> str | None:
    """The `c` that pairs a live connection with the events of the same page."""
    key = request.query.get("c")
    if key is not None and not _KEY.fullmatch(key):
        raise BadInput("c is not a key", hint="1 to 64 letters, digits, - or _")
    return key


async def _listen(relay: RelayContext, station: StationFeed, listener: Listener) -> None:
    try:
        if relay.closing.is_set():
            return
        station.fanout.add(listener, station.pump, listener.since)
        station.signal.notify()
        await listener.finished.wait()
    finally:
        station.fanout.remove(listener)


def _describe(relay: RelayContext, station: StationFeed) -> now_playing.Json:
    mono, wall = relay.clock.monotonic(), relay.clock.now_ms()
    return now_playing.describe(station, mono, store=relay.store_id, server_time=wall)


def _check_room(relay: RelayContext, station: StationFeed) -> None:
    if len(station.fanout) >= relay.settings.limits.listeners_per_station:
        raise TooMany("this station has all the listeners it can serve", retry_after=RETRY_AFTER_S)


def _headers(station: StationFeed, page: str, wants_titles: bool) -> dict[str, str]:
    card = station.card
    headers = {
        **_FIXED,
        "icy-name": fold(card.title, station.id),
        "icy-genre": "Talk",
        "icy-url": fold(page),
        "icy-description": about_header(card.description),
    }
    if wants_titles:
        headers["icy-metaint"] = str(METAINT)
    return headers


def _tune(transport: asyncio.Transport) -> None:
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
