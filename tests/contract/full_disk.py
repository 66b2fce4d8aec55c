"""A store on a full disk: `python -m tests.contract.full_disk FOLDER`, where FOLDER is a small file system.

Exits with 0 if rule M5 holds there.
"""

import asyncio
import sys
from pathlib import Path

from radio.clock import SystemClock
from radio.streams.contract import FromSeq, NewRecord, StreamStore, Unavailable
from radio.streams.stores.sqlite.store import SqliteStore


async def fill(store: StreamStore) -> Unavailable:
    """Append until it fails; the failure."""
    try:
        while True:
            await store.append("a", [NewRecord(bytes(100_000))])
    except Unavailable as e:
        return e


async def main(folder: Path) -> None:
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(1_000_000))
    store = await SqliteStore.open(folder / "radio.sqlite3", SystemClock())
    assert "full" in str(await fill(store))
    tail = (await store.check_tail("a")).seq
    assert tail > 0
    stands = await store.read("a", FromSeq(tail - 1))
    assert [len(record.body) for record in stands.records] == [100_000]
    try:
        await store.append("a", [NewRecord(bytes(500_000))], match_seq_num=tail)
    except Unavailable:
        ballast.unlink()
    ack = await store.append("a", [NewRecord(bytes(200_000))], match_seq_num=tail)
    assert ack.start.seq == tail
    await store.close()
    assert not ballast.exists()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
