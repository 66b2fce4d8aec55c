"""The OpenAI-compatible speech API: a cast that is kept for an hour, streamed while it is made.

What is asked twice is spoken once, as with every cast. MP3 goes out as it is made; WAV and PCM are decoded
from it record by record.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from aiohttp import web

from radio import casts, voices
from radio.casts import CastState
from radio.mp3 import decoder
from radio.relay.casts.admission import admit, usual_ms
from radio.relay.casts.cast_audio import sound
from radio.relay.context import RELAY, RETRY_AFTER_S, RelayContext
from radio.relay.http import request_body
from radio.relay.http.problems import CORS, TooMany, WrongType
from radio.relay.http.responses import PAUSE_S, abort, push, reply, streaming
from radio.relay.speech import speech_request
from radio.relay.speech.speech_request import (
    BORROWED,
    CONTENT_TYPES,
    EXAMPLE,
    FIELDS,
    MODELS,
    BadParameter,
    SpeechRequest,
)

KEEP_MS: Final = 3_600_000
FIRST_S: Final = 300.0
"""Whoever waits longer for the first sentence is asked to come again: it is made meanwhile."""


async def speak(request: web.Request) -> web.StreamResponse:
    """`POST /v1/audio/speech`."""
    relay = request.app[RELAY]
    relay.rights.check_submitter(request)  # before anything of it is read
    if request.content_type != "application/json":
        raise WrongType("speech is asked for in JSON", hint="Content-Type: application/json")
    asked = speech_request.read(
        await request_body.object_of(request, FIELDS, example=EXAMPLE),
        voice=relay.settings.voice,
        most_characters=relay.settings.limits.cast_characters,
    )
    with relay.hearing(request):
        admit(relay, request)
        done = await ask_for(relay, asked.text, asked.voice)
        async with aclosing(sound(relay, done.cast)) as records:
            begun = await first(relay, done.cast, records)
            return await _stream(request, relay, done, asked, begun, records)


async def ask_for(relay: RelayContext, text: str, voice: str) -> casts.Submission:
    """Have it spoken for someone who waits for all of it; kept for an hour. Raises as `casts.submit`."""
    done = await casts.submit(
        relay.store, relay.clock, text=text, voice=voice, keep_ms=KEEP_MS, usual_ms=usual_ms(relay)
    )
    if not done.state.is_over:
        await casts.hurry(relay.store, done.cast)
    return done


async def list_voices(request: web.Request) -> web.StreamResponse:
    """`GET /v1/audio/voices`: this radio's, and the API's own names with who speaks for them."""
    ours = [_voice(name, name) for name in voices.VOICES]
    return reply({"voices": ours + [_voice(name, BORROWED[name]) for name in sorted(BORROWED)]})


async def list_models(request: web.Request) -> web.StreamResponse:
    """`GET /v1/models`."""
    return reply({"object": "list", "data": [_model(name) for name in MODELS]})


async def show_model(request: web.Request) -> web.StreamResponse:
    """`GET /v1/models/<id>`."""
    name = request.match_info["model"]
    speech_request.check_model(name)
    return reply(_model(name))


def _model(name: str) -> dict[str, str | int]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "radio"}


def _voice(name: str, spoken_by: str) -> dict[str, str]:
    voice = voices.VOICES[spoken_by]
    return {
        "id": name,
        "name": name,
        "language": voice.language,
        "gender": voice.gender,
        "spoken_by": spoken_by,
    }


async def first(relay: RelayContext, cast: str, records: AsyncGenerator[bytes, None]) -> bytes:
    """The first record with sound. Nothing was sent yet, so whatever is wrong can still be said.

    Raises:
        BadParameter: nothing of the text can be spoken.
        TooMany: it takes long, or the relay closes.
    """
    try:
        async with asyncio.timeout(FIRST_S):
            begun = await anext(records, None)
    except TimeoutError:
        hint = "ask again: it keeps its place in the queue"
        raise TooMany("nothing is spoken yet", retry_after=RETRY_AFTER_S, hint=hint) from None
    if begun is not None:
        return begun
    state = await relay.cast_cache.find(cast)
    if state.status in ("failed", "done"):
        raise BadParameter(
            "nothing of this text can be spoken", param="input", code="unspeakable", hint=state.reason or ""
        )
    raise TooMany("the radio has just stopped speaking it", retry_after=RETRY_AFTER_S, hint="ask again")


async def _stream(
    request: web.Request,
    relay: RelayContext,
    done: casts.Submission,
    asked: SpeechRequest,
    begun: bytes,
    records: AsyncGenerator[bytes, None],
) -> web.StreamResponse:
    """Chunked while it is made, so that whoever hears it knows whether it was whole; else with its length."""
    size = _size(done.state, asked.form)
    response = web.StreamResponse(headers=_headers(done.cast, asked))
    if size is not None:
        response.content_length = size
    await response.prepare(request)
    async with streaming(request):
        if asked.form == "wav":
            await push(request, response, _head(size), within_s=PAUSE_S)
        await push(request, response, await _formed(asked.form, begun), within_s=PAUSE_S)
        async for record in records:
            await push(request, response, await _formed(asked.form, record), within_s=PAUSE_S)
        if (await relay.cast_cache.find(done.cast)).status != "done":
            abort(request)
    return response


def _headers(cast: str, asked: SpeechRequest) -> dict[str, str]:
    ignored = {"X-Radio-Ignored": ", ".join(asked.ignored)} if asked.ignored else {}
    return {
        "Content-Type": CONTENT_TYPES[asked.form],
        "Cache-Control": "no-store",
        "X-Radio-Cast": cast,
        **ignored,
        **CORS,
    }


def _size(state: CastState, form: str) -> int | None:
    """Bytes of the body if all of it is made."""
    if state.status != "done":
        return None
    if form == "mp3":
        return state.size
    return decoder.pcm_bytes(state.size) + (decoder.WAV_HEAD_BYTES if form == "wav" else 0)


def _head(size: int | None) -> bytes:
    return decoder.wav_head(None if size is None else size - decoder.WAV_HEAD_BYTES)


async def _formed(form: str, record: bytes) -> bytes:
    """Decoding takes some milliseconds: not on the loop that moves bytes."""
    return record if form == "mp3" else await asyncio.to_thread(decoder.pcm, record)
