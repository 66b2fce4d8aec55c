"""Whether a text may be handed in just now, by whatever route: one set of limits for all of them."""

from aiohttp import web

from radio.relay.context import RETRY_AFTER_S, RelayContext
from radio.relay.http.problems import Forbidden, TooFast, TooMany
from radio.relay.http.rate_limits import retry_after


def casts_are(relay: RelayContext) -> str:
    """`on`, `paused` or `off`: whether casts are taken here."""
    if not relay.settings.casts:
        return "off"
    return "paused" if relay.stations.are_casts_paused else "on"


def admit(relay: RelayContext, request: web.Request) -> None:
    """Count a text against what its client and all clients may hand in.

    Raises:
        Unauthorized: it came without the submit token that this radio asks for.
        Forbidden, TooMany, TooFast: as `admit_client`.
    """
    relay.rights.check_submitter(request)
    admit_client(relay, relay.client(request))


def admit_client(relay: RelayContext, client: str) -> None:
    """As `admit`, of a client who needs no token.

    Raises:
        Forbidden: this radio takes no casts.
        TooMany: casts are paused, or all have handed in what they may.
        TooFast: this client has.
    """
    if (are := casts_are(relay)) == "off":
        raise Forbidden("this radio takes no texts", hint="its operator has switched casts off")
    if are == "paused":
        hint = "what is spoken already can be heard; try again later"
        raise TooMany("casts are paused", retry_after=RETRY_AFTER_S, hint=hint)
    now = relay.clock.monotonic()
    wait = relay.casts_by_client.take(client, 1, now)
    if wait > 0:
        raise TooFast("this address has submitted all it may for now", retry_after=retry_after(wait))
    wait = relay.casts_of_all.take(1, now)
    if wait > 0:
        raise TooMany("this radio has all the casts it takes for now", retry_after=retry_after(wait))


def usual_ms(relay: RelayContext) -> int | None:
    """How long casts are kept that ask for nothing else; None: no limit."""
    keep_s = relay.settings.casts_keep_s
    return round(keep_s * 1000) if keep_s > 0 else None
