"""The web pages: static files of one folder, under a strict content security policy.

A page finds out from its own address which station or cast it shows. All that is put in here is what a link
shows where it is shared.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from aiohttp import web

import radio
from radio.errors import NotFound, RadioError
from radio.relay.context import RELAY
from radio.relay.live import disclosure, now_playing
from radio.relay.live.playlist_files import base_url
from radio.relay.web.share_tags import Share, put

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
_POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors "
)
SECURITY: Final = {
    "Content-Security-Policy": _POLICY + "'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
FRAMED: Final = {**SECURITY, "Content-Security-Policy": _POLICY + "*"}
"""For the page that other sites may show in a frame."""
IMAGE: Final = "/web/mark.png"
MAX_NAME: Final = 200
_PACKAGE: Final = Path(radio.__file__).resolve().parent
FOLDER: Final = next(
    (folder for folder in (_PACKAGE.parent / "web", _PACKAGE / "web") if folder.is_dir()), _PACKAGE / "web"
)
"""Beside the package in a checkout; inside it where a wheel was installed."""


class NoPage(NotFound):
    """There is no such page."""


async def home(request: web.Request) -> web.StreamResponse:
    """`GET /`."""
    title, about = "radio", "A radio that writes its own programmes and speaks them."
    return await _page(request, "index.html", _share(request, title=title, about=about, page="/"))


async def submit(request: web.Request) -> web.StreamResponse:
    """`GET /submit`."""
    return await _page(request, "submit.html", None)


async def station(request: web.Request) -> web.StreamResponse:
    """`GET /s/<station>`: also where there is no such station, which the page then says."""
    return await _page(request, "station.html", await _station(request))


async def embedded(request: web.Request) -> web.StreamResponse:
    """`GET /e/<station>`: a small player; the one page that others may frame."""
    return await _page(request, "embed.html", await _station(request), FRAMED)


async def cast(request: web.Request) -> web.StreamResponse:
    """`GET /c/<cast>`: also where there is no such cast, which the page then says."""
    return await _page(request, "cast.html", await _cast(request))


async def asset(request: web.Request) -> web.StreamResponse:
    """`GET /web/<path>`: scripts, styles and images."""
    name = request.match_info["path"]
    body = await asyncio.to_thread(_read, request.app[RELAY].pages, name)
    return _answer(request, name, body, SECURITY)


async def _page(
    request: web.Request, name: str, share: Share | None, security: Mapping[str, str] = SECURITY
) -> web.StreamResponse:
    body = await asyncio.to_thread(_read, request.app[RELAY].pages, name)
    if share is not None:
        body = put(body.decode(), share).encode(errors="replace")
    return _answer(request, name, body, security)


def _answer(request: web.Request, name: str, body: bytes, security: Mapping[str, str]) -> web.StreamResponse:
    kind = TYPES[Path(name).suffix]
    is_text = not kind.startswith("image/png") and not kind.startswith("font/")
    packed = is_text and "gzip" in request.headers.get("Accept-Encoding", "")
    etag = f'"{hashlib.sha256(body).hexdigest()[:16]}{"-gz" if packed else ""}"'
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding", **security}
    if etag in request.headers.get("If-None-Match", ""):
        return web.Response(status=304, headers=headers)
    if packed:
        body = gzip.compress(body, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return web.Response(body=body, headers={"Content-Type": kind, **headers})


def _share(
    request: web.Request, *, title: str, about: str, page: str, audio: str | None = None,
    feed: str | None = None, is_listed: bool = True,
) -> Share:  # fmt: skip
    base = base_url(request, request.app[RELAY])
    return Share(
        title=title,
        about=about,
        url=base + page,
        image=base + IMAGE,
        audio=base + audio if audio else None,
        feed=base + feed if feed else None,
        is_listed=is_listed,
    )


async def _station(request: web.Request) -> Share | None:
    """None where nothing can be said of it now: the page asks for itself, and tells what is wrong."""
    try:
        found = await request.app[RELAY].stations.find(request.match_info["station"])
    except RadioError:
        return None
    title, about, urls = (
        found.card.title or found.id,
        disclosure.about(found.card.description),
        now_playing.urls(found.id),
    )
    return _share(
        request, title=title, about=about, page=urls["page"], audio=urls["live"], feed=urls["podcast"]
    )


async def _cast(request: web.Request) -> Share | None:
    """None as above, and of a cast that was removed."""
    name = request.match_info["cast"]
    try:
        state = await request.app[RELAY].cast_cache.find(name)
    except RadioError:
        return None
    if state.meta is None or state.status == "removed":
        return None
    about = f"A text of {state.meta.characters:,} characters, spoken by a machine."
    title, page = state.meta.title or "A text, spoken", f"/c/{name}"
    return _share(request, title=title, about=about, page=page, audio=f"/casts/{name}.mp3", is_listed=False)


def _read(folder: Path, name: str) -> bytes:
    """A file below `folder`, of a type that is served. Raises `NoPage`."""
    path = (folder / name).resolve() if "\0" not in name and len(name) <= MAX_NAME else folder
    if not path.is_relative_to(folder.resolve()) or path.suffix not in TYPES or not path.is_file():
        raise NoPage(hint="the radio's first page is /")
    return path.read_bytes()
