"""Reads of the SQLite file: each in one short transaction, in a thread of a small pool."""

import asyncio
import queue
import sqlite3
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from radio.streams.contract import OnGap, Page, ReadResult, Record, Start, StreamInfo, StreamNotFound
from radio.streams.stores import stream_state
from radio.streams.stores.sqlite.schema import find_stream, restored, store_error
from radio.streams.stores.stream_state import StreamState

T = TypeVar("T")

THREADS = 2
"""Concurrent readers: reads take well under a millisecond, and a third would only wait for the same disk."""


class Readers:
    """A pool of read-only connections, opened when first needed."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="store-read")
        self._idle: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()

    async def run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """The query's result, from one snapshot of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, query)

    def _run(self, query: Callable[[sqlite3.Connection], T]) -> T:
        try:
            db = self._take()
            try:
                db.execute("BEGIN")
                return query(db)
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                self._idle.put(db)
        except sqlite3.Error as e:
            raise store_error(e, "cannot read") from e

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return self._connect()

    def stop(self) -> None:
        """Wait for the running reads; no new one begins."""
        self._threads.shutdown(wait=True)

    def close(self) -> None:
        """Close the connections; after `stop`, with the write lock held."""
        while not self._idle.empty():
            self._idle.get_nowait().close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A read of a range of one stream. Its result: the stream's sid, and what was read."""

    name: str
    start: Start
    max_records: int
    max_bytes: int
    include_commands: bool
    clamp: bool
    on_gap: OnGap

    def __call__(self, db: sqlite3.Connection) -> tuple[int, ReadResult]:
        sid, stream = need_stream(db, self.name)

        def timestamp_at(seq: int) -> int:
            (ts,) = db.execute("SELECT ts FROM record WHERE sid = ? AND seq = ?", (sid, seq)).fetchone()
            return int(ts)

        begin, gap = stream_state.seek(
            stream, self.start, clamp=self.clamp, on_gap=self.on_gap, timestamp_at=timestamp_at
        )
        with closing(_records(db, sid, begin, self.max_records)) as records:
            result = stream_state.collect(
                stream,
                records,
                gap=gap,
                max_records=self.max_records,
                max_bytes=self.max_bytes,
                include_commands=self.include_commands,
            )
        return sid, result


def _records(db: sqlite3.Connection, sid: int, begin: int, count: int) -> Generator[Record, None, None]:
    """One by one, so that bodies beyond the byte limit are never loaded."""
    with closing(
        db.execute(
            "SELECT seq, ts, kind, headers, body FROM record WHERE sid = ? AND seq >= ? ORDER BY seq LIMIT ?",
            (sid, begin, count),
        )
    ) as rows:
        for row in rows:
            yield restored(row)


def need_stream(db: sqlite3.Connection, name: str) -> tuple[int, StreamState]:
    found = find_stream(db, name)
    if found is None:
        raise StreamNotFound(name)
    return found


@dataclass(frozen=True, slots=True)
class ListNames:
    prefix: str
    start_after: str
    limit: int

    def __call__(self, db: sqlite3.Connection) -> Page:
        prefix = self.prefix.encode()
        rows = db.execute(
            "SELECT name, created_ms FROM stream WHERE name >= ? AND name > ? AND substr(name, 1, ?) = ?"
            " ORDER BY name LIMIT ?",
            (prefix, self.start_after.encode(), len(prefix), prefix, self.limit + 1),
        ).fetchall()
        items = tuple(StreamInfo(name.decode(), created) for name, created in rows[: self.limit])
        return Page(items, len(rows) > self.limit)
