import threading
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from radio.thread_iteration import iterate_in_thread


async def test_every_item_arrives_in_order() -> None:
    assert [item async for item in iterate_in_thread(range(100), name="t", bound=3)] == list(range(100))


async def test_an_error_crosses_after_the_items_before_it() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    items = iterate_in_thread(broken(), name="t")
    assert await anext(items) == 1
    with pytest.raises(OSError, match="gone"):
        await anext(items)


async def test_early_close_closes_the_generator_in_its_own_thread() -> None:
    closed_in: list[int] = []
    made_in: list[int] = []

    def endless() -> Iterator[int]:
        made_in.append(threading.get_ident())
        try:
            while True:
                yield 1
        finally:
            closed_in.append(threading.get_ident())

    async with aclosing(iterate_in_thread(endless(), name="t", bound=2)) as items:
        async for _ in items:
            break
    assert closed_in == made_in
    assert closed_in != [threading.get_ident()]


async def test_the_thread_waits_when_nothing_is_taken() -> None:
    made: list[int] = []
    full = threading.Event()

    def counted() -> Iterator[int]:
        for number in range(1000):
            made.append(number)
            if number == 3:
                full.set()
            yield number

    async with aclosing(iterate_in_thread(counted(), name="t", bound=3)) as items:
        assert await anext(items) == 0
        assert full.wait(10)
        assert len(made) <= 6  # one taken, three waiting, one at the door, one being made
