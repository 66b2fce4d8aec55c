"""What is sent to us: read whole, within a time, as it was sent."""

import asyncio
import json
from collections.abc import Collection
from typing import Any, Final

from aiohttp import web

from radio.errors import BadInput
from radio.relay.context import RELAY
from radio.relay.http.problems import TooSlow, WrongType

BODY_S: Final = 30.0
"""A body that is not here by then does not come."""


async def text_of(request: web.Request) -> str:
    """The body as text. What is packed is refused, for a small one may unpack to any size.

    Raises:
        WrongType, TooSlow, BadInput
        TooMany: this client sends many already.
    """
    if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise WrongType("a text is sent unpacked", hint="leave out Content-Encoding")
    try:
        with request.app[RELAY].sent(request):
            async with asyncio.timeout(BODY_S):
                return (await request.read()).decode("utf-8-sig")
    except TimeoutError:
        raise TooSlow("the text did not come in time", hint="send it again") from None
    except UnicodeDecodeError as error:
        raise BadInput("the text is not UTF-8", hint="send it as UTF-8") from error


async def object_of(request: web.Request, fields: Collection[str], *, example: str) -> dict[str, Any]:
    """The JSON object in the body, with no other than these fields.

    Raises:
        WrongType, TooSlow, TooMany
        BadInput: it is none, or has others.
    """
    text = await text_of(request)
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"this is not JSON: {error}", hint=example) from error
    if not isinstance(asked, dict):
        raise BadInput("a JSON object is wanted here", hint=example)
    unknown = sorted(set(asked) - set(fields))
    if unknown:
        raise BadInput(f"unknown: {', '.join(unknown)[:200]}", hint=f"known: {', '.join(fields)}")
    return asked
