"""Who may do what: nobody needs a token to listen; control needs the operator's, always.

Tokens come as `Authorization: Bearer …` alone: what stands in an address is seen by every proxy and log on
the way.
"""

import hmac
from dataclasses import dataclass, field
from typing import Self

from aiohttp import web

from radio.errors import BadInput
from radio.relay.http.problems import Forbidden, Unauthorized
from radio.settings import Settings
from radio.tokens import LEAST_CHARACTERS, token_of


@dataclass(frozen=True, slots=True)
class Rights:
    """The tokens of this relay; "" is none."""

    operator: str = field(default="", repr=False)
    submitter: str = field(default="", repr=False)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Raises `BadInput`: a token's file cannot be read, or a token is too short."""
        return cls(
            _read(settings.operator_token, settings.operator_token_file, "operator token", "operator"),
            _read(settings.submit_token, settings.submit_token_file, "submit token", "submit"),
        )

    def is_operator(self, request: web.Request) -> bool:
        """Whether the request carries the operator's token."""
        return _same(bearer(request), self.operator)

    def check_operator(self, request: web.Request) -> None:
        """Raises `Forbidden` if there is no operator token, `Unauthorized` if the request has another."""
        if not self.operator:
            hint = "its operator may set an operator token; `radio` commands on its machine need none"
            raise Forbidden("this radio takes no orders here", hint=hint)
        if not self.is_operator(request):
            raise Unauthorized("this needs the operator's token", hint="send it as a Bearer token")

    def check_submitter(self, request: web.Request) -> None:
        """Raises `Unauthorized` if this relay asks submitters for a token and the request has another."""
        if self.submitter and not (_same(bearer(request), self.submitter) or self.is_operator(request)):
            raise Unauthorized(
                "this radio takes texts with its submit token only", hint="send it as a Bearer token"
            )


def bearer(request: web.Request) -> str:
    """The token that the request carries; "" if it has none."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _same(given: str, wanted: str) -> bool:
    """In a time that does not tell where they differ; no token is like none."""
    return bool(wanted) and hmac.compare_digest(_bytes(given), _bytes(wanted))


def _bytes(token: str) -> bytes:
    return token.encode(errors="surrogatepass")


def _read(given: str, file: str, what: str, option: str) -> str:
    token = token_of(given, file, what=what, option=f"--{option}-token-file")
    if token and len(token) < LEAST_CHARACTERS:
        hint = f"it has at least {LEAST_CHARACTERS} characters, as of `openssl rand -hex 16`"
        raise BadInput(f"the {what} is too short", hint=hint)
    return token
