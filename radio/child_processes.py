"""Processes that end when their parent does.

A child's stdin is a pipe whose other end only its parent holds. However the parent ends, even by `kill -9`,
the pipe closes, and the child's watcher ends the child; its own children follow in the same way. What
children write to stdout or stderr goes to the parent's stderr, so there is one log. Each child leads a
process group of its own, so that Ctrl-C reaches only the process at the terminal, which then stops the others
in order.
"""

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from radio.log import log_event

log = logging.getLogger(__name__)

MARK = "RADIO_CHILD"
"""Environment variable by which a process knows that its stdin is its parent's pipe."""
UNCHANGING_STATUS = 78
"""Exit status (EX_CONFIG) of a child that ended for a cause that another start does not change."""
ORPHAN_STATUS = 3
"""Exit status of a child that did not stop in time after its parent had ended."""
_STDIN, _STDERR = 0, 2
_MOST_WORDS = 4000
"""Bytes: a pipe takes them without anyone who reads."""


class Child:
    """A running child process.

    Attributes:
        name: what it is called in the log.
        pid: its process id, which is its process group too.
    """

    def __init__(self, name: str, process: asyncio.subprocess.Process, words: int = -1) -> None:
        self.name = name
        self.pid = process.pid
        self.last_words = ""
        """Why it ended, if it said so by `say_last_words`; known once it has been waited for."""
        self._process = process
        self._words = words

    @property
    def status(self) -> int | None:
        """Exit status, negative for a signal; None while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """Wait until it has ended; returns its exit status, negative for a signal. Cancelling leaves it
        running."""
        status = await self._process.wait()
        self._let_go()
        return status

    async def stop(self, grace_s: float = 3.0) -> int:
        """SIGTERM, and SIGKILL to its group if it has not ended after `grace_s` seconds. Safe to repeat.

        Cancelling kills it at once.
        """
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(grace_s):
                return await self.wait()
        except TimeoutError:
            log.warning("child did not stop in time", extra=log_event("process.killed", child=self.name))
            self.kill()
            return await self.wait()
        except asyncio.CancelledError:
            self.kill()
            raise

    def kill(self) -> None:
        """Kill it and its group now, if it still runs."""
        if self.status is None:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                log.debug("child had ended", extra=log_event("process.already_gone", child=self.name))

    def sweep(self) -> None:
        """Kill what it left running in its process group, after it has ended."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            return  # nothing is left, or the number belongs to another group by now
        log.warning("child left processes behind", extra=log_event("process.left_children", child=self.name))

    def _signal(self, number: signal.Signals) -> None:
        """Without asyncio's `send_signal`, which may take the exit status away from the code that waits for
        it."""
        if self.status is None:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                log.debug("child had ended", extra=log_event("process.already_gone", child=self.name))

    def _let_go(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._words >= 0:
            words, self._words = self._words, -1
            self.last_words = _read_all(words)


async def spawn(
    argv: Sequence[str],
    *,
    name: str,
    first_line: bytes | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Child:
    """Start a program as a child that ends with this process.

    Args:
        argv: the program and its arguments.
        name: what it is called in the log.
        first_line: written to its stdin at once, with a newline added if it has none; the pipe then stays
            open.
        environment: variables in addition to the inherited ones.

    Raises:
        OSError: the program cannot be started.
    """
    ear, mouth = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=_STDERR,
            stderr=_STDERR,
            env={**os.environ, **environment, MARK: str(mouth)},
            process_group=0,
            pass_fds=(mouth,),
        )
    except BaseException:
        os.close(ear)
        raise
    finally:
        os.close(mouth)
    child = Child(name, process, ear)
    if first_line is not None:
        await _write_line(child, process, first_line)
    return child


async def _write_line(child: Child, process: asyncio.subprocess.Process, line: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(line.rstrip(b"\n") + b"\n")
        await process.stdin.drain()
    except ConnectionError:
        log.warning(
            "child ended before it was told what to do", extra=log_event("process.not_told", child=child.name)
        )
    except asyncio.CancelledError:
        child.kill()
        await child.wait()
        raise


def is_child() -> bool:
    """Whether this process was started by `spawn` and so holds a pipe from its parent."""
    return MARK in os.environ


def _read_all(pipe: int) -> str:
    """Read what is in a pipe now, and close it."""
    try:
        os.set_blocking(pipe, False)
        return os.read(pipe, _MOST_WORDS).decode(errors="replace")
    except BlockingIOError:
        return ""  # a process that it left behind still holds the other end
    finally:
        os.close(pipe)


def mouth() -> int | None:
    """In a child that does not watch its parent yet: where its last words go; None: in no child."""
    number = os.environ.get(MARK, "")
    return int(number) if number.isdecimal() else None


def say_last_words(pipe: int | None, words: str) -> None:
    """Tell the parent why this process ends, in `Child.last_words`."""
    if pipe is not None:
        try:
            os.write(pipe, words.encode(errors="replace")[:_MOST_WORDS])
        except OSError as e:
            log.debug("no last words: %s", e, extra=log_event("process.not_told", child="parent"))


def read_first_line() -> bytes:
    """In a child: the line that its parent wrote, without its newline. Blocks; leaves the pipe open."""
    line = bytearray()
    while (byte := os.read(_STDIN, 1)) not in (b"", b"\n"):
        line += byte
    return bytes(line)


def stop_when_parent_is_gone(stop: asyncio.Event, *, grace_s: float = 5.0) -> None:
    """In a child: set `stop` when the parent has ended, and exit `grace_s` seconds later if it still runs.

    Does nothing in a process that was not started by `spawn`. Call it inside the running loop.
    """
    if os.environ.pop(MARK, None) is None:
        return
    loop = asyncio.get_running_loop()
    threading.Thread(
        target=_watch_parent, args=(loop, stop, grace_s), name="parent-watch", daemon=True
    ).start()


def _watch_parent(loop: asyncio.AbstractEventLoop, stop: asyncio.Event, grace_s: float) -> None:
    while os.read(_STDIN, 4096):
        continue
    try:
        loop.call_soon_threadsafe(stop.set)
    except RuntimeError:
        return  # the loop is closed: this process is already ending
    time.sleep(grace_s)
    os._exit(ORPHAN_STATUS)
