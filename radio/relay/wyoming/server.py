"""The optional port on which Home Assistant finds this radio as a voice, by the Wyoming protocol.

What is asked is spoken as casts that are kept for an hour, as the speech API does: by the same scheduler,
with the same limits, and the same text once. Of a text that is still being written, the sentences that are
there are one cast, and those that came meanwhile the next.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final, cast

from radio import voices
from radio.errors import BadInput, RadioError, first_of
from radio.log import log_event
from radio.mp3 import decoder
from radio.relay.casts.admission import admit_client
from radio.relay.casts.cast_audio import sound
from radio.relay.casts.text_stream import TextStream
from radio.relay.context import RelayContext
from radio.relay.http.connection_limit import LEAVE_S
from radio.relay.http.problems import TooMany, status_of
from radio.relay.http.responses import PAUSE_S, WRITE_DEADLINE_S
from radio.relay.speech import speech_routes
from radio.relay.wyoming import protocol as wire
from radio.relay.wyoming.protocol import Outgoing, WyomingRequest

log = logging.getLogger(__name__)

IDLE_S: Final = 300.0
"""A client that asks nothing for this long is let go; it connects again when it wants something."""
CHUNK_BYTES: Final = 24_000
"""Of sound in one event: half a second."""


async def run(relay: RelayContext, sock: socket.socket) -> None:
    """Serve until cancelled."""
    async with asyncio.TaskGroup() as group:

        def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            group.create_task(_serve(relay, reader, writer), name="relay-wyoming-client")

        server = await asyncio.start_server(welcome, sock=sock, limit=wire.MAX_LINE)
        log.info("wyoming answers", extra=log_event("wyoming.ready", port=sock.getsockname()[1]))
        async with server:
            await asyncio.Event().wait()


def check(relay: RelayContext) -> None:
    """Raises `BadInput` where the port cannot be served as safely as the rest."""
    if relay.rights.submitter:
        raise BadInput(
            "the Wyoming protocol has no place for the submit token that this radio asks for",
            hint="leave out --wyoming-port or the submit token",
        )


async def _serve(relay: RelayContext, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection; while there is no room it is closed at once."""
    if relay.connections >= relay.settings.limits.connections:
        writer.transport.abort()
        return
    relay.by_wyoming += 1
    try:
        await _converse(relay, reader, writer)
        await _leave(writer)
    finally:
        writer.transport.abort()
        relay.by_wyoming -= 1


async def _converse(relay: RelayContext, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    client = str((writer.get_extra_info("peername") or ("unknown",))[0])
    session = _Session(relay, client, reader, writer)
    try:
        with relay.followed_by(client):
            await session.run()
    except* RadioError as wrong:
        await session.tell(cast(RadioError, first_of(wrong)))
    except* (ConnectionError, TimeoutError):
        log.debug("a client broke off", extra=log_event("client.disconnected"))
    except* Exception as fault:  # one connection must not take the relay with it
        log.error("a request failed", exc_info=first_of(fault), extra=log_event("request.failed"))


async def _leave(writer: asyncio.StreamWriter) -> None:
    """What was said last still goes out; whoever does not take it is cut off."""
    writer.close()
    try:
        async with asyncio.timeout(LEAVE_S):
            await writer.wait_closed()
    except OSError:
        log.debug("a client broke off", extra=log_event("client.disconnected"))


class _Session:
    """One connection."""

    def __init__(
        self, relay: RelayContext, client: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._relay, self._client = relay, client
        self._reader, self._writer = reader, writer

    async def run(self) -> None:
        """Until the client goes, asks nothing for long, or makes no sense."""
        while (asked := await self._next()) is not None:
            if asked.what == "describe":
                await self._write(wire.info())
            elif asked.what == "ping":
                await self._write(wire.pong(asked.text))
            elif asked.what == "say":
                await self._answer(_just(asked.text), asked)
            elif asked.what == "begin":
                await self._stream(asked)
                await self._write(wire.finished())

    async def tell(self, error: RadioError) -> None:
        """What went wrong, if the client is still there."""
        said = "; ".join(part for part in (str(error), error.hint) if part)
        try:
            await self._write(wire.wrong({"text": said, "code": str(status_of(error))}))
        except ConnectionError:
            return

    async def _next(self) -> WyomingRequest | None:
        async with asyncio.timeout(IDLE_S):
            return await wire.read(self._reader, most_bytes=self._relay.settings.limits.body_bytes)

    async def _write(self, event: Outgoing, *, within_s: float = WRITE_DEADLINE_S) -> None:
        try:
            async with asyncio.timeout(within_s):
                await wire.write(self._writer, event)
        except OSError as error:  # no time left, no way there, or gone
            self._writer.transport.abort()
            raise ConnectionResetError("the client takes nothing") from error

    async def _stream(self, asked: WyomingRequest) -> None:
        """Speak while the text is still being written."""
        draft = TextStream(self._relay.settings.limits.cast_characters)
        async with asyncio.TaskGroup() as group:
            group.create_task(self._collect(draft), name="relay-wyoming-text")
            await self._answer(draft.parts(), asked)  # if it fails, the rest is read and dropped

    async def _collect(self, draft: TextStream) -> None:
        """Until the end of the text. Raises `ConnectionError` if the client goes before that."""
        while (asked := await self._next()) is not None:
            if asked.what == "piece":
                draft.add(asked.text)
            elif asked.what == "finish":
                draft.finish()
                return
        raise ConnectionResetError("the client is gone")

    async def _answer(self, parts: AsyncIterator[str], asked: WyomingRequest) -> None:
        """All sound of it as one; what goes wrong is told, and the connection stays."""
        await self._write(wire.began())
        try:
            voice = self._voice(asked)
            admit_client(self._relay, self._client)
            with self._relay.heard_by(self._client):
                async for text in parts:
                    await self._speak(text, voice)
        except RadioError as error:
            await self.tell(error)
        await self._write(wire.ended())

    def _voice(self, asked: WyomingRequest) -> str:
        own = self._relay.settings.voice
        return voices.canonical(asked.voice or wire.speaker(asked.language, own), None)

    async def _speak(self, text: str, voice: str) -> None:
        done = await speech_routes.ask_for(self._relay, text, voice)
        async with (
            aclosing(sound(self._relay, done.cast)) as records,
            aclosing(_all(self._relay, done.cast, records)) as all_of_it,
        ):
            async for record in all_of_it:
                await self._send(await asyncio.to_thread(decoder.pcm, record))

    async def _send(self, pcm: bytes) -> None:
        for begin in range(0, len(pcm), CHUNK_BYTES):
            await self._write(wire.sound(pcm[begin : begin + CHUNK_BYTES]), within_s=PAUSE_S)


async def _all(
    relay: RelayContext, cast: str, records: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes, None]:
    """Every record. Raises what `speech_routes.first` does, and `TooMany` if it is not whole."""
    yield await speech_routes.first(relay, cast, records)
    async for record in records:
        yield record
    if (await relay.cast_cache.find(cast)).status != "done":
        raise TooMany("the radio has stopped speaking it", retry_after="30", hint="ask again")


async def _just(text: str) -> AsyncIterator[str]:
    yield text
