"""`GET /openapi.json`: every route, as OpenAPI 3.1.

Declared by hand beside the routes. Tests compare it with the router and with `docs/api.md`, both ways, and
every reply of a running relay with what stands here.
"""

import hashlib
import json
from typing import Final

from aiohttp import web

from radio import __version__
from radio.relay.http.responses import tagged
from radio.relay.openapi import cast_routes, ops_routes, station_routes
from radio.relay.openapi.building_blocks import Json
from radio.relay.openapi.schemas import SCHEMAS

_ABOUT: Final = (
    "A self-hosted radio. Every GET answers HEAD with the same status and headers. Times are epoch ms; sound "
    "is MP3, 24 kHz mono, 64 kb/s."
)


def _bearer(about: str) -> Json:
    return {"type": "http", "scheme": "bearer", "description": about}


def describe() -> Json:
    """The document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "radio",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [],
        "paths": {**ops_routes.PATHS, **station_routes.PATHS, **cast_routes.PATHS},
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "operator": _bearer("The operator's token."),
                "submitter": _bearer("The submit token, where the radio has one."),
                "castSubmitter": _bearer("What the first submission of a cast got."),
            },
        },
    }


_DOCUMENT: Final = describe()
_TAG: Final = f'"{hashlib.sha256(json.dumps(_DOCUMENT).encode()).hexdigest()[:24]}"'


async def document(request: web.Request) -> web.StreamResponse:
    """`GET /openapi.json`."""
    return tagged(request, _DOCUMENT, _TAG)
