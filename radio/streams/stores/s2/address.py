"""Where an S2 store is: basin, endpoints, token. Pure except for reading the token's file."""

import re
from dataclasses import dataclass, field

from radio.errors import BadInput
from radio.settings import S2_SCHEME, TOKEN_VARIABLES, Settings
from radio.tokens import token_of

CLOUD = ("https://a.s2.dev", "https://{basin}.b.s2.dev")
"""Origins of s2.dev: of accounts, and of basins."""
BASIN = re.compile(r"[a-z0-9](?:[a-z0-9-]{6,46})[a-z0-9]")
NO_TOKEN = "none"
"""Sent to S2 Lite, which ignores tokens."""
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.{}\[\]:_-]+/?")


@dataclass(frozen=True, slots=True)
class S2Address:
    """A basin, and how to reach it.

    Attributes:
        account: origin that manages basins.
        streams: origin of the basin's streams; `{basin}` stands for its name.
    """

    basin: str
    account: str
    streams: str
    token: str = field(default=NO_TOKEN, repr=False)

    @property
    def is_cloud(self) -> bool:
        """Whether it is s2.dev."""
        return (self.account, self.streams) == CLOUD

    def __str__(self) -> str:
        return f"{S2_SCHEME}{self.basin} at {self.account}"

    def without_token(self, text: str) -> str:
        """The text with the token removed, in case a library quoted it."""
        return text if self.token == NO_TOKEN else text.replace(self.token, "***")


def place_of(settings: Settings) -> S2Address:
    """The address that the settings give.

    Raises:
        BadInput: basin name, endpoint or token is not valid.
    """
    basin = settings.store.removeprefix(S2_SCHEME)
    if not BASIN.fullmatch(basin):
        raise BadInput(
            f"not the name of a basin: {basin!r}",
            hint=f"--store {S2_SCHEME}BASIN, where BASIN has 8 to 48 of a-z 0-9 -, no - at either end",
        )
    account, streams = _origins(settings.s2_endpoint)
    token = _token(settings)
    if not token and (account, streams) == CLOUD:
        raise BadInput(
            "s2.dev needs an access token",
            hint=f"set {TOKEN_VARIABLES[0]} or --s2-token-file; for S2 Lite set --s2-endpoint",
        )
    return S2Address(basin, account, streams, token or NO_TOKEN)


def _origins(endpoint: str) -> tuple[str, str]:
    if not endpoint:
        return CLOUD
    account, _, streams = (part.strip() for part in endpoint.partition(","))
    streams = streams or account
    for origin in (account, streams):
        if not _ORIGIN.fullmatch(origin):
            raise BadInput(
                f"not the origin of a server: {origin!r}",
                hint="--s2-endpoint is like http://127.0.0.1:4002, with no path and no password",
            )
    if account.partition(":")[0] != streams.partition(":")[0]:
        raise BadInput("the two endpoints must be both http or both https")
    return account.rstrip("/"), streams.rstrip("/")


def _token(settings: Settings) -> str:
    return token_of(settings.s2_token, settings.s2_token_file, what="access token", option="--s2-token-file")
