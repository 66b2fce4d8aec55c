"""The writes to the SQLite file, each inside a transaction: append, overwrite, delete, clean-up."""

import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from radio.log import log_event
from radio.streams.call_checks import MAX_SEQ
from radio.streams.contract import Appendable, AppendAck, Record, StreamNotFound, Trim
from radio.streams.stores import stream_state
from radio.streams.stores.sqlite.schema import KINDS, find_stream, pack, stored
from radio.streams.stores.stream_state import StreamState

log = logging.getLogger(__name__)

RESERVE_PAGES = 1024
"""Free space that stays in the file (4 MiB), for the next records."""


LOG_BUSY_MS = 500
"""How long to wait for readers that still need the log; writers wait meanwhile."""


class Operation(Protocol):
    """One request of a caller."""

    @property
    def name(self) -> str: ...

    @property
    def is_exact(self) -> bool:
        """Whether it may be repeated, or its effect found out, after a lost COMMIT."""
        ...

    @property
    def leaves_garbage(self) -> bool: ...

    def apply(self, db: sqlite3.Connection, now_ms: int) -> Any:
        """Perform it; raise a `StoreError` before the first write if it is not allowed."""
        ...

    def look(self, result: Any) -> tuple[int, int] | None:
        """The stream's state for its followers afterwards."""
        ...

    def has_landed(self, db: sqlite3.Connection, result: Any) -> bool:
        """Whether the transaction with this result is in the file, if nobody else has written since."""
        ...


@dataclass(frozen=True, slots=True)
class AppendResult:
    sid: int
    ack: AppendAck


@dataclass(frozen=True, slots=True)
class Append:
    name: str
    batch: tuple[Appendable, ...]
    match_seq_num: int | None = None
    fencing_token: str | None = None
    creates: bool = True
    is_repeatable: bool = False

    @property
    def is_exact(self) -> bool:
        return self.match_seq_num is not None or self.is_repeatable

    @property
    def leaves_garbage(self) -> bool:
        return any(isinstance(item, Trim) for item in self.batch)

    def apply(self, db: sqlite3.Connection, now_ms: int) -> AppendResult:
        found = find_stream(db, self.name)
        if found is None and not self.creates:
            raise StreamNotFound(self.name)
        sid, before = found or (None, StreamState())
        done = stream_state.append(
            before,
            self.batch,
            now_ms=now_ms,
            match_seq_num=self.match_seq_num,
            fencing_token=self.fencing_token,
        )
        if sid is None:
            sid = _create(db, self.name, now_ms)
        _store(db, sid, before, done)
        return AppendResult(sid, done.ack)

    def look(self, result: AppendResult) -> tuple[int, int]:
        return result.sid, result.ack.end.seq

    def has_landed(self, db: sqlite3.Connection, result: AppendResult) -> bool:
        found = find_stream(db, self.name)
        return found is not None and found[0] == result.sid and found[1].next_seq >= result.ack.end.seq


@dataclass(frozen=True, slots=True)
class Delete:
    """Its result: whether the stream existed."""

    name: str
    is_exact: bool = True
    leaves_garbage: bool = True

    def apply(self, db: sqlite3.Connection, now_ms: int) -> bool:
        found = find_stream(db, self.name)
        if found is None:
            return False
        db.execute("DELETE FROM stream WHERE sid = ?", (found[0],))
        _mark_garbage(db, found[0], MAX_SEQ)
        return True

    def look(self, result: bool) -> None:
        return None

    def has_landed(self, db: sqlite3.Connection, result: bool) -> bool:
        return result and find_stream(db, self.name) is None


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Replaces headers and bodies of existing records. Its result: the stream's sid and next number.

    Pages that SQLite frees here are filled with zeros; elsewhere that would only cost time.
    """

    name: str
    records: tuple[Record, ...]
    is_exact: bool = True
    leaves_garbage: bool = False

    def apply(self, db: sqlite3.Connection, now_ms: int) -> tuple[int, int]:
        found = find_stream(db, self.name)
        if found is None:
            raise StreamNotFound(self.name)
        sid, stream = found
        rows = [
            (pack(record.headers), record.body, sid, record.seq, KINDS.index("data"))
            for record in self.records
            if record.seq >= stream.first_seq
        ]
        db.execute("PRAGMA secure_delete=ON").fetchall()
        try:
            db.executemany(
                "UPDATE record SET headers = ?, body = ? WHERE sid = ? AND seq = ? AND kind = ?", rows
            )
        finally:
            db.execute("PRAGMA secure_delete=OFF").fetchall()
        return sid, stream.next_seq

    def look(self, result: tuple[int, int]) -> tuple[int, int]:
        return result

    def has_landed(self, db: sqlite3.Connection, result: tuple[int, int]) -> bool:
        return False  # it is repeated, which changes nothing


def empty_log(connect: Callable[[], sqlite3.Connection]) -> bool:
    """Move everything committed into the file, and empty the log; called with the lock held.

    False if another process still reads an older state, or it failed: a later checkpoint does it then.
    """
    try:
        with closing(connect()) as db:
            db.execute(f"PRAGMA busy_timeout={LOG_BUSY_MS}").fetchall()
            (is_busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not is_busy
    except sqlite3.Error as e:
        log.warning("log not emptied: %s", e, extra=log_event("store.log_not_emptied"))
        return False


def _create(db: sqlite3.Connection, name: str, now_ms: int) -> int:
    sid = db.execute(
        "INSERT INTO stream (name, created_ms, next, last_ms, first, fence) VALUES (?, ?, 0, 0, 0, '')",
        (name.encode(), now_ms),
    ).lastrowid
    assert sid is not None
    return sid


def _store(db: sqlite3.Connection, sid: int, before: StreamState, done: stream_state.AppliedAppend) -> None:
    after = done.state
    rows = [stored(record, sid) for record in done.records if record.seq >= after.first_seq]
    db.executemany("INSERT INTO record (sid, seq, ts, kind, headers, body) VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.execute(
        "UPDATE stream SET next = ?, last_ms = ?, first = ?, fence = ? WHERE sid = ?",
        (after.next_seq, after.last_ms, after.first_seq, after.fence, sid),
    )
    if after.first_seq > before.first_seq:
        _mark_garbage(db, sid, after.first_seq)


def _mark_garbage(db: sqlite3.Connection, sid: int, below: int) -> None:
    db.execute(
        "INSERT INTO garbage VALUES (?, ?)"
        " ON CONFLICT (sid) DO UPDATE SET below = max(below, excluded.below)",
        (sid, below),
    )


Swept = Literal["removed", "given back", "nothing"]


def sweep(db: sqlite3.Connection, most: int) -> Swept:
    """Remove some records that no reader can see any more, or return some free pages to the file system.

    One transaction, of at most `most` records or pages. The file itself shrinks at the next checkpoint.

    Pages are returned before more records are removed: the fewer are free, the faster SQLite finds one.
    """
    db.execute("BEGIN IMMEDIATE")
    done: Swept = "given back" if _give_back(db, most) else "removed" if _remove(db, most) else "nothing"
    db.execute("COMMIT")
    return done


def _give_back(db: sqlite3.Connection, most: int) -> bool:
    (free,) = db.execute("PRAGMA freelist_count").fetchone()
    if free <= RESERVE_PAGES:
        return False
    for _ in range(min(most, free - RESERVE_PAGES)):  # one at a time: Python's module ends it after one page
        db.execute("PRAGMA incremental_vacuum(1)").fetchall()
    return True


def _remove(db: sqlite3.Connection, most: int) -> bool:
    row = db.execute("SELECT sid, below FROM garbage LIMIT 1").fetchone()
    if row is None:
        return False
    gone = db.execute(
        "DELETE FROM record WHERE rowid IN (SELECT rowid FROM record WHERE sid = ? AND seq < ? LIMIT ?)",
        (*row, most),
    ).rowcount
    if gone < most:
        db.execute("DELETE FROM garbage WHERE sid = ? AND below = ?", row)
    return True
