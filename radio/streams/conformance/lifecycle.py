"""A store's life: M6 and M7, as far as one process shows them."""

import asyncio

from radio.streams.conformance.expectations import expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, data
from radio.streams.conformance.follow_helpers import anext_of, until_caught_up
from radio.streams.contract import FromSeq, StoreClosed


async def M6_close_can_be_repeated_and_nothing_works_afterwards(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"x")
    store = await lab.another()
    await asyncio.gather(store.close(), store.close())
    await store.close()
    for call in (
        lambda: store.append(a, data(b"y")),
        lambda: store.read(a, FromSeq(0)),
        lambda: store.check_tail(a),
        lambda: store.fencing_token(a),
        lambda: store.trim(a, 0),
        store.list,
        lambda: store.delete(a),
        store.store_id,
    ):
        with raises(StoreClosed):
            await call()
    async with store.follow(a, FromSeq(0)) as tail:
        with raises(StoreClosed):
            await anext_of(tail)


async def M6_close_fails_followers_that_wait(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0")
    store = await lab.another()
    async with store.follow(a, FromSeq(1)) as tail:
        waiting = asyncio.create_task(anext_of(tail))
        await until_caught_up(tail)
        await store.close()
        with raises(StoreClosed):
            await waiting


async def M7_every_handle_gives_the_store_the_same_id(lab: Lab) -> None:
    mine = await lab.store.store_id()
    expect(len(mine) >= 16, f"too short to be random: {mine!r}")
    expect_equal(await (await lab.another()).store_id(), mine)
    expect_equal(await lab.store.store_id(), mine)
