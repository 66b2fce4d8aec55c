"""The speech API: what it takes, what it sends while a narrator speaks, and how it says no."""

import asyncio
import importlib
import io
import json
import re
import wave
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from radio import casts, control, voices
from radio.clock import ManualClock
from radio.mp3 import decoder
from radio.relay.speech import speech_request, speech_routes
from radio.settings import Limits
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.records import CastEnd
from radio.streams.stores.memory import MemoryStore
from tests.need import need
from tests.relay.airing import Narrated, sound
from tests.relay.serving import Served, relay_on
from tests.waiting import until

TEXT = "Ships pass. Tides turn."
SPEECH = "/v1/audio/speech"
HALVES = ("Ships pass.", "Tides turn.")
WHOLE = [sound(0, 1.0), sound(1, 1.0)]
SAMPLES = [decoder.pcm(record) for record in WHOLE]


def body(**changed: Any) -> dict[str, Any]:
    return {"model": "kokoro", "input": TEXT, "voice": "af_heart", **changed}


async def refused(served: Served, given: Any, **options: Any) -> tuple[int, dict[str, Any]]:
    """The status and the `error` of a reply that says no."""
    sent: dict[str, Any] = {"json": given} if isinstance(given, dict) else {"data": given}
    async with served.http.post(served.at(SPEECH), **sent, **options) as reply:
        assert reply.content_type == "application/json", await reply.text()
        told = json.loads(await reply.text())
        assert set(told) == {"error"}
        assert set(told["error"]) == {"message", "type", "param", "code"}
        return reply.status, told["error"]


async def narrated(store: StreamStore, text: str = TEXT, voice: str = "af_heart") -> Narrated:
    """The cast that a request has made, once it has."""
    cast = casts.cast_id(text, voice)

    async def is_there() -> bool:
        return (await casts.look(store, cast)).state.meta is not None

    await until(is_there)
    return Narrated(store, cast, "")


async def speak(store: StreamStore, parts: Sequence[str] = HALVES, *, text: str = TEXT) -> None:
    cast = await narrated(store, text)
    await cast.start()
    for i, part in enumerate(parts):
        await cast.say(i, part)
    await cast.end()


async def asked_of(store: StreamStore) -> list[tuple[str, str]]:
    try:
        page = await store.read(names.CONTROL, FromSeq(0))
    except StreamNotFound:
        return []
    found = [records.decode(records.CONTROL, record) for record in page.records]
    return [(r.what, r.target) for r in found if isinstance(r, records.ControlRequest)]


def test_the_parameters_become_a_text_a_voice_and_a_format() -> None:
    asked = speech_request.read(body(), voice="bf_emma", most_characters=100)
    assert (asked.text, asked.voice, asked.form, asked.ignored) == (TEXT, "af_heart", "mp3", ())
    for given, voice in (
        ({"voice": None}, "bf_emma"), ({"voice": "bf_emma(1)+af_heart(2)"}, "af_heart(2)+bf_emma"),
        ({"speed": 1.25}, "af_heart@1.25"), ({"speed": 1}, "af_heart"), ({"voice": "Nova"}, "af_nova"),
        ({"voice": {"id": "shimmer"}, "speed": 0.5}, "af_aoede@0.50"),
    ):  # fmt: skip
        assert speech_request.read(body(**given), voice="bf_emma", most_characters=100).voice == voice
    spoken = speech_request.read(body(instructions="Whisper."), voice="af_heart", most_characters=100)
    assert spoken.ignored == ("instructions",)


def test_each_voice_of_the_api_has_one_of_ours_and_what_both_have_is_the_same() -> None:
    assert set(speech_request.BORROWED.values()) <= set(voices.VOICES)
    assert all(ours.endswith(f"_{name}") for name, ours in speech_request.NAMED_AS_OURS.items())
    ends = {voice.partition("_")[2] for voice in voices.VOICES}
    assert not ends & set(speech_request.STAND_INS)
    assert not set(speech_request.BORROWED) & set(voices.VOICES)


def test_the_stand_ins_that_are_documented_are_those_that_speak() -> None:
    page = Path("docs/api.md").read_text(encoding="utf-8").partition("| asked for | speaks |")[2]
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \|$", page.partition("\n\n")[0], re.M)
    assert dict(rows) == speech_request.STAND_INS


@pytest.mark.parametrize(
    ("given", "param", "code"),
    [
        ({"input": None}, "input", None), ({"input": 7}, "input", None), ({"input": " \n"}, "input", None),
        ({"input": "\ud800"}, "input", None), ({"input": "x" * 101}, "input", "string_above_max_length"),
        ({"voice": "af_haert"}, "voice", "voice_not_found"), ({"voice": 3}, "voice", None),
        ({"voice": {}}, "voice", None), ({"voice": "af_heart(0)"}, "voice", None),
        ({"voice": "\ud800"}, "voice", None),
        ({"speed": 4}, "speed", None), ({"speed": "1"}, "speed", None), ({"speed": True}, "speed", None),
        ({"speed": float("nan")}, "speed", None),
        ({"response_format": "opus"}, "response_format", "unsupported_format"),
        ({"response_format": ["mp3"]}, "response_format", "unsupported_format"),
        ({"stream_format": "sse"}, "stream_format", None), ({"instructions": 1}, "instructions", None),
        ({"model": 1}, "model", None), ({"model": "whisper-1"}, "model", "model_not_found"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_a_hint(given: dict[str, Any], param: str, code: str | None) -> None:
    with pytest.raises((speech_request.BadParameter, speech_request.UnknownSpeechModel)) as error:
        speech_request.read(body(**given), voice="af_heart", most_characters=100)
    told = vars(error.value)
    assert (told["param"], told["code"]) == (param, code)
    assert error.value.hint


@pytest.mark.parametrize(
    ("form", "kind", "head", "wanted"),
    [
        ("mp3", "audio/mpeg", b"", WHOLE),
        ("pcm", "audio/pcm", b"", SAMPLES),
        ("wav", "audio/wav", decoder.wav_head(), SAMPLES),
    ],
)
async def test_sound_comes_as_it_is_made(
    any_store: StreamStore, clock: ManualClock, form: str, kind: str, head: bytes, wanted: list[bytes]
) -> None:
    async with relay_on(any_store, clock) as served:
        asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body(response_format=form)))
        cast = await narrated(any_store)
        await cast.start()
        assert not asking.done()  # whether it can be spoken is not known yet
        await cast.say(0, HALVES[0])
        async with asyncio.timeout(60), await asking as reply:
            assert (reply.status, reply.content_type, reply.content_length) == (200, kind, None)
            assert reply.headers["X-Radio-Cast"] == cast.cast
            assert await reply.content.readexactly(len(head + wanted[0])) == head + wanted[0]
            await cast.say(1, HALVES[1])
            assert await reply.content.readexactly(len(wanted[1])) == wanted[1]
            await cast.end()
            assert await reply.content.read() == b""


async def test_what_is_spoken_already_is_sent_with_its_length(store: MemoryStore, clock: ManualClock) -> None:
    done = await Narrated.submit(store, clock, TEXT)
    await done.start()
    for i, part in enumerate(HALVES):
        await done.say(i, part)
    await done.end()
    samples = b"".join(SAMPLES)
    async with relay_on(store, clock) as served:
        for form, wanted in (
            ("mp3", b"".join(WHOLE)), ("pcm", samples), ("wav", decoder.wav_head(len(samples)) + samples),
        ):  # fmt: skip
            asked = body(response_format=form, instructions="Calmly.")
            async with served.http.post(served.at(SPEECH), json=asked) as reply:
                assert (reply.status, reply.content_length) == (200, len(wanted))
                assert reply.headers["X-Radio-Ignored"] == "instructions"
                assert await reply.read() == wanted
    with wave.open(io.BytesIO(wanted)) as file:
        assert file.getnframes() == len(samples) // 2
    assert await asked_of(store) == []  # nobody has to hurry


async def test_it_is_a_cast_kept_for_an_hour_that_someone_waits_for(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock) as served:
        for _ in range(2):
            asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body()))
            await speak(store)
            async with await asking as reply:
                assert await reply.read() == b"".join(WHOLE)
        cast = casts.cast_id(TEXT, "af_heart")
        recipe = await casts.recipe(store, cast)
        assert recipe is not None
        assert casts.kept_until(recipe, None) == clock.now_ms() + 3_600_000
        assert await asked_of(store) == [("wait", cast)]
        page = await store.read(names.JOBS, FromSeq(0))
        assert len(page.records) == 1


async def test_a_text_that_is_kept_for_ever_stays_so(store: MemoryStore, clock: ManualClock) -> None:
    await Narrated.submit(store, clock, TEXT)
    async with relay_on(store, clock) as served:
        asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body()))
        await speak(store)
        async with await asking as reply:
            await reply.read()
    recipe = await casts.recipe(store, casts.cast_id(TEXT, "af_heart"))
    assert recipe is not None
    assert casts.kept_until(recipe, None) is None


async def test_errors_have_the_shape_of_that_api_and_others_keep_theirs(
    store: MemoryStore, clock: ManualClock
) -> None:
    limits = Limits(body_bytes=2000, cast_characters=100)
    json_type = {"Content-Type": "application/json"}
    async with relay_on(store, clock, limits=limits) as served:
        status, error = await refused(served, body(response_format="flac"))
        assert (status, error["param"], error["code"]) == (400, "response_format", "unsupported_format")
        assert error["message"] == "flac is not made here; formats: mp3, wav, pcm"
        assert error["type"] == "invalid_request_error"
        status, error = await refused(served, body(voice="af_haert"))
        assert "Did you mean af_heart" in error["message"]
        assert (await refused(served, body(model="gpt-9")))[0] == 404
        for data, headers, wanted in (
            (b"{", json_type, 400), (b"[]", json_type, 400), (b"\xff", json_type, 400),
            (b'{"input": "a", "pitch": 2}', json_type, 400), (b"[" * 1900, json_type, 400),
            (b"{}", {"Content-Type": "text/plain"}, 415), (b"x" * 3000, json_type, 413),
            (b"{}", {**json_type, "Content-Encoding": "gzip"}, 415),
            (b"{}", {**json_type, "Origin": "http://elsewhere.example"}, 403),
        ):  # fmt: skip
            status, error = await refused(served, data, headers=headers)
            assert (data[:20], status) == (data[:20], wanted)
            assert error["message"]
        for path, method, wanted in (("/v1/nothing", "GET", 404), (SPEECH, "GET", 405)):
            async with served.http.request(method, served.at(path)) as reply:
                assert (reply.status, "error" in await reply.json()) == (wanted, True)
        async with served.http.get(served.at("/stations/nowhere")) as reply:
            assert reply.content_type == "application/problem+json"
        assert (await store.list(names.CATALOG)).items == ()


async def test_nothing_that_can_be_spoken_is_told_before_any_sound(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock) as served:
        asking = asyncio.ensure_future(refused(served, body(input="???")))
        cast = await narrated(store, "???")
        await cast.start()
        await cast.skip(0, "???")
        await cast.end("silent")
        status, error = await asking
        assert (status, error["param"], error["code"]) == (400, "input", "unspeakable")


async def test_who_waits_long_is_asked_to_come_again(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speech_routes, "FIRST_S", 0.05)
    async with relay_on(store, clock) as served:
        status, error = await refused(served, body())
        assert (status, error["type"], error["code"]) == (503, "server_error", "service_unavailable")
        assert "place in the queue" in error["message"]


@pytest.mark.parametrize("why", ["failed", "removed"])
async def test_sound_that_is_not_whole_is_cut_off_so_that_it_shows(
    store: MemoryStore, clock: ManualClock, why: str
) -> None:
    async with relay_on(store, clock) as served:
        asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body()))
        cast = await narrated(store)
        await cast.start()
        await cast.say(0, HALVES[0])
        async with await asking as reply:
            assert await reply.content.readexactly(len(WHOLE[0])) == WHOLE[0]
            if why == "failed":
                await cast.end("voice broke")
            else:
                stored = await casts.look(store, cast.cast)
                end = CastEnd(reason="removed", job=0)
                await casts.erase(
                    store, cast.cast, fence=stored.fence, next_seq=stored.next_seq, end=end, then=casts.GONE
                )
            with pytest.raises(aiohttp.ClientError):
                await reply.content.read()


async def test_a_client_that_leaves_is_waited_for_no_longer(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        for is_speaking in (False, True):
            text = f"{TEXT} {is_speaking}."
            asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body(input=text)))
            cast = await narrated(store, text)
            await until(lambda: bool(served.relay.tails.watched()))
            assert served.relay.listening.total() == 1
            if is_speaking:
                await cast.start()
                await cast.say(0, HALVES[0])
                (await asking).close()
            else:
                asking.cancel()
            await until(lambda: not served.relay.tails.watched())
            assert served.relay.listening.total() == 0
            assert (await casts.look(store, cast.cast)).state.status in ("queued", "live")


@pytest.mark.parametrize("is_speaking", [False, True])
async def test_a_relay_that_closes_leaves_nobody_waiting(
    store: MemoryStore, clock: ManualClock, is_speaking: bool
) -> None:
    async with relay_on(store, clock) as served:
        asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body()))
        cast = await narrated(store)
        if is_speaking:
            await cast.start()
            await cast.say(0, HALVES[0])
            await asking
        await until(lambda: bool(served.relay.tails.watched()))
        served.relay.finish()
        async with asyncio.timeout(60), await asking as reply:
            if is_speaking:
                with pytest.raises(aiohttp.ClientError):
                    await reply.content.read()
            else:
                assert (reply.status, "ask again" in await reply.text()) == (503, True)


async def test_its_limits_are_those_of_casts(store: MemoryStore, clock: ManualClock) -> None:
    limits = Limits(casts_per_client_hour=2, listeners_per_client=1)
    async with relay_on(store, clock, limits=limits) as served:
        async with served.http.post(served.at("/casts"), json={"text": "One."}) as reply:
            assert reply.status == 201
        asking = asyncio.ensure_future(served.http.post(served.at(SPEECH), json=body()))
        await narrated(store)
        status, error = await refused(served, body(input="Two."))
        assert (status, error["code"]) == (503, "service_unavailable")
        await speak(store)
        async with await asking as reply:
            await reply.read()
        status, error = await refused(served, body(input="Three."))
        assert (status, error["type"], error["code"]) == (429, "rate_limit_error", "rate_limit_exceeded")
        async with served.http.post(served.at(SPEECH), json=body()) as reply:
            assert int(reply.headers["Retry-After"]) > 0


async def test_a_pause_and_the_setting_hold_for_speech_and_casts_alike(
    store: MemoryStore, clock: ManualClock
) -> None:
    await control.ask(store, control.PAUSE, control.CASTS)
    async with relay_on(store, clock) as served:
        await until(lambda: served.relay.stations.are_casts_paused)
        status, error = await refused(served, body())
        assert (status, "casts are paused" in error["message"]) == (503, True)
        async with served.http.post(served.at("/casts"), json={"text": TEXT}) as reply:
            assert (reply.status, reply.headers["Retry-After"]) == (503, "30")
        assert (await store.list(names.CATALOG)).items == ()
        assert (await served.json("/healthz"))["casts"] == "paused"
        waiting = await Narrated.submit(store, clock, "Waiting.")
        assert (await served.json(f"/casts/{waiting.cast}"))["paused"] is True
        await control.ask(store, control.RESUME, control.CASTS)
        await until(lambda: not served.relay.stations.are_casts_paused)
        assert (await served.json("/healthz"))["casts"] == "on"
        assert (await served.json(f"/casts/{waiting.cast}"))["paused"] is False
        async with served.http.post(served.at("/casts"), json={"text": TEXT}) as reply:
            assert reply.status == 201
    async with relay_on(store, clock, casts=False) as served:
        assert (await served.json("/healthz"))["casts"] == "off"
        status, error = await refused(served, body())
        assert (status, "switched casts off" in error["message"]) == (403, True)
        async with served.http.post(served.at("/casts"), json={"text": "New."}) as reply:
            assert reply.status == 403
        assert (await served.json(f"/casts/{waiting.cast}"))["status"] == "queued"


async def test_who_submits_may_say_that_they_wait_for_the_whole(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock) as served:
        for given, status in (({"wait": True}, 201), ({"wait": False}, 200), ({"wait": "soon"}, 400)):
            async with served.http.post(served.at("/casts"), json={"text": TEXT, **given}) as reply:
                assert reply.status == status
        assert await asked_of(store) == [("wait", casts.cast_id(TEXT, "af_heart"))]


async def test_voices_and_models_are_listed(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        listed = (await served.json("/v1/audio/voices"))["voices"]
        assert {voice["id"] for voice in listed} == set(voices.VOICES) | set(speech_request.BORROWED)
        shimmer = next(voice for voice in listed if voice["id"] == "shimmer")
        assert (shimmer["spoken_by"], shimmer["language"]) == ("af_aoede", "en-us")
        models = await served.json("/v1/models")
        assert models["object"] == "list"
        assert [model["id"] for model in models["data"]] == list(speech_request.MODELS)


async def test_the_official_client_works_against_it(store: MemoryStore, clock: ManualClock) -> None:
    need("openai")
    openai = importlib.import_module("openai")
    async with relay_on(store, clock) as served:
        client = openai.AsyncOpenAI(base_url=served.at("/v1"), api_key="none", max_retries=0)
        async with client:
            assert "tts-1" in [model.id async for model in client.models.list()]
            assert (await client.models.retrieve("tts-1")).owned_by == "radio"
            with pytest.raises(openai.NotFoundError) as absent:
                await client.models.retrieve("gpt-9/../x")
            assert absent.value.status_code == 404
            asking = asyncio.ensure_future(
                client.audio.speech.create(model="tts-1", voice="af_heart", input=TEXT)
            )
            await speak(store)
            assert (await asking).content == b"".join(WHOLE)
            streamed = client.audio.speech.with_streaming_response
            ways = {"input": TEXT, "voice": "af_heart", "model": "tts-1", "response_format": "pcm"}
            async with streamed.create(**ways) as reply:
                assert b"".join([piece async for piece in reply.iter_bytes(4096)]) == b"".join(SAMPLES)
            with pytest.raises(openai.BadRequestError, match="not made here") as wrong:
                await client.audio.speech.create(**{**ways, "response_format": "opus"})
            assert (wrong.value.param, wrong.value.code) == ("response_format", "unsupported_format")
            with pytest.raises(openai.NotFoundError):
                await client.audio.speech.create(**{**ways, "model": "whisper-1"})


async def test_its_key_is_the_submit_token_where_there_is_one(store: MemoryStore, clock: ManualClock) -> None:
    need("openai")
    openai = importlib.import_module("openai")
    token = "submit-token-0123456789"
    ways = {"input": TEXT, "voice": "af_heart", "model": "tts-1"}
    async with relay_on(store, clock, submit_token=token) as served:
        url = served.at("/v1")
        async with openai.AsyncOpenAI(base_url=url, api_key="sk-none", max_retries=0) as stranger:
            with pytest.raises(openai.AuthenticationError) as refused:
                await stranger.audio.speech.create(**ways)
            assert refused.value.code == "invalid_api_key"
        async with openai.AsyncOpenAI(base_url=url, api_key=token, max_retries=0) as client:
            asking = asyncio.ensure_future(client.audio.speech.create(**ways))
            await speak(store)
            assert (await asking).content == b"".join(WHOLE)
