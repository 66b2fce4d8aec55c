"""The table of contents: every route, its handler, and the word or two that `docs/api.md` lists it under."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from radio.relay import (
    archive,
    calendar,
    cast_audio,
    casts,
    events,
    gateway,
    health,
    hls,
    live,
    metrics,
    openapi,
    orders,
    pages,
    playlists,
    podcast,
    replay,
    responses,
    speech,
)
from radio.relay.problems import Handler


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
    Route("GET", "/stations", live.stations),
    Route("GET", "/stations/{station}", live.station),
    Route("GET", "/stations/{station}/live.mp3", live.live),
    Route("GET", "/stations/{station}/live.m3u", playlists.m3u),
    Route("GET", "/stations/{station}/live.pls", playlists.pls),
    Route("GET", "/stations/{station}/live.m3u8", hls.variants),
    Route("GET", "/stations/{station}/hls/{epoch}/live.m3u8", hls.playlist),
    Route("GET", "/stations/{station}/hls/{epoch}/{n}.mp3", hls.segment),
    Route("GET", "/stations/{station}/events", events.events),
    Route("GET", "/stations/{station}/schedule", archive.schedule),
    Route("GET", "/stations/{station}/schedule.ics", calendar.schedule),
    Route("GET", "/stations/{station}/archive", archive.archive),
    Route("GET", "/stations/{station}/podcast.xml", podcast.feed),
    Route("GET", "/stations/{station}/replay.mp3", replay.mp3),
    Route("GET", "/stations/{station}/replay.vtt", replay.captions),
    Route("POST", "/stations/{station}/control", orders.of_station),
    Route("POST", "/casts", casts.submit),
    Route("POST", "/casts/control", orders.of_casts),
    Route("GET", "/casts/voices", casts.list_voices),
    Route("GET", "/casts/{cast}.mp3", cast_audio.mp3),
    Route("GET", "/casts/{cast}.vtt", casts.captions),
    Route("GET", "/casts/{cast}.txt", casts.transcript),
    Route("GET", "/casts/{cast}/events", cast_audio.events),
    Route("GET", "/casts/{cast}", casts.status),
    Route("DELETE", "/casts/{cast}", casts.remove),
    Route("POST", "/v1/audio/speech", speech.speak),
    Route("GET", "/v1/audio/voices", speech.list_voices),
    Route("GET", "/v1/models", speech.list_models),
    Route("GET", "/v1/models/{model}", speech.show_model),
    Route("GET", "/s2/records", gateway.records),
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
