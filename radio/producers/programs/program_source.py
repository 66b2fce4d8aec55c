"""Airs what an editor's program prints, line by line; it is run once, and never again for the same run.

The program is told nothing on its stdin, and about the run by `RADIO_STATION`, `RADIO_SHOW`, `RADIO_RUN` and
`RADIO_UNTIL` (epoch ms). It is read only while its words are wanted, and so waits at its own writing. The run
ends with the reason: `done`, `exit 3`, `no line in 60 s`, `too much output`, `broken output`, `interrupted`.
"""

import asyncio
import json
import logging
import os
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from radio import producer_kinds
from radio.errors import BadInput, first_of
from radio.log import log_event
from radio.producers.programs import program_process
from radio.producers.source import Brief, Over, Words
from radio.producers.texts.books import LONGEST

log = logging.getLogger(__name__)

MAX_LINE_BYTES = 64 * 1024
MAX_BYTES = 8 << 20
"""Of one run."""
MAX_EMPTY_LINES = 1000
"""Lines in a row that say nothing."""
MAX_LOG_LINES = 200
_LOG_CHARS = 500
_PRIVATE = ("RADIO_", "S2_")
"""Beginnings of the names of variables that are the radio's own: keys and tokens may be among them."""
_END_S = 5.0
"""A program whose output is over may take so long to end."""


class ProgramSource:
    """The output of one program."""

    def __init__(self, brief: Brief, options: producer_kinds.Exec) -> None:
        self._brief = brief
        self._options = options
        self._seg = brief.next_seg
        self.first_piece_within_s = self.piece_within_s = options.within + 2 * _END_S
        """Its own limit comes first, and ends the run."""

    async def pieces(self) -> AsyncGenerator[Words, None]:
        """One piece a line that says something.

        Raises:
            Over: why it ended, if not in good order.
        """
        if self._brief.was_begun:
            raise Over("interrupted")
        async with self._running() as process:
            assert process.stdout is not None
            size = empty = 0
            while line := await self._line(process.stdout):
                size += len(line)
                if size > MAX_BYTES:
                    raise Over("too much output")
                words = self._words(line.decode("utf-8", errors="replace"))
                empty = empty + 1 if words is None else 0
                if empty > MAX_EMPTY_LINES:
                    raise Over("broken output")
                if words is not None:
                    yield words
            await self._ended(process)

    @asynccontextmanager
    async def _running(self) -> AsyncGenerator[Process, None]:
        """The program while it runs; killed with all it started when the block ends."""
        argv = [sys.executable, program_process.__file__, *self._options.exec]
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=MAX_LINE_BYTES,
            cwd=self._brief.settings.schedules,
            env=self._environment(),
            process_group=0,
        )
        try:
            async with asyncio.TaskGroup() as tasks:
                said = tasks.create_task(self._pass_on_stderr(process), name="stderr")
                try:
                    yield process
                finally:
                    said.cancel()
        except BaseExceptionGroup as group:
            raise first_of(group) from None
        finally:
            await self._end(process)

    async def _end(self, process: Process) -> None:
        """Let go of its stdin, at which all of it is killed; what it still writes is not read."""
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(_END_S):
                while await process.stdout.read(MAX_LINE_BYTES):
                    continue
                await process.wait()
        except TimeoutError:
            log.error("program does not let go of its output", extra=log_event("exec.stuck"))

    def _environment(self) -> dict[str, str]:
        task = self._brief.assignment
        told = {
            "RADIO_STATION": task.station,
            "RADIO_SHOW": task.show,
            "RADIO_RUN": task.run,
            "RADIO_UNTIL": str(task.until),
        }
        rest = {name: value for name, value in os.environ.items() if not name.startswith(_PRIVATE)}
        return {**rest, **told}

    async def _line(self, stdout: asyncio.StreamReader) -> bytes:
        """The next line, without waiting for ever; empty at the end."""
        try:
            async with asyncio.timeout(self._options.within):
                return await stdout.readline()
        except TimeoutError:
            raise Over(f"no line in {self._options.within:g} s") from None
        except ValueError:
            raise Over("too much output") from None

    def _words(self, line: str) -> Words | None:
        text, seg = _parsed(line) if self._options.format == "json" else (line, None)
        text = " ".join(text.split())
        if seg is not None and seg > self._seg:
            self._seg = seg
        if not any(map(str.isalnum, text)):
            return None
        return Words(self._seg, text[: 2 * LONGEST] + "\n\n")

    async def _ended(self, process: Process) -> None:
        try:
            async with asyncio.timeout(_END_S):
                status = await process.wait()
        except TimeoutError:
            raise Over("does not end") from None
        if status != 0:
            raise Over("not started" if status == program_process.NOT_STARTED else f"exit {status}")

    async def _pass_on_stderr(self, process: Process) -> None:
        """What it complains of goes into the log, as far as that is bearable."""
        assert process.stderr is not None
        extra = {"station": self._brief.assignment.station, "run": self._brief.assignment.run}
        count = 0
        while data := await process.stderr.read(4096):
            for line in data.decode("utf-8", errors="replace").splitlines():
                count += 1
                if count <= MAX_LOG_LINES:
                    said = log_event("exec.stderr", line=line[:_LOG_CHARS])
                    log.warning("program complains", extra={**said, **extra})
        if count > MAX_LOG_LINES:
            more = log_event("exec.stderr_cut", lines=count - MAX_LOG_LINES)
            log.warning("program complained more", extra={**more, **extra})


def _parsed(line: str) -> tuple[str, int | None]:
    """Text and segment of a line of JSON."""
    if not line.strip():
        return "", None
    try:
        values: Any = json.loads(line)
    except ValueError:
        raise Over("broken output") from None
    if not isinstance(values, dict) or not isinstance(values.get("text"), str):
        raise Over("broken output")
    seg = values.get("seg")
    if seg is not None and (not isinstance(seg, int) or seg < 0):
        raise Over("broken output")
    return values["text"], seg


def open_source(brief: Brief) -> ProgramSource:
    """Raises `BadInput` if there is no such program."""
    options = brief.options
    assert isinstance(options, producer_kinds.Exec)
    name, folder = options.exec[0], brief.settings.schedules
    found = (folder / name).is_file() if "/" in name else shutil.which(name) is not None
    if not found:
        raise BadInput(
            f"there is no program {name}", hint=f"write a path from {Path(folder).name}, or a command"
        )
    return ProgramSource(brief, options)
