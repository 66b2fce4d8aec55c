"""The stores side by side, on one machine and in one run: SQLite and S2 Lite, with bare SQLite as a measure.
Without S2 Lite (`make s2-lite`) SQLite is measured alone.

    python -m bench.store [--count 400] [--records 100000] [--folder DIR]

`append`: one record until it is durable, each alone on its way. `8 writers`: the same, eight at a time, each
on a stream of its own. `follow`: from before the append until another process has the record. `read`: all
records of a stream, 1,000 at a time, by number; and as many from 100 moments, by time. `memory`: what a
process grows by when 1,000 wait for one stream, through one tail as the relay has it, and a tail each.
"""

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import psutil

from radio.app.s2_lite import local_server
from radio.cli.terminal import table
from radio.errors import RadioError
from radio.relay.shared_tails import SharedTails
from radio.streams.contract import Follow, FromSeq, FromTail, FromTimestamp, NewRecord, StreamStore
from tests.contract.process import open_at
from tests.s2_server import S2Server, new_basin

SENTENCE = bytes(24 * 1024)
PAUSE_S = 0.01
"""Between two records, so that each is alone on its way, as sentences are."""
WRITERS = 8
WAITING = 1000
PAGE = 1000
MOMENTS = 100
ROUNDS = 4
"""The stores take turns, so that what else the machine does meets all of them."""


class Bare:
    """SQLite alone: INSERT and COMMIT of the same bytes (WAL, synchronous=FULL)."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute("CREATE TABLE record (seq INTEGER PRIMARY KEY, body BLOB)")

    def append(self, body: bytes) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("INSERT INTO record (body) VALUES (?)", (body,))
        self.db.execute("COMMIT")


class Timed:
    """Milliseconds of whatever is done within `once`, and when each began (monotonic ns)."""

    def __init__(self) -> None:
        self.ms: list[float] = []
        self.begun: list[int] = []

    @contextmanager
    def once(self) -> Iterator[None]:
        begun = time.monotonic_ns()
        yield
        self.begun.append(begun)
        self.ms.append((time.monotonic_ns() - begun) / 1e6)

    def row(self, *what: str) -> tuple[str, ...]:
        return (*what, f"{percentile(self.ms, 50):.2f}", f"{percentile(self.ms, 99):.2f}")


def percentile(values: list[float], share: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


async def follow(where: str) -> None:
    """The other process: says when it had each record."""
    store = await open_at(where)
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
async def other(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Another process of this bench, ready."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *("-m", "bench.store", *arguments), stdout=asyncio.subprocess.PIPE, limit=1 << 24
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


async def said_by(process: asyncio.subprocess.Process) -> list[bytes]:
    assert process.stdout is not None
    return (await process.stdout.read()).splitlines()


async def appends(
    stores: dict[str, str], opened: dict[str, StreamStore], bare: Bare, count: int
) -> dict[str, tuple[Timed, Timed]]:
    """Appends one by one, and their way into another process, by store."""
    found = {name: (Timed(), Timed()) for name in ("sqlite3", *stores)}
    async with AsyncExitStack() as processes:
        followers = {
            name: await processes.enter_async_context(other("--follow", where))
            for name, where in stores.items()
        }
        for _ in range(ROUNDS):
            for name, store in opened.items():
                for _ in range(count // ROUNDS):
                    with found[name][0].once():
                        await store.append("bench", [NewRecord(SENTENCE)])
                    await asyncio.sleep(PAUSE_S)
            for _ in range(count // ROUNDS):
                with found["sqlite3"][0].once():
                    bare.append(SENTENCE)
                await asyncio.sleep(PAUSE_S)
        for name, store in opened.items():
            await store.append("bench", [NewRecord(b"end")])
            appended, followed = found[name]
            for line in await said_by(followers[name]):
                seq, seen = json.loads(line)
                followed.ms.append((seen - appended.begun[seq]) / 1e6)
            assert len(followed.ms) == len(appended.ms)
    return found


async def together(store: StreamStore, count: int) -> tuple[Timed, float]:
    """Eight writers at once, and how many appends a second they make."""
    timed = Timed()

    async def write(number: int) -> None:
        for _ in range(count // WRITERS):
            with timed.once():
                await store.append(f"writer/{number}", [NewRecord(SENTENCE)])

    begun = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        for number in range(WRITERS):
            tasks.create_task(write(number))
    return timed, len(timed.ms) / (time.monotonic() - begun)


async def fill(store: StreamStore, records: int) -> None:
    """Records of a second each, the last of them now."""
    first = (await store.append("clock", [NewRecord()])).end.timestamp - 1000 * records
    for k in range(0, records, PAGE):
        await store.append("long", [NewRecord(bytes(100), (), first + 1000 * n) for n in range(k, k + PAGE)])


async def read_by_seq(store: StreamStore, records: int) -> float:
    """Seconds to read all."""
    begun, place = time.monotonic(), 0
    while place < records:
        place = (await store.read("long", FromSeq(place), max_records=PAGE)).next_seq
    return time.monotonic() - begun


async def read_by_time(store: StreamStore, records: int) -> float:
    """Seconds to read as many, from moments anywhere in the stream."""
    end = (await store.check_tail("long")).timestamp
    moments = random.Random(1)
    begun = time.monotonic()
    for _ in range(MOMENTS):
        start = end - moments.randint(records // MOMENTS, records) * 1000
        result = await store.read("long", FromTimestamp(start), max_records=records // MOMENTS)
        assert len(result.records) == records // MOMENTS
    return time.monotonic() - begun


async def wait_together(where: str, how: str) -> None:
    """The other process: says by how many bytes 1,000 who wait for one stream made it grow."""
    store = await open_at(where)
    await store.append("watched", [NewRecord(SENTENCE)])
    print("ready", flush=True)
    before = psutil.Process().memory_info().rss
    async with AsyncExitStack() as held:
        await (wait_by_one_tail if how == "shared" else wait_by_a_tail_each)(store, held)
        print(psutil.Process().memory_info().rss - before, flush=True)
    await store.close()


async def wait_by_one_tail(store: StreamStore, held: AsyncExitStack) -> None:
    """As the relay does; ends when all have been woken by one append."""
    tails = SharedTails(store)
    running = asyncio.create_task(tails.run())
    await asyncio.sleep(0)  # it begins
    signals = [await held.enter_async_context(tails.watch("watched")) for _ in range(WAITING)]
    held.callback(running.cancel)
    events = [signal.next() for signal in signals]
    await store.append("watched", [NewRecord(SENTENCE)])
    await asyncio.gather(*(event.wait() for event in events))


async def wait_by_a_tail_each(store: StreamStore, held: AsyncExitStack) -> None:
    """Ends when all have the record."""

    async def first(tail: Follow) -> None:
        while not (await anext(tail)).records:
            pass

    follows = [await held.enter_async_context(store.follow("watched", FromTail(1))) for _ in range(WAITING)]
    await asyncio.gather(*map(first, follows))


async def memory(where: str) -> list[float]:
    """MB of 1,000 who wait: through one tail, and through a tail each."""
    grown = []
    for how in ("shared", "each"):
        async with other("--wait", where, how) as process:
            grown.append(int((await said_by(process))[0]) / 1e6)
    return grown


@contextmanager
def s2_lite_at(folder: Path) -> Iterator[str | None]:
    """Where an S2 Lite answers until the end; None, and a line that says why, where there is none."""
    try:
        local_server.check_version(local_server.find(""))
    except RadioError as absent:
        print(f"SQLite alone: {absent}; {absent.hint}")
        yield None
        return
    server = S2Server(folder)
    server.start()
    try:
        yield f"{server.origin}/{new_basin()}"
    finally:
        server.stop()


async def measure(stores: dict[str, str], folder: Path, count: int, records: int) -> None:
    opened = {name: await open_at(where) for name, where in stores.items()}
    rows: list[tuple[str, ...]] = []
    single = await appends(stores, opened, Bare(folder / "bare.sqlite3"), count)
    rows += [single[name][0].row("append", name, "ms") for name in single]
    rows += [single[name][1].row("follow", name, "ms") for name in stores]
    for name, store in opened.items():
        timed, rate = await together(store, count)
        rows.append((*timed.row("8 writers", name, "ms"), f"{rate:.0f} appends/s"))
    for name, store in opened.items():
        await fill(store, records)
        for what, read in (("read by seq", read_by_seq), ("read by time", read_by_time)):
            seconds = await read(store, records)
            rows.append((f"{what}, {records}", name, "s", f"{seconds:.2f}", "", f"{records / seconds:.0f}/s"))
    for name, where in stores.items():
        shared, each = await memory(where)
        rows.append((f"memory of {WAITING} waiting, one tail", name, "MB", f"{shared:.1f}"))
        rows.append((f"memory of {WAITING} waiting, a tail each", name, "MB", f"{each:.1f}"))
    for store in opened.values():
        await store.close()
    print(table([(*row, "", "")[:6] for row in rows], ("what", "store", "unit", "p50", "p99", "rate")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=400, help="records of 24 KiB for each store")
    parser.add_argument("--records", type=int, default=100_000, help="records to read")
    parser.add_argument("--folder", type=Path, help="where to write; a temporary folder otherwise")
    parser.add_argument("--follow", help=argparse.SUPPRESS)
    parser.add_argument("--wait", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.follow:
        asyncio.run(follow(options.follow))
        return
    if options.wait:
        asyncio.run(wait_together(*options.wait))
        return
    print(
        f"$ python -m bench.store --count {options.count} --records {options.records}"
        f"    (SQLite {sqlite3.sqlite_version})"
    )
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        stores = {"sqlite": str(folder / "radio.sqlite3")}
        with s2_lite_at(folder / "s2") as s2:
            stores |= {"s2 lite": s2} if s2 else {}
            asyncio.run(measure(stores, folder, options.count, options.records))


if __name__ == "__main__":
    main()
