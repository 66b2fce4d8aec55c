"""A whole radio for a test: `radio up` as a process of the operating system, on a data folder of its own."""

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

import psutil

from radio.app import supervisor
from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams.contract import StreamStore
from radio.streams.stores.open_store import open_store

ROOT = Path(__file__).parents[2]
ON_AIR = "radio: on air at "
START_WITHIN_S = 120.0
STOP_WITHIN_S = 60.0
"""Only so that a test ends."""
STOPPED_WITHIN_S = supervisor.STOP_WITHIN_S + 15.0
"""What it may take to stop: its own limit, at which it kills what is left, and what a busy machine adds."""
ROLES = {
    "relay": "relay",
    "schedule": "scheduler",
    "narrate": "narrator",
    "produce": "producer",
    "s2-lite": "s2-lite",
}
"""By the command that runs it."""


class Radio:
    """One radio. `start` may be called again after it has ended: it goes on with the same data.

    Args:
        folder: for its data, station files and log.
        stations: YAML by station id.
        options: more of `radio up`'s.
        store: where its streams are, of `radio.settings`; else in its data folder.
        environment: variables beside the test's own.
    """

    def __init__(
        self,
        folder: Path,
        stations: Mapping[str, str],
        *options: str,
        store: Mapping[str, Any] = MappingProxyType({}),
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.data, self.schedules, self.log = folder / "data", folder / "schedules", folder / "log"
        self.schedules.mkdir(parents=True)
        for name, yaml in stations.items():
            (self.schedules / f"{name}.yaml").write_text(yaml, encoding="utf-8")
        self.settings = Settings(data=self.data, schedules=self.schedules, **store)
        self._environment = environment
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""

    def start(self) -> None:
        """Start it and wait until it says that it is on air."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._argv(),
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **self._environment},
            )
        assert self._process.stdout is not None
        line = _read_line(self._process.stdout, START_WITHIN_S)
        assert line.startswith(ON_AIR), f"said {line!r}; its log:\n{self.log.read_text()}"
        self.url = line.removeprefix(ON_AIR).strip()

    def start_in_vain(self) -> str:
        """Start it although it cannot go on air: it must end by itself, with status 1; what it said."""
        done = subprocess.run(
            self._argv(), cwd=ROOT, capture_output=True, text=True, check=False, timeout=START_WITHIN_S
        )
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        return done.stderr

    def logged(self, action: str) -> list[dict[str, Any]]:
        """What its log has of that action, oldest first; with `--log-format=json`."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines if line.startswith("{")]
        return [event for event in events if event.get("action") == action]

    def _argv(self) -> Sequence[str]:
        folders = ("--data", str(self.data), "--schedules", str(self.schedules))
        return (sys.executable, "-m", "radio.cli", "up", *folders, "--port=0", *self._options)

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None, "the radio was not started"
        return self._process

    def stop(self) -> float:
        """SIGTERM; the seconds until it had ended.

        It must end in time and with status 0, and no process may be left.
        """
        family = self.family()
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(STOP_WITHIN_S)
        took = time.monotonic() - began
        self._close()
        assert status == 0, self.log.read_text()
        assert not [p for p in family if lives(p)], "processes were left"
        assert took < STOPPED_WITHIN_S, self.log.read_text()
        return took

    def kill_up(self) -> list[psutil.Process]:
        """`kill -9` of `radio up` alone; the processes that it had."""
        family = self.family()
        self.process.kill()
        self.process.wait(STOP_WITHIN_S)
        self._close()
        return family

    def end(self) -> None:
        """Whatever state it is in: no process stays."""
        if self._process is None:
            return
        family = self.family()
        self.process.kill()
        self.process.wait()
        for process in family:
            if lives(process):
                process.kill()
        self._close()

    def _close(self) -> None:
        assert self.process.stdout is not None
        self.process.stdout.close()

    def family(self) -> list[psutil.Process]:
        """Every process under `radio up`."""
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def pids(self, role: str) -> set[int]:
        """The processes of that role."""
        return {process.pid for process in self.family() if role_of(process) == role}

    def kill(self, role: str) -> set[int]:
        """`kill -9` of the processes of that role; there must be one."""
        killed = self.pids(role)
        assert killed, f"no {role} runs:\n{self.log.read_text()}"
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        return killed

    @asynccontextmanager
    async def store(self) -> AsyncIterator[StreamStore]:
        """Its store, opened by the test's own process beside the radio's."""
        store = await open_store(self.settings, SystemClock())
        try:
            yield store
        finally:
            await store.close()


def lives(process: psutil.Process) -> bool:
    """Whether it runs; what only waits to be reaped does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def role_of(process: psutil.Process) -> str | None:
    """What a process of the radio does; None for others, and for those that have ended."""
    try:
        argv = process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return None
    commands = [ROLES[word] for word in argv[3:4] if word in ROLES]
    return commands[0] if commands and argv[1:3] == ["-m", "radio.cli"] else None


def _read_line(pipe: IO[bytes], within_s: float) -> str:
    deadline = time.monotonic() + within_s
    line = b""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while not line.endswith(b"\n"):
            assert selector.select(max(deadline - time.monotonic(), 0)), "it did not go on air in time"
            byte = os.read(pipe.fileno(), 1)
            if not byte:
                break
            line += byte
    return line.decode()
