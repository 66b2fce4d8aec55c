"""What lies between a pump and who follows: room, order, and waits that may be cancelled."""

import asyncio

import pytest

from radio.streams.contract import ReadResult, StreamNotFound
from radio.streams.stores.s2.result_buffer import RESULTS, ResultBuffer

LATE_S = 60.0


def result(number: int) -> ReadResult:
    return ReadResult((), number)


def soon() -> float:
    return asyncio.get_running_loop().time() + LATE_S


async def test_results_are_taken_in_order_and_room_comes_with_each() -> None:
    buffer = ResultBuffer()
    for number in range(RESULTS):
        assert await buffer.has_room(0.01)
        buffer.put(result(number))
    assert not await buffer.has_room(0.01)
    assert not buffer.is_empty
    for number in range(RESULTS):
        assert await buffer.take(soon()) == result(number)
        assert await buffer.has_room(0.01)
    assert buffer.is_empty


async def test_whoever_waits_for_room_is_woken_by_a_taker() -> None:
    buffer = ResultBuffer()
    for number in range(RESULTS):
        buffer.put(result(number))
    waiting = asyncio.create_task(buffer.has_room())
    await asyncio.sleep(0)
    assert not waiting.done()
    await buffer.take(soon())
    async with asyncio.timeout(LATE_S):
        assert await waiting


async def test_nothing_by_the_time_is_none() -> None:
    assert await ResultBuffer().take(asyncio.get_running_loop().time() + 0.01) is None


async def test_a_result_that_comes_just_when_the_time_is_over_is_taken() -> None:
    loop, buffer = asyncio.get_running_loop(), ResultBuffer()
    due = loop.time() + 0.01
    taking = asyncio.create_task(buffer.take(due))
    await asyncio.sleep(0)
    loop.call_at(due, buffer.put, result(7))  # before the taker's time-out, in the same turn of the loop
    loop.call_at(due - 0.005, _wait_until, due + 0.005)
    assert await taking == result(7)


def _wait_until(moment: float) -> None:
    """Keep the event loop from turning until then."""
    loop = asyncio.get_running_loop()
    while loop.time() < moment:
        pass


async def test_a_taker_who_is_cancelled_at_any_step_loses_nothing() -> None:
    for steps in range(6):
        buffer = ResultBuffer()
        taking = asyncio.create_task(buffer.take(soon()))
        await asyncio.sleep(0)
        buffer.put(result(7))
        for _ in range(steps):
            await asyncio.sleep(0)
        taking.cancel()
        await asyncio.wait([taking])
        taken = await buffer.take(soon()) if taking.cancelled() else taking.result()
        assert taken == result(7)
        assert buffer.is_empty


async def test_a_failure_comes_after_what_was_put_before_it_and_again_each_time() -> None:
    buffer = ResultBuffer()
    buffer.put(result(1))
    buffer.fail(StreamNotFound("a"))
    assert await buffer.take(soon()) == result(1)
    for _ in range(2):
        with pytest.raises(StreamNotFound):
            await buffer.take(soon())
