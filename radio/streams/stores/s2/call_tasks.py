"""Runs calls of the library in tasks of their own.

The library waits with `asyncio.wait_for`, which in Python 3.11 swallows a cancellation that arrives in the
same step as the awaited result; the surrounding code then continues as if nothing had happened. So a
cancelled caller here returns at once, and its call is cancelled again and again until it has ended.
"""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_S = 0.1
"""Pause between two cancellations of a task that swallowed the first."""


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
        """The call's result.

        Raises:
            TimeoutError: it took longer.
            ConnectionAbortedError: the library itself cancelled the call because it was closed.
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
        """Whether a call is still running, even if nobody waits for it any more."""
        return bool(self._tasks)

    async def close(self) -> None:
        """Cancel the remaining calls."""
        for task in tuple(self._tasks):
            await end(task)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the caller may be gone


def abandon(task: asyncio.Task[Any]) -> None:
    """Cancel a task again and again until it has ended, without waiting for that."""
    if not task.done():
        task.cancel()
        asyncio.get_running_loop().call_later(AGAIN_S, abandon, task)


async def end(task: asyncio.Task[Any], *, patience_s: float = 0.0) -> None:
    """Cancel a task that has not ended within `patience_s`, and wait until it has.

    If the caller is cancelled while it waits, it returns, and the task is cancelled all the same.
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
