"""Read: R1 to R12, and time: T1 and T2."""

import asyncio

import pytest

from radio.streams.contract import (
    BeyondTail,
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    InvalidRequest,
    NewRecord,
    Position,
    StreamNotFound,
    Trim,
    Trimmed,
)
from tests.contract.kit import Kit, SqliteKit, data


async def test_R1_a_read_gives_a_contiguous_stretch_in_order(kit: Kit) -> None:
    await kit.put("a", *[b"%d" % n for n in range(10)])
    result = await kit.store.read("a", FromSeq(3), max_records=4)
    assert [r.seq for r in result.records] == [3, 4, 5, 6]
    assert [r.body for r in result.records] == [b"3", b"4", b"5", b"6"]
    assert result.next_seq == 7
    assert not result.gap


async def test_R1_commands_are_hidden_unless_asked_for(kit: Kit) -> None:
    await kit.store.append("a", [NewRecord(b"0"), Fence("t"), NewRecord(b"2")])
    hidden = await kit.store.read("a", FromSeq(0))
    shown = await kit.store.read("a", FromSeq(0), include_commands=True)
    assert [r.seq for r in hidden.records] == [0, 2]
    assert [r.seq for r in shown.records] == [0, 1, 2]
    assert hidden.next_seq == shown.next_seq == 3


async def test_R1_a_stretch_of_commands_alone_is_empty_and_passed_over(kit: Kit) -> None:
    await kit.store.append("a", [Fence("1"), Fence("2"), NewRecord(b"x")])
    result = await kit.store.read("a", FromSeq(0), max_records=2)
    assert result.records == ()
    assert result.next_seq > 0
    assert await kit.bodies("a") == [b"x"]


@pytest.mark.parametrize("max_records", [1, 2, 7, 1000])
async def test_R2_reading_on_at_next_seq_finds_every_record_once(kit: Kit, max_records: int) -> None:
    for number in range(20):
        await kit.store.append("a", [NewRecord(b"%d" % number), Fence(str(number))])
    found = []
    place = 0
    while place < 40:
        result = await kit.store.read("a", FromSeq(place), max_records=max_records)
        assert result.next_seq > place
        found += [r.body for r in result.records]
        place = result.next_seq
    assert found == [b"%d" % n for n in range(20)]


async def test_R3_at_the_tail_a_read_is_empty(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    result = await kit.store.read("a", FromSeq(2))
    assert (result.records, result.next_seq, result.gap) == ((), 2, False)


async def test_R4_above_the_tail_a_read_is_refused_unless_clamped(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    with pytest.raises(BeyondTail) as failed:
        await kit.store.read("a", FromSeq(3))
    assert failed.value.tail == Position(2, kit.clock.now_ms())
    result = await kit.store.read("a", FromSeq(1000), clamp=True)
    assert (result.records, result.next_seq, result.gap) == ((), 2, False)


async def test_R5_a_start_before_the_tail_counts_commands_and_stops_at_zero(kit: Kit) -> None:
    await kit.store.append("a", [NewRecord(b"0"), Fence("t"), NewRecord(b"2")])
    assert [r.seq for r in (await kit.store.read("a", FromTail(2))).records] == [2]
    assert [r.seq for r in (await kit.store.read("a", FromTail(99))).records] == [0, 2]
    nothing = await kit.store.read("a", FromTail(0))
    assert (nothing.records, nothing.next_seq) == ((), 3)


async def test_R6_below_the_first_record_a_read_starts_there_with_a_gap(kit: Kit) -> None:
    await kit.put("a", b"0", b"1", b"2")
    await kit.store.trim("a", 2)
    result = await kit.store.read("a", FromSeq(0))
    assert ([r.seq for r in result.records], result.gap, result.next_seq) == ([2], True, 4)
    at_it = await kit.store.read("a", FromSeq(2))
    assert ([r.seq for r in at_it.records], at_it.gap) == ([2], False)
    with pytest.raises(Trimmed) as failed:
        await kit.store.read("a", FromSeq(1), on_gap="raise")
    assert failed.value.first_seq in (2, None)


async def test_R6_if_all_is_gone_a_read_is_an_empty_gap_up_to_the_tail(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    await kit.store.trim("a", 1000)
    result = await kit.store.read("a", FromSeq(0))
    assert (result.records, result.gap, result.next_seq) == ((), True, 3)
    with pytest.raises(Trimmed):
        await kit.store.read("a", FromSeq(0), on_gap="raise")


async def test_R7_a_start_in_time_is_the_first_record_then_or_later(kit: Kit) -> None:
    start = kit.clock.now_ms()
    for _ in range(9):
        await kit.put("a", b"x", b"y")
        kit.clock.advance(10)
    for step in range(9):
        result = await kit.store.read("a", FromTimestamp(start + 10_000 * step))
        assert result.records[0].seq == 2 * step
        late = await kit.store.read("a", FromTimestamp(start + 10_000 * step - 1))
        assert late.records[0].seq == 2 * step
    after = await kit.store.read("a", FromTimestamp(start + 80_001))
    assert (after.records, after.next_seq, after.gap) == ((), 18, False)


async def test_R7_a_start_in_time_shows_no_gap_after_a_trim(kit: Kit) -> None:
    await kit.put("a", b"0", b"1", b"2")
    await kit.store.trim("a", 2)
    result = await kit.store.read("a", FromTimestamp(0), on_gap="raise")
    assert ([r.seq for r in result.records], result.gap) == ([2], False)


async def test_R8_limits_outside_their_range_are_refused(kit: Kit) -> None:
    await kit.put("a", b"x")
    for count in (-1, 0, 1001):
        with pytest.raises(InvalidRequest):
            await kit.store.read("a", FromSeq(0), max_records=count)
    for size in (-1, 0):
        with pytest.raises(InvalidRequest):
            await kit.store.read("a", FromSeq(0), max_bytes=size)
    with pytest.raises(InvalidRequest):
        await kit.store.read("a", FromSeq(-1))


async def test_R8_the_byte_limit_never_holds_back_the_first_record(kit: Kit) -> None:
    await kit.put("a", bytes(1000), bytes(1000), bytes(1000))
    assert len((await kit.store.read("a", FromSeq(0), max_bytes=1)).records) == 1
    assert len((await kit.store.read("a", FromSeq(1), max_bytes=2016)).records) == 2
    assert len((await kit.store.read("a", FromSeq(0), max_bytes=2016)).records) == 2
    assert len((await kit.store.read("a", FromSeq(0), max_bytes=2015)).records) == 1


async def test_R8_a_read_holds_at_most_a_mebibyte(kit: Kit) -> None:
    for _ in range(3):
        await kit.put("a", bytes(600_000))
    assert len((await kit.store.read("a", FromSeq(0), max_bytes=1 << 40)).records) == 1


async def test_R9_the_tail_of_a_result_is_not_below_its_next_seq(kit: Kit) -> None:
    await kit.put("a", *[b"x"] * 5)
    for start in (FromSeq(0), FromSeq(5), FromTail(2), FromTimestamp(0)):
        result = await kit.store.read("a", start, max_records=2)
        assert result.tail is None or result.tail.seq >= result.next_seq


async def test_R10_a_read_sees_all_that_was_acknowledged_before_it(kit: Kit) -> None:
    reader = await kit.another()
    for number in range(30):
        await kit.put("a", b"%d" % number)
        result = await reader.read("a", FromTail(1))
        assert result.records[0].body == b"%d" % number


async def test_R11_a_missing_stream_is_not_found_and_not_created(kit: Kit) -> None:
    store = kit.store
    with pytest.raises(StreamNotFound):
        await store.read("a", FromSeq(0))
    with pytest.raises(StreamNotFound):
        async with store.follow("a", FromSeq(0)) as tail:
            await anext(tail)
    with pytest.raises(StreamNotFound):
        await store.check_tail("a")
    with pytest.raises(StreamNotFound):
        await store.fencing_token("a")
    with pytest.raises(StreamNotFound):
        await store.trim("a", 5)
    with pytest.raises(StreamNotFound):
        await store.delete("a", missing_ok=False)
    assert (await store.list()).items == ()
    assert (await kit.put("a", b"x")).start.seq == 0


async def test_R12_a_trim_beside_reads_never_takes_a_record_above_its_point(kit: Kit) -> None:
    reader = await kit.another()
    await kit.put("a", *[b"%d" % n for n in range(500)])
    point = 0

    async def trim() -> None:
        nonlocal point
        for cut in range(25, 500, 25):
            point = cut
            await kit.store.trim("a", cut)

    async with asyncio.TaskGroup() as tasks:
        trimming = tasks.create_task(trim())
        while not trimming.done():
            result = await reader.read("a", FromSeq(0))
            bodies = [r.body for r in result.records]
            assert bodies == [b"%d" % r.seq for r in result.records]
            assert {b"%d" % n for n in range(point, 500)} <= set(bodies)
    result = await reader.read("a", FromSeq(475))
    assert [r.body for r in result.records] == [b"%d" % n for n in range(475, 500)]


async def test_T1_a_timestamp_is_the_stores_now_or_what_the_writer_said_before_it(kit: Kit) -> None:
    now = kit.clock.now_ms()
    await kit.store.append(
        "a",
        [
            NewRecord(b"old", timestamp=now - 5000),
            NewRecord(b"older", timestamp=now - 9000),
            NewRecord(b"unsaid"),
            NewRecord(b"future", timestamp=now + 60_000),
        ],
    )
    assert [r.timestamp for r in await kit.everything("a")] == [now - 5000, now - 5000, now, now]


async def test_T1_commands_have_timestamps_too(kit: Kit) -> None:
    await kit.store.append("a", [NewRecord(b"x", timestamp=7), Fence("t"), Trim(0)])
    stored = await kit.everything("a", include_commands=True)
    assert [r.timestamp for r in stored] == [7, kit.clock.now_ms(), kit.clock.now_ms()]


async def test_T2_a_clock_set_back_never_makes_timestamps_go_down(kit: Kit) -> None:
    before = kit.clock.now_ms()
    await kit.put("a", b"x")
    kit.clock.step(-3600)
    ack = await kit.put("a", b"y")
    await kit.put("other", b"z")
    assert ack.start.timestamp == before
    assert [r.timestamp for r in await kit.everything("a")] == [before, before]
    assert (await kit.store.check_tail("other")).timestamp == before - 3_600_000
    assert (await kit.store.read("a", FromTimestamp(before))).records[0].seq == 0


async def test_T2_a_restart_under_a_clock_set_back_keeps_timestamps_up(sqlite: SqliteKit) -> None:
    before = sqlite.clock.now_ms()
    await sqlite.put("a", b"x")
    sqlite.clock.step(-3600)
    await sqlite.reopen()
    await sqlite.store.append("a", data(b"y"))
    assert [r.timestamp for r in await sqlite.everything("a")] == [before, before]
