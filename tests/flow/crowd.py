"""Many processes of one radio on one store, each of which a test may kill, freeze and thaw."""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

from radio.child_processes import MARK
from radio.clock import SystemClock
from radio.settings import Settings, to_environment
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.ownership.stream_owner import parse
from radio.streams.stores.open_store import SQLITE_FILE, open_store
from tests.waiting import until

ROOT = Path(__file__).parents[2]
STOP_WITHIN_S = 60.0
"""Only so that a test ends."""


class Process:
    """`radio narrate` or `radio schedule`."""

    def __init__(self, command: str, settings: Settings, log: Path) -> None:
        self.command = command
        self.log = log
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                (sys.executable, "-m", "radio.cli", command),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={
                    **{name: value for name, value in os.environ.items() if name != MARK},
                    **to_environment(settings),
                },
            )

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def entries(self) -> list[dict[str, object]]:
        """What it has logged."""
        found = []
        for line in self.log.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError):
                found.append(json.loads(line))
        return found

    @property
    def owners(self) -> set[str]:
        """The ids that it took streams under."""
        return {str(entry["owner"]) for entry in self.entries() if "owner" in entry}

    def kill(self) -> int:
        """SIGKILL; epoch ms of when it was dead."""
        self._process.kill()
        self._process.wait()
        return time.time_ns() // 1_000_000

    def stop(self) -> int:
        """SIGTERM; its exit status."""
        self._process.terminate()
        return self._process.wait(STOP_WITHIN_S)

    def freeze(self) -> int:
        """SIGSTOP; epoch ms of when all of its threads stood still.

        One that still waits for the store's lock would get it when it is let go, and keep it.
        """
        self._process.send_signal(signal.SIGSTOP)
        deadline = time.monotonic() + STOP_WITHIN_S
        while (states := _states(self._process.pid)) != {"T"}:
            assert time.monotonic() < deadline, f"it did not stand still: {states}"
            time.sleep(0.001)
        return time.time_ns() // 1_000_000

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """Whatever state it is in."""
        if self.lives:
            self._process.kill()
            self._process.wait()


def _states(pid: int) -> set[str]:
    """Of its threads; `T`: stopped."""
    stats = [task / "stat" for task in Path(f"/proc/{pid}/task").iterdir()]
    return {stat.read_text().rpartition(")")[2].split()[0] for stat in stats}


class Crowd:
    """The processes, and the store that they share.

    Args:
        settings: of each of them.
    """

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.settings = replace(settings, log_format="json")
        self.narrators: list[Process] = []
        self.schedulers: list[Process] = []
        self._folder = folder

    def narrator(self, data: Path | None = None) -> Process:
        """One more. With a data folder of its own, it learns of the others by heartbeats alone."""
        self.narrators.append(self._start("narrate", data))
        return self.narrators[-1]

    def scheduler(self) -> Process:
        self.schedulers.append(self._start("schedule", None))
        return self.schedulers[-1]

    def _start(self, command: str, data: Path | None) -> Process:
        settings = self.settings if data is None else replace(self.settings, data=data)
        number = len(self.narrators) + len(self.schedulers)
        return Process(command, settings, self._folder / f"{command}{number}.log")

    def folder_elsewhere(self, name: str) -> Path:
        """Another data folder on the same store, as on another machine."""
        folder = self._folder / name
        folder.mkdir()
        if self.settings.store == "sqlite":
            for file in (SQLITE_FILE, f"{SQLITE_FILE}-lock", f"{SQLITE_FILE}-wake"):
                (folder / file).symlink_to(self.settings.data / file)
        return folder

    @asynccontextmanager
    async def store(self) -> AsyncIterator[StreamStore]:
        """As one more process sees it."""
        self.settings.data.mkdir(parents=True, exist_ok=True)
        store = await open_store(self.settings, SystemClock())
        try:
            yield store
        finally:
            await store.close()

    @contextmanager
    def outside_a_transaction(self) -> Iterator[None]:
        """Nobody writes to the store meanwhile: a process that is frozen now holds up no other."""
        if self.settings.store != "sqlite":
            yield
            return
        with (self.settings.data / f"{SQLITE_FILE}-lock").open("rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def end(self) -> None:
        for process in self.narrators + self.schedulers:
            process.end()

    def report(self) -> str:
        """The ends of all logs."""
        logs = [process.log for process in self.narrators + self.schedulers]
        return "\n".join(f"== {log.name}\n{log.read_text()[-4000:]}" for log in logs)


async def owner_of(store: StreamStore, name: str) -> str:
    """The id of who owns a stream; "" if nobody does."""
    try:
        return parse(await store.fencing_token(name)).owner
    except StreamNotFound:
        return ""


async def holder(store: StreamStore, processes: list[Process], streams: list[str]) -> Process:
    """Of the processes that live, the one that owns most of the streams; at least one."""
    found: list[tuple[int, Process]] = []

    async def is_held() -> bool:
        owners = [await owner_of(store, name) for name in streams]
        counts = [(sum(owner in p.owners for owner in owners), p) for p in processes if p.lives]
        found[:] = [(count, p) for count, p in counts if count]
        return bool(found)

    await until(is_held)
    return max(found, key=lambda one: one[0])[1]


async def taken_after(store: StreamStore, name: str, gone: set[str], *, within_s: float = 180.0) -> str:
    """Wait until a stream is owned by someone else than these; who that is."""
    found = ""

    async def is_taken() -> bool:
        nonlocal found
        found = await owner_of(store, name)
        return bool(found) and found not in gone

    await until(is_taken, within_s=within_s)
    return found


async def moment_of_take(store: StreamStore, name: str, owner: str, since_ms: int) -> int:
    """Epoch ms, by the store, at which `owner` took a stream first since then."""
    at = 0
    while True:
        page = await store.read(name, FromSeq(at), include_commands=True)
        for record in page.records:
            is_later = record.timestamp >= since_ms
            if is_later and record.kind == "fence" and owner in record.body.decode():
                return record.timestamp
        if page.next_seq == at:
            raise LookupError(f"{owner} never took {name}")
        at = page.next_seq


def station_streams(stations: list[str]) -> list[str]:
    return [names.broadcast(station) for station in stations]
