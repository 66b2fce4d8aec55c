"""The web pages: static files of one folder, under a strict content security policy.

A page finds out from its own address which station or cast it shows; nothing is rendered here.
"""

import asyncio
import hashlib
from pathlib import Path
from typing import Final

from aiohttp import web

from radio.errors import NotFound
from radio.relay.context import RELAY
from radio.relay.problems import Handler

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
SECURITY: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
MAX_NAME: Final = 200
_HERE: Final = Path(__file__).resolve()
FOLDER: Final = next(
    (folder for folder in (_HERE.parents[2] / "web", _HERE.parents[1] / "web") if folder.is_dir()),
    _HERE.parents[1] / "web",
)
"""Beside the package in a checkout; inside it where a wheel was installed."""


class NoPage(NotFound):
    """There is no such page."""


def page(name: str) -> Handler:
    """The handler of a page that is one file."""

    async def handler(request: web.Request) -> web.StreamResponse:
        return await _file(request, name)

    return handler


async def asset(request: web.Request) -> web.StreamResponse:
    """`GET /web/<path>`: scripts, styles and images."""
    return await _file(request, request.match_info["path"])


async def _file(request: web.Request, name: str) -> web.StreamResponse:
    body = await asyncio.to_thread(_read, request.app[RELAY].pages, name)
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache", **SECURITY}
    if etag in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=headers)
    return web.Response(body=body, headers={"Content-Type": TYPES[Path(name).suffix], **headers})


def _read(folder: Path, name: str) -> bytes:
    """A file below `folder`, of a type that is served. Raises `NoPage`."""
    path = (folder / name).resolve() if "\0" not in name and len(name) <= MAX_NAME else folder
    if not path.is_relative_to(folder.resolve()) or path.suffix not in TYPES or not path.is_file():
        raise NoPage(hint="the radio's first page is /")
    return path.read_bytes()
