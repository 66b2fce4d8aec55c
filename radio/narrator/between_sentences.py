"""What is done between two sentences, by the loop that owns the lanes."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from radio.errors import RadioError

T = TypeVar("T")
Step = Callable[[], Awaitable[None]]


class BetweenSentences:
    """Steps in the order in which they came.

    Args:
        changed: is set whenever one comes.
    """

    def __init__(self, changed: asyncio.Event) -> None:
        self._changed = changed
        self._steps: deque[Step] = deque()

    def __len__(self) -> int:
        return len(self._steps)

    def put(self, step: Step) -> None:
        self._steps.append(step)
        self._changed.set()

    async def run(self) -> None:
        """All steps that wait, by whoever owns the lanes."""
        while self._steps:
            await self._steps.popleft()()

    async def result_of(self, step: Callable[[], Awaitable[T]]) -> T:
        """What the step returns or raises. Cancelling the wait leaves it unknown whether the step is done."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def and_tell() -> None:
            try:
                result = await step()
            except RadioError as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)

        self.put(and_tell)
        return await done
