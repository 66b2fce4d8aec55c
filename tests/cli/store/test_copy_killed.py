"""`radio store copy` as a process that is killed, and does it again until it is done."""

import asyncio
import random
import subprocess
import sys
from pathlib import Path

from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams.contract import Fence, FromSeq, NewRecord, Record, StreamStore, Trim
from radio.streams.listing import every_name
from radio.streams.stores.open_store import open_store
from tests.waiting import until

STREAMS = 60
KILLS = 3


async def filled(data: Path) -> dict[str, list[Record]]:
    """A store with enough in it that a copy takes a while; what stands in it."""
    store = await open_store(Settings(data=data), SystemClock())
    try:
        for number in range(STREAMS):
            name = f"pub/stations/s{number}"
            await store.append(name, [Fence(f"e{number}.aaaaaaaa"), *[NewRecord(bytes(3_000))] * 99])
            await store.append(name, [Trim(30), *[NewRecord(b"%d" % number)] * 99])
        return await standing(store)
    finally:
        await store.close()


async def standing(store: StreamStore) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for name in await every_name(store, "pub/"):
        records: list[Record] = []
        place = 0
        while place < (await store.check_tail(name)).seq:
            page = await store.read(name, FromSeq(place), include_commands=True)
            records += page.records
            place = page.next_seq
        found[name] = records
    return found


def started(origin: Path, copied: Path) -> subprocess.Popen[bytes]:
    command = ("store", "copy", f"sqlite:{origin}", f"sqlite:{copied}")
    return subprocess.Popen(
        [sys.executable, "-m", "radio.cli", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


async def count(data: Path) -> int:
    """Streams that the copy has so far."""
    if not (data / "radio.sqlite3").exists():
        return 0
    store = await open_store(Settings(data=data), SystemClock())
    try:
        return len(await every_name(store, "pub/"))
    finally:
        await store.close()


async def test_a_copy_killed_again_and_again_is_whole_in_the_end(tmp_path: Path) -> None:
    origin, copied = tmp_path / "a", tmp_path / "b"
    expected = await filled(origin)
    draw = random.Random(11)
    for _ in range(KILLS):
        before = await count(copied)
        process = started(origin, copied)

        async def has_grown(process: subprocess.Popen[bytes] = process, before: int = before) -> bool:
            return process.poll() is not None or await count(copied) > before

        await until(has_grown)
        await asyncio.sleep(draw.uniform(0, 0.1))  # not to be right: any moment will do
        process.kill()
        process.communicate()
    process = started(origin, copied)
    said, _ = await asyncio.to_thread(process.communicate)
    finished_before = b"finished before" in said
    assert process.returncode == (1 if finished_before else 0), said.decode()
    store = await open_store(Settings(data=copied), SystemClock())
    try:
        assert await standing(store) == expected
        for number in range(STREAMS):
            assert await store.fencing_token(f"pub/stations/s{number}") == f"e{number}.aaaaaaaa"
    finally:
        await store.close()
