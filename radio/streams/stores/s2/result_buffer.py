"""The buffer between a pump and its follower: few results, in order, none lost by a cancelled wait."""

import asyncio
from collections import deque
from contextlib import suppress

from radio.streams.contract import ReadResult

RESULTS = 2
"""One to take now, and one so that the next is there at once; each has at most 1 MiB."""


class ResultBuffer:
    """Between one pump and one follower."""

    def __init__(self) -> None:
        self._ready: deque[ReadResult] = deque()
        self._failure: BaseException | None = None
        self._news = asyncio.Event()
        self._room = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        return not self._ready

    def put(self, result: ReadResult) -> None:
        """Call it only after `has_room` said so."""
        self._ready.append(result)
        self._news.set()

    def fail(self, error: BaseException) -> None:
        """Nothing more comes: the follower gets what is buffered, then this error each time."""
        self._failure = error
        self._news.set()

    async def has_room(self, within_s: float | None = None) -> bool:
        """Wait for room; False if there was none for so many seconds."""
        try:
            async with asyncio.timeout(within_s):
                while len(self._ready) >= RESULTS:
                    self._room.clear()
                    await self._room.wait()
        except TimeoutError:
            return False
        return True

    async def take(self, due: float) -> ReadResult | None:
        """The next result; None if there is none at `due` (loop time). Cancelling loses nothing."""
        with suppress(TimeoutError):  # a result that came at this very moment is still taken
            async with asyncio.timeout_at(due):
                while not self._ready and self._failure is None:
                    self._news.clear()
                    await self._news.wait()
        if self._ready:
            self._room.set()
            return self._ready.popleft()
        if self._failure is not None:
            raise self._failure
        return None
