"""The head of a reply whose length is known: whole, a part of it, unchanged, or no such part."""

from collections.abc import Mapping

from aiohttp import web

from radio.relay.http import ranges
from radio.relay.http.problems import CORS, problem


async def begin(
    request: web.Request, headers: Mapping[str, str], *, etag: str, size: int
) -> tuple[web.StreamResponse, ranges.ByteRange | None]:
    """The reply, begun, and the bytes that it still has to be given; None: it is complete as it is.

    Args:
        headers: `Cache-Control` must be among them.
    """
    told = dict(headers)
    told |= {"Accept-Ranges": "bytes", "ETag": etag}
    if etag in request.headers.get("If-None-Match", ""):
        kept = {"ETag": etag, "Cache-Control": told["Cache-Control"]}
        return web.Response(status=304, headers=kept | CORS), None
    asked = request.headers.get("Range") if request.method == "GET" else None
    want = ranges.wanted(asked, request.headers.get("If-Range"), etag, size)
    if isinstance(want, ranges.Unsatisfiable):
        hint = f"it has {size} bytes"
        return problem(416, "no byte of it lies there", hint, {"Content-Range": f"bytes */{size}"}), None
    part = want if isinstance(want, ranges.ByteRange) else ranges.ByteRange(0, size - 1)
    if want is part:
        told["Content-Range"] = part.content_range(size)
    response = web.StreamResponse(status=206 if want is part else 200, headers=told)
    response.content_length = part.length
    await response.prepare(request)
    return response, part if request.method == "GET" else None
