"""Reading a follower in a rule: never without a deadline."""

import asyncio

from radio.streams.conformance.expectations import WAIT_S, Broken, eventually, expect, expect_equal
from radio.streams.contract import Follow, ReadResult


async def gather(tail: Follow, count: int) -> list[bytes]:
    """The next `count` bodies."""
    found: list[bytes] = []
    try:
        async with asyncio.timeout(WAIT_S):
            while len(found) < count:
                found += [r.body for r in (await anext(tail)).records]
    except TimeoutError as late:
        raise Broken(f"{len(found)} records of {count} came in {WAIT_S:g} s") from late
    return found


async def anext_of(tail: Follow) -> ReadResult:
    """The next result, with a deadline."""
    async with asyncio.timeout(WAIT_S):
        return await anext(tail)


async def until_it_ends(tail: Follow) -> None:
    """Read on, over heartbeats and hidden records, until the follower raises; no record may arrive any
    more."""
    try:
        async with asyncio.timeout(WAIT_S):
            while True:
                expect_equal((await anext(tail)).records, ())
    except TimeoutError as late:
        raise Broken(f"the follower did not end in {WAIT_S:g} s") from late


async def until_caught_up(tail: Follow) -> None:
    """Wait, beside a task that reads, for the follower to say that it has caught up."""

    async def look() -> None:
        expect(tail.caught_up, "a follower that waits at the tail never caught up")

    await eventually(look)
