"""An S2 Lite on a full disk: `python -m tests.contract.full_disk_s2 FOLDER`, a small file system.

Exits with 0 if the server waits for room, reads go on, and nothing is lost or twice once there is room.
"""

import asyncio
import sys
from pathlib import Path

from radio.streams.contract import AppendUncertain, FromSeq, NewRecord
from radio.streams.stores.s2 import appending, sdk
from radio.streams.stores.s2.store import S2Store
from tests.s2_server import S2Server, new_basin

appending.APPEND_S = 2.0
sdk.REQUEST_S = 1.0


async def fill(store: S2Store) -> int:
    """Append until it is not known whether; how many were acknowledged."""
    count = 0
    try:
        while True:
            await store.append("a", [NewRecord(b"%d" % count + bytes(100_000))], match_seq_num=count)
            count += 1
    except AppendUncertain:
        return count


async def check(server: S2Server, ballast: Path) -> None:
    store = await S2Store.open(server.place(new_basin()))
    count = await fill(store)
    assert count > 0
    last = await store.read("a", FromSeq(count - 1))
    assert last.records[0].body.startswith(b"%d\0" % (count - 1))
    await asyncio.to_thread(ballast.unlink)
    sdk.REQUEST_S = 10.0
    ack = await store.append("b", [NewRecord(b"room")])
    assert ack.start.seq == 0
    tail = (await store.check_tail("a")).seq
    assert count <= tail <= count + 1
    await store.append("a", [NewRecord(b"after")], match_seq_num=tail)
    await store.close()


def main(folder: Path) -> None:
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(4_000_000))
    server = S2Server(folder / "s2")
    server.start()
    try:
        asyncio.run(check(server, ballast))
    finally:
        server.stop()
    assert not ballast.exists()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
