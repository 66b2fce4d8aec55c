"""Submitting casts, and what they have become: status, captions, removal."""

from typing import Any, Final

from aiohttp import web

from radio import casts, voices
from radio.casts import CastState
from radio.errors import BadInput
from radio.relay.archive import webvtt
from radio.relay.casts.admission import admit, casts_are, usual_ms
from radio.relay.context import RELAY, RelayContext
from radio.relay.http import request_body
from radio.relay.http.header_text import attachment
from radio.relay.http.plain_text import one_line
from radio.relay.http.problems import Gone, TooLarge, Unauthorized, WrongType
from radio.relay.http.responses import reply, text
from radio.relay.rights import bearer

FIELDS: Final = ("text", "voice", "speed", "title", "wait")
SPEEDS: Final = (0.5, 2.0)
MAX_TITLE: Final = 200


async def submit(request: web.Request) -> web.StreamResponse:
    """`POST /casts`: 201 with the submitter's token if it is new, 200 if it is known."""
    relay = request.app[RELAY]
    relay.rights.check_submitter(request)  # before anything of it is read
    asked = _checked(await _asked(request), relay)
    admit(relay, request)
    done = await casts.submit(
        relay.store,
        relay.clock,
        text=asked["text"],
        voice=asked["voice"],
        speed=asked["speed"],
        title=asked["title"],
        usual_ms=usual_ms(relay),
    )
    if asked["wait"] and not done.state.is_over:
        await casts.hurry(relay.store, done.cast)
    body = await describe(relay, done.cast, done.state)
    if done.token is not None:
        body["token"] = done.token
    headers = {"Location": body["urls"]["page"], "Cache-Control": "no-store"}
    return reply(body, status=201 if done.created else 200, headers=headers)


async def status(request: web.Request) -> web.StreamResponse:
    """`GET /casts/<id>`."""
    cast, state = await standing(request)
    return reply(await describe(request.app[RELAY], cast, state))


async def remove(request: web.Request) -> web.StreamResponse:
    """`DELETE /casts/<id>` with the submitter's token, or the operator's: 202, a narrator does it."""
    relay, cast = request.app[RELAY], request.match_info["cast"]
    await relay.cast_cache.find(cast)
    token = bearer(request)
    if not token:
        raise Unauthorized("only its submitter may remove a cast", hint="send the token as a Bearer token")
    await casts.remove(relay.store, cast, None if relay.rights.is_operator(request) else token)
    return reply({"cast": cast, "status": "removing"}, status=202, headers={"Cache-Control": "no-store"})


async def captions(request: web.Request) -> web.StreamResponse:
    """`GET /casts/<id>.vtt`: as far as it is spoken."""
    cast, state = await standing(request)
    cues, at_ms = [], 0
    for line in _spoken(state):
        cues.append(webvtt.cue(at_ms, line.d, line.t))
        at_ms += line.d
    return text(webvtt.HEAD + "".join(cues), "text/vtt", _named(cast, state, ".vtt"))


async def transcript(request: web.Request) -> web.StreamResponse:
    """`GET /casts/<id>.txt`: the captions, a line each, as far as it is spoken."""
    cast, state = await standing(request)
    body = "".join(f"{one_line(line.t)}\n" for line in _spoken(state))
    return text(body, "text/plain", _named(cast, state, ".txt"))


async def list_voices(request: web.Request) -> web.StreamResponse:
    """`GET /casts/voices`."""
    known = [
        {"name": name, "language": voice.language, "gender": voice.gender}
        for name, voice in voices.VOICES.items()
    ]
    relay = request.app[RELAY]
    taken = {
        "casts": casts_are(relay),
        "characters": relay.settings.limits.cast_characters,
        "token": bool(relay.rights.submitter),
    }
    return reply({"default": relay.settings.voice, "voices": known, **taken})


async def describe(relay: RelayContext, cast: str, state: CastState) -> dict[str, Any]:
    """The cast as routes and events show it; a place in the queue only while it waits."""
    live = sum(1 for station in relay.stations.all() if station.card.fallback != "off")
    is_paused = relay.stations.are_casts_paused
    place = await relay.queue.place(cast, stations=live) if state.status == "queued" else None
    meta = state.meta
    return {
        "schema_version": 1,
        "cast": cast,
        "title": meta.title if meta else "",
        "voice": meta.voice if meta else "",
        "status": state.status,
        "position": place.position if place else None,
        "estimate_s": place.estimate_s if place and not is_paused else None,
        "paused": is_paused and not state.is_over,
        "created": meta.created if meta else None,
        "characters": meta.characters if meta else 0,
        "sentences": state.sentences,
        "skipped": state.skipped,
        "audio_ms": state.audio_ms,
        "reason": state.reason,
        "urls": _urls(cast),
    }


def _urls(cast: str) -> dict[str, str]:
    base = f"/casts/{cast}"
    leaves = {"mp3": ".mp3", "events": "/events", "vtt": ".vtt", "txt": ".txt"}
    return {"page": f"/c/{cast}", **{name: base + leaf for name, leaf in leaves.items()}}


async def standing(request: web.Request) -> tuple[str, CastState]:
    """The cast of a request and its state. Raises `Gone` if it was removed, by whomever."""
    cast = request.match_info["cast"]
    state = await request.app[RELAY].cast_cache.find(cast)
    if state.status == "removed":
        raise Gone(
            "this cast was removed by its submitter, or kept for as long as this radio keeps casts",
            hint="submit the text again",
        )
    return cast, state


def _spoken(state: CastState) -> list[casts.CastSentence]:
    return [line for _, line in sorted(state.lines.items()) if line.skipped is None]


def _named(cast: str, state: CastState, extension: str) -> dict[str, str]:
    return {"Content-Disposition": attachment(state.meta.title if state.meta else cast, extension)}


async def _asked(request: web.Request) -> dict[str, Any]:
    """What was submitted, as a JSON object or as plain text with the rest in the query."""
    if request.content_type == "text/plain":
        query = {key: value for key, value in request.query.items() if key in FIELDS}
        return {**query, "text": await request_body.text_of(request)}
    if request.content_type != "application/json":
        raise WrongType("a cast is JSON or plain text", hint="Content-Type: application/json or text/plain")
    return await request_body.object_of(request, FIELDS, example='{"text": "…", "voice": "…"}')


def _checked(asked: dict[str, Any], relay: RelayContext) -> dict[str, Any]:
    spoken, voice, title = asked.get("text"), asked.get("voice") or relay.settings.voice, asked.get("title")
    if not isinstance(spoken, str):
        raise BadInput("there is no text", hint='{"text": "what is to be spoken"}')
    most = relay.settings.limits.cast_characters
    if len(spoken) > most:
        raise TooLarge(f"a cast has at most {most} characters, not {len(spoken)}", hint="send it in parts")
    if not isinstance(voice, str) or not isinstance(title, str | None):
        raise BadInput("voice and title are text", hint="voices are listed at /casts/voices")
    if title is not None and len(title) > MAX_TITLE:
        raise BadInput(f"a title has at most {MAX_TITLE} characters", hint="leave it out for the first words")
    return {
        "text": spoken,
        "voice": voice,
        "speed": _speed(asked.get("speed")),
        "title": title,
        "wait": _wait(asked.get("wait")),
    }


def _wait(asked: Any) -> bool:
    """Whether someone waits for all of it as a file; `1` or `0` in a query."""
    if asked not in (None, True, False, "1", "0"):
        raise BadInput("wait is true or false", hint="true: it is made ahead of its listener")
    return asked in (True, "1")


def _speed(asked: Any) -> float | None:
    if asked is None:
        return None
    try:
        speed = float(asked) if not isinstance(asked, bool) else None
    except (TypeError, ValueError, OverflowError):
        speed = None
    if speed is None or not SPEEDS[0] <= speed <= SPEEDS[1]:
        raise BadInput("speed is a number from 0.5 to 2", hint="1 is the voice's own speed")
    return speed
