"""Retrying calls to the server until they succeed, run out of time, or the store is closed."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from radio.streams.contract import StoreClosed
from radio.streams.stores.s2.failures import CallFailed, Verdict

T = TypeVar("T")

PATIENCE_S = 8.0
"""How long a read is retried. A restarted server answers after about 1.5 s."""
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 0.8


def pauses() -> Iterator[float]:
    """Seconds between attempts: doubled each time, with jitter, so that many clients do not come at once."""
    pause = FIRST_PAUSE_S
    while True:
        yield pause * random.uniform(0.75, 1.25)
        pause = min(pause * 2, LONGEST_PAUSE_S)


class RetryingCalls:
    """What all calls of one store share: whether it is closed."""

    def __init__(self) -> None:
        self._closed = asyncio.Event()

    @property
    def is_closed(self) -> bool:
        return self._closed.is_set()

    def close(self) -> None:
        self._closed.set()

    def refuse_if_closed(self) -> None:
        if self.is_closed:
            raise StoreClosed

    async def pause(self, seconds: float) -> None:
        """Sleep; raises `StoreClosed` as soon as the store is closed."""
        try:
            async with asyncio.timeout(seconds):
                await self._closed.wait()
        except TimeoutError:
            return
        raise StoreClosed

    async def patiently(self, call: Callable[[], Awaitable[T]], *, within_s: float | None = None) -> T:
        """A repeatable call, retried while its failure is temporary.

        Args:
            within_s: how long; `PATIENCE_S` by default, one attempt if 0.

        Raises:
            StoreError: the error of the last attempt.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (PATIENCE_S if within_s is None else within_s)
        for pause in pauses():
            self.refuse_if_closed()
            try:
                return await call()
            except CallFailed as failed:
                if self.is_closed:
                    raise StoreClosed from failed
                if failed.verdict is Verdict.FINAL or loop.time() + pause > deadline:
                    raise failed.error from failed
            await self.pause(pause)
        raise AssertionError("pauses never end")
