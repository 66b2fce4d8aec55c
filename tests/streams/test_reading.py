"""`radio.streams.reading` on the memory store and on SQLite."""

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.streams import names, reading, records
from radio.streams.contract import (
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    StreamNotFound,
    StreamStore,
    Trim,
)
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore

NAME = names.JOBS
UNKNOWN = NewRecord(headers=((b"e", b"from the future"), (b"v", b"1")), body=b"{}")


@pytest.fixture(params=["memory", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[StreamStore]:
    opened: StreamStore
    if request.param == "memory":
        opened = MemoryStore(SystemClock())
    else:
        opened = await SqliteStore.open(tmp_path / "radio.sqlite3", SystemClock())
    yield opened
    await opened.close()


@pytest.fixture(autouse=True)
def nothing_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_unknown", type(reading._unknown)())


def job(cast: str) -> NewRecord:
    return records.encode(records.Job(cast=cast))


async def jobs(store: StreamStore, start: FromSeq | FromTail | FromTimestamp = reading.BEGIN) -> list[str]:
    events = reading.all_events(store, records.JOBS, NAME, start)
    return [event.cast async for _, event in events if isinstance(event, records.Job)]


async def test_a_missing_stream_holds_nothing(store: StreamStore) -> None:
    assert [r async for r in reading.all_records(store, NAME)] == []
    assert await reading.newest_events(store, records.JOBS, NAME) == []
    assert await reading.tail_of(store, NAME) == 0
    with pytest.raises(StreamNotFound):
        await anext(reading.pages(store, NAME, must_exist=True))


async def test_all_is_read_whatever_the_pages(store: StreamStore) -> None:
    for first in range(0, 2500, 500):
        await store.append(NAME, [job(f"c{first + n}") for n in range(500)])
    assert await jobs(store) == [f"c{n}" for n in range(2500)]
    some = [page async for page in reading.pages(store, NAME, FromSeq(3), end=40, max_records=10)]
    assert [record.seq for page in some for record in page.records] == [*range(3, 43)]
    assert [r.seq async for r in reading.all_records(store, NAME, FromSeq(1990), end=2010)] == [
        *range(1990, 2010)
    ]
    assert await reading.tail_of(store, NAME) == 2500


async def test_commands_are_passed_over(store: StreamStore) -> None:
    await store.append(NAME, [job("a"), Fence("e1.x")])
    await store.append(NAME, [job("b")], fencing_token="e1.x")
    assert await jobs(store) == ["a", "b"]
    newest = await reading.newest_events(store, records.JOBS, NAME)
    assert [seq for seq, _ in newest] == [0, 2]


async def test_what_was_trimmed_is_a_gap_and_reading_goes_on(store: StreamStore) -> None:
    await store.append(NAME, [job(f"c{n}") for n in range(6)])
    await store.append(NAME, [Trim(4)])
    assert await jobs(store) == ["c4", "c5"]
    (page,) = [page async for page in reading.pages(store, NAME)]
    assert page.gap
    assert await jobs(store, FromSeq(99)) == []


async def test_a_trim_while_it_is_read_leaves_out_what_went(store: StreamStore) -> None:
    await store.append(NAME, [job(f"c{n}") for n in range(10)])
    found = reading.pages(store, NAME, max_records=2)
    async with aclosing(found):
        first = await anext(found)
        await store.append(NAME, [Trim(8)])
        rest = [record.seq async for page in found for record in page.records]
    assert [record.seq for record in first.records] == [0, 1]
    assert rest == [8, 9]


async def test_a_stream_that_holds_nothing_any_more_and_one_of_commands_alone(store: StreamStore) -> None:
    await store.append(NAME, [job("a"), Trim(2)])
    assert await jobs(store) == []
    await store.append(names.CONTROL, [Fence("e1.x")])
    assert [r async for r in reading.all_records(store, names.CONTROL, FromTimestamp(0))] == []


async def test_commands_before_the_first_record_of_a_time_hide_nothing(store: StreamStore) -> None:
    await store.append(NAME, [Fence("e1.x")])
    await store.append(NAME, [job("a")], fencing_token="e1.x")
    found = reading.pages(store, NAME, FromTimestamp(0), max_records=1)
    assert [record.seq async for page in found for record in page.records] == [1]


async def test_a_reader_that_stops_early_closes_its_pages(store: StreamStore) -> None:
    await store.append(NAME, [job(f"c{n}") for n in range(10)])
    async with aclosing(reading.all_events(store, records.JOBS, NAME)) as events:
        async for seq, _ in events:
            if seq == 3:
                break
    assert await jobs(store) == [f"c{n}" for n in range(10)]


async def test_only_so_many_streams_are_named(
    store: StreamStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reading, "MAX_NAMED", 2)
    for n in range(4):
        await store.append(names.cast(f"abcdefghijk{n}"), [UNKNOWN])
        await reading.newest_events(store, records.CAST, names.cast(f"abcdefghijk{n}"))
    assert sorted(reading.passed_over().values()) == [1, 1, 2]
    assert len(caplog.records) == 3


async def test_from_a_time_nobody_wrote_at_nothing_comes(store: StreamStore) -> None:
    await store.append(NAME, [job("a")])
    assert await jobs(store, FromTimestamp(SystemClock().now_ms() + 3_600_000)) == []
    assert await jobs(store, FromTimestamp(0)) == ["a"]


async def test_what_is_unknown_is_counted_and_said_once_for_each_stream_and_kind(
    store: StreamStore, caplog: pytest.LogCaptureFixture
) -> None:
    await store.append(NAME, [job("a"), UNKNOWN, UNKNOWN, job("b"), UNKNOWN])
    await store.append(names.CONTROL, [UNKNOWN])
    with caplog.at_level(logging.WARNING):
        assert await jobs(store) == ["a", "b"]
        assert await reading.newest_events(store, records.CONTROL, names.CONTROL) == []
        await jobs(store)
    said = [(r.__dict__["action"], r.__dict__["stream"], r.__dict__["kind"]) for r in caplog.records]
    assert said == [
        ("record.unknown", NAME, "from the future"),
        ("record.unknown", names.CONTROL, "from the future"),
    ]
    assert reading.passed_over() == {(NAME, "from the future"): 6, (names.CONTROL, "from the future"): 1}
