"""A relay on a real socket, and clients that show every byte of what it says."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import aiohttp

from radio.clock import Clock
from radio.relay.app import serving
from radio.relay.context import RelayContext, make_relay
from radio.settings import Limits, Settings
from radio.streams.contract import StreamStore

DEADLINE_S = 60.0


@dataclass
class Served:
    """A relay that answers at `url`."""

    relay: RelayContext
    url: str
    http: aiohttp.ClientSession
    opened: list["Raw"] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def at(self, path: str) -> str:
        return self.url.rstrip("/") + path

    async def json(self, path: str, **options: Any) -> Any:
        async with self.http.get(self.at(path), **options) as response:
            assert response.status == 200, await response.text()
            return json.loads(await response.text())

    async def raw(self, path: str, *headers: str, method: str = "GET", version: str = "1.1") -> "Raw":
        """A request written byte for byte, on a connection of its own."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"{method} {path} HTTP/{version}", f"Host: 127.0.0.1:{self.port}", *headers]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await writer.drain()
        async with asyncio.timeout(DEADLINE_S):
            head = await reader.readuntil(b"\r\n\r\n")
        status, *fields = head.decode().rstrip("\r\n").split("\r\n")
        pairs = [field.split(": ", 1) for field in fields]
        raw = Raw(reader, writer, status, [(name.lower(), value) for name, value in pairs])
        self.opened.append(raw)
        return raw


@dataclass
class Raw:
    """A reply off the socket: status line, header fields in lower case, and what follows."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: str
    fields: list[tuple[str, str]]
    ahead: bytes = b""
    """Of a body in chunks: what came and is not taken."""

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.fields)

    @property
    def is_chunked(self) -> bool:
        return self.headers.get("transfer-encoding") == "chunked"

    async def take(self, size: int) -> bytes:
        async with asyncio.timeout(DEADLINE_S):
            if not self.is_chunked:
                return await self.reader.readexactly(size)
            while len(self.ahead) < size:
                chunk = await self._chunk()
                assert chunk, "it ends earlier"
                self.ahead += chunk
        taken, self.ahead = self.ahead[:size], self.ahead[size:]
        return taken

    async def rest(self) -> bytes:
        """All that comes. Raises `IncompleteReadError` where chunks are cut off."""
        async with asyncio.timeout(DEADLINE_S):
            if not self.is_chunked:
                return await self.reader.read()
            rest, self.ahead = self.ahead, b""
            while chunk := await self._chunk():
                rest += chunk
            return rest

    async def _chunk(self) -> bytes:
        """The next one; the last is empty."""
        size = int(await self.reader.readuntil(b"\r\n"), 16)
        return (await self.reader.readexactly(size + 2))[:size]

    async def rest_of_head(self) -> bytes:
        """What follows a reply to `HEAD` before the next one on the same connection; nothing is right."""
        self.writer.write(b"HEAD /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return (await self.rest()).partition(b"HTTP/1.1 200 OK\r\n")[0]

    async def close(self) -> None:
        self.writer.close()
        try:
            await self.writer.wait_closed()
        except ConnectionError:
            return


class Events:
    """Server-sent events, one after the other."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def next(self, *kinds: str) -> tuple[str, Any, str | None]:
        """The next event of one of these kinds: its kind, data and id."""
        async with asyncio.timeout(DEADLINE_S):
            while True:
                kind, data, event_id = await self._one()
                if not kinds or kind in kinds:
                    return kind, data, event_id

    async def _one(self) -> tuple[str, Any, str | None]:
        kind, data, event_id = "message", None, None
        async for raw in self.response.content:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("id: "):
                event_id = line[4:]
            elif line.startswith("data: "):
                data = json.loads(line[6:])
            elif not line and data is not None:
                return kind, data, event_id
        return "closed", None, None


@asynccontextmanager
async def relay_on(
    store: StreamStore,
    clock: Clock,
    *,
    limits: Limits | None = None,
    pages: Path = Path("web"),
    **settings: Any,
) -> AsyncIterator[Served]:
    """A relay that serves from `store` until the block ends."""
    chosen = replace(Settings(port=0), limits=limits or Limits(), **settings)
    relay = make_relay(chosen, store, clock, store_id=await store.store_id(), pages=pages)
    async with serving(relay) as url, aiohttp.ClientSession() as http:
        served = Served(relay, url, http)
        try:
            yield served
        finally:
            for raw in served.opened:
                await raw.close()


@asynccontextmanager
async def events_of(served: Served, path: str, **headers: str) -> AsyncIterator[Events]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    timeout = aiohttp.ClientTimeout(total=None)
    async with served.http.get(served.at(path), headers=named, timeout=timeout) as response:
        assert response.status == 200, await response.text()
        yield Events(response)
