"""Stands between a player and a relay, and notes what the player asks for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

CHUNK: Final = 1 << 16


@dataclass
class Recorder:
    """`port` is where players connect; `heads` are their requests, of each connection the first."""

    port: int = 0
    heads: list[str] = field(default_factory=list)

    def field_of(self, name: str) -> list[str]:
        """What each request has in that header field; "" where it lacks it."""
        return [_value(head, name) for head in self.heads]


def _value(head: str, name: str) -> str:
    for line in head.split("\r\n")[1:]:
        key, _, value = line.partition(":")
        if key.lower() == name.lower():
            return value.strip()
    return ""


@asynccontextmanager
async def recording(relay_port: int) -> AsyncIterator[Recorder]:
    """Pass on what comes, until the block ends."""
    recorder = Recorder()
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            recorder.heads.append(head.decode(errors="replace"))
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", relay_port)
            up_writer.write(head)
            try:
                async with asyncio.TaskGroup() as both:
                    both.create_task(_pass(reader, up_writer))
                    both.create_task(_pass(up_reader, writer))
            finally:
                up_writer.transport.abort()
        except* (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            tasks.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    recorder.port = server.sockets[0].getsockname()[1]
    try:
        yield recorder
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(CHUNK):
        writer.write(data)
        await writer.drain()
    writer.close()
