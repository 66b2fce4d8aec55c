"""Health is about sound: a radio whose processes run but whose stations are mute is not well."""

from typing import Any, Final

from aiohttp import web

from radio import __version__
from radio.relay.casts.admission import casts_are
from radio.relay.context import RELAY, RelayContext
from radio.relay.http.responses import reply
from radio.relay.live import now_playing
from radio.relay.live.station_feed import StationFeed
from radio.relay.ops.figures import silence

SILENT_S: Final = 15.0
"""A station that should be heard and is not, for longer than this, is not ready."""


async def healthz(request: web.Request) -> web.StreamResponse:
    """`GET /healthz`, `/health`: 200: this process answers. `status` is `ok` if all is heard that should."""
    relay = request.app[RELAY]
    stations = [_sound(relay, station) for station in relay.stations.all()]
    is_well = all(station["ready"] for station in stations)
    about = {
        "status": "ok" if is_well else "not ok",
        "version": __version__,
        "store": relay.store_id,
        "casts": casts_are(relay),
    }
    return reply({**about, "disk": await relay.disk.describe(), "stations": stations})


async def readyz(request: web.Request) -> web.StreamResponse:
    """`GET /readyz`: 200 if every station that should be heard is, else 503."""
    relay = request.app[RELAY]
    stations = [_sound(relay, station) for station in relay.stations.all()]
    is_ready = bool(stations) and all(station["ready"] for station in stations)
    status = "ready" if is_ready else "not ready"
    body = {"status": status, "disk": await relay.disk.describe(), "stations": stations}
    return reply(body, status=200 if is_ready else 503, headers={} if is_ready else {"Retry-After": "5"})


def _sound(relay: RelayContext, station: StationFeed) -> dict[str, Any]:
    mono = relay.clock.monotonic()
    line = station.pump.line(mono)
    state = now_playing.describe(station, mono, store="", server_time=0)["state"]
    silent_ms = now_playing.silent_ms(station, line)
    is_heard = silent_ms is not None and silent_ms <= SILENT_S * 1000
    return {
        "station": station.id,
        "state": state,
        "ready": state == "off" or (state == "on_air" and is_heard),
        "lead_ms": now_playing.lead_ms(station, line),
        "seconds_since_speech": None if silent_ms is None else silent_ms / 1000,
        "silence_ratio": silence(station, line),
        "late_frames": station.late_frames,
        "slow_listeners_dropped": station.fanout.dropped,
    }
