"""Backing up the SQLite store while others write, and restoring such a file.

Only SQLite ever opens the file, its log and its shared memory: closing any descriptor of them would drop the
locks that this process holds through SQLite.
"""

import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE

from radio.errors import BadInput, Unsupported
from radio.log import log_event
from radio.streams.contract import Unavailable
from radio.streams.stores.sqlite.schema import (
    APPLICATION_ID,
    SCHEMA_VERSION,
    connect,
    primary_code,
    store_error,
)
from radio.streams.stores.sqlite.write_lock import WriteLock

log = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
"""Called with the bytes written so far, and about how many there will be."""

STEPS = 100_000
"""SQLite's own steps between two reports: some milliseconds."""
LOG = ("-wal", "-shm")
"""Suffixes of a file's log: beside another file, SQLite would take it for that file's."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a file holds."""

    store_id: str
    streams: int
    records: int
    size: int


def save(store: Path, file: Path, tell: Tell) -> Saved:
    """Write everything acknowledged before the call into a new file, while others may write.

    One read transaction of SQLite: the store's log grows until it ends.

    Raises:
        BadInput: there is such a file already, or no such folder.
        Unavailable: no room for it, or the store cannot be read.
    """
    if file.exists():
        raise BadInput(f"{file} is there already", hint="choose another name, or take it away")
    if not file.parent.is_dir():
        raise BadInput(f"there is no folder {file.parent}", hint="make it first")
    partial = file.with_name(f"{file.name}.partial")
    partial.unlink(missing_ok=True)
    try:
        with _reading(store) as db:
            _copy_into(db, partial, tell)
        saved = look(partial)
        _make_durable(partial)
        partial.rename(file)
        _make_durable(file.parent)
    except sqlite3.Error as error:
        raise store_error(error, f"cannot save {store}") from error
    finally:
        partial.unlink(missing_ok=True)
    return saved


def look(file: Path) -> Saved:
    """Check a backup, and set it to keep a log, as a store must.

    Raises:
        Unsupported: it is not a store of this radio, or is of a newer one, or is damaged.
    """
    if not file.is_file():
        raise Unsupported(f"{file} is no file", hint="radio store backup makes one")
    try:
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            if _one(db, "PRAGMA application_id") != APPLICATION_ID:
                raise Unsupported(f"{file} is not a store of this radio")
            if int(str(_one(db, "PRAGMA user_version"))) > SCHEMA_VERSION:
                raise Unsupported(f"{file} was written by a newer radio", hint="install that one first")
            if (fault := _one(db, "PRAGMA quick_check(1)")) != "ok":
                raise Unsupported(f"{file} is damaged: {fault}", hint="take an older backup")
            _one(db, "PRAGMA journal_mode=WAL")
            return Saved(
                str(_one(db, "SELECT v FROM meta WHERE k = 'store_id'")),
                int(str(_one(db, "SELECT count(*) FROM stream"))),
                int(str(_one(db, "SELECT count(*) FROM record"))),
                file.stat().st_size,
            )
    except sqlite3.DatabaseError as error:
        raise Unsupported(f"{file} cannot be read: {error}", hint="take an older backup") from error


def put_back(file: Path, store: Path, aside: Path) -> Saved:
    """Make a backup the store; the old store is moved into the folder `aside`.

    No process may have the store open. If this is interrupted at any moment, either the old or the new store
    is there, whole; the old one may then be in `aside` under a name that ends in `.old`.

    Raises:
        Unsupported: the file cannot be used; the store is unchanged.
        Unavailable: there is no room for it, or the store is in use; the store is unchanged.
    """
    store.parent.mkdir(parents=True, exist_ok=True)
    owner = _owner_of(store)
    fresh = store.with_name(f"{store.name}.restored")
    try:
        saved = _lay_ready(file, fresh)
        old = _put_aside(store, aside)
        os.replace(fresh, store)
        _make_durable(store.parent)
        if old is not None:
            os.replace(old, aside / store.name)
        _give_to(owner, store, aside)
    except OSError as error:
        raise Unavailable(f"cannot put {file} back: {error}") from error
    finally:
        fresh.unlink(missing_ok=True)
    return saved


@dataclass(frozen=True, slots=True)
class _Owner:
    """Owner of the store: `mode` are its permission bits, None if there was no store."""

    uid: int
    gid: int
    mode: int | None


def _owner_of(store: Path) -> _Owner:
    """The owner of the existing store, or else of its folder."""
    if store.exists():
        stat = store.stat()
        return _Owner(stat.st_uid, stat.st_gid, S_IMODE(stat.st_mode))
    stat = store.parent.stat()
    return _Owner(stat.st_uid, stat.st_gid, None)


def _give_to(owner: _Owner, store: Path, aside: Path) -> None:
    """Keep owner and mode when root restores: otherwise the radio, as its own user, could not write its
    store.

    Files that root has left beside the store, such as locks, get that owner too.
    """
    if owner.mode is not None:
        store.chmod(owner.mode)
    if os.geteuid() != 0:
        return
    kept = list(aside.iterdir()) if aside.exists() else []
    for path in (*store.parent.iterdir(), *kept):
        if path.lstat().st_uid == 0:
            os.chown(path, owner.uid, owner.gid, follow_symlinks=False)


def _lay_ready(file: Path, fresh: Path) -> Saved:
    """A checked copy of the file beside the store, synced to the disk."""
    for left in (fresh, *(_beside(fresh, end) for end in LOG)):
        left.unlink(missing_ok=True)
    shutil.copyfile(file, fresh)
    saved = look(fresh)
    _make_durable(fresh)
    return saved


def _put_aside(store: Path, aside: Path) -> Path | None:
    """Give the store's file a second name in `aside`, and leave nothing beside it; None: there is no file.

    The second name is not a store's, for as long as both names are one file's.
    """
    _merge_log(store)
    logs = [path for path in (_beside(store, end) for end in LOG) if path.exists()]
    if not logs and not store.exists():
        return None
    aside.mkdir(parents=True)
    old = aside / f"{store.name}.old" if store.exists() else None
    if old is not None:
        _link(store, old)
    for path in logs:  # of a damaged file, or of none
        os.replace(path, aside / path.name)
    for folder in (aside, aside.parent, store.parent):
        _make_durable(folder)
    return old


def _merge_log(store: Path) -> None:
    """Move what is only in the log into the file, and let SQLite remove the log; nothing, if damaged."""
    if not store.exists():
        return
    try:
        with _reading(store) as db:
            (is_in_use, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        if primary_code(error) not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise store_error(error, f"cannot put {store} aside") from error
        log.warning("the store that was there is damaged: %s", error, extra=log_event("store.was_damaged"))
        return
    if is_in_use:
        raise Unavailable(f"{store} is in use", hint="stop the radio first")


def _link(file: Path, name: Path) -> None:
    try:
        os.link(file, name)
    except OSError as error:
        log.info("copying, for no link can be made: %s", error, extra=log_event("store.copied_aside"))
        shutil.copyfile(file, name)
        _make_durable(name)


@contextmanager
def _reading(store: Path) -> Iterator[sqlite3.Connection]:
    """A connection whose end is under the lock, as every other's (`write_lock`)."""
    lock = WriteLock(_beside(store, "-lock"))
    try:
        db = connect(store, durability="power", read_only=False, factory=sqlite3.Connection)
        try:
            yield db
        finally:
            with lock:
                db.close()
    finally:
        lock.close()


def _copy_into(db: sqlite3.Connection, file: Path, tell: Tell) -> None:
    pages = int(str(_one(db, "PRAGMA page_count"))) - int(str(_one(db, "PRAGMA freelist_count")))
    size = pages * int(str(_one(db, "PRAGMA page_size")))
    free = shutil.disk_usage(file.parent).free
    if free < size:
        raise Unavailable(
            f"{file.parent} has {free / 1e6:.0f} MB free, and {size / 1e6:.0f} are needed",
            hint="make room there",
        )

    def report() -> None:
        tell(file.stat().st_size if file.exists() else 0, size)

    db.set_progress_handler(report, STEPS)
    try:
        db.execute("VACUUM INTO ?", (str(file),))
    finally:
        db.set_progress_handler(None, 0)
    tell(size, size)


def _one(db: sqlite3.Connection, sql: str) -> object:
    (value,) = db.execute(sql).fetchone()
    return value


def _beside(store: Path, end: str) -> Path:
    return store.with_name(f"{store.name}{end}")


def _make_durable(path: Path) -> None:
    """A file's bytes, or a folder's names, are synced to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
