"""The watermark of finished jobs: up, never down, of this store alone."""

import asyncio

import pytest

from radio.streams import names, records
from radio.streams.contract import Fence, FromSeq, StoreChanged, StreamStore
from radio.streams.job_cursor import KEEP, TRIM_EVERY, Cursor


async def test_a_cursor_stands_at_zero_before_its_first_mark(store: StreamStore) -> None:
    assert await Cursor(store).read() == 0
    assert (await store.list()).items == ()


async def test_a_cursor_goes_up_and_never_down(store: StreamStore) -> None:
    cursor = Cursor(store)
    assert await cursor.advance(7) == 7
    assert await cursor.advance(3) == 7
    assert await cursor.advance(7) == 7
    assert await Cursor(store).read() == 7
    assert (await store.check_tail(names.JOBS_CURSOR)).seq == 1


async def test_a_cursor_moved_by_many_at_once_ends_at_the_highest(store: StreamStore) -> None:
    targets = [3, 9, 1, 14, 6, 12, 14, 2]
    stood = await asyncio.gather(*(Cursor(store).advance(target) for target in targets))
    assert all(stands >= target for stands, target in zip(stood, targets, strict=True))
    assert await Cursor(store).read() == 14
    marks = [
        records.decode(records.CURSOR, r) for r in (await store.read(names.JOBS_CURSOR, FromSeq(0))).records
    ]
    places = [mark.next for mark in marks if isinstance(mark, records.CursorMark)]
    assert places == sorted(set(places))


@pytest.mark.parametrize("commands", [1, 8, 20])
async def test_a_mark_is_found_behind_commands(store: StreamStore, commands: int) -> None:
    await Cursor(store).advance(5)
    await store.append(names.JOBS_CURSOR, [Fence(str(n)) for n in range(commands)])
    assert await Cursor(store).read() == 5
    assert await Cursor(store).advance(6) == 6


async def test_a_stream_of_commands_alone_is_a_cursor_at_zero(store: StreamStore) -> None:
    await store.append(names.JOBS_CURSOR, [Fence("t")])
    assert await Cursor(store).read() == 0
    assert await Cursor(store).advance(2) == 2


async def test_a_mark_of_another_store_is_refused(store: StreamStore) -> None:
    mark = records.CursorMark(store="another", next=9)
    await store.append(names.JOBS_CURSOR, [records.encode(mark)])
    with pytest.raises(StoreChanged) as failed:
        await Cursor(store).read()
    assert (failed.value.expected, failed.value.actual) == ("another", await store.store_id())


async def test_a_mark_of_another_store_is_overwritten_with_a_warning(
    store: StreamStore, caplog: pytest.LogCaptureFixture
) -> None:
    mark = records.CursorMark(store="another", next=9)
    await store.append(names.JOBS_CURSOR, [records.encode(mark)])
    assert await Cursor(store).advance(2) == 2
    assert await Cursor(store).read() == 2
    assert await Cursor(store).advance(3) == 3
    assert [r.__dict__.get("action") for r in caplog.records] == ["cursor.overwritten"]


async def test_old_marks_are_trimmed_now_and_then(store: StreamStore) -> None:
    cursor = Cursor(store)
    for target in range(1, TRIM_EVERY + 2):
        await cursor.advance(target)
    stands = await store.read(names.JOBS_CURSOR, FromSeq(0))
    assert KEEP <= len(stands.records) <= KEEP + 2
    assert await cursor.read() == TRIM_EVERY + 1
