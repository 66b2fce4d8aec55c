"""What the operator orders over HTTP: the same requests in `control` as `radio` commands write."""

from typing import Any, Final

from aiohttp import web

from radio import control
from radio.errors import BadInput
from radio.relay.context import RELAY
from radio.relay.http import request_body
from radio.relay.http.problems import WrongType
from radio.relay.http.responses import reply

OF_STATIONS: Final = (control.SAY, control.SKIP, control.MUTE, control.UNMUTE)
OF_CASTS: Final = (control.PAUSE, control.RESUME)


async def of_station(request: web.Request) -> web.StreamResponse:
    """`POST /stations/<id>/control`: 202, the station's owner or all relays do it."""
    relay = request.app[RELAY]
    relay.rights.check_operator(request)
    station = await relay.stations.find(request.match_info["station"])
    asked = await _asked(request, ("ask", "text"), OF_STATIONS, '{"ask": "say", "text": "…"}')
    details = _details(asked)
    ack = await control.ask(relay.store, asked["ask"], station.id, details)
    return _obeyed({"station": station.id, "ask": asked["ask"], "seq": ack.start.seq})


async def of_casts(request: web.Request) -> web.StreamResponse:
    """`POST /casts/control`: 202, all relays and narrators do it."""
    relay = request.app[RELAY]
    relay.rights.check_operator(request)
    asked = await _asked(request, ("ask",), OF_CASTS, '{"ask": "pause"}')
    ack = await control.ask(relay.store, asked["ask"], control.CASTS)
    return _obeyed({"ask": asked["ask"], "seq": ack.start.seq})


async def _asked(
    request: web.Request, fields: tuple[str, ...], known: tuple[str, ...], example: str
) -> dict[str, Any]:
    if request.content_type != "application/json":
        raise WrongType("orders are sent as JSON", hint="Content-Type: application/json")
    asked = await request_body.object_of(request, fields, example=example)
    if asked.get("ask") not in known:
        raise BadInput("what is asked is none of what can be", hint=f"ask: {', '.join(known)}")
    return asked


def _details(asked: dict[str, Any]) -> tuple[str, ...]:
    text = asked.get("text")
    if asked["ask"] == control.SAY:
        if not isinstance(text, str):
            raise BadInput("there is no text to say", hint='{"ask": "say", "text": "…"}')
        return tuple(control.sentences_of(text))
    if text is not None:
        raise BadInput(f"{asked['ask']} has no text", hint=f'{{"ask": "{asked["ask"]}"}}')
    return ("",)


def _obeyed(body: dict[str, Any]) -> web.Response:
    return reply(body, status=202, headers={"Cache-Control": "no-store"})
