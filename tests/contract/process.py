"""Another process on the same store: `python -m tests.contract.process WHERE VERB ARGS…`.

WHERE is the path of a SQLite store, or ORIGIN/BASIN of an S2 store, as in `http://127.0.0.1:4002/radio-main`.

Says `ready` on a line, waits for a line, does its work, and says each result on a line.
"""

import asyncio
import sqlite3
import sys
from pathlib import Path

from radio.clock import SystemClock
from radio.streams.contract import (
    AppendConditionFailed,
    AppendUncertain,
    Fence,
    FromSeq,
    NewRecord,
    StreamStore,
)
from radio.streams.stores.s2.address import S2Address
from radio.streams.stores.s2.store import S2Store
from radio.streams.stores.sqlite.operations import Append
from radio.streams.stores.sqlite.store import SqliteStore
from radio.streams.stores.sqlite.write_lock import WriteLock
from radio.streams.writer import append_exact


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def told_to_go() -> None:
    say("ready")
    await asyncio.to_thread(sys.stdin.readline)


async def write(store: StreamStore, name: str, mark: str, count: str) -> None:
    """Append batches of records `<mark>:<k>:<j>`, and say each acknowledged place. Count 0: endless.

    One of which it is not known whether it is in is not appended again.
    """
    k = 0
    while k < int(count) or count == "0":
        try:
            ack = await store.append(name, batch(mark, k))
        except AppendUncertain:
            say("unsure", k)
        else:
            say("ack", k, ack.start.seq)
        k += 1


async def write_exactly(store: StreamStore, name: str, mark: str) -> None:
    """The same as the one writer of a stream, at known places, for ever."""
    place = 0
    while True:
        ack = await append_exact(store, name, batch(mark, place // 3), match_seq_num=place)
        say("ack", place // 3, ack.start.seq)
        place = ack.end.seq


def batch(mark: str, k: int) -> list[NewRecord]:
    return [NewRecord(f"{mark}:{k}:{j}".encode()) for j in range(3)]


async def claim(store: StreamStore, name: str, mark: str) -> None:
    """Claim a name, and say whether it was won."""
    try:
        await store.append(name, [NewRecord(mark.encode())], match_seq_num=0)
    except AppendConditionFailed:
        say("lost")
    else:
        say("won")


async def swap(store: StreamStore, name: str, old: str, new: str) -> None:
    """Swap a stream's token, and say whether it was won."""
    try:
        await store.append(name, [Fence(new), NewRecord(new.encode())], fencing_token=old)
    except AppendConditionFailed:
        say("lost")
    else:
        say("won")


async def follow(store: StreamStore, name: str) -> None:
    """Say each record of a stream that may not be there yet."""
    async with store.follow(name, FromSeq(0), await_stream=True) as tail:
        async for result in tail:
            for record in result.records:
                say("record", record.seq, record.body.decode())


def stay_inside(path: Path, name: str) -> None:
    """Begin an append as a writer does, say so, and never finish it."""
    lock = WriteLock(path.with_name(f"{path.name}-lock"))
    db = sqlite3.connect(path, isolation_level=None)
    say("ready")
    sys.stdin.readline()
    with lock:
        db.execute("BEGIN IMMEDIATE")
        Append(name, (NewRecord(b"torn"), NewRecord(b"torn"))).apply(db, 1)
        say("inside")
        sys.stdin.readline()


VERBS = {"write": write, "write_exactly": write_exactly, "claim": claim, "swap": swap, "follow": follow}


async def open_at(where: str) -> StreamStore:
    if where.startswith("http://"):
        origin, _, basin = where.rpartition("/")
        return await S2Store.open(S2Address(basin, origin, origin))
    return await SqliteStore.open(Path(where), SystemClock())


async def main(where: str, verb: str, *args: str) -> None:
    store = await open_at(where)
    try:
        await told_to_go()
        await VERBS[verb](store, *args)  # type: ignore[operator]
    finally:
        await store.close()


if __name__ == "__main__":
    if sys.argv[2] == "stay_inside":
        stay_inside(Path(sys.argv[1]), sys.argv[3])
    else:
        asyncio.run(main(*sys.argv[1:]))
