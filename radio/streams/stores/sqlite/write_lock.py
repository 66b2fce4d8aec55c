"""The lock around everything that writes the SQLite file, and the check that its disk is a local one.

SQLite below 3.51.3 can lose a commit when a checkpoint and a write of two connections race. Our own lock
around each write transaction, checkpoint and close of a connection prevents that, and writers wait less than
in SQLite's own busy loop. The kernel releases it when its holder dies.
"""

import ctypes
import fcntl
import os
import sys
import threading
from pathlib import Path
from types import TracebackType

from radio.errors import Unsupported

_NOT_LOCAL = {
    0x6969: "NFS", 0x517B: "SMB", 0xFF534D42: "CIFS", 0xFE534D42: "SMB", 0x01021997: "9P", 0x65735546: "FUSE",
    0x00C36400: "Ceph", 0x5346414F: "AFS", 0x6B414653: "AFS", 0x73757245: "Coda", 0x564C: "NCP",
    0x0BD00BD0: "Lustre", 0x47504653: "GPFS", 0x7461636F: "OCFS2", 0x01161970: "GFS2",
}  # fmt: skip
"""By the file system's magic number (statfs(2)). FUSE: folders shared by a host or cluster use it, without
the shared memory that a write-ahead log needs."""


def refuse_remote(folder: Path, magic: int | None = None) -> None:
    """Raise `Unsupported` unless the folder is on a local file system. Known on Linux only."""
    if magic is None:
        magic = file_system_magic(folder)
    kind = _NOT_LOCAL.get(magic)
    if kind is not None:
        raise Unsupported(
            f"{folder} is on {kind}, where several processes cannot share a SQLite file safely",
            hint="choose a data folder on a local disk with --data",
        )


def file_system_magic(folder: Path) -> int:
    """`f_type` of statfs(2); 0 where it does not exist."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = (ctypes.c_long * 64)()  # struct statfs: its first field is a long, the rest fits twice
    if libc.statfs(os.fsencode(folder), buffer) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(folder))
    return int(buffer[0]) & 0xFFFFFFFF


class WriteLock:
    """An exclusive lock between all threads and processes that use one store. Not re-entrant."""

    def __init__(self, path: Path) -> None:
        self._threads = threading.Lock()
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def __enter__(self) -> None:
        self._threads.acquire()
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX)
        except BaseException:
            self._threads.release()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
        finally:
            self._threads.release()

    def close(self) -> None:
        os.close(self._fd)
