"""Read: R1 to R12."""

import asyncio

from radio.streams.conformance.expectations import eventually, expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, data, numbered
from radio.streams.contract import (
    BeyondTail,
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    InvalidRequest,
    NewRecord,
    StreamNotFound,
    Trimmed,
)


async def R1_a_read_gives_a_contiguous_stretch_in_order(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, *numbered(*range(10)))
    result = await lab.store.read(a, FromSeq(3), max_records=4)
    expect_equal([r.seq for r in result.records], [3, 4, 5, 6])
    expect_equal([r.body for r in result.records], [b"3", b"4", b"5", b"6"])
    expect_equal(result.next_seq, 7)
    expect(not result.gap, "a gap where nothing was trimmed")


async def R1_commands_are_hidden_unless_asked_for(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [NewRecord(b"0"), Fence("t"), NewRecord(b"2")])
    hidden = await lab.store.read(a, FromSeq(0))
    shown = await lab.store.read(a, FromSeq(0), include_commands=True)
    expect_equal([r.seq for r in hidden.records], [0, 2])
    expect_equal([r.seq for r in shown.records], [0, 1, 2])
    expect_equal((hidden.next_seq, shown.next_seq), (3, 3))


async def R1_a_stretch_of_commands_alone_is_empty_and_passed_over(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("1"), Fence("2"), NewRecord(b"x")])
    result = await lab.store.read(a, FromSeq(0), max_records=2)
    expect_equal(result.records, ())
    expect(result.next_seq > 0, "no place to go on from")
    expect_equal(await lab.bodies(a), [b"x"])


async def R2_reading_on_at_next_seq_finds_every_record_once(lab: Lab) -> None:
    a = lab.name("a")
    for number in range(20):
        await lab.store.append(a, [NewRecord(b"%d" % number), Fence(str(number))])
    for max_records in (1, 2, 7, 1000):
        found = []
        place = 0
        while place < 40:
            result = await lab.store.read(a, FromSeq(place), max_records=max_records)
            expect(result.next_seq > place, f"no way on from {place}")
            found += [r.body for r in result.records]
            place = result.next_seq
        expect_equal(found, numbered(*range(20)), f"at most {max_records} at a time")


async def R3_at_the_tail_a_read_is_empty(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1")
    result = await lab.store.read(a, FromSeq(2))
    expect_equal((result.records, result.next_seq, result.gap), ((), 2, False))


async def R4_above_the_tail_a_read_is_refused_unless_clamped(lab: Lab) -> None:
    a = lab.name("a")
    ack = await lab.put(a, b"0", b"1")
    with raises(BeyondTail) as failed:
        await lab.store.read(a, FromSeq(3))
    expect_equal(failed.value.tail, ack.end)
    result = await lab.store.read(a, FromSeq(1000), clamp=True)
    expect_equal((result.records, result.next_seq, result.gap), ((), 2, False))


async def R5_a_start_before_the_tail_counts_commands_and_stops_at_zero(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [NewRecord(b"0"), Fence("t"), NewRecord(b"2")])
    expect_equal([r.seq for r in (await lab.store.read(a, FromTail(2))).records], [2])
    expect_equal([r.seq for r in (await lab.store.read(a, FromTail(99))).records], [0, 2])
    nothing = await lab.store.read(a, FromTail(0))
    expect_equal((nothing.records, nothing.next_seq), ((), 3))


async def R6_below_the_first_record_a_read_starts_there_with_a_gap(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1", b"2")
    await lab.store.trim(a, 2)

    async def starts_with_a_gap() -> None:
        result = await lab.store.read(a, FromSeq(0))
        expect_equal(([r.seq for r in result.records], result.gap, result.next_seq), ([2], True, 4))

    await eventually(starts_with_a_gap)
    at_it = await lab.store.read(a, FromSeq(2))
    expect_equal(([r.seq for r in at_it.records], at_it.gap), ([2], False))
    with raises(Trimmed) as failed:
        await lab.store.read(a, FromSeq(1), on_gap="raise")
    expect(failed.value.first_seq in (2, None), f"the first that stands is 2, not {failed.value.first_seq}")


async def R6_if_all_is_gone_a_read_is_an_empty_gap_up_to_the_tail(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1")
    await lab.store.trim(a, 1000)

    async def is_an_empty_gap() -> None:
        result = await lab.store.read(a, FromSeq(0), include_commands=True)
        expect_equal((result.records, result.gap, result.next_seq), ((), True, 3))

    await eventually(is_an_empty_gap)
    with raises(Trimmed):
        await lab.store.read(a, FromSeq(0), on_gap="raise")


async def R7_a_start_in_time_is_the_first_record_then_or_later(lab: Lab) -> None:
    a = lab.name("a")
    start = await lab.now_ms() - 1_000_000
    for step in range(9):
        when = start + 10_000 * step
        await lab.store.append(a, [NewRecord(b"x", timestamp=when), NewRecord(b"y", timestamp=when)])
    for step in range(9):
        result = await lab.store.read(a, FromTimestamp(start + 10_000 * step))
        expect_equal(result.records[0].seq, 2 * step)
        late = await lab.store.read(a, FromTimestamp(start + 10_000 * step - 1))
        expect_equal(late.records[0].seq, 2 * step)
    after = await lab.store.read(a, FromTimestamp(start + 80_001))
    expect_equal((after.records, after.next_seq, after.gap), ((), 18, False))


async def R7_a_start_in_time_shows_no_gap_after_a_trim(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"0", b"1", b"2")
    await lab.store.trim(a, 2)

    async def shows_no_gap() -> None:
        result = await lab.store.read(a, FromTimestamp(0), on_gap="raise")
        expect(not result.gap, "a start in time shows a gap")
        expect_equal([r.seq for r in result.records], [2])

    await eventually(shows_no_gap)


async def R8_limits_outside_their_range_are_refused(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"x")
    for count in (-1, 0, 1001):
        with raises(InvalidRequest):
            await lab.store.read(a, FromSeq(0), max_records=count)
    for size in (-1, 0):
        with raises(InvalidRequest):
            await lab.store.read(a, FromSeq(0), max_bytes=size)
    with raises(InvalidRequest):
        await lab.store.read(a, FromSeq(-1))


async def R8_the_byte_limit_never_holds_back_the_first_record(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, bytes(1000), bytes(1000), bytes(1000))
    for seq, max_bytes, count in ((0, 1, 1), (1, 2016, 2), (0, 2016, 2), (0, 2015, 1)):
        result = await lab.store.read(a, FromSeq(seq), max_bytes=max_bytes)
        expect_equal(len(result.records), count, f"records in {max_bytes} bytes from {seq}")


async def R8_a_read_holds_at_most_a_mebibyte(lab: Lab) -> None:
    a = lab.name("a")
    for _ in range(3):
        await lab.put(a, bytes(600_000))
    expect_equal(len((await lab.store.read(a, FromSeq(0), max_bytes=1 << 40)).records), 1)


async def R9_the_tail_of_a_result_is_not_below_its_next_seq(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, *[b"x"] * 5)
    for start in (FromSeq(0), FromSeq(5), FromTail(2), FromTimestamp(0)):
        result = await lab.store.read(a, start, max_records=2)
        expect(result.tail is None or result.tail.seq >= result.next_seq, f"not so for {start}: {result}")


async def R10_a_read_sees_all_that_was_acknowledged_before_it(lab: Lab) -> None:
    a = lab.name("a")
    reader = await lab.another()
    for number in range(30):
        await lab.put(a, b"%d" % number)
        result = await reader.read(a, FromTail(1))
        expect_equal(result.records[0].body, b"%d" % number)


async def R11_a_missing_stream_is_not_found_and_not_created(lab: Lab) -> None:
    a, store = lab.name("a"), lab.store
    with raises(StreamNotFound):
        await store.read(a, FromSeq(0))
    with raises(StreamNotFound):
        async with store.follow(a, FromSeq(0)) as tail:
            await anext(tail)
    with raises(StreamNotFound):
        await store.check_tail(a)
    with raises(StreamNotFound):
        await store.fencing_token(a)
    with raises(StreamNotFound):
        await store.trim(a, 5)
    with raises(StreamNotFound):
        await store.delete(a, missing_ok=False)
    expect_equal(await lab.names(), [])
    expect_equal((await lab.put(a, b"x")).start.seq, 0)


async def R12_a_trim_beside_reads_never_takes_a_record_above_its_point(lab: Lab) -> None:
    a = lab.name("a")
    reader = await lab.another()
    await lab.store.append(a, data(*numbered(*range(500))))
    point = 0

    async def trim() -> None:
        nonlocal point
        for cut in range(25, 500, 25):
            point = cut
            await lab.store.trim(a, cut)

    async with asyncio.TaskGroup() as tasks:
        trimming = tasks.create_task(trim())
        while not trimming.done():
            result = await reader.read(a, FromSeq(0))
            bodies = [r.body for r in result.records]
            expect_equal(bodies, [b"%d" % r.seq for r in result.records])
            missing = set(numbered(*range(point, 500))) - set(bodies)
            expect(not missing, f"trimmed at {point}, and these are gone: {sorted(missing)}")
    result = await reader.read(a, FromSeq(475))
    expect_equal([r.body for r in result.records], numbered(*range(475, 500)))
