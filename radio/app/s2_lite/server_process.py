"""The process that runs S2 Lite: it writes S2 Lite's lines into the radio's log, and S2 Lite ends when it
does."""

import asyncio
import logging
import os
import re
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from radio.errors import RadioError
from radio.log import log_event
from radio.settings import SECRETS

log = logging.getLogger(__name__)

QUIET = "info,tower_http=warn,s2_lite::backend=warn"
"""Log level of S2 Lite unless `RUST_LOG` sets one: without a line for each append and trim."""
STOP_WITHIN_S = 4.0
"""With an open connection from another machine it waits 10 s. If it is killed, nothing acknowledged is
lost."""
LINE_BYTES = 1 << 16
_LEVELS = {
    "TRACE": logging.DEBUG,
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
}
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LINE = re.compile(r"\S+Z\s+(TRACE|DEBUG|INFO|WARN|ERROR)\s+(.*)", re.DOTALL)


class S2LiteEnded(RadioError):
    """S2 Lite ended by itself. `status` is its exit status, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"S2 Lite ended with status {status}", hint="its last lines in this log say why")
        self.status = status


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of S2 Lite's log."""

    level: int
    says: str


def argv(binary: Path, folder: Path, port: int) -> Sequence[str]:
    """Its command line: streams in `folder`, no page and no browser of another origin."""
    place = ("--local-root", str(folder), "--port", str(port))
    return (str(binary), "lite", *place, "--no-cors", "--no-dashboard")


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """Its environment; without tokens, which it does not need."""
    secret = frozenset().union(*SECRETS.values())
    passed = {name: value for name, value in own.items() if name not in secret}
    return {"RUST_LOG": QUIET, **passed, "NO_COLOR": "1", "S2_NO_UPDATE_CHECK": "1"}


def read_line(text: str, *, otherwise: int) -> LogLine:
    """A line of its output; one without time and level gets the level `otherwise`."""
    plain = _COLOUR.sub("", text).rstrip()
    found = _LINE.fullmatch(plain)
    return LogLine(_LEVELS[found[1]], found[2]) if found else LogLine(otherwise, plain)


async def run(binary: Path, folder: Path, port: int, stop: asyncio.Event) -> None:
    """Run until `stop` is set and S2 Lite has ended.

    Raises:
        S2LiteEnded: it ended before that.
    """
    process = await asyncio.create_subprocess_exec(
        *argv(binary, folder, port),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=LINE_BYTES,
        env=environment(os.environ),
    )
    log.info("s2 lite started", extra=log_event("s2_lite.started", pid=process.pid, port=port))
    assert process.stdout is not None
    assert process.stderr is not None
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_copy(process.stdout, otherwise=logging.DEBUG), name="s2 lite output")
        tasks.create_task(_copy(process.stderr, otherwise=logging.WARNING), name="s2 lite errors")
        await _until_ended(process, stop)
    if not stop.is_set():
        raise S2LiteEnded(await process.wait())
    log.info("s2 lite stopped", extra=log_event("s2_lite.stopped", status=process.returncode))


async def _until_ended(process: asyncio.subprocess.Process, stop: asyncio.Event) -> None:
    ended = asyncio.ensure_future(process.wait())
    told = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait([ended, told], return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            await _end(process)
    finally:
        told.cancel()
        _signal(process, signal.SIGKILL)
        await ended


async def _end(process: asyncio.subprocess.Process) -> None:
    _signal(process, signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_WITHIN_S):
            await process.wait()
    except TimeoutError:
        log.warning("s2 lite has open connections, killing it", extra=log_event("s2_lite.killed"))


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    """As in `Child`."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, number)


async def _copy(output: asyncio.StreamReader, *, otherwise: int) -> None:
    """Read until the output ends. A line longer than `LINE_BYTES` is logged as several."""
    while text := await _next(output):
        line = read_line(text.decode(errors="replace"), otherwise=otherwise)
        if line.says:
            log.log(line.level, "s2 lite says", extra=log_event("s2_lite.says", says=line.says))


async def _next(output: asyncio.StreamReader) -> bytes:
    try:
        return await output.readuntil()
    except asyncio.IncompleteReadError as end:
        return end.partial
    except asyncio.LimitOverrunError as long:
        return await output.read(long.consumed)
