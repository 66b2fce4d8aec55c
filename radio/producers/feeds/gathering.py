"""Reads all feeds of a show side by side: what is slow or hostile does not delay the others."""

import asyncio
import heapq
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from radio.producers.feeds.feed_parser import Item

GRACE_S = 3.0
"""Once there is news, the other feeds of this look get so much longer; those that take more come later."""
LOOK_S = 120.0
"""A look at feeds none of which brings news is over after this."""


class Gathering:
    """The feeds of one run.

    Args:
        read: the items of a feed; None if it failed.
        tasks: in which feeds are read, also from one look to the next.
    """

    def __init__(
        self,
        feeds: Sequence[str],
        read: Callable[[str], Awaitable[list[Item] | None]],
        tasks: asyncio.TaskGroup,
    ) -> None:
        self._feeds = feeds
        self._read = read
        self._tasks = tasks
        self._going: dict[str, asyncio.Task[list[Item] | None]] = {}
        self._found: dict[str, list[Item] | None] = {}

    @property
    def has_failed(self) -> bool:
        """No feed answers."""
        return all(self._found.get(name) is None for name in self._feeds)

    def end(self) -> None:
        """No more is wanted."""
        for task in self._going.values():
            task.cancel()

    async def look(self, has_news: Callable[[list[Item]], bool]) -> list[Item]:
        """The items of all feeds, in the order of the feeds; of those that are late, what they brought last.

        Args:
            has_news: whether there is something to tell in these.
        """
        for name in self._feeds:
            if name not in self._going:
                self._going[name] = self._tasks.create_task(_read(self._read, name), name="feed")
        loop = asyncio.get_running_loop()
        end, is_short = loop.time() + LOOK_S, False
        while self._going and (left := end - loop.time()) > 0:
            await asyncio.wait(self._going.values(), timeout=left, return_when=asyncio.FIRST_COMPLETED)
            self._collect()
            if not is_short and has_news(self._items()):
                is_short, end = True, min(end, loop.time() + GRACE_S)
        return self._items()

    def _items(self) -> list[Item]:
        return [item for name in self._feeds for item in self._found.get(name) or ()]

    def _collect(self) -> None:
        """Take what has come."""
        done = {name: task.result() for name, task in self._going.items() if task.done()}
        for name in done:
            del self._going[name]
        self._found |= done


async def _read(read: Callable[[str], Awaitable[list[Item] | None]], name: str) -> list[Item] | None:
    return await read(name)


class SmallestFirst:
    """So many at once; of those that wait, the one with the least to do is next."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._count = 0

    @asynccontextmanager
    async def turn(self, size: int) -> AsyncGenerator[None, None]:
        if self._free:
            self._free -= 1
        else:
            self._count += 1
            mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (size, self._count, mine))
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._pass_on()
                raise
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            _, _, following = heapq.heappop(self._waiting)
            if not following.done():
                following.set_result(None)
                return
        self._free += 1
