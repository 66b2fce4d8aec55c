"""Calls of the library in tasks of their own.

It waits by `asyncio.wait_for`, which in Python 3.11 swallows a cancellation that comes in the same step as
what is waited for: the code around it then goes on as if nothing had been said. So whoever waits here leaves
as soon as he is cancelled, and what he leaves is cancelled until it has ended.
"""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_S = 0.1
"""Between two cancellations of a task that did not hear the first."""


class Apart:
    """The tasks of one client."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Awaitable[T], name: str) -> asyncio.Task[T]:
        task = asyncio.create_task(_coroutine(work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def run(self, work: Awaitable[T], name: str, within_s: float) -> T:
        """Its result.

        Raises:
            TimeoutError: it took longer.
            ConnectionAbortedError: the library itself cancelled it, for it was closed.
        """
        task = self.start(work, name)
        try:
            await asyncio.wait([task], timeout=within_s)
        finally:
            task.cancel()  # nothing, if it is done
        if not task.done():
            raise TimeoutError
        if task.cancelled():
            raise ConnectionAbortedError("the client was closed")
        return task.result()

    async def close(self) -> None:
        """End what is left."""
        for task in tuple(self._tasks):
            await end(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited may have left


async def end(task: asyncio.Task[Any]) -> None:
    """Cancel a task until it has ended."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=AGAIN_S)


def _coroutine(work: Awaitable[T]) -> Coroutine[Any, Any, T]:
    async def wait() -> T:
        return await work

    return wait()
