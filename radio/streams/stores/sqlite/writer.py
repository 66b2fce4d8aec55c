"""The one thread of a process that writes the SQLite file. Operations queued during a commit share the
next."""

import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from radio.clock import Clock
from radio.log import log_event
from radio.streams.contract import AppendUncertain, StoreClosed, StoreError
from radio.streams.stores.sqlite.operations import Operation, Swept, sweep
from radio.streams.stores.sqlite.schema import primary_code, store_error
from radio.streams.stores.sqlite.write_lock import WriteLock

log = logging.getLogger(__name__)

MAX_GROUP = 64
"""Operations in one transaction: limits how long other processes wait for the lock."""
SWEEP_S = 0.01
"""How long one clean-up step should take: others wait for the lock meanwhile."""
MOST_SWEPT = 128
"""Records removed, or pages returned, in one step; fewer if that takes longer than `SWEEP_S`."""
LEAST_REST_S = 0.002
"""Minimum pause between two steps; as long as the step took, if that is more, because the lock is not
fair."""
HELD_REST_S = 0.25
"""Pause before the next attempt to shrink the file, after a reader prevented it."""


@dataclass(frozen=True, slots=True)
class _Job:
    operation: Operation
    future: Future[Any]


class Writer(threading.Thread):
    """Runs operations in order, and settles each one's future after COMMIT.

    Args:
        connect: opens a connection; called with the lock held.
        committed: the changes, after each COMMIT and before the futures are settled; called from this thread.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        lock: WriteLock,
        clock: Clock,
        *,
        connect: Callable[[], sqlite3.Connection],
        committed: Callable[[Mapping[str, object]], None],
    ) -> None:
        super().__init__(name="store-write", daemon=True)
        self.db = db
        self._lock = lock
        self._clock = clock
        self._connect = connect
        self._committed = committed
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._order = threading.Lock()
        self._is_open = True
        self._taken: list[_Job] = []
        self._has_garbage = True
        self._gave_back = False
        """Whether pages were returned since the last checkpoint."""
        self._is_held = False
        """Whether a reader of an older state keeps the file from shrinking."""
        self._swept = 1
        """Records or pages per step; adapts to the time they take."""
        self._rest_s = 0.0
        """Pause that others get before the next step."""

    def submit(self, operation: Operation) -> Future[Any]:
        """Queue an operation. Cancelling the future before it runs withdraws it.

        The queue is not limited: each caller awaits its future, so it holds one entry for each caller.
        """
        job = _Job(operation, Future())
        with self._order:
            if not self._is_open:
                raise StoreClosed
            self._queue.put(job)
        return job.future

    def stop(self, timeout_s: float) -> bool:
        """Finish what is queued and end. False if that took too long because another process holds the lock:
        then queued operations fail, and the one that waits for the lock is uncertain."""
        with self._order:
            if self._is_open:
                self._is_open = False
                self._queue.put(None)
        self.join(timeout_s)
        if self.is_alive():
            waiting = [*self._taken, *self._drain()]
            self._queue.put(None)
            for job in waiting:
                self._finish(job, AppendUncertain("the store was closed while another process held its lock"))
        return not self.is_alive()

    def run(self) -> None:
        is_last = False
        while not is_last:
            group, is_last = self._next_group()
            if group:
                self._settle(group)
            elif not is_last:
                self._sweep()

    def _next_group(self) -> tuple[list[_Job], bool]:
        """Operations to write together, and whether they are the last; none: time for a clean-up step."""
        group: list[_Job] = []
        while len(group) < MAX_GROUP:
            try:
                job = self._wait() if not group else self._queue.get_nowait()
            except queue.Empty:
                break
            if job is None:
                return group, True
            if job.future.set_running_or_notify_cancel():
                group.append(job)
        return group, False

    def _wait(self) -> _Job | None:
        """The next operation. Raises `queue.Empty` when it is time for a clean-up step."""
        if not self._has_garbage:
            return self._queue.get()
        rest_s, self._rest_s = self._rest_s, 0.0
        return self._queue.get(timeout=rest_s) if rest_s else self._queue.get_nowait()

    def _settle(self, group: list[_Job]) -> None:
        operations = [job.operation for job in group]
        self._taken = group
        try:
            with self._lock:
                outcomes = self._transact(operations)
            changes = {
                op.name: op.look(outcome)
                for op, outcome in zip(operations, outcomes, strict=True)
                if not isinstance(outcome, StoreError)
            }
            if changes:
                self._has_garbage = self._has_garbage or any(op.leaves_garbage for op in operations)
                self._committed(changes)
        except BaseException as e:  # a bug: no caller may hang because of it
            with self._order:
                self._is_open = False
            for job in [*group, *self._drain()]:
                self._finish(job, e)
            raise
        for job, outcome in zip(group, outcomes, strict=True):
            self._finish(job, outcome)

    def _finish(self, job: _Job, outcome: Any) -> None:
        """Settle a future, once."""
        with self._order:
            if job.future.done():
                return
            if isinstance(outcome, BaseException):
                job.future.set_exception(outcome)
            else:
                job.future.set_result(outcome)

    def _transact(self, operations: Sequence[Operation], *, is_retry: bool = False) -> list[Any]:
        """One transaction; for each operation its result or the `StoreError` that it failed with."""
        now_ms = self._clock.now_ms()
        try:
            self.db.execute("BEGIN IMMEDIATE")
            outcomes = [_attempt(op, self.db, now_ms) for op in operations]
        except sqlite3.Error as e:
            self._roll_back()
            return [store_error(e, "cannot write") for _ in operations]
        try:
            self.db.execute("COMMIT")
        except sqlite3.Error as e:
            if primary_code(e) == sqlite3.SQLITE_FULL:
                self._roll_back()
                return [store_error(e, "cannot write") for _ in operations]
            return self._after_lost_commit(operations, outcomes, e, is_retry=is_retry)
        return outcomes

    def _after_lost_commit(
        self, operations: Sequence[Operation], outcomes: list[Any], error: sqlite3.Error, *, is_retry: bool
    ) -> list[Any]:
        """COMMIT failed: it is in the file or not. We hold the lock, so nobody has written since: look."""
        log.warning("commit failed: %s", error, extra=log_event("store.commit_failed"))
        try:
            self._reconnect()
            landed = any(
                op.has_landed(self.db, outcome)
                for op, outcome in zip(operations, outcomes, strict=True)
                if not isinstance(outcome, StoreError)
            )
        except sqlite3.Error as e:
            log.warning("store not readable: %s", e, extra=log_event("store.unreadable"))
            return [_uncertain(error) for _ in operations]
        if landed:
            return [
                outcome if op.is_exact or isinstance(outcome, StoreError) else _uncertain(error)
                for op, outcome in zip(operations, outcomes, strict=True)
            ]
        if is_retry:
            return [_uncertain(error) for _ in operations]
        again = [op for op in operations if op.is_exact]
        repeated = iter(self._transact(again, is_retry=True) if again else ())
        return [next(repeated) if op.is_exact else _uncertain(error) for op in operations]

    def _roll_back(self) -> None:
        if not self.db.in_transaction:
            return
        try:
            self.db.execute("ROLLBACK")
        except sqlite3.Error as e:
            log.warning("rollback failed: %s", e, extra=log_event("store.rollback_failed"))
            self._reconnect()

    def _reconnect(self) -> None:
        """A new connection, with the lock held; the old one's open transaction is rolled back."""
        old = self.db
        self.db = self._connect()
        old.close()

    def _sweep(self) -> None:
        try:
            with self._lock:
                begun = self._clock.monotonic()
                self._account(sweep(self.db, self._swept))
                took_s = self._clock.monotonic() - begun
            self._rest_s = HELD_REST_S if self._is_held else max(took_s, LEAST_REST_S)
            self._swept = max(self._swept // 2, 1) if took_s > SWEEP_S else min(2 * self._swept, MOST_SWEPT)
        except sqlite3.Error as e:
            log.warning("cannot sweep trimmed records: %s", e, extra=log_event("store.sweep_failed"))
            self._has_garbage = False  # the next trim or start tries again
            with self._lock:
                self._roll_back()

    def _account(self, swept: Swept) -> None:
        """After the clean-up, shrink the file as soon as no reader needs an older state."""
        if swept == "nothing":
            self._is_held = self._gave_back and not self._has_shrunk()
            self._has_garbage = self._gave_back = self._is_held
        else:
            self._is_held, self._has_garbage = False, True
            self._gave_back = self._gave_back or swept == "given back"

    def _has_shrunk(self) -> bool:
        """Whether everything in the log was moved into the file."""
        ((is_busy, logged, brought),) = self.db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return not is_busy and logged == brought

    def _drain(self) -> list[_Job]:
        jobs: list[_Job] = []
        while True:
            try:
                job = self._queue.get_nowait()
            except queue.Empty:
                return jobs
            if job is not None and job.future.set_running_or_notify_cancel():
                jobs.append(job)


def _attempt(operation: Operation, db: sqlite3.Connection, now_ms: int) -> Any:
    """Conditions are checked before the operation writes anything, so its failure affects only itself."""
    try:
        return operation.apply(db, now_ms)
    except StoreError as e:
        return e


def _uncertain(error: sqlite3.Error) -> AppendUncertain:
    return AppendUncertain(f"the commit failed: {error}")
