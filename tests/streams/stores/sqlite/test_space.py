"""The SQLite file gives back what is trimmed, a little at a time; it and its log grow no more than needed."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.streams.contract import FromSeq, NewRecord
from radio.streams.stores.sqlite import operations, writer
from radio.streams.stores.sqlite.operations import RESERVE_PAGES, sweep
from radio.streams.stores.sqlite.schema import connect
from radio.streams.stores.sqlite.store import SqliteStore
from tests.waiting import until

SENTENCE = NewRecord(bytes(24 * 1024))
PAGE = 4096
MOST_LEFT = RESERVE_PAGES * PAGE + (2 << 20)
"""The reserve, and tables and indexes."""
MOST_LOG = 8 << 20


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return tmp_path / "radio.sqlite3"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(path, SystemClock(), durability="process")
    try:
        yield store
    finally:
        await store.close()


async def fill(store: SqliteStore, megabytes: int, name: str = "pub/stations/harbor") -> None:
    for _ in range(megabytes):
        await store.append(name, [SENTENCE] * 42)


def size(path: Path) -> int:
    return path.stat().st_size


def log_size(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_size


async def test_the_file_shrinks_after_a_trim_though_nobody_writes(store: SqliteStore, path: Path) -> None:
    await fill(store, 24)
    assert size(path) + log_size(path) > 24 << 20
    await store.trim("pub/stations/harbor", 24 * 42)
    await until(lambda: size(path) <= MOST_LEFT)
    assert log_size(path) <= MOST_LOG


def is_swept(path: Path) -> bool:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
        (rows,), (free,) = (
            db.execute(ask).fetchone() for ask in ("SELECT count(*) FROM garbage", "PRAGMA freelist_count")
        )
    return bool(rows == 0 and free <= RESERVE_PAGES)


async def test_the_file_shrinks_once_the_last_reader_of_an_older_state_has_ended(
    store: SqliteStore, path: Path
) -> None:
    await fill(store, 24)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM record").fetchone()
        await store.trim("pub/stations/harbor", 24 * 42)
        await until(lambda: is_swept(path))
        await store.check_tail("pub/stations/harbor")
        assert size(path) + log_size(path) > 24 << 20
    await until(lambda: size(path) <= MOST_LEFT)


async def test_what_stands_behind_and_between_is_unhurt(store: SqliteStore, path: Path) -> None:
    for part in range(12):
        await fill(store, 1)
        await store.append("pub/stations/tower", [NewRecord(str(part).encode())])
    await store.trim("pub/stations/harbor", 11 * 42)
    await until(lambda: size(path) <= MOST_LEFT + (1 << 20))
    left = await store.read("pub/stations/harbor", FromSeq(0), max_records=1000)
    assert left.records[0].seq == 11 * 42
    other = await store.read("pub/stations/tower", FromSeq(0))
    assert [record.body for record in other.records] == [str(part).encode() for part in range(12)]
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_a_stream_that_is_trimmed_as_it_grows_takes_the_same_space_for_ever(
    store: SqliteStore, path: Path
) -> None:
    sizes = []
    for round_ in range(24):
        await fill(store, 1)
        await store.trim("pub/stations/harbor", max(round_ - 1, 0) * 43)
        sizes.append(size(path) + log_size(path))
    assert max(sizes[12:]) <= MOST_LEFT + MOST_LOG + (4 << 20)


async def test_the_log_stays_small_beside_readers_that_never_stop(store: SqliteStore, path: Path) -> None:
    async def read() -> None:
        while True:
            await store.read("pub/stations/harbor", FromSeq(0))

    await fill(store, 1)
    async with asyncio.TaskGroup() as tasks:
        readers = [tasks.create_task(read()) for _ in range(4)]
        await fill(store, 24)
        await store.trim("pub/stations/harbor", 25 * 42)
        await until(lambda: size(path) <= MOST_LEFT + (1 << 20))
        for reader in readers:
            reader.cancel()
    assert log_size(path) <= 64 << 20
    await fill(store, 6)
    assert log_size(path) <= 17 << 20


async def test_what_a_process_left_unswept_the_next_one_gives_back(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as idle:
        idle.setattr(writer, "sweep", lambda db, most: "nothing")
        store = await SqliteStore.open(path, SystemClock(), durability="process")
        await fill(store, 12)
        await store.trim("pub/stations/harbor", 12 * 42)
        await store.close()
    assert size(path) > 12 << 20
    again = await SqliteStore.open(path, SystemClock(), durability="process")
    await until(lambda: size(path) <= MOST_LEFT)
    await again.close()


async def test_each_step_is_bounded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "sweep", lambda db, most: "nothing")
    monkeypatch.setattr(operations, "RESERVE_PAGES", 200)
    store = await SqliteStore.open(path, SystemClock(), durability="process")
    await fill(store, 8)
    await store.trim("pub/stations/harbor", 8 * 42)
    await store.close()
    db = connect(path, durability="process", read_only=False, factory=sqlite3.Connection)
    counts = {"removed": 0, "given back": 0}
    while True:
        before = _records(db), _pages(db)
        done = sweep(db, 15)
        if done == "nothing":
            break
        counts[done] += 1
        assert 0 < before[done == "given back"] - (_records(db), _pages(db))[done == "given back"] <= 16
    db.close()
    assert counts["removed"] == -(-8 * 42 // 15)
    assert counts["given back"] > 100


def _records(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM record").fetchone()[0])


def _pages(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA page_count").fetchone()[0])
