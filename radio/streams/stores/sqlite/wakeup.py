"""How the processes that share one store notice each other's commits.

A writer writes one byte into the wake file after its COMMIT; each process watches that file (inotify) in one
thread. The byte is a hint: what changed is asked of the database, and a poll finds what a lost hint hides.
(Watching the write-ahead log itself wakes too early: it is written before the commit can be seen.)
"""

import ctypes
import logging
import os
import select
import sqlite3
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from radio.log import log_event
from radio.streams.stores.sqlite.schema import find_stream

log = logging.getLogger(__name__)

POLL_S = 0.2
"""Upper bound on the delay of a follower when a hint is lost; M4 allows 0.25."""
POLL_WITHOUT_INOTIFY_S = 0.01

_MODIFY, _ATTRIB, _DELETE_SELF, _MOVE_SELF = 0x2, 0x4, 0x400, 0x800


class WakeFile:
    """Signals commits, and receives the signals of others. Works on if the file is deleted or replaced."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inotify = _inotify_init()
        self._guard = threading.Lock()
        self._fd = -1
        self._open()

    def ring(self) -> None:
        """Wake all processes; called after COMMIT. Without it they notice by polling."""
        try:
            with self._guard:
                os.pwrite(self._fd, b"\0", 0)
        except OSError as e:
            log.warning("cannot ring: %s", e, extra=log_event("store.wake_failed"))

    def fileno(self) -> int | None:
        """File descriptor to poll; None where there is no inotify."""
        return self._inotify

    def drain(self) -> None:
        """Take the pending events."""
        if self._inotify is not None:
            try:
                while os.read(self._inotify, 4096):
                    pass
            except BlockingIOError:
                return

    def heal(self) -> None:
        """Watch the path anew if another file, or none, is there now."""
        try:
            there = os.stat(self._path)
        except FileNotFoundError:
            there = None
        mine = os.fstat(self._fd)
        if there is None or (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino):
            log.warning("wake file replaced", extra=log_event("store.wake_file_replaced"))
            self._open()

    def close(self) -> None:
        os.close(self._fd)
        if self._inotify is not None:
            os.close(self._inotify)

    def _open(self) -> None:
        fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        with self._guard:
            old, self._fd = self._fd, fd
        if old >= 0:
            os.close(old)
        if self._inotify is not None:
            mask = _MODIFY | _ATTRIB | _DELETE_SELF | _MOVE_SELF
            _checked(_libc().inotify_add_watch(self._inotify, os.fsencode(self._path), mask))


class Watcher(threading.Thread):
    """The one thread of a process that looks for commits, for all its followers.

    Args:
        followed: names that have followers now.
        tell: gets the streams' new states; called from this thread, after any commit of another connection.
        failed: called instead if the database could not be read.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        wake: WakeFile,
        *,
        followed: Callable[[], tuple[str, ...]],
        tell: Callable[[Mapping[str, object]], None],
        failed: Callable[[], None],
    ) -> None:
        super().__init__(name="store-watch", daemon=True)
        self._db = db
        self._wake = wake
        self._followed = followed
        self._tell = tell
        self._failed = failed
        self._stop_read, self._stop_write = os.pipe()
        self._version = -1
        self._names: tuple[str, ...] = ()
        self._is_deaf = False

    def run(self) -> None:
        poll = select.poll()
        poll.register(self._stop_read, select.POLLIN)
        heard = self._wake.fileno()
        if heard is not None:
            poll.register(heard, select.POLLIN)
        pause_s = POLL_S if heard is not None else POLL_WITHOUT_INOTIFY_S
        while True:
            ready = {fd for fd, _ in poll.poll(pause_s * 1000)}
            if self._stop_read in ready:
                return
            if heard in ready:
                self._wake.drain()
            self._heal()
            self._look()

    def stop(self) -> None:
        """End the thread and wait for it."""
        os.write(self._stop_write, b"\0")
        self.join()
        os.close(self._stop_read)
        os.close(self._stop_write)

    def _heal(self) -> None:
        try:
            self._wake.heal()
            self._is_deaf = False
        except OSError as e:  # polling continues; log it once
            if not self._is_deaf:
                log.warning("cannot watch: %s", e, extra=log_event("store.wake_failed"))
            self._is_deaf = True

    def _look(self) -> None:
        names = self._followed()
        try:
            (version,) = self._db.execute("PRAGMA data_version").fetchone()
            if names and (version != self._version or names != self._names):
                self._tell({name: look(self._db, name) for name in names})
            self._version, self._names = version, names
        except sqlite3.Error as e:
            log.warning("store not readable: %s", e, extra=log_event("store.watch_failed"))
            self._failed()


def look(db: sqlite3.Connection, name: str) -> tuple[int, int] | None:
    """What a follower's wake-up depends on: incarnation and next seq; None while the stream is missing."""
    found = find_stream(db, name)
    return None if found is None else (found[0], found[1].next_seq)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _inotify_init() -> int | None:
    if sys.platform != "linux":
        return None
    return _checked(_libc().inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
