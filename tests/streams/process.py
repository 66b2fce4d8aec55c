"""Another member on the same store: `python -m tests.streams.process DATA STREAM`.

Takes the stream when told to, says `took <token>` or `owned`, and appends one record for each further line it
is told, saying `wrote` or `refused`.
"""

import asyncio
import sys
from pathlib import Path

from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams.contract import FenceMismatch, NewRecord, StreamNotFound, StreamStore
from radio.streams.ownership.stream_owner import Look, Member, Owned, Ownership, take
from radio.streams.stores.open_store import open_store
from radio.streams.writer import CoalescingWriter


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


async def told() -> str:
    line: str = await asyncio.to_thread(sys.stdin.readline)
    return line.strip()


async def own(store: StreamStore, member: Member, name: str) -> Ownership:
    async def look() -> Look:
        try:
            tail = (await store.check_tail(name)).seq
        except StreamNotFound:
            tail = 0
        return Look(NewRecord(f"start {member.owner}".encode()), tail)

    return await take(store, name, member, look, lives=member.lives)


async def write(store: StreamStore, name: str, mine: Ownership) -> None:
    pen = CoalescingWriter(store, name, fencing_token=mine.token, start_at=mine.next_seq)
    while word := await told():
        try:
            await pen.append(NewRecord(word.encode()))
        except FenceMismatch:
            say("refused")
        else:
            say("wrote")
    await pen.close()


async def main(data: Path, name: str) -> None:
    clock = SystemClock()
    store = await open_store(Settings(data=data), clock)
    try:
        async with Member(store, clock, role="test", data=data) as member:
            say("ready", member.owner)
            await told()
            try:
                mine = await own(store, member, name)
            except Owned as e:
                say("owned", e.owner)
                await told()
            else:
                say("took", mine.token)
                await write(store, name, mine)
    finally:
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
