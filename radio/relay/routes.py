"""The table of contents: every route, its handler, and the word or two that `docs/api.md` lists it under."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from radio.relay import openapi
from radio.relay.archive import archive_routes, ical, podcast, replay_routes
from radio.relay.casts import cast_audio, cast_routes
from radio.relay.hls import hls_routes
from radio.relay.http import responses
from radio.relay.http.problems import Handler
from radio.relay.live import caption_events, live_routes, playlist_files
from radio.relay.ops import control_routes, health, metrics, stream_gateway
from radio.relay.speech import speech_routes
from radio.relay.web import pages


@dataclass(frozen=True, slots=True)
class Route:
    """One path and method. A GET route answers HEAD too; handlers end after the head then."""

    method: str
    path: str
    handler: Handler


ROUTES: Final = (
    Route("GET", "/", pages.home),
    Route("GET", "/s/{station}", pages.station),
    Route("GET", "/e/{station}", pages.embedded),
    Route("GET", "/c/{cast}", pages.cast),
    Route("GET", "/submit", pages.submit),
    Route("GET", "/web/{path:.+}", pages.asset),
    Route("GET", "/stations", live_routes.stations),
    Route("GET", "/stations/{station}", live_routes.station),
    Route("GET", "/stations/{station}/live.mp3", live_routes.live),
    Route("GET", "/stations/{station}/live.m3u", playlist_files.m3u),
    Route("GET", "/stations/{station}/live.pls", playlist_files.pls),
    Route("GET", "/stations/{station}/live.m3u8", hls_routes.variants),
    Route("GET", "/stations/{station}/hls/{epoch}/live.m3u8", hls_routes.playlist),
    Route("GET", "/stations/{station}/hls/{epoch}/{n}.mp3", hls_routes.segment),
    Route("GET", "/stations/{station}/events", caption_events.events),
    Route("GET", "/stations/{station}/schedule", archive_routes.schedule),
    Route("GET", "/stations/{station}/schedule.ics", ical.schedule),
    Route("GET", "/stations/{station}/archive", archive_routes.archive),
    Route("GET", "/stations/{station}/podcast.xml", podcast.feed),
    Route("GET", "/stations/{station}/replay.mp3", replay_routes.mp3),
    Route("GET", "/stations/{station}/replay.vtt", replay_routes.captions),
    Route("POST", "/stations/{station}/control", control_routes.of_station),
    Route("POST", "/casts", cast_routes.submit),
    Route("POST", "/casts/control", control_routes.of_casts),
    Route("GET", "/casts/voices", cast_routes.list_voices),
    Route("GET", "/casts/{cast}.mp3", cast_audio.mp3),
    Route("GET", "/casts/{cast}.vtt", cast_routes.captions),
    Route("GET", "/casts/{cast}.txt", cast_routes.transcript),
    Route("GET", "/casts/{cast}/events", cast_audio.events),
    Route("GET", "/casts/{cast}", cast_routes.status),
    Route("DELETE", "/casts/{cast}", cast_routes.remove),
    Route("POST", "/v1/audio/speech", speech_routes.speak),
    Route("GET", "/v1/audio/voices", speech_routes.list_voices),
    Route("GET", "/v1/models", speech_routes.list_models),
    Route("GET", "/v1/models/{model}", speech_routes.show_model),
    Route("GET", "/s2/records", stream_gateway.records),
    Route("GET", "/healthz", health.healthz),
    Route("GET", "/health", health.healthz),
    Route("GET", "/readyz", health.readyz),
    Route("GET", "/metrics", metrics.metrics),
    Route("GET", "/openapi.json", openapi.document),
)
PREFLIGHT: Final = ("/stations/{path:.*}", "/stations", "/casts/{path:.*}", "/casts", "/s2/records")
"""Paths that other origins may ask about with OPTIONS."""


def add_to(app: web.Application) -> None:
    """Register every route."""
    for route in ROUTES:
        app.router.add_route(route.method, route.path, route.handler)
        if route.method == "GET":
            app.router.add_route("HEAD", route.path, route.handler)
    for path in PREFLIGHT:
        app.router.add_route("OPTIONS", path, responses.preflight)
