import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from radio.app import readiness
from tests.waiting import until


class Answering:
    """Speaks just enough HTTP; `bodies` are its answers by path."""

    def __init__(self) -> None:
        self.bodies = {"/healthz": b"{}", "/stations": b'{"stations": []}'}
        self.asked: list[str] = []
        self.port = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        self.asked.append(path)
        writer.write(
            b"HTTP/1.1 503 Nothing Spoken\r\nContent-Type: application/json\r\n\r\n" + self.bodies[path]
        )
        await writer.drain()
        writer.close()


@asynccontextmanager
async def answering() -> AsyncIterator[Answering]:
    relay = Answering()
    server = await asyncio.start_server(relay.answer, "127.0.0.1", 0)
    relay.port = server.sockets[0].getsockname()[1]
    async with server:
        yield relay


async def test_without_station_files_any_answer_will_do() -> None:
    async with answering() as relay:
        await readiness.until_ready("127.0.0.1", relay.port, has_stations=False)
        assert relay.asked == ["/healthz"]


async def test_with_station_files_it_waits_for_a_station() -> None:
    async with answering() as relay, asyncio.TaskGroup() as group:
        waiting = group.create_task(readiness.until_ready("127.0.0.1", relay.port, has_stations=True))
        await until(lambda: relay.asked.count("/stations") >= 2)
        assert not waiting.done()
        relay.bodies["/stations"] = b'{"stations": [{"station": "harbor"}]}'


async def test_it_does_not_wait_for_ever_for_a_station(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "STATIONS_WITHIN_S", 0.1)
    async with answering() as relay:
        await readiness.until_ready("127.0.0.1", relay.port, has_stations=True)
        assert "/stations" in relay.asked


async def test_nothing_there_is_no_answer() -> None:
    assert await readiness._ask("127.0.0.1", 9, "/healthz") is None
