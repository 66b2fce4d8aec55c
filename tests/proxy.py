"""A TCP proxy with the faults of a network, between a client and a server that speak HTTP/2."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

DATA, HEADERS = 0x0, 0x1
"""Types of HTTP/2 frames; a reply begins with one of `HEADERS`."""
END_STREAM = 0x1
"""Flag of the last frame of a request."""
LATE_CHUNKS = 256
"""Of up to 64 KiB, on their way in one direction; more than a window of HTTP/2 lets a peer send."""
_HEAD = 9
"""Bytes before each frame: length (3), type (1), flags, stream."""
_PREFACE = 24
"""Bytes before the first frame of a client."""


class Proxy:
    """Passes bytes on to a server of this machine, until a test wants otherwise.

    Attributes:
        port: where clients connect.
        latency_s: added to each direction.
        replies_lost: how many replies were taken off the wire after the server gave them.
        cut: how many connections were ended in the middle of a request.
        is_refusing: connections are ended as soon as they are made.
        refused: how many were.
    """

    def __init__(self, server_port: int) -> None:
        self.port = 0
        self.latency_s = 0.0
        self.replies_lost = 0
        self.cut = 0
        self.is_refusing = False
        self.refused = 0
        self._server_port = server_port
        self._to_lose = 0
        self._to_cut = 0
        self._least = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def lose_replies(self, count: int, *, least: int = 0) -> None:
        """Take away the reply to each of the next requests of `least` bytes or more, and end its connection.

        The server has done what it was asked for; the client cannot know.
        """
        self._to_lose, self._least = count, least

    def cut_requests(self, count: int, *, least: int = 0) -> None:
        """End each of the next requests within the frame that makes it `least` bytes long."""
        self._to_cut, self._least = count, least

    def drop_all(self) -> None:
        """End every connection now."""
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """End every connection, and wait until it has ended."""
        self.drop_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def loses(self, size: int) -> bool:
        """Whether the reply to a request of `size` bytes is to be lost; counts it."""
        if self._to_lose and size >= self._least:
            self._to_lose -= 1
            return True
        return False

    def cuts(self, size: int) -> bool:
        """Whether a request that has reached `size` bytes ends here; counts it."""
        if self._to_cut and size >= self._least:
            self._to_cut -= 1
            self.cut += 1
            return True
        return False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of a client, until either side or a fault ends it."""
        task = asyncio.create_task(self._connect(reader, writer), name="proxied connection")
        self._tasks.add(task)
        try:
            await asyncio.wait([task])
        finally:
            self._tasks.discard(task)
            writer.transport.abort()  # it may have been cancelled before it began
        if not task.cancelled():
            task.result()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_refusing:
            self.refused += 1
            writer.transport.abort()
            return
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection(self, reader, writer, server_reader, server_writer)
        try:
            await connection.run()
        finally:
            for end in (writer, server_writer):
                end.transport.abort()


class _Ended(Exception):
    """This connection is over."""


class _Connection:
    """The two directions of one connection."""

    def __init__(
        self,
        proxy: Proxy,
        client: asyncio.StreamReader,
        to_client: asyncio.StreamWriter,
        server: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
    ) -> None:
        self._proxy = proxy
        self._directions = (
            (client, to_server, _Frames(_PREFACE), self._upward),
            (server, to_client, _Frames(0), self._downward),
        )
        self._sizes: Counter[int] = Counter()
        self._losing: set[int] = set()

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                for reader, writer, frames, fault in self._directions:
                    late: asyncio.Queue[tuple[float, bytes, bool]] = asyncio.Queue(LATE_CHUNKS)
                    tasks.create_task(self._read(reader, frames, fault, late), name="proxy in")
                    tasks.create_task(self._write(writer, late), name="proxy out")
        except* (OSError, _Ended):
            pass

    async def _read(
        self,
        reader: asyncio.StreamReader,
        frames: "_Frames",
        fault: Callable[["Frame"], bytes | None],
        late: asyncio.Queue[tuple[float, bytes, bool]],
    ) -> None:
        is_last = False
        while not is_last:
            chunk = await reader.read(1 << 16)
            data, is_last = bytearray(), not chunk
            for frame in frames.feed(chunk):
                instead = fault(frame)
                data += frame.whole if instead is None else instead
                if instead is not None:
                    is_last = True
                    break
            await late.put((asyncio.get_running_loop().time() + self._proxy.latency_s, bytes(data), is_last))

    async def _write(
        self, writer: asyncio.StreamWriter, late: asyncio.Queue[tuple[float, bytes, bool]]
    ) -> None:
        is_last = False
        while not is_last:
            due, data, is_last = await late.get()
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            writer.write(data)
            await writer.drain()
        writer.close()
        await writer.wait_closed()
        raise _Ended

    def _upward(self, frame: "Frame") -> bytes | None:
        """What a fault makes of a frame, the connection's last then; None: nothing."""
        if frame.kind != DATA:
            return None
        self._sizes[frame.stream] += len(frame.whole) - _HEAD
        size = self._sizes[frame.stream]
        if self._proxy.cuts(size):
            return frame.whole[: len(frame.whole) // 2]
        if frame.flags & END_STREAM and self._proxy.loses(size):
            self._losing.add(frame.stream)
        return None

    def _downward(self, frame: "Frame") -> bytes | None:
        if frame.kind == HEADERS and frame.stream in self._losing:
            self._proxy.replies_lost += 1
            return b""
        return None


@dataclass(frozen=True, slots=True)
class Frame:
    """An HTTP/2 frame with its head; of kind -1, what is none."""

    kind: int
    flags: int
    stream: int
    whole: bytes


class _Frames:
    """Cuts a byte stream into frames; the first `skip` bytes are none."""

    def __init__(self, skip: int) -> None:
        self._skip = skip
        self._rest = bytearray()

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        self._rest += chunk
        if self._skip and len(self._rest) >= self._skip:
            yield Frame(-1, 0, 0, self._take(self._skip))
            self._skip = 0
        while not self._skip and len(self._rest) >= _HEAD:
            size = _HEAD + int.from_bytes(self._rest[:3])
            if len(self._rest) < size:
                return
            stream = int.from_bytes(self._rest[5:9]) & 0x7FFF_FFFF
            yield Frame(self._rest[3], self._rest[4], stream, self._take(size))

    def _take(self, size: int) -> bytes:
        taken = bytes(self._rest[:size])
        del self._rest[:size]
        return taken


@asynccontextmanager
async def proxy(server_port: int) -> AsyncIterator[Proxy]:
    """A proxy before a server of this machine, in the running loop."""
    made = Proxy(server_port)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await server.wait_closed()
        await made.close()
