"""Having something done between two sentences, by the loop that owns the lanes."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from radio.errors import RadioError
from radio.narrator.context import Context

T = TypeVar("T")


async def between_sentences(desk: Context, step: Callable[[], Awaitable[T]]) -> T:
    """What the step returns or raises. Cancelling the wait leaves it unknown whether the step is done."""
    done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    async def errand() -> None:
        try:
            result = await step()
        except RadioError as error:
            if not done.done():
                done.set_exception(error)
        else:
            if not done.done():
                done.set_result(result)

    desk.errands.append(errand)
    desk.changed.set()
    return await done
