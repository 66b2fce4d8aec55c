"""Steps that may only run between two sentences, because they change lanes."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from radio.errors import RadioError

T = TypeVar("T")
Step = Callable[[], Awaitable[None]]


class BetweenSentences:
    """A queue of steps. The speaking loop runs them, in the order in which they came.

    Args:
        changed: set whenever a step is added.
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
        """Run all waiting steps, and those that they add. Only the speaking loop calls it."""
        while self._steps:
            await self._steps.popleft()()

    async def result_of(self, step: Callable[[], Awaitable[T]]) -> T:
        """Queue a step and wait for its result or error. If the wait is cancelled, the step still runs."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def and_tell() -> None:
            try:
                result = await step()
            except RadioError as error:
                if not done.done():
                    done.set_exception(error)
            except BaseException:
                done.cancel()  # who waits must not wait for ever
                raise
            else:
                if not done.done():
                    done.set_result(result)

        self.put(and_tell)
        return await done
