"""Pages, streams, health."""

from typing import Final

from radio.relay.openapi.building_blocks import (
    PROBLEM,
    Json,
    asked,
    content,
    errors,
    one_of_path,
    operation,
    ref,
    said,
    told,
    unchanged,
)
from radio.relay.openapi.schemas import CAST_ID, TEXT
from radio.relay.openapi.station_routes import STATION


def _page(name: str, about: str, *parameters: Json) -> Json:
    """A page of the web: what it shows it asks for itself."""
    replies = {**said("HTML.", "text/html"), **unchanged(), **errors(404)}
    return {"get": operation(name, about, replies, parameters=parameters)}


def _number(least: int, most: int | None = None) -> Json:
    bound = {} if most is None else {"maximum": most}
    return {"type": "integer", "minimum": least, **bound}


_ASSETS: Final = (
    "text/html",
    "text/javascript",
    "text/css",
    "image/svg+xml",
    "image/png",
    "image/x-icon",
    "application/json",
    "application/manifest+json",
    "font/woff2",
)
_HEALTH: Final = told("It answers.", ref("Health"))
_NOT_READY: Final = {
    "503": {
        "description": "Not every station that should be heard is.",
        "content": {**content("application/json", ref("Readiness")), **content(PROBLEM, ref("Problem"))},
        "headers": {"Retry-After": {"schema": TEXT}},
    }
}

PATHS: Final[Json] = {
    "/": _page("home", "The home page."),
    "/s/{station}": _page("stationPage", "The page of a station.", STATION),
    "/e/{station}": _page("embeddedPage", "A small player for other sites.", STATION),
    "/c/{cast}": _page("castPage", "The page of a cast.", one_of_path("cast", CAST_ID)),
    "/submit": _page("submitPage", "The page on which a cast is submitted."),
    "/web/{path}": {
        "get": operation(
            "asset",
            "Scripts, styles and images of the pages.",
            {
                "200": {"description": "A file.", "content": {media: {"schema": {}} for media in _ASSETS}},
                **unchanged(),
                **errors(404),
            },
            parameters=(one_of_path("path", TEXT),),
        )
    },
    "/s2/records": {
        "get": operation(
            "readRecords",
            "Records of a public stream.",
            {
                "200": {
                    "description": "A page of records, or events of such pages if the client accepts those.",
                    "content": {
                        "application/json": {"schema": ref("Records")},
                        "text/event-stream": {"schema": {}},
                    },
                },
                **errors(400, 403, 404, 410, 416, 429),
            },
            parameters=(
                asked("stream", {"type": "string", "pattern": "^pub/"}, "Its name.", required=True),
                asked("seq_num", _number(0), "From this record on."),
                asked("timestamp", _number(0), "From this time on, epoch ms."),
                asked("tail_offset", _number(0), "So many before the end."),
                asked("count", _number(1, 1000), "So many at most."),
                asked("wait", _number(0, 60), "Seconds to wait for the next one."),
            ),
        )
    },
    "/healthz": {"get": operation("health", "What is heard; the process answers.", _HEALTH)},
    "/health": {"get": operation("healthToo", "The same.", _HEALTH)},
    "/readyz": {
        "get": operation(
            "readiness",
            "Whether every station that should be heard is.",
            {**told("It is.", ref("Readiness")), **_NOT_READY},
        )
    },
    "/metrics": {"get": operation("metrics", "Figures for Prometheus.", said("Text format.", "text/plain"))},
    "/openapi.json": {
        "get": operation(
            "describe", "This document.", {**told("OpenAPI 3.1.", {"type": "object"}), **unchanged()}
        )
    },
}
