"""Follow: F1 to F12. A record of another process is in `test_processes`."""

import asyncio

import pytest

from radio.streams.contract import (
    BeyondTail,
    Fence,
    Follow,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    ReadResult,
    StoreClosed,
    StreamNotFound,
    Trim,
    Trimmed,
)
from tests.contract.kit import Kit, SqliteKit
from tests.waiting import until

WAIT_S = 30
"""A generous deadline for what is due at once."""


async def gather(tail: Follow, count: int) -> list[bytes]:
    """The next `count` bodies."""
    found: list[bytes] = []
    async with asyncio.timeout(WAIT_S):
        while len(found) < count:
            found += [r.body for r in (await anext(tail)).records]
    return found


async def test_F1_every_record_comes_once_and_in_order(kit: Kit) -> None:
    other = await kit.another()
    await kit.put("a", *[b"%d" % n for n in range(1500 // 2)])
    async with kit.store.follow("a", FromSeq(0)) as tail, asyncio.TaskGroup() as tasks:

        async def write() -> None:
            for number in range(750, 1500, 10):
                await other.append("a", [NewRecord(b"%d" % n) for n in range(number, number + 10)])

        tasks.create_task(write())
        assert await gather(tail, 1500) == [b"%d" % n for n in range(1500)]


async def test_F2_a_new_record_wakes_the_follower(kit: Kit) -> None:
    other = await kit.another()
    await kit.put("a", b"0")
    async with kit.store.follow("a", FromSeq(1), heartbeat=WAIT_S) as tail, asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(gather(tail, 1))
        await until(lambda: tail.caught_up)
        await other.append("a", [NewRecord(b"1")])
        assert await waiting == [b"1"]


async def test_F3_what_was_refused_is_never_yielded(kit: Kit) -> None:
    await kit.store.append("a", [Fence("t")])
    async with kit.store.follow("a", FromSeq(0)) as tail:
        with pytest.raises(ExceptionGroup):
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(kit.store.append("a", [NewRecord(b"never")], fencing_token="other"))
        await kit.put("a", b"yes")
        assert await gather(tail, 1) == [b"yes"]


async def test_F4_with_nothing_new_an_empty_result_comes(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    async with kit.store.follow("a", FromSeq(0), heartbeat=0.05) as tail:
        first = await anext(tail)
        assert first.next_seq == 2
        for _ in range(3):
            beat = await anext(tail)
            assert (beat.records, beat.next_seq, beat.gap) == ((), 2, False)
        await kit.put("a", b"2")
        assert await gather(tail, 1) == [b"2"]


async def test_F5_caught_up_is_true_once_the_tail_was_yielded(kit: Kit) -> None:
    for number in range(3):
        await kit.put("a", *[b"%d" % number] * 600)
    async with kit.store.follow("a", FromSeq(0), heartbeat=0.05) as tail:
        assert not tail.caught_up
        first = await anext(tail)
        assert first.next_seq < 1800
        assert not tail.caught_up
        while (await anext(tail)).next_seq < 1800:
            pass
        assert tail.caught_up


async def test_F5_at_an_empty_tail_a_waiting_follower_is_caught_up(kit: Kit) -> None:
    await kit.put("a", b"0")
    async with kit.store.follow("a", FromTail(0)) as tail, asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(gather(tail, 1))
        await until(lambda: tail.caught_up)
        await kit.put("a", b"1")
        assert await waiting == [b"1"]


async def test_F6_a_missing_stream_is_not_found(kit: Kit) -> None:
    async with kit.store.follow("a", FromSeq(0)) as tail:
        with pytest.raises(StreamNotFound):
            await anext(tail)


async def test_F6_a_missing_stream_can_be_awaited_and_is_not_created(kit: Kit) -> None:
    other = await kit.another()
    async with kit.store.follow("a", FromSeq(0), await_stream=True, heartbeat=0.05) as tail:
        assert (await anext(tail)).records == ()
        assert (await kit.store.list()).items == ()
        await other.append("a", [NewRecord(b"0")])
        assert await gather(tail, 1) == [b"0"]


async def test_F7_a_stream_deleted_while_followed_is_not_found(kit: Kit) -> None:
    other = await kit.another()
    await kit.put("a", b"0")
    async with kit.store.follow("a", FromSeq(0), await_stream=True) as tail:
        await anext(tail)
        await other.delete("a")
        with pytest.raises(StreamNotFound):
            await asyncio.wait_for(anext(tail), WAIT_S)


@pytest.mark.parametrize("count", [1, 5])
async def test_F7_a_stream_deleted_and_begun_anew_is_not_taken_for_the_old(kit: Kit, count: int) -> None:
    await kit.put("a", b"0", b"1")
    async with kit.store.follow("a", FromSeq(0)) as tail:
        await anext(tail)
        await kit.store.delete("a")
        await kit.put("a", *[b"new"] * count)
        with pytest.raises(StreamNotFound):
            await asyncio.wait_for(anext(tail), WAIT_S)


async def test_F8_a_follower_outlives_the_process_that_writes(sqlite: SqliteKit) -> None:
    writer = await sqlite.another()
    await writer.append("a", [NewRecord(b"0")])
    async with sqlite.store.follow("a", FromSeq(0)) as tail:
        assert await gather(tail, 1) == [b"0"]
        await writer.close()
        again = await sqlite.another()
        await again.append("a", [NewRecord(b"1")])
        assert await gather(tail, 1) == [b"1"]


async def test_F9_cancelling_a_wait_loses_nothing(kit: Kit) -> None:
    await kit.put("a", b"-")
    found: list[bytes] = []
    async with kit.store.follow("a", FromSeq(1)) as tail, asyncio.TaskGroup() as tasks:

        async def write() -> None:
            for number in range(100):
                await kit.put("a", b"%d" % number)
                await asyncio.sleep(0.0005 * (number % 3))

        tasks.create_task(write())
        async with asyncio.timeout(WAIT_S):
            while len(found) < 100:
                try:
                    found += [r.body for r in (await asyncio.wait_for(anext(tail), 0.0007)).records]
                except TimeoutError:
                    continue
    assert found == [b"%d" % n for n in range(100)]


async def test_F9_a_task_cancelled_at_any_step_loses_nothing(kit: Kit) -> None:
    await kit.put("a", *[b"%d" % n for n in range(10)])
    async with kit.store.follow("a", FromSeq(0), heartbeat=WAIT_S) as tail:
        for steps in range(30):
            waiting: asyncio.Task[ReadResult] = asyncio.create_task(anext_of(tail))
            for _ in range(steps):
                await asyncio.sleep(0)
            if waiting.done():
                assert [r.seq for r in waiting.result().records] == list(range(10))
                return
            waiting.cancel()
            await asyncio.wait([waiting])
            if not waiting.cancelled():
                assert len(waiting.result().records) == 10
                return
        assert await gather(tail, 10) == [b"%d" % n for n in range(10)]


async def anext_of(tail: Follow) -> ReadResult:
    return await anext(tail)


async def test_F10_a_follower_that_does_not_read_delays_no_other_call(kit: Kit) -> None:
    await kit.put("a", b"0")
    async with kit.store.follow("a", FromSeq(0)) as slow:
        await anext(slow)
        for _ in range(30):
            await kit.put("a", bytes(100_000))
        async with asyncio.timeout(WAIT_S):
            assert (await kit.store.check_tail("a")).seq == 31
            async with kit.store.follow("a", FromTail(1)) as fast:
                assert len(await gather(fast, 1)) == 1
        first = await anext(slow)
        assert sum(len(r.body) for r in first.records) <= 1 << 20
        assert len(await gather(slow, 30 - len(first.records))) == 30 - len(first.records)


async def test_F11_at_the_tail_a_follow_waits_and_above_it_is_refused(kit: Kit) -> None:
    await kit.put("a", b"0")
    async with kit.store.follow("a", FromSeq(2)) as tail:
        with pytest.raises(BeyondTail):
            await anext(tail)
    async with kit.store.follow("a", FromSeq(1), heartbeat=0.05) as tail:
        assert (await anext(tail)).records == ()
    async with kit.store.follow("a", FromSeq(99), clamp=True, heartbeat=0.05) as tail:
        beat = await anext(tail)
        assert (beat.records, beat.next_seq) == ((), 1)
        await kit.put("a", b"1")
        assert await gather(tail, 1) == [b"1"]


async def test_F11_a_follow_starts_in_time_or_before_the_tail(kit: Kit) -> None:
    await kit.put("a", b"0")
    kit.clock.advance(10)
    now = kit.clock.now_ms()
    await kit.put("a", b"1", b"2")
    async with kit.store.follow("a", FromTimestamp(now)) as tail:
        assert await gather(tail, 2) == [b"1", b"2"]
    async with kit.store.follow("a", FromTail(1)) as tail:
        assert await gather(tail, 1) == [b"2"]
    async with kit.store.follow("a", FromTimestamp(now + 1), heartbeat=0.05) as tail:
        assert (await anext(tail)).records == ()
        await kit.put("a", b"3")
        assert await gather(tail, 1) == [b"3"]


async def test_F11_many_hidden_commands_do_not_stop_a_follow(kit: Kit) -> None:
    await kit.store.append("a", [Fence(str(n)) for n in range(1000)])
    await kit.store.append("a", [*[Fence(str(n)) for n in range(500)], NewRecord(b"x")])
    for start in (FromSeq(0), FromTail(1500), FromTimestamp(0)):
        async with kit.store.follow("a", start, heartbeat=WAIT_S) as tail:
            assert await gather(tail, 1) == [b"x"]


async def test_F12_a_trimmed_start_is_a_gap(kit: Kit) -> None:
    await kit.put("a", b"0", b"1", b"2")
    await kit.store.trim("a", 2)
    async with kit.store.follow("a", FromSeq(0)) as tail:
        first = await anext(tail)
        assert ([r.body for r in first.records], first.gap) == ([b"2"], True)
    async with kit.store.follow("a", FromSeq(0), on_gap="raise") as tail:
        with pytest.raises(Trimmed):
            await anext(tail)


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


async def test_M6_close_fails_followers_that_wait(kit: Kit) -> None:
    await kit.put("a", b"0")
    async with kit.store.follow("a", FromSeq(1)) as tail:
        waiting = asyncio.create_task(anext_of(tail))
        await until(lambda: tail.caught_up)
        await kit.store.close()
        with pytest.raises(StoreClosed):
            await asyncio.wait_for(waiting, WAIT_S)
