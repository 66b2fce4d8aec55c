"""`radio relay` as a process of its own, on a station whose sentences are made already."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import psutil

from radio.clock import SystemClock
from radio.settings import Settings, to_environment
from radio.streams.stores.open_store import open_store
from tests.relay.airing import Air

ROOT: Final = Path(__file__).parents[2]
READY: Final = "radio: relay at "
STOP_WITHIN_S: Final = 60.0
"""Only so that a test ends."""


@dataclass(frozen=True, slots=True)
class RelayProcess:
    """A relay that answers at `url`; its log is a file."""

    pid: int
    url: str
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    @property
    def memory(self) -> int:
        """Resident bytes."""
        return int(psutil.Process(self.pid).memory_info().rss)

    @property
    def files(self) -> int:
        """Open files, connections among them."""
        return int(psutil.Process(self.pid).num_fds())

    def logged(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


async def go_on_air(settings: Settings, seconds: float) -> None:
    """Station `harbor`, begun a moment ago, with so much sound ahead; in the store that the settings name."""
    clock = SystemClock()
    store = await open_store(settings, clock)
    try:
        air = Air(store, clock)
        await air.begin()
        await air.show(air.run, "Night Book")
        while air.at < clock.now_ms() + seconds * 1000:
            await air.say(f"Sentence {len(air.said)}.", seconds=6.0)
    finally:
        await store.close()


@contextmanager
def relaying(settings: Settings) -> Iterator[RelayProcess]:
    """The relay, until the block ends; its log lies in the data folder. Told to end, it must."""
    log = settings.data / "relay.log"
    argv = (sys.executable, "-m", "radio.cli", "relay")
    environment = {**os.environ, **to_environment(replace(settings, log_format="json"))}
    with log.open("wb") as out, subprocess.Popen(
        argv, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=out, text=True,
        env=environment,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line.startswith(READY), log.read_text(encoding="utf-8")
            yield RelayProcess(process.pid, line.removeprefix(READY).strip(), log)
            process.terminate()
            assert process.wait(STOP_WITHIN_S) == 0, log.read_text(encoding="utf-8")[-4000:]
        finally:
            process.kill()
