"""Append: A1 to A11, as one process sees it without faults."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from radio.streams.conformance.expectations import eventually_equal, expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, data, numbered
from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    FromSeq,
    Headers,
    NewRecord,
    SeqMismatch,
    StreamStore,
    Trim,
)
from radio.streams.writer import CoalescingWriter


async def A1_appending_to_a_missing_stream_creates_it(lab: Lab) -> None:
    ack = await lab.put(lab.name("a"), b"x", b"y")
    expect_equal(ack.start.seq, 0)
    expect_equal(await lab.names(), ["a"])


async def A2_numbers_are_dense_and_commands_count(lab: Lab) -> None:
    a = lab.name("a")
    first = await lab.store.append(a, [NewRecord(b"0"), Fence("t"), NewRecord(b"2"), Trim(0)])
    second = await lab.put(a, b"4", b"5")
    expect_equal((first.start.seq, first.end.seq), (0, 4))
    expect_equal((second.start.seq, second.end.seq), (4, 6))
    stored = await lab.everything(a, include_commands=True)
    expect_equal([r.seq for r in stored], [0, 1, 2, 3, 4, 5])
    expect_equal([r.kind for r in stored], ["data", "fence", "data", "trim", "data", "data"])


async def A2_a_command_holds_its_token_or_its_trim_point_and_no_header(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [NewRecord(b"0"), Fence("tök"), Trim(1)])

    async def stands() -> list[tuple[str, bytes, Headers]]:
        return [(r.kind, r.body, r.headers) for r in await lab.everything(a, include_commands=True)]

    point = bytes([0, 0, 0, 0, 0, 0, 0, 1])
    await eventually_equal(stands, [("fence", "tök".encode(), ()), ("trim", point, ())])


async def A3_no_tail_ever_falls_inside_a_batch(lab: Lab) -> None:
    a = lab.name("a")
    reader = await lab.another()
    await lab.put(a, b"first")
    seen = set()

    async def write() -> None:
        for _ in range(20):
            await lab.put(a, *[b"x"] * 7)

    async with asyncio.TaskGroup() as tasks:
        writing = tasks.create_task(write())
        while not writing.done():
            seen.add((await reader.check_tail(a)).seq)
    expect_equal({(seq - 1) % 7 for seq in seen}, {0}, "records of a batch that were seen without the rest")


async def A3_a_batch_of_which_one_record_is_bad_leaves_nothing(lab: Lab) -> None:
    a = lab.name("a")
    with raises(ValueError) as refused:
        await lab.store.append(a, [NewRecord(b"good"), NewRecord(b"bad", ((b"", b""),))])
    expect("header" in str(refused.value), f"the error does not name the header: {refused.value}")
    expect_equal((await lab.put(a, b"x")).start.seq, 0)


async def A4_the_tail_of_an_ack_is_not_below_its_end(lab: Lab) -> None:
    a = lab.name("a")
    acks = await asyncio.gather(*(lab.put(a, b"x", b"y") for _ in range(20)))
    expect(all(ack.tail.seq >= ack.end.seq for ack in acks), "an ack has its tail below its end")


async def A5_an_ack_carries_the_timestamps_of_its_first_and_last_record(lab: Lab) -> None:
    a = lab.name("a")
    before = await lab.now_ms()
    ack = await lab.store.append(a, [NewRecord(b"x", timestamp=5), NewRecord(b"y"), NewRecord(b"z")])
    after = await lab.now_ms()
    expect_equal((ack.start.seq, ack.start.timestamp, ack.end.seq), (0, 5, 3))
    expect(before <= ack.end.timestamp <= after, "the last record's timestamp is not the store's now")
    stored = [r.timestamp for r in await lab.everything(a)]
    expect_equal((stored[0], stored[-1]), (ack.start.timestamp, ack.end.timestamp))
    expect_equal(stored, sorted(stored))
    expect(stored[1] >= before, "the second record's timestamp is not the store's now")


async def A6_what_was_acknowledged_is_seen_by_every_handle(lab: Lab) -> None:
    a = lab.name("a")
    other = await lab.another()
    for number in range(30):
        ack = await lab.put(a, b"%d" % number)
        expect((await other.check_tail(a)).seq >= ack.end.seq, "another handle sees an older tail")
        result = await other.read(a, FromSeq(ack.start.seq))
        expect_equal(result.records[0].body, b"%d" % number)


async def A7_two_awaited_appends_of_one_caller_keep_their_order(lab: Lab) -> None:
    a = lab.name("a")
    places = [(await lab.put(a, b"%d" % n)).start.seq for n in range(10)]
    expect_equal(places, sorted(places))
    expect_equal(await lab.bodies(a), numbered(*range(10)))


class _Watched:
    """Notes each append that a writer makes, and how many are in flight at once."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self._in_flight = 0
        self.most_in_flight = 0
        self.seen: list[tuple[int, int | None, str | None]] = []

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        self.seen.append((len(records), match_seq_num, fencing_token))
        ack = await self._store.append(
            name, records, match_seq_num=match_seq_num, fencing_token=fencing_token
        )
        self._in_flight -= 1
        return ack


async def A8_a_coalescing_writer_keeps_one_exact_append_in_flight(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("mine")])
    watched = _Watched(lab.store)
    writer = CoalescingWriter(watched, a, fencing_token="mine", start_at=1)  # type: ignore[arg-type]
    await asyncio.gather(*(writer.append(NewRecord(b"%d" % n)) for n in range(50)))
    await writer.close()
    seen = watched.seen
    expect_equal(await lab.bodies(a), numbered(*range(50)))
    expect_equal(watched.most_in_flight, 1, "appends in flight")
    expect_equal(sum(count for count, _, _ in seen), 50)
    expect(len(seen) < 50, "every record had an append of its own")
    expect_equal(
        [place for _, place, _ in seen], [1 + sum(c for c, _, _ in seen[:i]) for i in range(len(seen))]
    )
    expect_equal({token for _, _, token in seen}, {"mine"})


async def A9_an_append_at_a_place_that_is_taken_writes_nothing(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, data(b"x"), match_seq_num=0)
    with raises(SeqMismatch):
        await lab.store.append(a, data(b"x"), match_seq_num=0)
    expect_equal(await lab.bodies(a), [b"x"])


async def A11_cancelling_an_append_leaves_no_torn_batch_and_a_usable_store(lab: Lab) -> None:
    a = lab.name("a")
    for round_number in range(20):
        task = asyncio.create_task(lab.put(a, *[b"%d" % round_number] * 5))
        for _ in range(round_number % 4):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    await lab.put(a, *[b"end"] * 5)
    bodies = await lab.bodies(a)
    batches = [bodies[i : i + 5] for i in range(0, len(bodies), 5)]
    expect(all(len(b) == 5 and len(set(b)) == 1 for b in batches), f"a torn batch: {bodies}")
    times = Counter(batch[0] for batch in batches)
    expect_equal(times.pop(b"end"), 1, "batches after the cancelled ones")
    expect(set(times.values()) <= {1}, f"a cancelled append stands twice: {times}")
