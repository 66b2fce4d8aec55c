"""The words in which routes are described: parameters, replies and operations of OpenAPI 3.1. Pure."""

from collections.abc import Mapping
from typing import Any, Final

Json = dict[str, Any]
PROBLEM: Final = "application/problem+json"
OPERATOR: Final[list[Json]] = [{"operator": []}]
SUBMITTER: Final[list[Json]] = [{}, {"submitter": []}]
"""Where a radio has no submit token, none is needed."""
WHY: Final[Mapping[int, str]] = {
    304: "The client has it already.",
    400: "What was sent makes no sense.",
    401: "This needs a token.",
    403: "Not for you, or not here.",
    404: "There is no such thing.",
    408: "The body did not come in time.",
    410: "It is no longer kept, or was removed.",
    413: "That is more than is taken.",
    415: "That type of content is not understood.",
    416: "Nothing lies in that range.",
    421: "It was asked by a name that is not this radio's.",
    429: "This address asks too much.",
    503: "No room just now, or the store does not answer.",
}


def ref(name: str) -> Json:
    """A schema of the document by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def one_of_path(name: str, schema: Json) -> Json:
    """A part of the path."""
    return {"name": name, "in": "path", "required": True, "schema": schema}


def asked(name: str, schema: Json, about: str, *, required: bool = False) -> Json:
    """A parameter of the query."""
    return {"name": name, "in": "query", "required": required, "schema": schema, "description": about}


def field(name: str, schema: Json, about: str) -> Json:
    """A header field of the request."""
    return {"name": name, "in": "header", "required": False, "schema": schema, "description": about}


def content(media: str, schema: Json | None = None) -> Json:
    """The body of a request or reply."""
    return {media: {"schema": schema or {}}}


def said(about: str, media: str, schema: Json | None = None, *, status: int = 200) -> Json:
    """A reply."""
    return {str(status): {"description": about, "content": content(media, schema)}}


def told(about: str, schema: Json, *, status: int = 200) -> Json:
    """A reply in JSON."""
    return said(about, "application/json", schema, status=status)


def errors(*statuses: int, media: str = PROBLEM, schema: Json | None = None) -> Json:
    """Replies that say what is wrong."""
    return {str(status): _error(status, media, schema or ref("Problem")) for status in statuses}


def _error(status: int, media: str, schema: Json) -> Json:
    reply: Json = {"description": WHY[status], "content": content(media, schema)}
    if status in (429, 503):
        reply["headers"] = {"Retry-After": {"schema": {"type": "string", "pattern": "^[0-9]+$"}}}
    if status == 401:
        reply["headers"] = {"WWW-Authenticate": {"schema": {"type": "string"}}}
    return reply


def unchanged() -> Json:
    """304 has no body."""
    return {"304": {"description": WHY[304]}}


def operation(
    name: str,
    about: str,
    replies: Json,
    *,
    parameters: tuple[Json, ...] = (),
    body: Json | None = None,
    security: list[Json] | None = None,
) -> Json:
    """What a method does at a path. `name` is its id for programs; all may be 421 and 503."""
    described: Json = {
        "operationId": name,
        "summary": about,
        "responses": dict(sorted({**errors(421, 503), **replies}.items())),
    }
    if parameters:
        described["parameters"] = list(parameters)
    if body is not None:
        described["requestBody"] = {"required": True, "content": body}
    if security is not None:
        described["security"] = security
    return described
