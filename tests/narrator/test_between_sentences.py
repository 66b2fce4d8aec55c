import asyncio
from collections.abc import Awaitable
from functools import partial

import pytest

from radio.errors import RadioError
from radio.narrator.between_sentences import BetweenSentences


class Refused(RadioError):
    """The step cannot be done."""


@pytest.fixture
def changed() -> asyncio.Event:
    return asyncio.Event()


@pytest.fixture
def between(changed: asyncio.Event) -> BetweenSentences:
    return BetweenSentences(changed)


async def test_steps_wait_until_they_are_run_and_are_run_in_order(
    between: BetweenSentences, changed: asyncio.Event
) -> None:
    done: list[int] = []

    async def step(n: int) -> None:
        done.append(n)
        if n == 0:
            between.put(partial(step, 9))

    for n in range(3):
        between.put(partial(step, n))
    assert (changed.is_set(), len(between), done) == (True, 3, [])
    await between.run()
    assert (len(between), done) == (0, [0, 1, 2, 9]), "what comes meanwhile is done too"


async def test_whoever_asked_for_a_step_gets_its_result_or_its_error(
    between: BetweenSentences, changed: asyncio.Event
) -> None:
    async def seven() -> int:
        return 7

    async def refused() -> int:
        raise Refused

    async with asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(between.result_of(seven))
        await changed.wait()
        changed.clear()
        failing = tasks.create_task(_error_of(between.result_of(refused)))
        await changed.wait()
        assert not asked.done()
        await between.run()
    assert asked.result() == 7
    assert isinstance(failing.result(), Refused)


async def test_a_step_is_done_though_nobody_waits_for_it_any_more(
    between: BetweenSentences, changed: asyncio.Event
) -> None:
    done = asyncio.Event()

    async def step() -> None:
        done.set()

    asked = asyncio.create_task(between.result_of(step))
    await changed.wait()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    await between.run()
    assert done.is_set()


async def test_who_waits_for_a_step_that_breaks_the_loop_does_not_wait_for_ever(
    between: BetweenSentences, changed: asyncio.Event
) -> None:
    async def step() -> None:
        raise ValueError("a fault of ours")

    asked = asyncio.create_task(between.result_of(step))
    await changed.wait()
    with pytest.raises(ValueError, match="of ours"):
        await between.run()
    with pytest.raises(asyncio.CancelledError):
        await asked


async def _error_of(waiting: Awaitable[int]) -> RadioError | None:
    try:
        await waiting
    except RadioError as error:
        return error
    return None
