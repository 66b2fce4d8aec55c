"""One `radio up` for each data folder."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from radio.errors import RadioError

LOCK_FILE = "radio.lock"


class AlreadyRunning(RadioError):
    """Another `radio up` uses this data folder. `pid` is its process id, if known."""

    def __init__(self, data: Path, pid: str) -> None:
        process = f" (process {pid})" if pid else ""
        super().__init__(
            f"a radio already runs on {data}{process}",
            hint="stop that one, or choose another folder with --data",
        )
        self.pid = pid


@contextmanager
def sole(data: Path) -> Iterator[None]:
    """Hold the data folder's lock; the system releases it however this process ends.

    Raises:
        AlreadyRunning: another process holds it.
    """
    data.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(data / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as held:
            raise AlreadyRunning(data, os.read(descriptor, 32).decode().strip()) from held
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
