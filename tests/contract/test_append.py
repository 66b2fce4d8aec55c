"""Append: A1 to A11. What several processes see is in `test_processes`, lost replies in `test_faults`."""

import asyncio
from collections.abc import Sequence

import pytest

from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    FromSeq,
    NewRecord,
    Position,
    SeqMismatch,
    Trim,
)
from radio.streams.writer import CoalescingWriter
from tests.contract.kit import Kit, data


async def test_A1_appending_to_a_missing_stream_creates_it(kit: Kit) -> None:
    ack = await kit.put("a", b"x", b"y")
    assert ack.start.seq == 0
    assert [info.name for info in (await kit.store.list()).items] == ["a"]


async def test_A2_numbers_are_dense_and_commands_count(kit: Kit) -> None:
    first = await kit.store.append("a", [NewRecord(b"0"), Fence("t"), NewRecord(b"2"), Trim(0)])
    second = await kit.put("a", b"4", b"5")
    assert (first.start.seq, first.end.seq) == (0, 4)
    assert (second.start.seq, second.end.seq) == (4, 6)
    stored = await kit.everything("a", include_commands=True)
    assert [r.seq for r in stored] == [0, 1, 2, 3, 4, 5]
    assert [r.kind for r in stored] == ["data", "fence", "data", "trim", "data", "data"]


async def test_A2_a_command_holds_its_token_or_its_trim_point_and_no_header(kit: Kit) -> None:
    await kit.store.append("a", [NewRecord(b"0"), Fence("tök"), Trim(1)])
    stored = await kit.everything("a", include_commands=True)
    assert [(r.kind, r.body, r.headers) for r in stored] == [
        ("fence", "tök".encode(), ()),
        ("trim", bytes([0, 0, 0, 0, 0, 0, 0, 1]), ()),
    ]


async def test_A3_no_tail_ever_falls_inside_a_batch(kit: Kit) -> None:
    reader = await kit.another()
    await kit.put("a", b"first")
    seen = set()

    async def write() -> None:
        for _ in range(20):
            await kit.put("a", *[b"x"] * 7)

    async with asyncio.TaskGroup() as tasks:
        writing = tasks.create_task(write())
        while not writing.done():
            seen.add((await reader.check_tail("a")).seq)
    assert {(seq - 1) % 7 for seq in seen} == {0}


async def test_A3_a_batch_of_which_one_record_is_bad_leaves_nothing(kit: Kit) -> None:
    with pytest.raises(ValueError, match="header"):
        await kit.store.append("a", [NewRecord(b"good"), NewRecord(b"bad", ((b"", b""),))])
    assert (await kit.put("a", b"x")).start.seq == 0


async def test_A4_the_tail_of_an_ack_is_not_below_its_end(kit: Kit) -> None:
    acks = await asyncio.gather(*(kit.put("a", b"x", b"y") for _ in range(20)))
    assert all(ack.tail.seq >= ack.end.seq for ack in acks)


async def test_A5_an_ack_carries_the_timestamps_of_its_first_and_last_record(kit: Kit) -> None:
    now = kit.clock.now_ms()
    ack = await kit.store.append("a", [NewRecord(b"x", timestamp=5), NewRecord(b"y"), NewRecord(b"z")])
    assert (ack.start, ack.end) == (Position(0, 5), Position(3, now))
    assert [r.timestamp for r in await kit.everything("a")] == [5, now, now]


async def test_A6_what_was_acknowledged_is_seen_by_every_handle(kit: Kit) -> None:
    other = await kit.another()
    for number in range(30):
        ack = await kit.put("a", b"%d" % number)
        assert (await other.check_tail("a")).seq >= ack.end.seq
        result = await other.read("a", FromSeq(ack.start.seq))
        assert result.records[0].body == b"%d" % number


async def test_A7_two_awaited_appends_of_one_caller_keep_their_order(kit: Kit) -> None:
    places = [(await kit.put("a", b"%d" % n)).start.seq for n in range(10)]
    assert places == sorted(places)
    assert await kit.bodies("a") == [b"%d" % n for n in range(10)]


async def test_A8_a_coalescing_writer_keeps_one_exact_append_in_flight(kit: Kit) -> None:
    seen: list[tuple[int, int | None, str | None]] = []
    in_flight = 0

    class Watched:
        async def append(
            self,
            name: str,
            records: Sequence[Appendable],
            *,
            match_seq_num: int | None = None,
            fencing_token: str | None = None,
        ) -> AppendAck:
            nonlocal in_flight
            in_flight += 1
            assert in_flight == 1
            seen.append((len(records), match_seq_num, fencing_token))
            ack = await kit.store.append(
                name, records, match_seq_num=match_seq_num, fencing_token=fencing_token
            )
            in_flight -= 1
            return ack

    await kit.store.append("a", [Fence("mine")])
    writer = CoalescingWriter(Watched(), "a", fencing_token="mine", start_at=1)  # type: ignore[arg-type]
    await asyncio.gather(*(writer.append(NewRecord(b"%d" % n)) for n in range(50)))
    await writer.close()
    assert await kit.bodies("a") == [b"%d" % n for n in range(50)]
    assert sum(count for count, _, _ in seen) == 50
    assert len(seen) < 50
    assert [place for _, place, _ in seen] == [1 + sum(c for c, _, _ in seen[:i]) for i in range(len(seen))]
    assert {token for _, _, token in seen} == {"mine"}


async def test_A9_an_append_at_a_place_that_is_taken_writes_nothing(kit: Kit) -> None:
    await kit.store.append("a", data(b"x"), match_seq_num=0)
    with pytest.raises(SeqMismatch):
        await kit.store.append("a", data(b"x"), match_seq_num=0)
    assert await kit.bodies("a") == [b"x"]


async def test_A11_cancelling_an_append_leaves_no_torn_batch_and_a_usable_store(kit: Kit) -> None:
    for round_number in range(20):
        task = asyncio.create_task(kit.put("a", *[b"%d" % round_number] * 5))
        for _ in range(round_number % 4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    await kit.put("a", *[b"end"] * 5)
    bodies = await kit.bodies("a")
    assert bodies[-5:] == [b"end"] * 5
    assert len(bodies) % 5 == 0
    assert all(len(set(bodies[i : i + 5])) == 1 for i in range(0, len(bodies), 5))
