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


class CallTasks:
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
            abandon(task)
        if not task.done():
            raise TimeoutError
        if task.cancelled():
            raise ConnectionAbortedError("the client was closed")
        return task.result()

    @property
    def is_busy(self) -> bool:
        """Whether a call has not ended, be it that nobody waits for it any more."""
        return bool(self._tasks)

    async def close(self) -> None:
        """End what is left."""
        for task in tuple(self._tasks):
            await end(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited may have left


def abandon(task: asyncio.Task[Any]) -> None:
    """Cancel a task again and again until it has ended, without waiting for that."""
    if not task.done():
        task.cancel()
        asyncio.get_running_loop().call_later(AGAIN_S, abandon, task)


async def end(task: asyncio.Task[Any], *, patience_s: float = 0.0) -> None:
    """Cancel a task, which has `patience_s` to end by itself, until it has ended.

    Who is cancelled while he waits here leaves, and it ends all the same.
    """
    try:
        await asyncio.wait([task], timeout=patience_s)
    finally:
        abandon(task)
    await asyncio.wait([task])


def _coroutine(work: Awaitable[T]) -> Coroutine[Any, Any, T]:
    async def wait() -> T:
        return await work

    return wait()
