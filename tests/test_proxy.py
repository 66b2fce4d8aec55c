"""The proxy itself, between a client and a server of the test's own that speak just enough HTTP/2."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.proxy import DATA, END_STREAM, HEADERS, Proxy, proxy
from tests.waiting import until

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PING = 0x6


def frame(kind: int, stream: int, body: bytes, flags: int = 0) -> bytes:
    return len(body).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + body


class Server:
    """Takes all; answers each frame of data that ends its stream by a ping and a head."""

    def __init__(self) -> None:
        self.got = bytearray()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.got += await reader.readexactly(len(PREFACE))
        try:
            while True:
                head = await reader.readexactly(9)
                body = await reader.readexactly(int.from_bytes(head[:3]))
                self.got += head + body
                if head[3] == DATA and head[4] & END_STREAM:
                    writer.write(
                        frame(PING, 0, b"12345678") + frame(HEADERS, int.from_bytes(head[5:]), b"200")
                    )
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


@asynccontextmanager
async def between() -> AsyncIterator[tuple[Server, Proxy]]:
    server = Server()
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    async with proxy(listener.sockets[0].getsockname()[1]) as made:
        yield server, made
    listener.close()
    await until(lambda: len(asyncio.all_tasks()) <= 2)


async def ask(port: int, *frames: bytes) -> bytes:
    """Send those frames on a connection of its own; what came back within the time a reply takes, or all."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(PREFACE + b"".join(frames))
    answer = bytearray()
    try:
        while b"200" not in answer and (chunk := await reader.read(4096)):
            answer += chunk
    except ConnectionError:
        return bytes(answer) + b"cut"
    finally:
        writer.close()
    return bytes(answer)


REQUEST = frame(HEADERS, 1, b"POST"), frame(DATA, 1, b"x" * 9000), frame(DATA, 1, b"y" * 9000, END_STREAM)


async def test_what_no_fault_touches_passes_unchanged() -> None:
    async with between() as (server, made):
        assert (await ask(made.port, *REQUEST)).endswith(b"200")
        assert bytes(server.got) == PREFACE + b"".join(REQUEST)


async def test_a_lost_reply_is_one_that_the_server_gave() -> None:
    async with between() as (server, made):
        made.lose_replies(1, least=10_000)
        assert (await ask(made.port, frame(DATA, 1, b"small", END_STREAM))).endswith(b"200")
        assert b"200" not in await ask(made.port, *REQUEST)
        assert bytes(server.got).endswith(b"".join(REQUEST))
        assert made.replies_lost == 1
        assert (await ask(made.port, *REQUEST)).endswith(b"200")


async def test_a_request_that_is_cut_reaches_the_server_in_part() -> None:
    async with between() as (server, made):
        made.cut_requests(1, least=10_000)
        assert b"200" not in await ask(made.port, *REQUEST)
        assert made.cut == 1
        assert bytes(server.got) == PREFACE + b"".join(REQUEST[:2])  # of the third frame it read the head
        assert (await ask(made.port, *REQUEST)).endswith(b"200")


async def test_latency_is_added_to_both_directions() -> None:
    async with between() as (_, made):
        made.latency_s = 0.2
        began = asyncio.get_running_loop().time()
        await ask(made.port, *REQUEST)
        assert asyncio.get_running_loop().time() - began >= 0.4


async def test_all_connections_can_be_ended() -> None:
    async with between() as (_, made):
        made.latency_s = 600
        asking = asyncio.create_task(ask(made.port, *REQUEST))
        await until(lambda: len(made._tasks) == 1)
        made.drop_all()
        assert b"200" not in await asking


async def test_a_server_that_is_not_there_is_a_cut_connection() -> None:
    async with proxy(1) as made:
        with pytest.raises((ConnectionError, AssertionError)):
            assert b"200" in await ask(made.port, *REQUEST)
