"""The relay beside Icecast 2: the same MP3 of 64 kb/s to the same number of listeners, in the same run.

    python -m bench.relay [--listeners 500 2000 5000] [--seconds 60] [--rounds 1] [--titles]

CPU is what the server's process took while all listened, memory what its resident size grew by for each of
them. `margin` is the least sound that any listener had in hand once it had its cushion. The servers run on
loopback, one after the other, with the listeners in a process of their own (`bench/swarm.py`). Needs as many
open files as listeners, and the Debian package icecast2, else the relay stands alone.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import psutil

from bench import icecast, radios
from radio.cli.terminal import table
from radio.settings import Limits, Settings
from tests.relay.airing import sound
from tests.relay.process import RelayProcess, go_on_air, relaying

ROOT: Final = Path(__file__).parents[1]
SETTLE_S: Final = 6.0
"""From the last listener on, until what they cost is steady."""
ON_AIR_S: Final = 900.0
"""Made ahead, so that no narrator is needed."""
FILES: Final = 200
"""Open files of a server beside its listeners."""


PATH: Final = "/stations/harbor/live.mp3"


class Asked(Protocol):
    """What the command line says."""

    seconds: float
    titles: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """What one server took for its listeners. `cpu_s` over `seconds`; `memory` in bytes, for all of them."""

    server: str
    listeners: int
    seconds: float
    cpu_s: float
    memory: int
    heard: dict[str, Any]

    @property
    def per_listener_hour(self) -> float:
        """CPU seconds."""
        return self.cpu_s / self.seconds * 3600 / self.listeners

    def row(self) -> tuple[str, ...]:
        return (
            self.server,
            str(self.listeners),
            f"{self.per_listener_hour:.3f}",
            f"{self.memory / self.listeners / 1024:.1f} KiB",
            str(self.heard["held"]),
            str(self.heard["late"]),
            f"{self.heard['least_margin_s']:.1f} s",
        )


def measure(server: str, pid: int, url: tuple[int, str], count: int, asked: Asked) -> Figures:
    """`count` listeners at a server that runs; `url` is its port and the path of the stream."""
    process = psutil.Process(pid)
    port, path = url
    argv = [sys.executable, "-m", "bench.swarm", "127.0.0.1", str(port), path]
    subprocess.run([*argv, "1"], cwd=ROOT, input=b"", stdout=subprocess.DEVNULL, check=True)
    time.sleep(SETTLE_S)  # what it needs for anybody at all is there
    before = process.memory_info().rss
    argv += [str(count), *(["--titles"] if asked.titles else [])]
    with subprocess.Popen(argv, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as swarm:
        assert swarm.stdin is not None
        assert swarm.stdout is not None
        _told(swarm.stdout.readline())
        time.sleep(SETTLE_S)
        cpu, began = _cpu_s(process), time.monotonic()
        time.sleep(asked.seconds)
        took, lasted = _cpu_s(process) - cpu, time.monotonic() - began
        grown = process.memory_info().rss - before
        swarm.stdin.close()
        heard = _told(swarm.stdout.readline())
    return Figures(server, count, lasted, took, grown, heard)


def _told(line: str) -> dict[str, Any]:
    if not line:
        raise SystemExit("the listeners broke off; see above")
    told: dict[str, Any] = json.loads(line)
    return told


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


@contextmanager
def relay(folder: Path, count: int) -> Iterator[RelayProcess]:
    """`radio relay` on a broadcast that is made already."""
    limits = Limits(listeners_per_station=count, listeners_per_client=count)
    settings = Settings(data=folder, port=0, limits=limits)
    asyncio.run(go_on_air(settings, ON_AIR_S))
    with relaying(settings) as process:
        yield process


def compare(count: int, asked: Asked) -> Iterator[Figures]:
    """One round: Icecast, where it is installed, then the relay."""
    heard = b"".join(sound(number, 6.0) for number in range(20))
    if icecast.is_here():
        with radios.folder() as place, icecast.serving(place, heard, listeners=count) as (pid, port):
            yield measure("Icecast 2", pid, (port, icecast.MOUNT), count, asked)
    with radios.folder() as place, relay(place, count) as process:
        yield measure("relay", process.pid, (process.port, PATH), count, asked)


def allow_files(counts: list[int]) -> list[int]:
    """Let this process and its children open as many files as may be; the counts for which that is enough."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    fit = [count for count in counts if hard == resource.RLIM_INFINITY or count + FILES <= hard]
    if fit != counts:
        print(
            f"more than {hard} open files are needed for {set(counts) - set(fit)}: left out", file=sys.stderr
        )
    return fit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listeners", type=int, nargs="+", default=[500, 2000, 5000])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--titles", action="store_true", help="listeners ask for ICY titles")
    asked = parser.parse_args()
    found: list[Figures] = []
    for count in allow_files(asked.listeners) * asked.rounds:
        for figures in compare(count, asked):
            print("…", *figures.row(), file=sys.stderr, flush=True)
            found.append(figures)
    heads = ("SERVER", "LISTENERS", "CPU S A LISTENER-HOUR", "MEMORY A LISTENER", "HELD", "LATE", "MARGIN")
    print(table([figures.row() for figures in found], heads))


if __name__ == "__main__":
    main()
