"""Follow: F1 to F12, as far as no connection is lost."""

import asyncio

from radio.streams.conformance.expectations import WAIT_S, eventually, expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, numbered
from radio.streams.conformance.follow_helpers import anext_of, gather, until_caught_up, until_it_ends
from radio.streams.contract import (
    BeyondTail,
    Fence,
    FenceMismatch,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    ReadResult,
    StreamNotFound,
    Trim,
    Trimmed,
)


async def F1_every_record_comes_once_and_in_order(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    await lab.put(a, *numbered(*range(750)))
    async with lab.store.follow(a, FromSeq(0)) as tail, asyncio.TaskGroup() as tasks:

        async def write() -> None:
            for number in range(750, 1500, 10):
                await other.append(a, [NewRecord(b"%d" % n) for n in range(number, number + 10)])

        tasks.create_task(write())
        expect_equal(await gather(tail, 1500), numbered(*range(1500)))


async def F2_a_new_record_wakes_the_follower(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    await lab.put(a, b"0")
    async with lab.store.follow(a, FromSeq(1), heartbeat=WAIT_S) as tail, asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(gather(tail, 1))
        await until_caught_up(tail)
        await other.append(a, [NewRecord(b"1")])
        expect_equal(await waiting, [b"1"])


async def F3_what_was_refused_is_never_yielded(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("t")])
    async with lab.store.follow(a, FromSeq(0)) as tail:
        with raises(FenceMismatch):
            await lab.store.append(a, [NewRecord(b"never")], fencing_token="other")
        await lab.put(a, b"yes")
        expect_equal(await gather(tail, 1), [b"yes"])


async def F4_with_nothing_new_an_empty_result_comes(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1")
    async with lab.store.follow(a, FromSeq(0), heartbeat=0.05) as tail:
        expect_equal(await gather(tail, 2), [b"0", b"1"])
        for _ in range(3):
            beat = await anext_of(tail)
            expect_equal((beat.records, beat.next_seq, beat.gap), ((), 2, False))
        await lab.put(a, b"2")
        expect_equal(await gather(tail, 1), [b"2"])


async def F5_caught_up_is_true_once_the_tail_was_yielded(lab: Lab) -> None:
    a = lab.name("a")
    for number in range(3):
        await lab.put(a, *[b"%d" % number] * 600)
    async with lab.store.follow(a, FromSeq(0), heartbeat=0.05) as tail:
        expect(not tail.caught_up, "caught up before anything was yielded")
        result = await anext_of(tail)
        expect(result.next_seq < 1800, "more than a thousand records at once")
        expect(not tail.caught_up, "caught up with records still to come")
        while not tail.caught_up:
            result = await anext_of(tail)
        expect_equal(result.next_seq, 1800, "the place at which it says to have caught up")


async def F5_at_an_empty_tail_a_waiting_follower_is_caught_up(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0")
    async with lab.store.follow(a, FromTail(0)) as tail, asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(gather(tail, 1))
        await until_caught_up(tail)
        await lab.put(a, b"1")
        expect_equal(await waiting, [b"1"])


async def F6_a_missing_stream_is_not_found(lab: Lab) -> None:
    async with lab.store.follow(lab.name("a"), FromSeq(0)) as tail:
        with raises(StreamNotFound):
            await anext_of(tail)


async def F6_a_missing_stream_can_be_awaited_and_is_not_created(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    async with lab.store.follow(a, FromSeq(0), await_stream=True, heartbeat=0.05) as tail:
        expect_equal((await anext_of(tail)).records, ())
        expect_equal(await lab.names(), [])
        await other.append(a, [NewRecord(b"0")])
        expect_equal(await gather(tail, 1), [b"0"])


async def F7_a_stream_deleted_while_followed_is_not_found(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    await lab.put(a, b"0")
    async with lab.store.follow(a, FromSeq(0), await_stream=True) as tail:
        expect_equal(await gather(tail, 1), [b"0"])
        await other.delete(a)
        with raises(StreamNotFound):
            await until_it_ends(tail)


async def F7_a_stream_deleted_and_begun_anew_is_not_taken_for_the_old(lab: Lab) -> None:
    for count in (1, 5):
        name = lab.name(f"a{count}")
        await lab.put(name, b"0", b"1")
        async with lab.store.follow(name, FromSeq(0)) as tail:
            expect_equal(await gather(tail, 2), [b"0", b"1"])
            await lab.store.delete(name)
            await lab.put_anew(name, *[b"new"] * count)
            with raises(StreamNotFound):
                await until_it_ends(tail)


async def F9_cancelling_a_wait_loses_nothing(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"-")
    found: list[bytes] = []

    async def write() -> None:
        for number in range(100):
            await lab.put(a, b"%d" % number)
            await asyncio.sleep(0.0005 * (number % 3))

    async with lab.store.follow(a, FromSeq(1)) as tail, asyncio.TaskGroup() as tasks:
        tasks.create_task(write())
        async with asyncio.timeout(WAIT_S):
            while len(found) < 100:
                try:
                    found += [r.body for r in (await asyncio.wait_for(anext(tail), 0.0007)).records]
                except TimeoutError:
                    continue
    expect_equal(found, numbered(*range(100)))


async def F9_a_task_cancelled_at_any_step_loses_nothing(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, *numbered(*range(10)))
    async with lab.store.follow(a, FromSeq(0), heartbeat=WAIT_S) as tail:
        for steps in range(30):
            waiting: asyncio.Task[ReadResult] = asyncio.create_task(anext_of(tail))
            for _ in range(steps):
                await asyncio.sleep(0)
            if waiting.done():
                expect_equal([r.seq for r in waiting.result().records], list(range(10)))
                return
            waiting.cancel()
            await asyncio.wait([waiting])
            if not waiting.cancelled():
                expect_equal(len(waiting.result().records), 10)
                return
        expect_equal(await gather(tail, 10), numbered(*range(10)))


async def F10_a_follower_that_does_not_read_delays_no_other_call(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0")
    async with lab.store.follow(a, FromSeq(0)) as slow:
        expect_equal(await gather(slow, 1), [b"0"])
        for _ in range(30):
            await lab.put(a, bytes(100_000))
        async with asyncio.timeout(WAIT_S):
            expect_equal((await lab.store.check_tail(a)).seq, 31)
            async with lab.store.follow(a, FromTail(1)) as fast:
                expect_equal(len(await gather(fast, 1)), 1)
        first = await anext_of(slow)
        size = sum(len(r.body) for r in first.records)
        expect(size <= 1 << 20, f"{size} bytes in one result")
        rest = 30 - len(first.records)
        expect_equal(len(await gather(slow, rest)), rest)


async def F11_at_the_tail_a_follow_waits_and_above_it_is_refused(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0")
    async with lab.store.follow(a, FromSeq(2)) as tail:
        with raises(BeyondTail):
            await anext_of(tail)
    async with lab.store.follow(a, FromSeq(1), heartbeat=0.05) as tail:
        expect_equal((await anext_of(tail)).records, ())
    async with (
        lab.store.follow(a, FromSeq(99), clamp=True, heartbeat=WAIT_S) as tail,
        asyncio.TaskGroup() as t,
    ):
        waiting = t.create_task(gather(tail, 1))
        await until_caught_up(tail)
        await lab.put(a, b"1")
        expect_equal(await waiting, [b"1"])


async def F11_a_follow_starts_in_time_or_before_the_tail(lab: Lab) -> None:
    a = lab.name("a")
    then = await lab.now_ms() - 1_000_000
    early, late = NewRecord(b"0", timestamp=then - 10_000), NewRecord(b"1", timestamp=then)
    await lab.store.append(a, [early, late, NewRecord(b"2", timestamp=then)])
    async with lab.store.follow(a, FromTimestamp(then)) as tail:
        expect_equal(await gather(tail, 2), [b"1", b"2"])
    async with lab.store.follow(a, FromTail(1)) as tail:
        expect_equal(await gather(tail, 1), [b"2"])
    async with lab.store.follow(a, FromTimestamp(then + 1), heartbeat=0.05) as tail:
        expect_equal((await anext_of(tail)).records, ())
        await lab.put(a, b"3")
        expect_equal(await gather(tail, 1), [b"3"])


async def F11_many_hidden_commands_do_not_stop_a_follow(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence(str(n)) for n in range(1000)])
    await lab.store.append(a, [*[Fence(str(n)) for n in range(500)], NewRecord(b"x")])
    for start in (FromSeq(0), FromTail(1500), FromTimestamp(0)):
        async with lab.store.follow(a, start, heartbeat=WAIT_S) as tail:
            expect_equal(await gather(tail, 1), [b"x"], str(start))


async def F12_a_trimmed_start_is_a_gap(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1", b"2")
    await lab.store.trim(a, 2)

    async def is_a_gap() -> None:
        async with lab.store.follow(a, FromSeq(0)) as tail:
            first = await anext_of(tail)
            expect_equal(([r.body for r in first.records], first.gap), ([b"2"], True))

    await eventually(is_a_gap)
    async with lab.store.follow(a, FromSeq(0), on_gap="raise") as tail:
        with raises(Trimmed):
            await anext_of(tail)


async def F12_a_follower_overtaken_by_a_trim_has_all_or_a_gap(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0")
    async with (
        lab.store.follow(a, FromSeq(0)) as tail,
        lab.store.follow(a, FromSeq(0), on_gap="raise") as strict,
    ):
        expect_equal(await gather(tail, 1), [b"0"])
        expect_equal(await gather(strict, 1), [b"0"])
        await lab.store.append(a, [NewRecord(b"1"), NewRecord(b"2"), Trim(2)])
        result = await anext_of(tail)
        rest = () if result.gap else (b"1",)
        expect_equal(tuple(r.body for r in result.records), (*rest, b"2"), f"gap: {result.gap}")
        try:
            expect_equal(await gather(strict, 2), [b"1", b"2"])
        except Trimmed:
            return
