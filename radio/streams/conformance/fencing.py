"""Conditions and fencing: C1 to C11."""

import asyncio

from radio.streams.conformance.expectations import eventually, eventually_equal, expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, data
from radio.streams.contract import (
    AppendConditionFailed,
    Fence,
    FenceMismatch,
    FromSeq,
    NewRecord,
    SeqMismatch,
    StreamNotFound,
    Trim,
)


async def C1_an_append_at_another_place_than_the_next_is_refused(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1")
    for wrong in (0, 1, 3, 1000):
        with raises(SeqMismatch) as failed:
            await lab.store.append(a, data(b"x"), match_seq_num=wrong)
        expect_equal(failed.value.actual, 2)
    ack = await lab.store.append(a, data(b"2"), match_seq_num=2)
    expect_equal(ack.start.seq, 2)
    expect_equal(await lab.bodies(a), [b"0", b"1", b"2"])


async def C2_of_many_claims_of_one_name_exactly_one_succeeds(lab: Lab) -> None:
    a = lab.name("a")
    handles = [lab.store, await lab.another(), await lab.another()]
    actual: list[int] = []

    async def claim(number: int) -> bool:
        try:
            await handles[number % 3].append(a, data(b"%d" % number), match_seq_num=0)
        except SeqMismatch as e:
            actual.append(e.actual)
            return False
        return True

    won = await asyncio.gather(*map(claim, range(12)))
    expect_equal(sum(won), 1, "claims that succeeded")
    expect_equal(len(actual), 11)
    expect(min(actual) >= 1, "a lost claim says that the stream is empty")
    expect_equal(await lab.bodies(a), [b"%d" % won.index(True)])


async def C3_a_place_above_zero_in_a_missing_stream_is_refused(lab: Lab) -> None:
    with raises(SeqMismatch) as failed:
        await lab.store.append(lab.name("a"), data(b"x"), match_seq_num=3)
    expect_equal(failed.value.actual, 0)


async def C4_another_token_than_the_current_one_is_refused(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, data(b"0"), fencing_token="")
    with raises(FenceMismatch) as failed:
        await lab.store.append(a, data(b"x"), fencing_token="t")
    expect_equal(failed.value.actual, "")
    await lab.store.append(a, [Fence("t")], fencing_token="")
    for wrong in ("", "T", "t "):
        with raises(FenceMismatch) as failed:
            await lab.store.append(a, data(b"x"), fencing_token=wrong)
        expect_equal(failed.value.actual, "t")
    await lab.store.append(a, data(b"1"), fencing_token="t")
    expect_equal(await lab.bodies(a), [b"0", b"1"])


async def C5_if_both_conditions_fail_nothing_is_written(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("t")])
    with raises(AppendConditionFailed):
        await lab.store.append(a, data(b"x"), match_seq_num=7, fencing_token="other")
    with raises(SeqMismatch):
        await lab.store.append(a, data(b"x"), match_seq_num=7, fencing_token="t")
    with raises(FenceMismatch):
        await lab.store.append(a, data(b"x"), match_seq_num=1, fencing_token="other")
    expect_equal((await lab.store.check_tail(a)).seq, 1)


async def C6_an_append_without_token_is_always_allowed(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"unfenced")
    await lab.store.append(a, [Fence("t")])
    await lab.put(a, b"fenced")
    expect_equal(await lab.bodies(a), [b"unfenced", b"fenced"])


async def C7_a_fence_takes_effect_after_its_own_batch(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("old")])
    ack = await lab.store.append(a, [Fence("new"), NewRecord(b"marker")], fencing_token="old")
    expect_equal(ack.end.seq - ack.start.seq, 2)
    with raises(FenceMismatch):
        await lab.store.append(a, data(b"late"), fencing_token="old")
    await lab.store.append(a, data(b"mine"), fencing_token="new")
    expect_equal(await lab.bodies(a), [b"marker", b"mine"])


async def C7_the_last_of_several_fences_in_a_batch_counts(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("1"), NewRecord(b"x"), Fence("2"), Fence("3")])
    expect_equal(await lab.store.fencing_token(a), "3")


async def C8_of_many_swaps_of_one_token_exactly_one_wins(lab: Lab) -> None:
    a = lab.name("a")
    handles = [lab.store, await lab.another()]
    await lab.store.append(a, [Fence("old")])

    async def swap(number: int) -> bool:
        try:
            await handles[number % 2].append(a, [Fence(f"mine{number}")], fencing_token="old")
        except FenceMismatch:
            return False
        return True

    won = await asyncio.gather(*map(swap, range(10)))
    expect_equal(sum(won), 1, "swaps that won")
    expect_equal(await lab.store.fencing_token(a), f"mine{won.index(True)}")


async def C9_asking_for_the_token_changes_nothing(lab: Lab) -> None:
    a = lab.name("a")
    with raises(StreamNotFound):
        await lab.store.fencing_token(a)
    expect_equal(await lab.names(), [])
    await lab.store.append(a, [Fence("t")])
    tail = await lab.store.check_tail(a)
    expect_equal(await lab.store.fencing_token(a), "t")
    expect_equal(await lab.store.check_tail(a), tail)


async def C10_the_fence_survives_trim_of_every_record(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("t"), NewRecord(b"x")])
    await lab.store.append(a, [Trim(1000)])
    await eventually_equal(lambda: lab.seqs(a, include_commands=True), [], "what stands after the trim")
    expect_equal(await (await lab.another()).fencing_token(a), "t")
    with raises(FenceMismatch):
        await lab.store.append(a, data(b"x"), fencing_token="")


async def C11_a_token_tells_afterwards_whether_its_fence_landed(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("e1.aaaaaaaa")])
    task = asyncio.create_task(lab.store.append(a, [Fence("e2.bbbbbbbb")], fencing_token="e1.aaaaaaaa"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await lab.put(a, b"behind it, if it landed")

    async def agree() -> None:
        token = await lab.store.fencing_token(a)
        stored = await lab.store.read(a, FromSeq(0), include_commands=True)
        fences = [r.body.decode() for r in stored.records if r.kind == "fence"]
        expect_equal(token, fences[-1], "the token, and the last fence that stands")

    await eventually(agree)
