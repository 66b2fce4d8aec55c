"""The SQLite file: its tables, its settings, and opening it."""

import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from uuid import uuid4

from radio.errors import Unsupported
from radio.streams.contract import Headers, Record, StoreError, Unavailable
from radio.streams.stores.stream_state import StreamState

APPLICATION_ID = 0x52414449
"""In the file's header, so that `file` and this module recognise it."""
SCHEMA_VERSION = 1
KINDS: tuple[Literal["data", "fence", "trim"], ...] = ("data", "fence", "trim")
"""By their number in the table."""

# `sid` is never used twice: rows of a deleted stream wait for the sweep, and followers tell a stream from its
# successor by it. `garbage`: records of `sid` below `below` may be swept. A rowid table suits large bodies.
_TABLES = """
CREATE TABLE meta (k TEXT PRIMARY KEY, v TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE stream (
    sid INTEGER PRIMARY KEY AUTOINCREMENT, name BLOB NOT NULL UNIQUE, created_ms INTEGER NOT NULL,
    next INTEGER NOT NULL, last_ms INTEGER NOT NULL, first INTEGER NOT NULL, fence TEXT NOT NULL
);
CREATE TABLE record (
    sid INTEGER NOT NULL, seq INTEGER NOT NULL, ts INTEGER NOT NULL, kind INTEGER NOT NULL,
    headers BLOB NOT NULL, body BLOB NOT NULL, PRIMARY KEY (sid, seq)
);
CREATE TABLE garbage (sid INTEGER PRIMARY KEY, below INTEGER NOT NULL);
"""

Durability = Literal["power", "process"]
"""What an acknowledged append survives: loss of power, or only the end of a process."""


def connect(
    path: Path, *, durability: Durability, read_only: bool, factory: type[sqlite3.Connection]
) -> sqlite3.Connection:
    """A connection for one thread at a time, in autocommit."""
    db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False, factory=factory)
    try:
        db.execute(f"PRAGMA synchronous={'FULL' if durability == 'power' else 'NORMAL'}")
        db.execute("PRAGMA secure_delete=OFF")
        db.execute("PRAGMA wal_autocheckpoint=1000")
        db.execute(f"PRAGMA journal_size_limit={16 << 20}")
        if read_only:
            db.execute("PRAGMA query_only=ON")
    except BaseException:
        db.close()
        raise
    return db


def prepare(db: sqlite3.Connection, path: Path, now_ms: int) -> str:
    """Create the tables if the file is new; the store's id.

    Raises:
        Unsupported: it is a newer radio's store, or not a store. The file is unchanged.
    """
    version = _pragma(db, "user_version")
    if version == 0 and not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        _create(db, path, now_ms)
    elif _pragma(db, "application_id") != APPLICATION_ID:
        raise Unsupported(
            f"{path} is not a store of this radio", hint="choose another data folder with --data"
        )
    elif version > SCHEMA_VERSION:
        raise Unsupported(
            f"{path} was written by a newer radio (schema {version}, this one knows {SCHEMA_VERSION})",
            hint="install the newer radio again, or choose another data folder with --data",
        )
    (store_id,) = db.execute("SELECT v FROM meta WHERE k = 'store_id'").fetchone()
    return str(store_id)


def _create(db: sqlite3.Connection, path: Path, now_ms: int) -> None:
    db.execute("PRAGMA auto_vacuum=INCREMENTAL")  # only possible before the first table
    (mode,) = db.execute("PRAGMA journal_mode=WAL").fetchone()
    if mode != "wal":
        raise Unsupported(
            f"{path} cannot keep a write-ahead log", hint="the data folder must be on a local disk"
        )
    db.executescript(f"BEGIN IMMEDIATE; {_TABLES}")
    db.executemany("INSERT INTO meta VALUES (?, ?)", [("store_id", uuid4().hex), ("created_ms", str(now_ms))])
    db.execute(f"PRAGMA application_id={APPLICATION_ID}")
    db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    db.execute("COMMIT")


def _pragma(db: sqlite3.Connection, name: str) -> int:
    (value,) = db.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def find_stream(db: sqlite3.Connection, name: str) -> tuple[int, StreamState] | None:
    """A stream's row: its sid and state."""
    row = db.execute(
        "SELECT sid, next, last_ms, first, fence FROM stream WHERE name = ?", (name.encode(),)
    ).fetchone()
    return None if row is None else (row[0], StreamState(*row[1:]))


def stored(record: Record, sid: int) -> tuple[int, int, int, int, bytes, bytes]:
    """A row of the table `record`."""
    return sid, record.seq, record.timestamp, KINDS.index(record.kind), pack(record.headers), record.body


def restored(row: tuple[int, int, int, bytes, bytes]) -> Record:
    """A record from its columns seq, ts, kind, headers, body."""
    seq, ts, kind, headers, body = row
    return Record(seq, ts, unpack(headers), body, KINDS[kind])


_LENGTHS = struct.Struct(">II")


def pack(headers: Headers) -> bytes:
    """Headers as one blob: for each the two lengths (4 bytes each), the name, the value."""
    return b"".join(_LENGTHS.pack(len(name), len(value)) + name + value for name, value in headers)


def unpack(blob: bytes) -> Headers:
    return tuple(_pairs(blob))


def _pairs(blob: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at < len(blob):
        names, values = _LENGTHS.unpack_from(blob, at)
        middle = at + _LENGTHS.size + names
        yield blob[at + _LENGTHS.size : middle], blob[middle : middle + values]
        at = middle + values


def store_error(error: sqlite3.Error, doing: str) -> StoreError:
    """The contract's error for a failed statement that wrote nothing."""
    code = primary_code(error)
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return StoreError(f"the store's file is damaged ({error})", hint="restore it from a backup")
    if code == sqlite3.SQLITE_FULL:
        return Unavailable(f"{doing}: the disk is full", hint="make room where the data folder is")
    return Unavailable(f"{doing}: {error}")


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's result code without its extension; 0 if the error is not SQLite's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
