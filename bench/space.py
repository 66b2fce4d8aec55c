"""What trimming costs those who write meanwhile: latency of a neighbour's appends while the file shrinks.

    python -m bench.space [MEGABYTES]

One process keeps appending sentences (24 KiB, one after the other); another trims a long broadcast away.
Printed: the neighbour's latency before and while the space is given back, the size of the file and of its
write-ahead log before and after.
"""

import asyncio
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from radio.clock import SystemClock
from radio.streams.contract import NewRecord
from radio.streams.stores.sqlite.store import SqliteStore
from tests.waiting import until

BODY = bytes(24 * 1024)
CALM_S = 3.0
SPARE = 8 << 20
"""The file is done shrinking when it holds no more than what stands and this."""
PAUSE_S = 0.02


def neighbour(path: str, pipe: Connection) -> None:
    """Append until told to stop; send (monotonic end, seconds taken) of each append."""

    async def work() -> None:
        store = await SqliteStore.open(Path(path), SystemClock())
        taken: list[tuple[float, float]] = []
        while not pipe.poll():
            begun = time.monotonic()
            await store.append("pub/stations/tower", [NewRecord(BODY)])
            taken.append((time.monotonic(), time.monotonic() - begun))
            await asyncio.sleep(PAUSE_S)
        pipe.send(taken)
        await store.close()

    asyncio.run(work())


async def main(megabytes: int) -> None:
    with tempfile.TemporaryDirectory(prefix="radio-space-") as folder:
        path = Path(folder) / "radio.sqlite3"
        store = await SqliteStore.open(path, SystemClock())
        for _ in range(megabytes * 1024 * 1024 // (40 * len(BODY))):
            await store.append("pub/stations/harbor", [NewRecord(BODY)] * 40)
        mine, others = multiprocessing.Pipe()
        process = multiprocessing.get_context("spawn").Process(target=neighbour, args=(str(path), others))
        process.start()
        await asyncio.sleep(CALM_S)
        full, trimmed_at = path.stat().st_size, time.monotonic()
        await store.trim("pub/stations/harbor", 1 << 40)
        await until(lambda: _is_small(store, path), within_s=120)
        done_at = time.monotonic()
        await asyncio.sleep(CALM_S)
        mine.send(None)
        taken: list[tuple[float, float]] = mine.recv()
        process.join()
        wal = path.with_name(path.name + "-wal").stat().st_size
        print(
            f"file {full / 1e6:.0f} MB -> {path.stat().st_size / 1e6:.0f} MB in {done_at - trimmed_at:.1f} s"
        )
        print(f"write-ahead log {wal / 1e6:.1f} MB")
        _say("calm", [s for at, s in taken if at < trimmed_at])
        _say("giving back", [s for at, s in taken if trimmed_at <= at < done_at])
        await store.close()


async def _is_small(store: SqliteStore, path: Path) -> bool:
    stands = (await store.check_tail("pub/stations/tower")).seq * len(BODY)
    return (await asyncio.to_thread(path.stat)).st_size <= stands * 1.1 + SPARE


def _say(what: str, seconds: list[float]) -> None:
    if not seconds:
        print(f"{what}: no append")
        return
    ranked = sorted(seconds)
    p50, p99 = (1000 * ranked[int(len(ranked) * share)] for share in (0.5, 0.99))
    longest = 1000 * ranked[-1]
    print(f"{what}: {len(ranked)} appends, p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {longest:.1f} ms")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
