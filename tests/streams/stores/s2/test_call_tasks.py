"""Waiting for a library that does not hear a cancellation, as `asyncio.wait_for` of Python 3.11 makes it."""

import asyncio

import pytest

from radio.streams.stores.s2.call_tasks import CallTasks, end
from tests.waiting import until

LATE_S = 60.0


class Deaf:
    """A call that goes on after the first cancellations."""

    def __init__(self, swallows: int) -> None:
        self.swallows = swallows
        self.begun = asyncio.Event()
        self.release = asyncio.Event()

    async def call(self) -> str:
        while True:
            try:
                self.begun.set()
                await self.release.wait()
                return "done"
            except asyncio.CancelledError:
                if not self.swallows:
                    raise
                self.swallows -= 1


async def test_the_result_of_a_call_and_its_error_come_back() -> None:
    async def fail() -> None:
        raise LookupError("x")

    apart = CallTasks()
    assert await apart.run(asyncio.sleep(0, "y"), "call", LATE_S) == "y"
    with pytest.raises(LookupError):
        await apart.run(fail(), "call", LATE_S)
    await apart.close()


async def test_who_is_cancelled_leaves_at_once_though_the_library_does_not_hear() -> None:
    apart, deaf = CallTasks(), Deaf(swallows=2)
    waiting = asyncio.create_task(apart.run(deaf.call(), "call", LATE_S))
    await deaf.begun.wait()
    waiting.cancel()
    async with asyncio.timeout(LATE_S):
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        await apart.close()
    assert deaf.swallows == 0


async def test_a_call_that_takes_too_long_is_left() -> None:
    apart, deaf = CallTasks(), Deaf(swallows=1)
    with pytest.raises(TimeoutError):
        await apart.run(deaf.call(), "call", 0.01)
    await apart.close()
    assert deaf.swallows == 0


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_a_call_that_was_left_is_cancelled_until_it_has_ended(is_cancelled: bool) -> None:
    apart, deaf = CallTasks(), Deaf(swallows=3)
    waiting = asyncio.create_task(apart.run(deaf.call(), "call", LATE_S if is_cancelled else 0.01))
    await deaf.begun.wait()
    if is_cancelled:
        waiting.cancel()
    await asyncio.wait([waiting])
    assert deaf.swallows > 0
    await until(lambda: not apart.is_busy)
    assert deaf.swallows == 0


async def test_who_is_cancelled_while_he_ends_a_task_leaves_and_it_ends_all_the_same() -> None:
    deaf = Deaf(swallows=3)
    task = asyncio.create_task(deaf.call())
    await deaf.begun.wait()
    ending = asyncio.create_task(end(task))
    await until(lambda: deaf.swallows < 3)
    ending.cancel()
    await asyncio.wait([ending])
    assert not task.done()
    await until(task.cancelled)


async def test_a_call_that_the_library_cancels_itself_is_no_cancellation_of_who_waits() -> None:
    async def cancelled_within() -> None:
        raise asyncio.CancelledError

    with pytest.raises(ConnectionAbortedError):
        await CallTasks().run(cancelled_within(), "call", LATE_S)


async def test_a_task_is_cancelled_until_it_has_ended() -> None:
    deaf = Deaf(swallows=3)
    task = asyncio.create_task(deaf.call())
    await deaf.begun.wait()
    async with asyncio.timeout(LATE_S):
        await end(task)
    assert task.cancelled()
    assert deaf.swallows == 0
