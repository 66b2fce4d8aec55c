"""The owner's pen: order, whole calls, batches within the limits, one failure for all. And claims."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.clock import ManualClock
from radio.streams.call_checks import metered
from radio.streams.contract import (
    MAX_BATCH_BYTES,
    MAX_BATCH_RECORDS,
    AppendUncertain,
    Fence,
    FenceMismatch,
    FromSeq,
    InvalidRequest,
    NewRecord,
    SeqMismatch,
    StoreClosed,
    StreamNotFound,
    StreamStore,
    Unavailable,
)
from radio.streams.stores.memory import MemoryStore
from radio.streams.writer import CoalescingWriter, append_exact, claim
from tests.streams.slow import Gated


async def bodies(store: StreamStore, name: str = "a") -> list[bytes]:
    found: list[bytes] = []
    place = 0
    while True:
        result = await store.read(name, FromSeq(place))
        found += [r.body for r in result.records]
        if result.next_seq == place:
            return found
        place = result.next_seq


def pen(store: StreamStore, start_at: int = 0, token: str = "") -> CoalescingWriter:
    return CoalescingWriter(store, "a", fencing_token=token, start_at=start_at)


async def test_what_is_appended_has_the_order_of_the_calls(store: StreamStore) -> None:
    writer = pen(store)
    acks = await asyncio.gather(*(writer.append(NewRecord(b"%d" % n)) for n in range(200)))
    await writer.close()
    assert await bodies(store) == [b"%d" % n for n in range(200)]
    assert [(ack.start.seq, ack.end.seq) for ack in acks] == [(n, n + 1) for n in range(200)]


async def test_the_next_number_counts_what_is_queued(store: StreamStore) -> None:
    gated = Gated(store)
    gated.gate.clear()
    writer = pen(gated)
    calls = [asyncio.create_task(writer.append(*[NewRecord(b"x")] * 3)) for _ in range(2)]
    await asyncio.sleep(0)
    assert writer.next_seq == 6
    gated.gate.set()
    acks = await asyncio.gather(*calls)
    assert [(ack.start.seq, ack.end.seq) for ack in acks] == [(0, 3), (3, 6)]
    await writer.close()


async def test_what_comes_while_an_append_is_in_flight_shares_the_next(store: StreamStore) -> None:
    gated = Gated(store)
    gated.gate.clear()
    writer = pen(gated)
    first = asyncio.create_task(writer.append(NewRecord(b"first")))
    await gated.begun.wait()
    rest = [asyncio.create_task(writer.append(NewRecord(b"%d" % n))) for n in range(10)]
    await asyncio.sleep(0)
    assert len(gated.batches) == 1
    gated.gate.set()
    await asyncio.gather(first, *rest)
    await writer.close()
    assert [len(batch) for batch in gated.batches] == [1, 10]
    assert gated.places == [0, 1]
    assert set(gated.tokens) == {""}


sizes = st.lists(
    st.lists(st.sampled_from([0, 1, 5000, 300_000, 1_000_000]), min_size=1, max_size=3),
    min_size=1,
    max_size=12,
).map(lambda calls: [call for call in calls if sum(call) + 8 * len(call) <= MAX_BATCH_BYTES])


@given(sizes)
def test_batches_hold_whole_calls_and_stay_within_the_limits(calls: list[list[int]]) -> None:
    async def write() -> None:
        gated = Gated(MemoryStore(ManualClock()))
        writer = pen(gated)
        await asyncio.gather(*(writer.append(*[NewRecord(bytes(size)) for size in call]) for call in calls))
        await writer.close()
        assert all(sum(map(metered, batch)) <= MAX_BATCH_BYTES for batch in gated.batches)
        written = [len(r.body) for batch in gated.batches for r in batch if isinstance(r, NewRecord)]
        assert written == [size for call in calls for size in call]
        ends = {sum(map(len, calls[:n])) for n in range(1, len(calls) + 1)}
        assert {sum(map(len, gated.batches[:n])) for n in range(1, len(gated.batches) + 1)} <= ends

    asyncio.run(write())


async def test_a_batch_holds_at_most_a_thousand_records(store: StreamStore) -> None:
    gated = Gated(store)
    gated.gate.clear()
    writer = pen(gated)
    calls = [asyncio.create_task(writer.append(*[NewRecord(b"")] * 600)) for _ in range(4)]
    await asyncio.sleep(0)
    gated.gate.set()
    await asyncio.gather(*calls)
    await writer.close()
    assert sum(map(len, gated.batches)) == 2400
    assert max(map(len, gated.batches)) <= MAX_BATCH_RECORDS


async def test_a_call_that_no_append_could_hold_is_refused_and_the_writer_goes_on(store: StreamStore) -> None:
    writer = pen(store)
    with pytest.raises(InvalidRequest):
        await writer.append(NewRecord(bytes(MAX_BATCH_BYTES)))
    with pytest.raises(InvalidRequest):
        await writer.append()
    assert writer.next_seq == 0
    await writer.append(NewRecord(b"fine"))
    await writer.close()
    assert await bodies(store) == [b"fine"]


@pytest.mark.parametrize(
    "failure", [SeqMismatch(7), FenceMismatch("e2.other"), Unavailable("disk full"), AppendUncertain("lost")]
)
async def test_the_first_failure_fails_all_that_is_queued_and_the_writer(
    store: StreamStore, failure: Exception
) -> None:
    gated = Gated(store)
    gated.gate.clear()
    gated.failures = [failure]
    writer = pen(gated)
    calls = [asyncio.create_task(writer.append(NewRecord(b"%d" % n))) for n in range(5)]
    await gated.begun.wait()
    gated.gate.set()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert results == [failure] * 5
    with pytest.raises(type(failure)):
        await writer.append(NewRecord(b"late"))
    await writer.close()
    assert len(gated.batches) == 1
    with pytest.raises(StreamNotFound):
        await store.check_tail("a")


async def test_an_owner_whose_stream_was_taken_is_refused(store: StreamStore) -> None:
    await store.append("a", [Fence("e1.aaaaaaaa")])
    writer = pen(store, start_at=1, token="e1.aaaaaaaa")
    await writer.append(NewRecord(b"mine"))
    await store.append("a", [Fence("e2.bbbbbbbb")], fencing_token="e1.aaaaaaaa")
    with pytest.raises(FenceMismatch):
        await writer.append(NewRecord(b"late"))
    await writer.close()
    assert await bodies(store) == [b"mine"]


async def test_a_cancelled_append_neither_stops_the_writer_nor_the_others(store: StreamStore) -> None:
    gated = Gated(store)
    gated.gate.clear()
    writer = pen(gated)
    calls = [asyncio.create_task(writer.append(NewRecord(b"%d" % n))) for n in range(4)]
    await asyncio.sleep(0)
    calls[0].cancel()
    calls[2].cancel()
    await asyncio.wait([calls[0], calls[2]])
    gated.gate.set()
    acks = await asyncio.gather(calls[1], calls[3])
    assert [ack.start.seq for ack in acks] == [1, 3]
    await writer.close()
    assert await bodies(store) == [b"0", b"1", b"2", b"3"]


async def test_close_waits_for_what_is_queued_and_refuses_more(store: StreamStore) -> None:
    writer = pen(store)
    calls = [asyncio.create_task(writer.append(NewRecord(b"%d" % n))) for n in range(5)]
    await asyncio.sleep(0)
    await writer.close()
    assert await bodies(store) == [b"%d" % n for n in range(5)]
    await asyncio.gather(*calls)
    with pytest.raises(StoreClosed):
        await writer.append(NewRecord(b"x"))
    await writer.close()


async def test_an_exact_append_is_tried_again_while_the_store_is_unavailable(store: StreamStore) -> None:
    gated = Gated(store)
    gated.failures = [Unavailable("busy"), Unavailable("busy")]
    ack = await append_exact(gated, "a", [NewRecord(b"x")], match_seq_num=0)
    assert ack.end.seq == 1
    assert gated.places == [0, 0, 0]
    with pytest.raises(SeqMismatch):
        await append_exact(store, "a", [NewRecord(b"x")], match_seq_num=0)
    gated.failures = [AppendUncertain("lost")]
    with pytest.raises(AppendUncertain):
        await append_exact(gated, "a", [NewRecord(b"y")], match_seq_num=1)


async def test_a_name_can_be_claimed_once(store: StreamStore) -> None:
    won = await asyncio.gather(*(claim(store, "a", [NewRecord(b"%d" % n)]) for n in range(6)))
    assert sum(won) == 1
    assert await bodies(store) == [b"%d" % won.index(True)]
    assert not await claim(store, "a", [NewRecord(b"late")], fencing_token="")


async def test_a_stream_that_has_an_owner_cannot_be_claimed(store: StreamStore) -> None:
    await store.append("a", [Fence("e1.aaaaaaaa")])
    assert not await claim(store, "a", [NewRecord(b"late")], fencing_token="")
    assert await bodies(store) == []
