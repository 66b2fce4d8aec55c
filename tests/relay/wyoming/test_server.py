"""The Wyoming port, as its own client library and as raw bytes find it."""

import asyncio
import errno
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Eventable
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)

from radio import casts, control, voices
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.mp3 import decoder
from radio.relay.casts.text_stream import TextStream
from radio.relay.context import RelayContext
from radio.relay.wyoming import protocol, server
from radio.settings import Limits
from radio.streams import names
from radio.streams.contract import FromSeq
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Narrated
from tests.relay.serving import relay_on
from tests.waiting import until

VOICE = "af_heart"


@asynccontextmanager
async def port_of(
    store: MemoryStore, clock: ManualClock, *, send_buffer: int | None = None, **settings: Any
) -> AsyncIterator[tuple[int, RelayContext]]:
    """A relay and its Wyoming port on a port of the system's choice."""
    async with relay_on(store, clock, **settings) as served, asyncio.TaskGroup() as group:
        sock = socket.create_server(("127.0.0.1", 0))
        if send_buffer is not None:  # of the connections to it too
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        task = group.create_task(server.run(served.relay, sock))
        yield sock.getsockname()[1], served.relay
        task.cancel()


@asynccontextmanager
async def client_of(port: int) -> AsyncIterator[AsyncTcpClient]:
    client = AsyncTcpClient("127.0.0.1", port, connect_timeout=60, read_timeout=60)
    await client.connect()
    try:
        yield client
    finally:
        with suppress(ConnectionError):  # the relay may have closed it
            await client.disconnect()


async def send(client: AsyncTcpClient, *events: Eventable) -> None:
    for event in events:
        await client.write_event(event.event())


async def heard(
    client: AsyncTcpClient, *, until_type: type[Eventable] = AudioStop
) -> tuple[list[str], bytes]:
    """Kinds of all events up to one of this type, and the sound in them."""
    kinds, pcm = list[str](), b""
    while True:
        event = await client.read_event()
        assert event is not None
        if not kinds or kinds[-1] != event.type:
            kinds.append(event.type)
        if AudioChunk.is_type(event.type):
            chunk = AudioChunk.from_event(event)
            assert (chunk.rate, chunk.width, chunk.channels) == (24_000, 2, 1)
            pcm += chunk.audio
        if until_type.is_type(event.type):
            return kinds, pcm


async def narrate(store: MemoryStore, text: str, *, voice: str = VOICE, end: str = "done") -> bytes:
    """Speak the cast as soon as it is asked for; its sound."""
    narrated = Narrated(store, casts.cast_id(text, voices.canonical(voice)), "")

    async def is_asked() -> bool:
        return (await casts.look(store, narrated.cast)).state.meta is not None

    await until(is_asked)
    await narrated.start()
    body = await narrated.say(0, text)
    await narrated.end(end)
    return decoder.pcm(body)


async def test_it_describes_every_voice_and_answers_a_ping(store: MemoryStore, clock: ManualClock) -> None:
    async with port_of(store, clock) as (port, _), client_of(port) as client:
        await send(client, Describe(), Ping(text="there?"))
        event = await client.read_event()
        assert event is not None
        [program] = Info.from_event(event).tts
        assert program.supports_synthesize_streaming
        assert {voice.name for voice in program.voices} == set(voices.VOICES)
        assert {tuple(v.languages) for v in program.voices if v.name in ("af_heart", "zf_xiaobei")} == {
            ("en-US",),
            ("zh-CN",),
        }
        event = await client.read_event()
        assert event is not None
        assert Pong.from_event(event).text == "there?"


async def test_a_text_is_spoken_as_a_cast_that_is_kept_for_an_hour(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with port_of(store, clock) as (port, relay), client_of(port) as client:
        asked = Synthesize(text="Good evening.", voice=SynthesizeVoice(name="bf_emma"))
        await send(client, asked)
        spoken = await narrate(store, "Good evening.", voice="bf_emma")
        assert await heard(client) == (["audio-start", "audio-chunk", "audio-stop"], spoken)
        await send(client, asked)
        assert (await heard(client))[1] == spoken
        assert len((await store.read(names.JOBS, FromSeq(0))).records) == 1
        recipe = await casts.recipe(store, casts.cast_id("Good evening.", "bf_emma"))
        assert recipe is not None
        assert casts.kept_until(recipe, None) == clock.now_ms() + 3_600_000
        assert relay.listening.total() == 0


async def test_a_text_is_spoken_while_it_is_still_being_written(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with port_of(store, clock) as (port, _), client_of(port) as client:
        voice = SynthesizeVoice(name=VOICE)
        await send(client, SynthesizeStart(voice=voice), SynthesizeChunk(text="The ships are in th"))
        await send(client, SynthesizeChunk(text="e harbor now. It is a quiet evening, and the tide"))
        first = await narrate(store, "The ships are in the harbor now.")
        start = await client.read_event()
        assert start is not None
        assert AudioStart.is_type(start.type)
        chunk = await client.read_event()
        assert chunk is not None
        assert AudioChunk.from_event(chunk).audio == first[: server.CHUNK_BYTES]
        whole = "The ships are in the harbor now. It is a quiet evening, and the tide turns."
        await send(
            client, SynthesizeChunk(text=" turns."), Synthesize(text=whole, voice=voice), SynthesizeStop()
        )
        second = await narrate(store, "It is a quiet evening, and the tide turns.")
        kinds, rest = await heard(client, until_type=SynthesizeStopped)
        assert kinds == ["audio-chunk", "audio-stop", "synthesize-stopped"]
        assert first[: server.CHUNK_BYTES] + rest == first + second


async def test_what_cannot_be_spoken_is_told_and_the_connection_stays(
    store: MemoryStore, clock: ManualClock
) -> None:
    limits = Limits(casts_per_client_hour=5, cast_characters=100)
    async with port_of(store, clock, limits=limits) as (port, _), client_of(port) as client:
        for asked, code in (
            (Synthesize(text="Hello.", voice=SynthesizeVoice(name="nobody")), "400"),
            (Synthesize(text="Hello.", voice=SynthesizeVoice(language="tlh")), "400"),
            (Synthesize(text=" "), "400"),
        ):
            await send(client, asked)
            assert await refusal(client) == code
            assert (await heard(client))[1] == b""
        await send(client, Synthesize(text="Broken."))
        await narrate(store, "Broken.", end="failed")
        kinds, _ = await heard(client)
        assert kinds == ["audio-start", "audio-chunk", "error", "audio-stop"]


async def refusal(client: AsyncTcpClient) -> str | None:
    while (event := await client.read_event()) is not None:
        if Error.is_type(event.type):
            return Error.from_event(event).code
    return None


async def test_its_limits_are_those_of_casts(store: MemoryStore, clock: ManualClock) -> None:
    limits = Limits(casts_per_client_hour=1, cast_characters=20, events_per_client=2)
    async with port_of(store, clock, limits=limits) as (port, relay), client_of(port) as client:
        await send(client, Synthesize(text="One."))
        await narrate(store, "One.")
        await heard(client)
        await send(client, Synthesize(text="Two."))
        assert await refusal(client) == "429"
        await heard(client)
        await send(client, SynthesizeStart(), SynthesizeChunk(text="a" * 30))
        codes = {await refusal(client), await refusal(client)}
        assert codes == {"429", "413"}
        await until(lambda: relay.following.total() == 0)
        async with client_of(port) as second, client_of(port) as third, client_of(port) as fourth:
            await send(second, Ping())
            await second.read_event()
            await send(third, Ping())
            await third.read_event()
            assert await refusal(fourth) == "503"
        await until(lambda: relay.following.total() == 0)


async def test_a_pause_of_casts_holds_here_too(store: MemoryStore, clock: ManualClock) -> None:
    await control.ask(store, control.PAUSE, control.CASTS)
    async with port_of(store, clock) as (port, relay), client_of(port) as client:
        await until(lambda: relay.stations.are_casts_paused)
        await send(client, Synthesize(text="One."))
        assert await refusal(client) == "503"
        assert (await store.list(names.CATALOG)).items == ()


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfe\n", b"[]\n", b"{}\n", b"null\n", b'{"type": "synthesize"}\n',
        b'{"type": "synthesize", "data": {"text": 7}}\n', b'{"type": "synthesize", "data": []}\n',
        b'{"type": "describe", "data_length": 999999999999}\n', b'{"type": "describe", "data_length": -1}\n',
        b'{"type": "describe", "payload_length": "x"}\n', b'{"type": "describe", "data_length": 2}\n[]',
        b"[" * 5000 + b"\n", b"x" * 200_000,
        b'{"type": "synthesize", "data": {"text": "a", "text_format": "ssml"}}\n',
        b'{"type": "synthesize", "data": {"text": "a", "voice": {"name": 7}}}\n',
        b'{"type": "synthesize", "data": {"text": "a", "voice": 7}}\n',
        b'{"type": "synthesize", "data": {"text": "\\ud800 a."}}\n',
        b'{"type": "synthesize-start"}\n{"type": "synthesize-chunk", "data": {"text": "\\ud800 a."}}\n',
    ],
)  # fmt: skip
async def test_what_is_no_event_is_told_and_ends_the_connection_and_nothing_else(
    store: MemoryStore, clock: ManualClock, sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with port_of(store, clock) as (port, relay):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        async with asyncio.timeout(60):
            try:
                assert b"error" in await reader.read()
            except ConnectionError:
                assert len(sent) > protocol.MAX_LINE  # closed with some of it unread
        writer.close()
        async with client_of(port) as client:
            await send(client, Ping())
            assert await client.read_event() is not None
        await until(lambda: relay.following.total() == 0)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


async def test_connections_count_among_all_and_who_takes_nothing_is_cut_off_in_the_end(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LEAVE_S", 0.05)
    limits = Limits(connections=2)
    async with port_of(store, clock, send_buffer=4096, limits=limits) as (port, relay):
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            deaf.connect(("127.0.0.1", port))
            await until(lambda: relay.connections == 1)
            async with client_of(port) as client:
                await send(client, Ping())
                assert await client.read_event() is not None
                async with client_of(port) as third:
                    with suppress(ConnectionError):
                        assert await third.read_event() is None
                assert relay.connections == 2
            await until(lambda: relay.connections == 1)
            deaf.sendall(b'{"type": "describe"}\n' * 3 + b"no event\n")
            await until(lambda: relay.connections == 0)


async def test_a_client_whose_network_goes_takes_nothing_with_it(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unreachable(*_: object) -> None:
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    async with port_of(store, clock) as (port, relay):
        with monkeypatch.context() as patched:
            patched.setattr(protocol, "write", unreachable)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"no event\n")
            async with asyncio.timeout(60):
                with suppress(ConnectionError):
                    assert await reader.read() == b""
            writer.close()
        await until(lambda: relay.connections == 0)
        async with client_of(port) as client:
            await send(client, Ping())
            assert await client.read_event() is not None


async def test_a_client_that_leaves_in_the_middle_is_waited_for_no_longer(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with port_of(store, clock) as (port, relay):
        async with client_of(port) as client:
            await send(
                client, SynthesizeStart(), SynthesizeChunk(text="A sentence that waits. And one more.")
            )
            await until(lambda: bool(relay.tails.watched()))
            assert relay.listening.total() == 1
        await until(lambda: not relay.tails.watched() and relay.listening.total() == 0)


async def test_the_port_is_opened_by_its_setting_and_refused_together_with_a_submit_token(
    store: MemoryStore, clock: ManualClock
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    async with relay_on(store, clock, wyoming_port=port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(json.dumps({"type": "ping", "data": {"text": "x"}}).encode() + b"\n")
        async with asyncio.timeout(60):
            assert b"pong" in await reader.readline()
        writer.close()
    async with relay_on(store, clock, submit_token="submit-token-0123456789") as served:
        with pytest.raises(BadInput, match="submit token"):
            server.check(served.relay)


@pytest.mark.parametrize(
    ("language", "otherwise", "who"),
    [
        (None, "bf_emma", "bf_emma"), ("en-GB", "bf_emma", "bf_emma"), ("en_US", "bf_emma", "af_alloy"),
        ("en", "bf_emma", "bf_emma"), ("fr", "af_heart", "ff_siwis"), ("fr-CA", "af_heart", "ff_siwis"),
        ("zh-CN", "af_heart", "zf_xiaobei"), ("pt-BR", "af_heart", "pf_dora"),
    ],
)  # fmt: skip
def test_who_names_a_language_gets_the_radios_own_voice_or_one_of_it(
    language: str | None, otherwise: str, who: str
) -> None:
    assert protocol.speaker(language, otherwise) == who


async def test_a_draft_gives_all_that_is_there_and_then_what_came_meanwhile() -> None:
    draft = TextStream(1000)
    parts = draft.parts()
    draft.add("One is here. Two is here too. Three is the last of them. And th")
    assert await anext(parts) == "One is here. Two is here too."
    waiting = asyncio.ensure_future(anext(parts))
    await asyncio.sleep(0)
    assert not waiting.done()
    draft.add("at is the end")
    draft.finish()
    assert await waiting == "Three is the last of them. And that is the end"
    assert await anext(parts, None) is None
