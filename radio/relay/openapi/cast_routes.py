"""Casts, and the speech API."""

from typing import Final

from radio import control
from radio.relay.openapi.building_blocks import (
    OPERATOR,
    SUBMITTER,
    Json,
    asked,
    content,
    errors,
    field,
    one_of_path,
    operation,
    ref,
    said,
    told,
    unchanged,
)
from radio.relay.openapi.schemas import CAST_ID, TEXT, WHOLE, YES, holds, one
from radio.relay.openapi.station_routes import RANGE
from radio.relay.speech.speech_request import CONTENT_TYPES

CAST: Final = one_of_path("cast", CAST_ID)
_SPEED: Final = {"type": "number", "minimum": 0.5, "maximum": 2}
_TITLE: Final = {"type": "string", "maxLength": 200}
_TEXT: Final = {"type": "string", "minLength": 1, "maxLength": 50_000}
_SUBMITTED: Final = holds(
    "voice", "speed", "title", "wait", text=_TEXT, voice=TEXT, speed=_SPEED, title=_TITLE, wait=YES
)
_SPOKEN: Final = holds(
    "model",
    "voice",
    "response_format",
    "speed",
    "instructions",
    "stream_format",
    input=_TEXT,
    model=TEXT,
    voice={"anyOf": [TEXT, {"type": "object", "properties": {"id": TEXT}, "required": ["id"]}]},
    response_format=one(*CONTENT_TYPES),
    speed=_SPEED,
    instructions=TEXT,
    stream_format=one("audio"),
)
_QUERY: Final = (
    asked("voice", TEXT, "With a body of plain text."),
    asked("speed", _SPEED, "With a body of plain text."),
    asked("title", _TITLE, "With a body of plain text."),
    asked("wait", one("0", "1"), "With a body of plain text."),
)
_SPEECH: Final = ref("SpeechError")


def _wrong(*statuses: int) -> Json:
    """Errors as clients of the speech API read them."""
    return errors(*statuses, media="application/json", schema=_SPEECH)


PATHS: Final[Json] = {
    "/casts": {
        "post": operation(
            "submitCast",
            "Have a text spoken, at a link of its own.",
            {
                **told("It is known.", ref("Cast")),
                **told("It is new; the token is its submitter's.", ref("Cast"), status=201),
                **errors(400, 401, 403, 404, 408, 410, 413, 415, 429),
            },
            parameters=_QUERY,
            body={**content("application/json", _SUBMITTED), **content("text/plain", _TEXT)},
            security=SUBMITTER,
        )
    },
    "/casts/control": {
        "post": operation(
            "controlCasts",
            "Pause all casts, or go on.",
            {**told("It is asked for.", ref("Ordered"), status=202), **errors(400, 401, 403, 408, 413, 415)},
            body=content("application/json", holds(ask=one(control.PAUSE, control.RESUME))),
            security=OPERATOR,
        )
    },
    "/casts/voices": {"get": operation("listVoices", "Who speaks here.", told("By name.", ref("Voices")))},
    "/casts/{cast}.mp3": {
        "get": operation(
            "hearCast",
            "Its sound, while it is made and after.",
            {
                **said("All of it.", "audio/mpeg"),
                **said("A part of it.", "audio/mpeg", status=206),
                **unchanged(),
                **errors(400, 404, 410, 416),
            },
            parameters=(CAST, asked("from", WHOLE, "The first sentence."), RANGE),
        )
    },
    "/casts/{cast}.vtt": {
        "get": operation(
            "captionCast",
            "Its captions.",
            {**said("WebVTT.", "text/vtt"), **errors(404, 410)},
            parameters=(CAST,),
        )
    },
    "/casts/{cast}.txt": {
        "get": operation(
            "readCast",
            "Its captions as text.",
            {**said("A sentence a line.", "text/plain"), **errors(404, 410)},
            parameters=(CAST,),
        )
    },
    "/casts/{cast}/events": {
        "get": operation(
            "followCast",
            "Captions and status.",
            {**said("Server-sent events.", "text/event-stream"), **errors(400, 404, 410)},
            parameters=(
                CAST,
                asked("from", WHOLE, "The first record."),
                field("Last-Event-ID", TEXT, "Where to go on."),
            ),
        )
    },
    "/casts/{cast}": {
        "get": operation(
            "showCast",
            "What has become of it.",
            {**told("As it stands.", ref("Cast")), **errors(404, 410)},
            parameters=(CAST,),
        ),
        "delete": operation(
            "removeCast",
            "Remove it, by its submitter's token or the operator's.",
            {**told("It is asked for.", ref("Removing"), status=202), **errors(401, 403, 404, 410)},
            parameters=(CAST,),
            security=[{"castSubmitter": []}, *OPERATOR],
        ),
    },
    "/v1/audio/speech": {
        "post": operation(
            "speak",
            "A text as sound, sent as it is made.",
            {
                "200": {
                    "description": "Sound.",
                    "content": {media: {"schema": {}} for media in CONTENT_TYPES.values()},
                },
                **_wrong(400, 401, 403, 404, 408, 410, 413, 415, 429, 503),
            },
            body=content("application/json", _SPOKEN),
            security=SUBMITTER,
        )
    },
    "/v1/audio/voices": {
        "get": operation(
            "listSpeechVoices", "Who speaks here.", {**told("By name.", ref("SpeechVoices")), **_wrong(503)}
        )
    },
    "/v1/models": {
        "get": operation("listModels", "What can be named.", {**told("All.", ref("Models")), **_wrong(503)})
    },
    "/v1/models/{model}": {
        "get": operation(
            "showModel",
            "One of them.",
            {**told("The model.", ref("Model")), **_wrong(404, 503)},
            parameters=(one_of_path("model", TEXT),),
        )
    },
}
