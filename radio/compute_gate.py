"""The compute gate: LLM and voice take turns on a device that they share.

It is three file locks in a folder, which are released when their holder dies. The process that computes holds
`device`. A process that waits for it holds `next`, so that two take turns however fast one of them returns.
The narrator holds `first` while a lane with a sentence ready is below its guard; until it releases that, no
LLM begins a burst. A process that has waited `PATIENCE_S` continues once without the gate; that is logged and
counted.
"""

import asyncio
import fcntl
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from radio.log import log_event

log = logging.getLogger(__name__)

BURST_S = 0.25
"""Maximum time for which an LLM holds the device."""
PATIENCE_S = 2.0
_LLM_LOOKS_S = 0.005
_VOICE_LOOKS_S = 0.002
_TELL_S = 60.0
"""Minimum time between two log lines about passes without the gate."""


def is_shared(setting: str, *, cores: int, threads: int, on_gpu: bool) -> bool:
    """Whether LLM and voice share a device.

    Args:
        setting: `on`, `off`, or `auto`, which decides by the other arguments.
        threads: of LLM and voice together.
        on_gpu: whether the LLM computes on a GPU.
    """
    return setting == "on" or (setting == "auto" and (on_gpu or cores < threads))


class Lock:
    """A file lock of this object: another object in the same process has to wait like any other."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.is_held = False

    def take(self) -> bool:
        """Take it if it is free; returns whether it is held now."""
        if not self.is_held:
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            self.is_held = True
        return True

    def leave(self) -> None:
        """Safe to repeat."""
        if self.is_held:
            fcntl.flock(self._fd, fcntl.LOCK_UN)
            self.is_held = False

    @property
    def is_free(self) -> bool:
        """Whether nobody else holds it."""
        return self.is_held or self._can_be_shared()

    def _can_be_shared(self) -> bool:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        fcntl.flock(self._fd, fcntl.LOCK_UN)
        return True

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd, self.is_held = -1, False


class Gate:
    """One process's access to the gate. For one thread at a time.

    Attributes:
        without: how often it continued without the gate.
    """

    def __init__(self, folder: Path, *, who: str, patience_s: float = PATIENCE_S) -> None:
        """`who` is for the log; the folder is created if necessary."""
        self._who = who
        self._patience_s = patience_s
        self._device = Lock(folder / "device")
        self._next = Lock(folder / "next")
        self._first = Lock(folder / "first")
        self.without = 0
        self._told_s = float("-inf")

    def enter_llm(self) -> None:
        """Wait for the device, after a voice that has priority. Blocks."""
        for is_last in self._looks():
            if self._first.is_free and self._step():
                return
            if not is_last:
                time.sleep(_LLM_LOOKS_S)
        self._go_without()

    @asynccontextmanager
    async def speaking(self) -> AsyncIterator[None]:
        """The device for one sentence, at the latest after the current burst. Cancelling releases it."""
        try:
            for is_last in self._looks():
                if self._step():
                    break
                if not is_last:
                    await asyncio.sleep(_VOICE_LOOKS_S)
            else:
                self._go_without()
            yield
        finally:
            self.leave()

    def put_voice_first(self, is_first: bool) -> None:
        """Whether no LLM may begin a burst. With several narrators on one device, one of them holds the
        lock."""
        if not is_first:
            self._first.leave()
        elif not self._first.take():
            self._first.take()  # an LLM that tests the lock holds it for microseconds

    def leave(self) -> None:
        """Release the device. Safe to repeat."""
        self._next.leave()
        self._device.leave()

    def close(self) -> None:
        for lock in (self._device, self._next, self._first):
            lock.close()

    def _step(self) -> bool:
        if self._next.take() and self._device.take():
            self._next.leave()
            return True
        return False

    def _looks(self) -> Iterator[bool]:
        """Polls until patience runs out; the last value is then True."""
        until = time.monotonic() + self._patience_s
        while time.monotonic() < until:
            yield False
        yield True

    def _go_without(self) -> None:
        self._next.leave()
        self.without += 1
        now = time.monotonic()
        if now - self._told_s >= _TELL_S:
            self._told_s = now
            extra = log_event("gate.without", who=self._who, times=self.without)
            log.warning("went on without the compute gate", extra=extra)


def opened(
    data: Path, setting: str, *, who: str, voice_threads: int, llm_threads: int, on_gpu: bool = False
) -> Gate | None:
    """The radio's gate, for `who`; None if LLM and voice do not share a device.

    Args:
        data: the radio's data folder.
        voice_threads: 0: the number of cores, at most 4.
    """
    cores = len(os.sched_getaffinity(0))
    threads = (voice_threads or min(4, cores)) + llm_threads
    if not is_shared(setting, cores=cores, threads=threads, on_gpu=on_gpu):
        return None
    return Gate(data / "gate", who=who)


class Bursts:
    """An LLM's work in bursts of at most `BURST_S`.

    Args:
        gate: None if the device is not shared; then only time is measured.
    """

    def __init__(self, gate: Gate | None, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._gate = gate
        self._monotonic = monotonic
        self._begun_s: float | None = None

    def step(self, expected_s: float) -> None:
        """Announce a step of about that length: in this burst if it fits, or else in a new one."""
        if self.is_spent(expected_s):
            self.end()
        if self._begun_s is None:
            if self._gate is not None:
                self._gate.enter_llm()
            self._begun_s = self._monotonic()

    def is_spent(self, expected_s: float) -> bool:
        """Whether a step of about that length no longer fits."""
        return self._begun_s is not None and self._monotonic() - self._begun_s + expected_s > BURST_S

    def end(self) -> None:
        """Release the device. Safe to repeat."""
        if self._gate is not None:
            self._gate.leave()
        self._begun_s = None
