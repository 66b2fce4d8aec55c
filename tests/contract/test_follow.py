"""Follow where trims take effect at once, and where its writer ends: F8, F12."""

import asyncio

import pytest

from radio.streams.conformance.expectations import WAIT_S
from radio.streams.conformance.follow_helpers import gather
from radio.streams.contract import FromSeq, NewRecord, Trim, Trimmed
from tests.contract.kit import Kit, SqliteKit


async def test_F8_a_follower_outlives_the_process_that_writes(sqlite: SqliteKit) -> None:
    writer = await sqlite.another()
    await writer.append("a", [NewRecord(b"0")])
    async with sqlite.store.follow("a", FromSeq(0)) as tail:
        assert await gather(tail, 1) == [b"0"]
        await writer.close()
        again = await sqlite.another()
        await again.append("a", [NewRecord(b"1")])
        assert await gather(tail, 1) == [b"1"]


async def test_F12_a_trim_that_overtakes_a_follower_is_a_gap(kit: Kit) -> None:
    await kit.put("a", b"0")
    async with (
        kit.store.follow("a", FromSeq(0)) as tail,
        kit.store.follow("a", FromSeq(0), on_gap="raise") as strict,
    ):
        await anext(tail)
        await anext(strict)
        await kit.store.append("a", [NewRecord(b"1"), NewRecord(b"2"), Trim(2)])
        result = await asyncio.wait_for(anext(tail), WAIT_S)
        assert ([r.body for r in result.records], result.gap) == ([b"2"], True)
        with pytest.raises(Trimmed):
            await asyncio.wait_for(anext(strict), WAIT_S)
