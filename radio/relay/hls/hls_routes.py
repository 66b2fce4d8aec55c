"""`live.m3u8` and what it leads to: the broadcast as segments that any HTTP cache can hand on.

The lasting address names the playlist of the epoch of air time; when the clock is set there is a new one, and
the old one ends. Segments never change. Each client has a rate in bytes, for a segment may cost a read of the
store.
"""

import gzip
import hashlib
from functools import lru_cache
from typing import Final

from aiohttp import web

from radio.errors import NotFound
from radio.relay.context import RELAY
from radio.relay.hls import segment_grid
from radio.relay.http import finite_body
from radio.relay.http.problems import CORS, TooFast
from radio.relay.http.query_numbers import whole
from radio.relay.http.rate_limits import retry_after
from radio.relay.http.responses import push, streaming, text

PLAYLIST_TYPE: Final = "application/vnd.apple.mpegurl"
PLAYLIST: Final = {"Cache-Control": "public, max-age=2"}
SEGMENT: Final = {
    "Content-Type": "audio/mpeg",
    "Cache-Control": "public, max-age=86400, immutable",
    "Access-Control-Expose-Headers": "Content-Length, Content-Range, Accept-Ranges, ETag",
    **CORS,
}
REQUEST_WEIGHT: Final = 10_000
"""Bytes that a request counts for, beside those of the reply: it may look into the store."""
MAX_SEGMENT: Final = 10**11
"""Times beyond the year 9999 are none."""


async def variants(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/live.m3u8`: where the playlist of now is."""
    relay = request.app[RELAY]
    _check_rate(request)
    station = await relay.stations.find(request.match_info["station"])
    return text(segment_grid.variants(await relay.segments.epoch(station)), PLAYLIST_TYPE, PLAYLIST)


async def playlist(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/hls/<epoch>/live.m3u8`: the segments of the window."""
    relay = request.app[RELAY]
    _check_rate(request)
    station = await relay.stations.find(request.match_info["station"])
    reach = await relay.segments.reach(station, _number(request, "epoch"))
    body = segment_grid.playlist(reach.first, reach.last, is_over=reach.is_over)
    _owe(request, len(body))
    if request.method == "GET":
        now = relay.clock.monotonic()
        station.by_hls.looked(relay.client(request), _player(request), now)
    response = text(body, PLAYLIST_TYPE, {**PLAYLIST, "Vary": "Accept-Encoding"})
    if _takes_gzip(request):  # an hour is 15 KB, asked for every 6 s; packed it is a tenth
        response.body = _packed(body)
        response.headers["Content-Encoding"] = "gzip"
    return response


async def segment(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/hls/<epoch>/<n>.mp3`."""
    relay = request.app[RELAY]
    _check_rate(request)
    station = await relay.stations.find(request.match_info["station"])
    epoch, n = _number(request, "epoch"), _number(request, "n", most=MAX_SEGMENT)
    data = await relay.segments.segment(station, epoch, n)
    _owe(request, len(data))
    etag = f'"{hashlib.sha256(data).hexdigest()[:24]}"'
    response, part = await finite_body.begin(request, SEGMENT, etag=etag, size=len(data))
    if part is not None:
        async with streaming(request):
            await push(request, response, data[part.first : part.last + 1])
    return response


def _check_rate(request: web.Request) -> None:
    """Raises `TooFast` if this client had more than its share."""
    relay = request.app[RELAY]
    owed = relay.hls.take(relay.client(request), REQUEST_WEIGHT, relay.clock.monotonic())
    if owed > 0:
        raise TooFast("this address fetches more than its share", retry_after=retry_after(owed))


def _owe(request: web.Request, size: int) -> None:
    relay = request.app[RELAY]
    relay.hls.owe(relay.client(request), size, relay.clock.monotonic())


def _player(request: web.Request) -> str:
    """What tells the players of one address apart; short, for many are remembered."""
    told = request.headers.get("X-Playback-Session-Id", request.headers.get("User-Agent", ""))
    return hashlib.sha256(told.encode(errors="surrogateescape")).hexdigest()[:16]


@lru_cache(maxsize=segment_grid.LISTS_KEPT)
def _packed(body: str) -> bytes:
    return gzip.compress(body.encode(), mtime=0)


def _takes_gzip(request: web.Request) -> bool:
    offered = request.headers.get("Accept-Encoding", "").replace(" ", "").lower().split(",")
    return any(coding.partition(";")[0] == "gzip" and not coding.endswith(";q=0") for coding in offered)


def _number(request: web.Request, key: str, **bounds: int) -> int:
    number = whole(request.match_info[key], **bounds)
    if number is None:
        raise NotFound(f"{key} is not a number here", hint="live.m3u8 of the station names what there is")
    return number
