"""Latency of the SQLite store, from one process into another, beside bare SQLite on the same disk.

    python -m bench.store [--count 400] [--folder DIR]

`append`: until the record is durable. `follow`: from before the append until another process has the record.
`sqlite3`: INSERT and COMMIT of the same bytes in this process (WAL, synchronous=FULL). Rounds alternate.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from radio.cli.terminal import table
from radio.clock import SystemClock
from radio.streams.contract import FromSeq, NewRecord
from radio.streams.sqlite import SqliteStore

SIZES = {"text, 128 B": 128, "sentence, 24 KiB": 24 * 1024}
PAUSE_S = 0.01
"""Between two records, so that each is alone on its way, as sentences are."""
ROUNDS = 4


async def follow(path: Path) -> None:
    """The other process: says when it had each record."""
    store = await SqliteStore.open(path, SystemClock())
    print("ready", flush=True)
    async with store.follow("bench", FromSeq(0), await_stream=True) as tail:
        async for result in tail:
            seen = time.monotonic_ns()
            for record in result.records:
                if record.body == b"end":
                    await store.close()
                    return
                print(json.dumps([record.seq, seen]), flush=True)


@asynccontextmanager
async def follower(path: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bench.store", "--follow", str(path)),
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 24,
    )
    assert process.stdout is not None
    await process.stdout.readline()
    try:
        yield process
    except BaseException:
        process.kill()
        raise
    finally:
        await process.wait()


async def timed(
    count: int, append: Callable[[], Coroutine[Any, Any, object]]
) -> tuple[list[float], list[int]]:
    """Milliseconds of each append, and when each began (monotonic ns)."""
    took, begun = [], []
    for _ in range(count):
        begun.append(time.monotonic_ns())
        await append()
        took.append((time.monotonic_ns() - begun[-1]) / 1e6)
        await asyncio.sleep(PAUSE_S)
    return took, begun


class Bare:
    """SQLite alone."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute("CREATE TABLE record (seq INTEGER PRIMARY KEY, body BLOB)")

    async def append(self, body: bytes) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("INSERT INTO record (body) VALUES (?)", (body,))
        self.db.execute("COMMIT")


async def measure(folder: Path, size: int, count: int) -> dict[str, list[float]]:
    body = bytes(size)
    store = await SqliteStore.open(folder / "radio.sqlite3", SystemClock())
    bare = Bare(folder / "bare.sqlite3")
    found: dict[str, list[float]] = {"append": [], "follow": [], "sqlite3": []}
    begun: list[int] = []
    async with follower(folder / "radio.sqlite3") as process:
        for _ in range(ROUNDS):
            took, at = await timed(count // ROUNDS, lambda: store.append("bench", [NewRecord(body)]))
            found["append"] += took
            begun += at
            found["sqlite3"] += (await timed(count // ROUNDS, lambda: bare.append(body)))[0]
        await store.append("bench", [NewRecord(b"end")])
        assert process.stdout is not None
        for line in (await process.stdout.read()).splitlines():
            seq, seen = json.loads(line)
            found["follow"].append((seen - begun[seq]) / 1e6)
    await store.close()
    bare.db.close()
    assert len(found["follow"]) == len(begun)
    return found


def percentile(values: list[float], share: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=400, help="records of each size")
    parser.add_argument("--folder", type=Path, help="where to write; a temporary folder otherwise")
    parser.add_argument("--follow", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.follow:
        asyncio.run(follow(options.follow))
        return
    rows = []
    for what, size in SIZES.items():
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            found = asyncio.run(measure(Path(folder), size, options.count))
        peer = percentile(found["sqlite3"], 50)
        for name, values in found.items():
            p50 = percentile(values, 50)
            rows.append((what, name, f"{p50:.2f}", f"{percentile(values, 99):.2f}", f"{p50 / peer:.1f}"))
    print(f"$ python -m bench.store --count {options.count}    (SQLite {sqlite3.sqlite_version})")
    print(table(rows, ("record", "what", "p50 ms", "p99 ms", "× sqlite3")))


if __name__ == "__main__":
    main()
