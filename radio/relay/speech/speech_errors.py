"""Errors below `/v1/` in the shape that clients of the speech API read."""

from typing import Any, Final

from aiohttp import web

from radio.relay.http.problems import Handler, Problem
from radio.relay.http.responses import reply

BELOW: Final = "/v1/"
CODES: Final = {401: "invalid_api_key", 429: "rate_limit_exceeded", 503: "service_unavailable"}


@web.middleware
async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say what went wrong in the words of the API that was asked."""
    response = await handler(request)
    if isinstance(response, Problem) and request.path.startswith(BELOW):
        return _retold(response)
    return response


def _retold(problem: Problem) -> web.Response:
    kept = {"Retry-After", "Allow", "WWW-Authenticate"}
    headers = {name: value for name, value in problem.headers.items() if name in kept}
    return reply(
        {"error": error_of(problem.status, problem.told)},
        status=problem.status,
        headers={"Cache-Control": "no-store", **headers},
    )


def error_of(status: int, told: dict[str, Any]) -> dict[str, Any]:
    """The members of `error`, from those of a problem."""
    message = "; ".join(part for part in (told.get("detail"), told.get("hint")) if part)
    kind = "invalid_request_error" if status < 500 else "server_error"
    return {
        "message": message,
        "type": "rate_limit_error" if status == 429 else kind,
        "param": told.get("param"),
        "code": told.get("code") or CODES.get(status),
    }
