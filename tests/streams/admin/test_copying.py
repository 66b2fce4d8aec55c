"""A copy of a store: every number, command, timestamp and fence, however often it was interrupted."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.clock import ManualClock
from radio.streams import names, records
from radio.streams.admin.copying import CopyFailed, CopyRefused, copy, refuse_unfinished
from radio.streams.admin.copying.record_copy import batches, fillers
from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    Record,
    StreamStore,
    Trim,
    Unavailable,
)
from radio.streams.job_cursor import Cursor
from radio.streams.listing import every_name
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore
from tests.contract.kit import data

Looks = dict[str, tuple[list[Record], int, int, str]]


def untold(stage: str, count: int, total: int) -> None:
    """Nobody watches."""


async def looks(store: StreamStore) -> Looks:
    """Each copied stream: what stands with commands, its tail and its token."""
    found: Looks = {}
    for name in await every_name(store):
        if name.startswith(("meta/", "member/", "check/")):
            continue
        tail = await store.check_tail(name)
        stands: list[Record] = []
        place = 0
        while place < tail.seq:
            page = await store.read(name, FromSeq(place), include_commands=True)
            stands += page.records
            place = page.next_seq
        found[name] = (stands, tail.seq, tail.timestamp, await store.fencing_token(name))
    return found


times = st.none() | st.integers(1_799_999_990_000, 1_800_000_100_000)
items = st.one_of(
    st.builds(NewRecord, st.binary(max_size=6), st.sampled_from([(), ((b"e", b"x"),)]), times),
    st.builds(Fence, st.sampled_from(["t", "u", ""]), times),
    st.builds(Trim, st.integers(0, 12), times),
)
appends = st.lists(
    st.tuples(st.sampled_from(["a", "b"]), st.lists(items, min_size=1, max_size=4)), max_size=12
)


@given(appends)
@settings(max_examples=150)
def test_whatever_was_appended_the_copy_is_the_same(done: list[tuple[str, list[Appendable]]]) -> None:
    async def run() -> None:
        clock = ManualClock()
        source, target = MemoryStore(clock), MemoryStore(clock)
        for name, batch in done:
            await source.append(name, batch)
            clock.advance(3)
        clock.advance(1000)
        report = await copy(source, target, untold)
        assert await looks(target) == await looks(source)
        assert report.moved == 0

    asyncio.run(run())


class Failing(MemoryStore):
    """Answers no more after so many appends, until told."""

    left = 1 << 30

    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        if self.left == 0:
            raise Unavailable("no answer")
        self.left -= 1
        return await super().append(name, records, **how)


async def filled(clock: ManualClock) -> MemoryStore:
    """A store with all that a copy must mind."""
    store = MemoryStore(clock)
    await store.append(
        "pub/stations/harbor", [Fence("e1.aaaaaaaa"), *data(*[b"%d" % n for n in range(2500 - 1501)])]
    )
    for _ in range(2):
        await store.append("pub/stations/harbor", data(*[b"x" * 50] * 1000))
    await store.trim("pub/stations/harbor", 2100)
    await store.append("pub/casts/gone", [NewRecord(b"x"), Trim(99), Fence("free.1")])
    await store.append("pub/casts/gone", [Trim(99)])
    await store.append("jobs", data(b"0", b"1", b"2"))
    await Cursor(store).advance(2)
    clock.advance(60)
    for n in range(3):
        await store.append("big", [NewRecord(bytes([n]) * 700_000)])
    await store.append(names.member("aaaaaaaa"), data(b"beat"))
    await store.append("check/killed/a", data(b"left"))
    clock.advance(60)
    return store


async def test_numbers_commands_timestamps_and_fences_are_the_same_on_another_kind_of_store(
    tmp_path: Path,
) -> None:
    clock = ManualClock()
    source = await filled(clock)
    target = await SqliteStore.open(tmp_path / "radio.sqlite3", clock)
    try:
        report = await copy(source, target, untold)
        mine, theirs = await looks(source), await looks(target)
        assert mine.pop("jobs/_cursor")[1:] == theirs.pop("jobs/_cursor")[1:]
        assert theirs == mine
        assert (report.streams, report.moved) == (5, 0)
        assert report.records == sum(len(stands) for stands, *_ in mine.values()) + 1
        at = mine["big"][0][1].timestamp
        assert (await target.read("big", FromTimestamp(at))).records[0].seq == 0
    finally:
        await target.close()


async def test_a_cursor_goes_on_in_the_copy_and_one_of_a_third_store_stays_as_it_is() -> None:
    clock = ManualClock()
    source, target = await filled(clock), MemoryStore(clock)
    await copy(source, target, untold)
    assert await Cursor(target).read() == 2
    assert await Cursor(target).advance(3) == 3
    third = records.encode(records.CursorMark(store="another", next=9))
    lost, copied = MemoryStore(clock), MemoryStore(clock)
    await lost.append("jobs/_cursor", [third])
    await copy(lost, copied, untold)
    (stands,) = (await copied.read("jobs/_cursor", FromTail(1))).records
    assert stands.body == third.body


def test_no_other_kind_of_record_carries_the_id_of_a_store() -> None:
    """`source` of a copy's own marks is not copied."""
    from tests.streams.samples import KINDS

    carry = {kind for kind in KINDS if {"store", "store_id"} & set(kind.__dataclass_fields__)}
    assert carry == {records.CursorMark}


async def test_what_belongs_to_processes_and_to_the_store_itself_is_not_copied() -> None:
    clock = ManualClock()
    source, target = await filled(clock), MemoryStore(clock)
    await copy(source, target, untold)
    assert [n for n in await every_name(target) if n.startswith(("member/", "check/"))] == []


async def test_an_interrupted_copy_is_continued_wherever_it_stopped() -> None:
    clock = ManualClock()
    source = await filled(clock)
    expected = await looks(source)
    del expected["jobs/_cursor"]
    steps = 0
    whole = False
    while not whole:
        steps += 1
        target = Failing(clock)
        target.left = steps
        try:
            await copy(source, target, untold)
            whole = True
        except* Unavailable:
            target.left = 1 << 30
            with pytest.raises(CopyRefused, match="unfinished copy"):
                await refuse_unfinished(target)
            await copy(source, target, untold)
        await refuse_unfinished(target)
        stands = await looks(target)
        del stands["jobs/_cursor"]
        assert stands == expected
        assert await Cursor(target).read() == 2
    assert steps > 10


async def interrupted(source: StreamStore, clock: ManualClock, after: int) -> Failing:
    target = Failing(clock)
    target.left = after
    with pytest.raises(ExceptionGroup):
        await copy(source, target, untold)
    target.left = 1 << 30
    return target


async def test_what_the_source_wrote_trimmed_and_deleted_meanwhile_is_so_in_the_copy() -> None:
    clock = ManualClock()
    source = await filled(clock)
    target = await interrupted(source, clock, 9)
    assert "jobs" in await every_name(target)
    await source.append("jobs", data(b"3"))
    await source.delete("pub/casts/gone")
    await source.trim("pub/stations/harbor", 1 << 40)
    await source.append("pub/stations/harbor", data(b"new"))
    await copy(source, target, untold)
    mine, theirs = await looks(source), await looks(target)
    for of_both in (mine, theirs):
        del of_both["jobs/_cursor"]
    assert theirs == mine


async def test_a_store_that_holds_anything_else_is_refused_and_left_alone() -> None:
    clock = ManualClock()
    source, target = await filled(clock), MemoryStore(clock)
    await target.append("jobs", data(b"mine"))
    with pytest.raises(CopyRefused, match="holds 1 streams") as refused:
        await copy(source, target, untold)
    assert refused.value.hint
    assert await every_name(target) == ["jobs"]


async def test_an_unfinished_copy_of_another_store_or_one_that_was_used_is_refused() -> None:
    clock = ManualClock()
    source = await filled(clock)
    target = await interrupted(source, clock, 5)
    with pytest.raises(CopyRefused, match="a copy of the store"):
        await copy(await filled(clock), target, untold)
    await target.append(names.member("bbbbbbbb"), data(b"beat"))
    with pytest.raises(CopyRefused, match="processes of a radio"):
        await copy(source, target, untold)
    await target.delete(names.member("bbbbbbbb"))
    (first, *_) = await looks(target)
    await target.append(first, data(b"foreign"))
    with pytest.raises(CopyRefused, match=f"another {first}"):
        await copy(source, target, untold)


async def test_a_finished_copy_is_not_copied_onto_again() -> None:
    clock = ManualClock()
    source, target = await filled(clock), MemoryStore(clock)
    await copy(source, target, untold)
    with pytest.raises(CopyRefused, match="finished before"):
        await copy(source, target, untold)
    with pytest.raises(CopyRefused, match="same store"):
        await copy(source, source, untold)


class Changing(MemoryStore):
    """Loses a byte on the way."""

    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        kept = [
            NewRecord(r.body[:5], r.headers, r.timestamp) if isinstance(r, NewRecord) else r for r in records
        ]
        return await super().append(name, kept if name == "big" else records, **how)


class Unfencing(MemoryStore):
    async def fencing_token(self, name: str) -> str:
        return "" if name == "pub/casts/gone" else await super().fencing_token(name)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (Changing, "big: record 0 is not the same"),
        (Unfencing, "pub/casts/gone: its token is '', not 'free.1'"),
    ],
)
async def test_a_copy_that_differs_fails_and_says_where(kind: type[MemoryStore], fault: str) -> None:
    clock = ManualClock()
    target = kind(clock)
    with pytest.raises(CopyFailed, match=fault):
        await copy(await filled(clock), target, untold)
    with pytest.raises(CopyRefused, match="unfinished"):
        await refuse_unfinished(target)


async def test_timestamps_that_the_new_store_has_bounded_are_counted() -> None:
    clock, late = ManualClock(), ManualClock(1_700_000_000_000)
    source = await filled(clock)
    report = await copy(source, MemoryStore(late), untold)
    assert report.moved == report.records > 0


async def test_someone_who_writes_to_the_copy_stops_it() -> None:
    clock = ManualClock()
    source = await filled(clock)

    class Busy(MemoryStore):
        async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
            ack = await super().append(name, records, **how)
            if name == "jobs":
                await super().append(name, data(b"foreign"))
            return ack

    with pytest.raises((CopyFailed, ExceptionGroup)) as failed:
        await copy(source, Busy(clock), untold)
    assert "jobs" in str(failed.value) or failed.group_contains(CopyRefused)


async def test_progress_is_told_up_to_the_whole() -> None:
    clock = ManualClock()
    told: dict[str, int] = {}
    totals = set()

    def tell(stage: str, count: int, total: int) -> None:
        told[stage] = told.get(stage, 0) + count
        totals.add(total)

    await copy(await filled(clock), MemoryStore(clock), tell)
    (total,) = totals
    assert told == {"copying": total, "checking": total}


@given(st.integers(0, 5), st.integers(0, 2500), st.sampled_from(["", "t"]))
def test_fillers_take_every_number_once_and_leave_nothing_but_the_fence(
    place: int, count: int, token: str
) -> None:
    found = list(fillers(place, place + count, token=token, timestamp=7))
    flat = [item for batch in found for item in batch]
    assert len(flat) == count
    assert all(item.timestamp == 7 for item in flat)
    assert [item.token for item in flat if isinstance(item, Fence)] == [token] * bool(token and count)
    for number, batch in enumerate(found):
        assert 1 <= len(batch) <= 1000
        end = place + sum(len(b) for b in found[: number + 1])
        if not (token and len(batch) == 1):
            assert batch[-1] == Trim(end, 7)


@given(st.lists(st.integers(0, 600_000), max_size=8))
def test_batches_hold_every_item_in_order_and_never_too_much(sizes: list[int]) -> None:
    sent: list[Appendable] = [NewRecord(bytes(size)) for size in sizes]
    found = list(batches(sent))
    assert [item for batch in found for item in batch] == sent
    assert all(
        sum(8 + len(r.body) for r in batch if isinstance(r, NewRecord)) <= (1 << 20) - 32 for batch in found
    )
