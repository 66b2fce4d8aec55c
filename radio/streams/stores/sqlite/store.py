"""The embedded store: one SQLite file, no server, any number of processes of one machine.

Beside `<file>` are SQLite's own `-wal` and `-shm`, and ours: `-lock` (`write_lock`) and `-wake` (`wakeup`).

A process has a thread that writes (`writer`), a few that read (`reader`), and one that watches.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from radio.clock import Clock
from radio.errors import Unsupported
from radio.log import log_event
from radio.streams import call_checks
from radio.streams.contract import (
    MAX_READ_BYTES,
    MAX_READ_RECORDS,
    Appendable,
    AppendAck,
    OnGap,
    Page,
    Position,
    ReadResult,
    Record,
    Start,
    StoreClosed,
    StreamNotFound,
    Trim,
    Unavailable,
)
from radio.streams.stores.local_follow import FollowHub, LocalTail
from radio.streams.stores.sqlite.operations import (
    Append,
    AppendResult,
    Delete,
    Operation,
    Overwrite,
    empty_log,
)
from radio.streams.stores.sqlite.reader import ListNames, Read, Readers, need_stream
from radio.streams.stores.sqlite.schema import Durability, connect, prepare, primary_code, store_error
from radio.streams.stores.sqlite.wakeup import WakeFile, Watcher
from radio.streams.stores.sqlite.write_lock import WriteLock, refuse_remote
from radio.streams.stores.sqlite.writer import Writer

T = TypeVar("T")

log = logging.getLogger(__name__)

CLOSE_S = 5.0
"""How long `close` waits for an append in flight. Only a frozen process that holds the lock takes longer."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """What a store uses once its file is open."""

    lock: WriteLock
    wake: WakeFile
    writing: sqlite3.Connection
    watching: sqlite3.Connection
    store_id: str


class SqliteStore:
    """A `StreamStore` in a SQLite file. Open it with `SqliteStore.open`, in the event loop that uses it."""

    def __init__(
        self,
        opened: _Opened,
        clock: Clock,
        *,
        durability: Durability,
        connect: Callable[[bool], sqlite3.Connection],
    ) -> None:
        self.durability: Durability = durability
        self._opened = opened
        self._loop = asyncio.get_running_loop()
        self._hub = FollowHub()
        self._closing = asyncio.Lock()
        self._is_closed = False
        self._is_shut = False
        self._connect = connect
        self._readers = Readers(partial(connect, True))
        self._writer = Writer(
            opened.writing, opened.lock, clock, connect=partial(connect, False), committed=self._committed
        )
        self._watcher = Watcher(
            opened.watching,
            opened.wake,
            followed=lambda: self._hub.followed,
            tell=lambda changes: self._post(self._hub.tell, changes),
            failed=lambda: self._post(self._hub.wake_all),
        )
        self._writer.start()
        self._watcher.start()

    @classmethod
    async def open(
        cls,
        path: Path,
        clock: Clock,
        *,
        durability: Durability = "power",
        factory: type[sqlite3.Connection] = sqlite3.Connection,
    ) -> Self:
        """Open the file, and create it if it is missing.

        Args:
            factory: makes the connections; tests inject faults with it.

        Raises:
            Unsupported: not a local disk, not a store, or a newer radio's.
            Unavailable: the file cannot be opened.
        """

        def to_file(read_only: bool) -> sqlite3.Connection:
            return connect(path, durability=durability, read_only=read_only, factory=factory)

        opened = await asyncio.to_thread(_open_file, path, clock, to_file)
        return cls(opened, clock, durability=durability, connect=to_file)

    async def store_id(self) -> str:
        self._refuse_if_closed()
        return self._opened.store_id

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        call_checks.check_append(name, records, match_seq_num, fencing_token)
        result: AppendResult = await self._write(Append(name, tuple(records), match_seq_num, fencing_token))
        return result.ack

    async def read(
        self,
        name: str,
        start: Start,
        *,
        max_records: int = MAX_READ_RECORDS,
        max_bytes: int = MAX_READ_BYTES,
        include_commands: bool = False,
        clamp: bool = False,
        on_gap: OnGap = "skip",
    ) -> ReadResult:
        call_checks.check_read(name, start, max_records, max_bytes)
        query = Read(
            name=name,
            start=start,
            max_records=max_records,
            max_bytes=min(max_bytes, MAX_READ_BYTES),
            include_commands=include_commands,
            clamp=clamp,
            on_gap=on_gap,
        )
        return (await self._query(query))[1]

    def follow(
        self,
        name: str,
        start: Start,
        *,
        include_commands: bool = False,
        await_stream: bool = False,
        clamp: bool = False,
        heartbeat: float = 10.0,
        reconnect_timeout: float = 60.0,
        on_gap: OnGap = "skip",
    ) -> LocalTail:
        call_checks.check_read(name, start)

        async def read(place: Start) -> tuple[int, ReadResult]:
            return await self._query(
                Read(
                    name=name,
                    start=place,
                    max_records=MAX_READ_RECORDS,
                    max_bytes=MAX_READ_BYTES,
                    include_commands=include_commands,
                    clamp=clamp,
                    on_gap=on_gap,
                )
            )

        return LocalTail(self._hub, name, start, read, await_stream=await_stream, heartbeat=heartbeat)

    async def check_tail(self, name: str) -> Position:
        call_checks.check_name(name)
        return (await self._query(lambda db: need_stream(db, name)))[1].tail

    async def fencing_token(self, name: str) -> str:
        call_checks.check_name(name)
        return (await self._query(lambda db: need_stream(db, name)))[1].fence

    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        batch = (Trim(first_seq),)
        call_checks.check_append(name, batch, None, fencing_token)
        result: AppendResult = await self._write(
            Append(name, batch, None, fencing_token, creates=False, is_repeatable=True)
        )
        return result.ack

    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        call_checks.check_list(prefix, start_after, limit)
        return await self._query(ListNames(prefix, start_after, limit))

    async def delete(self, name: str, *, missing_ok: bool = True) -> bool:
        call_checks.check_name(name)
        existed: bool = await self._write(Delete(name))
        if not existed and not missing_ok:
            raise StreamNotFound(name)
        return existed

    async def overwrite(self, name: str, records: Sequence[Record]) -> bool:
        """As in `Overwriting`: freed pages of the file are filled with zeros."""
        call_checks.check_name(name)
        await self._write(Overwrite(name, tuple(records)))
        return await asyncio.to_thread(self._empty_log)

    async def close(self) -> None:
        self._is_closed = True
        self._hub.close()
        async with self._closing:
            if not self._is_shut:
                await asyncio.to_thread(self._shut)

    async def _write(self, operation: Operation) -> Any:
        self._refuse_if_closed()
        return await asyncio.wrap_future(self._writer.submit(operation))

    async def _query(self, query: Callable[[sqlite3.Connection], T]) -> T:
        self._refuse_if_closed()
        return await self._readers.run(query)

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise StoreClosed

    def _empty_log(self) -> bool:
        with self._opened.lock:
            return empty_log(partial(self._connect, False))

    def _committed(self, changes: Mapping[str, object]) -> None:
        self._opened.wake.ring()
        self._post(self._hub.tell, changes)

    def _post(self, action: Callable[..., None], *args: object) -> None:
        """Run it in the event loop, from another thread; nothing once the loop is closed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action, *args)

    def _shut(self) -> None:
        """End the threads, then close the connections under the lock. Can be repeated if it gives up."""
        if self._watcher.is_alive():
            self._watcher.stop()
        if not self._writer.stop(CLOSE_S):
            log.error("another process holds the store's lock", extra=log_event("store.close_abandoned"))
            return
        self._readers.stop()
        with self._opened.lock:
            self._readers.close()
            self._opened.watching.close()
            self._writer.db.close()
        self._opened.wake.close()
        self._opened.lock.close()
        self._is_shut = True


def _open_file(path: Path, clock: Clock, to_file: Callable[[bool], sqlite3.Connection]) -> _Opened:
    """Open or create the file and its companions. Waits for the process that is writing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        refuse_remote(path.parent)
        with ExitStack() as undo:
            lock = WriteLock(path.with_name(f"{path.name}-lock"))
            undo.callback(lock.close)
            wake = WakeFile(path.with_name(f"{path.name}-wake"))
            undo.callback(wake.close)
            with lock:
                writing = to_file(False)
                undo.callback(writing.close)
                store_id = prepare(writing, path, clock.now_ms())
                watching = to_file(True)
            undo.pop_all()
    except sqlite3.DatabaseError as e:
        if primary_code(e) == sqlite3.SQLITE_NOTADB:
            raise Unsupported(
                f"{path} is not a store of this radio", hint="choose another data folder with --data"
            ) from e
        raise store_error(e, f"cannot open {path}") from e
    except OSError as e:
        raise Unavailable(f"cannot open {path}: {e}", hint="check the data folder and its permissions") from e
    return _Opened(lock, wake, writing, watching, store_id)
