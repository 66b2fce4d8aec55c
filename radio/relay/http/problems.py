"""The one table from errors to HTTP statuses, and the body every error has: RFC 9457 with a hint."""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

from aiohttp import web

from radio import casts
from radio.errors import BadInput, NotFound, RadioError
from radio.log import log_event
from radio.streams.contract import (
    AppendUncertain,
    BeyondTail,
    StoreClosed,
    StreamDeleting,
    StreamNotFound,
    Trimmed,
    Unavailable,
)

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Gone(RadioError):
    """It was here, and is no longer."""


class TooMany(RadioError):
    """There is no room for more just now.

    Attributes:
        retry_after: whole seconds, as the header wants them.
    """

    def __init__(self, message: str, *, retry_after: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class TooFast(TooMany):
    """This client asks more than its share."""


class Forbidden(RadioError):
    """This is not for you."""


class Misdirected(RadioError):
    """It was asked by a name that is not this radio's."""


class Unauthorized(RadioError):
    """Whoever does this needs a token."""


class TooLarge(BadInput):
    """That is more than is taken."""


class RangeRefused(BadInput):
    """No byte of it lies in the asked range."""


class TooSlow(BadInput):
    """It was announced and did not come."""


class WrongType(BadInput):
    """That type of content is not understood."""


STATUS: Final[tuple[tuple[type[RadioError], int], ...]] = (
    (TooLarge, 413),
    (TooSlow, 408),
    (WrongType, 415),
    (RangeRefused, 416),
    (BeyondTail, 416),
    (Gone, 410),
    (casts.CastGone, 410),
    (casts.WrongToken, 403),
    (Trimmed, 410),
    (TooFast, 429),
    (TooMany, 503),
    (Unavailable, 503),
    (AppendUncertain, 503),
    (StreamDeleting, 503),
    (StoreClosed, 503),
    (Misdirected, 421),
    (Forbidden, 403),
    (Unauthorized, 401),
    (StreamNotFound, 404),
    (NotFound, 404),
    (BadInput, 400),
)
"""The first row that fits counts; what is not here is a fault of ours: 500."""
FACTS: Final = frozenset({"oldest", "next", "param", "code"})
"""Attributes of errors that the body shows."""
CORS: Final = {"Access-Control-Allow-Origin": "*"}


def status_of(error: RadioError) -> int:
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


class Problem(web.Response):
    """An `application/problem+json` reply; `told` are its members."""

    def __init__(self, told: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(
            status=told["status"],
            body=json.dumps(told, ensure_ascii=False).encode(errors="replace"),
            content_type="application/problem+json",
            headers=headers,
        )
        self.told = dict(told)


def problem(
    status: int, detail: str, hint: str = "", headers: Mapping[str, str] | None = None, **more: Any
) -> Problem:
    """The reply that says what is wrong; `more` are further members that programs may read."""
    title = HTTPStatus(status).phrase
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, "hint": hint, **more}
    return Problem(body, {"Cache-Control": "no-store", **CORS, **(headers or {})})


def reply_to(error: RadioError) -> web.Response:
    """The reply to an error that was raised on purpose."""
    status = status_of(error)
    if status == 500:
        return _fault(error)
    headers = {"Retry-After": error.retry_after} if isinstance(error, TooMany) else {}
    headers |= {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthorized) else {}
    facts = {key: value for key, value in vars(error).items() if key in FACTS and value is not None}
    return problem(status, str(error), error.hint, headers, **facts)


def _fault(error: Exception) -> web.Response:
    log.error("a request failed", exc_info=error, extra=log_event("request.failed"))
    return problem(500, "something went wrong here", "the log of the relay says more")


@web.middleware
async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn every error of a handler into a problem, whether aiohttp's, ours or a fault."""
    try:
        return await handler(request)
    except RadioError as error:
        return reply_to(error)
    except web.HTTPRequestEntityTooLarge:
        return problem(413, "the request is too large", "cut it in parts")
    except web.RequestPayloadError:
        return problem(400, "the body is not as its head says", "its length or its chunks are wrong")
    except web.HTTPMethodNotAllowed as refused:
        allowed = ", ".join(sorted(refused.allowed_methods))
        return problem(
            405, f"{request.method} is not for this path", f"allowed: {allowed}", {"Allow": allowed}
        )
    except web.HTTPException as other:
        return problem(other.status, other.text or other.reason, "paths are listed in docs/api.md")
    except ConnectionError:
        raise
    except Exception as fault:
        if request.writer.output_size:
            raise  # a reply has begun: aiohttp cuts the connection
        return _fault(fault)
