"""The rules across processes of one machine, with real ones: A6, C2, C8, F2, M1, M2, M3."""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.streams.contract import AppendUncertain, Fence, FromSeq, NewRecord, StreamStore
from radio.streams.stores.sqlite.store import SqliteStore
from tests.contract.kit import SharedKit, SqliteKit

DEADLINE_S = 60
LATE_S = 5.0
"""What a busy machine adds; who waits for a lock that nobody lets go waits for longer."""


class Other:
    """A process of `tests.contract.process`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def hear(self) -> list[str]:
        """Its next line, in words; empty at its end."""
        assert self.process.stdout is not None
        async with asyncio.timeout(DEADLINE_S):
            return (await self.process.stdout.readline()).decode().split()

    async def hear_all(self) -> list[list[str]]:
        """All that it still says."""
        lines = []
        while words := await self.hear():
            lines.append(words)
        return lines

    def tell(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def others(where: str, *commands: tuple[str, ...]) -> AsyncIterator[list[Other]]:
    """Processes that are ready to go."""
    started: list[Other] = []
    try:
        for command in commands:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tests.contract.process", where, *command),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            started.append(Other(process))
        for other in started:
            assert await other.hear() == ["ready"]
        yield started
    finally:
        for other in started:
            if other.process.returncode is None:
                await other.kill()
            other.process._transport.close()  # type: ignore[attr-defined]


async def stands(store: StreamStore, name: str) -> list[bytes]:
    found: list[bytes] = []
    place = 0
    while True:
        result = await store.read(name, FromSeq(place))
        found += [r.body for r in result.records]
        if result.next_seq == place:
            return found
        place = result.next_seq


async def test_A6_what_a_process_was_acknowledged_every_other_sees(shared: SharedKit) -> None:
    async with others(shared.where, ("write", "a", "x", "40")) as (writer,):
        writer.tell()
        for k in range(40):
            _, number, seq = await writer.hear()
            assert (await shared.store.check_tail("a")).seq >= int(seq) + 3
            result = await shared.store.read("a", FromSeq(int(seq)), max_records=1)
            assert result.records[0].body == b"x:%d:0" % k
            assert int(number) == k


async def test_C2_of_several_processes_that_claim_a_name_one_wins(shared: SharedKit) -> None:
    async with others(shared.where, *[("claim", "a", str(n)) for n in range(5)]) as claimers:
        for claimer in claimers:
            claimer.tell()
        results = [(await claimer.hear())[0] for claimer in claimers]
    assert sorted(results) == ["lost", "lost", "lost", "lost", "won"]
    assert await shared.bodies("a") == [b"%d" % results.index("won")]


async def test_C8_of_several_processes_that_swap_a_token_one_wins(shared: SharedKit) -> None:
    await shared.store.append("a", [Fence("old")])
    async with others(shared.where, *[("swap", "a", "old", f"new{n}") for n in range(5)]) as swappers:
        for swapper in swappers:
            swapper.tell()
        results = [(await swapper.hear())[0] for swapper in swappers]
    assert sorted(results) == ["lost", "lost", "lost", "lost", "won"]
    winner = f"new{results.index('won')}"
    assert await shared.store.fencing_token("a") == winner
    assert await shared.bodies("a") == [winner.encode()]


async def test_F2_a_record_of_another_process_comes_within_a_second(shared: SharedKit) -> None:
    async with others(shared.where, ("follow", "a")) as (follower,):
        follower.tell()
        late = []
        for number in range(20):
            begun = time.monotonic()
            await shared.put("a", b"%d" % number)
            assert await follower.hear() == ["record", str(number), str(number)]
            late.append(time.monotonic() - begun)
    assert sorted(late)[10] < 1.0


async def test_M2_all_that_several_processes_write_stands_once_and_dense(shared: SharedKit) -> None:
    marks = ["p", "q", "r"]
    async with others(shared.where, *[("write", "a", mark, "60") for mark in marks]) as writers:
        for writer in writers:
            writer.tell()
        acks = [await writer.hear_all() for writer in writers]
    await check_acknowledged(shared.store, "a", dict(zip(marks, acks, strict=True)))
    assert len(await shared.bodies("a")) == 3 * 60 * 3


async def check_acknowledged(store: StreamStore, name: str, acks: dict[str, list[list[str]]]) -> int:
    """Every acknowledged batch stands where its ack says, whole, and every other batch is whole too.

    Returns how many records there are.
    """
    bodies = await stands(store, name)
    for mark, lines in acks.items():
        for _, k, seq in lines:
            batch = bodies[int(seq) : int(seq) + 3]
            assert batch == [f"{mark}:{k}:{j}".encode() for j in range(3)]
    whole = [tuple(bodies[i : i + 3]) for i in range(0, len(bodies), 3)]
    assert all([b.rsplit(b":", 1)[1] for b in batch] == [b"0", b"1", b"2"] for batch in whole)
    assert all(len({b.rsplit(b":", 1)[0] for b in batch}) == 1 for batch in whole)
    assert len(set(whole)) == len(whole)
    return len(bodies)


async def kill_round(path: Path, number: int, lag_s: float) -> int:
    """Two writers, killed at a random moment: what they were acknowledged stands, and the store goes on.

    Returns how many records they wrote.
    """
    name = f"a{number}"
    marks = ["p", "q"]
    acks: dict[str, list[list[str]]] = {}
    async with others(str(path), *[("write", name, mark, "0") for mark in marks]) as writers:
        for writer in writers:
            writer.tell()
        for writer in writers:  # each has begun
            acks[marks[writers.index(writer)]] = [await writer.hear()]
        await asyncio.sleep(lag_s)
        for writer in writers:
            writer.process.kill()
        for mark, writer in zip(marks, writers, strict=True):
            acks[mark] += [line for line in await writer.hear_all() if len(line) == 3]
    store = await SqliteStore.open(path, SystemClock())
    try:
        records = await check_acknowledged(store, name, acks)
        await store.append(name, [NewRecord(b"after")])
    finally:
        await store.close()
    return records


@pytest.mark.parametrize("rounds", [10, pytest.param(200, marks=pytest.mark.soak)])
async def test_M1_what_was_acknowledged_survives_kill_9(tmp_path: Path, rounds: int) -> None:
    moments = random.Random(1)
    records = 0
    for number in range(rounds):
        records += await kill_round(tmp_path / "radio.sqlite3", number, moments.uniform(0, 0.15))
    print(f"\nkill -9 of writers on SQLite: {rounds} rounds, {records} records, 0 lost, 0 twice")


async def test_M1_a_follower_loses_nothing_while_writers_are_killed(sqlite: SqliteKit) -> None:
    await sqlite.put("a", b"begin")
    seen: list[bytes] = []
    async with sqlite.store.follow("a", FromSeq(1)) as tail:
        for mark in ("p", "q", "r"):
            async with others(sqlite.where, ("write", "a", mark, "0")) as (writer,):
                writer.tell()
                for _ in range(5):
                    await writer.hear()
                await writer.kill()
        await sqlite.put("a", b"end")
        async with asyncio.timeout(DEADLINE_S):
            while not seen or seen[-1] != b"end":
                seen += [r.body for r in (await anext(tail)).records]
    assert seen == (await sqlite.bodies("a"))[1:]


async def test_M6_close_does_not_wait_for_ever_for_a_process_that_holds_the_lock(
    sqlite: SqliteKit, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("radio.streams.stores.sqlite.store.CLOSE_S", 0.2)
    other = await sqlite.another()
    await other.append("a", [NewRecord(b"before")])
    async with others(sqlite.where, ("stay_inside", "a")) as (frozen,):
        frozen.tell()
        assert await frozen.hear() == ["inside"]
        waiting = [asyncio.create_task(other.append("a", [NewRecord(b"x")])) for _ in range(3)]
        await asyncio.sleep(0)
        async with asyncio.timeout(DEADLINE_S):
            await other.close()
            results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(r) for r in results] == [AppendUncertain] * 3
        assert [r.__dict__["action"] for r in caplog.records] == ["store.close_abandoned"]
    await sqlite.put("a", b"after")


async def test_M3_a_writer_killed_inside_an_append_blocks_nobody_for_long(
    sqlite: SqliteKit,
) -> None:
    await sqlite.put("a", b"before")
    async with others(sqlite.where, ("stay_inside", "a")) as (writer,):
        writer.tell()
        assert await writer.hear() == ["inside"]
        waiting = asyncio.create_task(sqlite.put("a", b"after"))
        assert await sqlite.bodies("a") == [b"before"]  # readers do not wait
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await writer.kill()
        killed = time.monotonic()
        async with asyncio.timeout(DEADLINE_S):
            assert (await waiting).start.seq == 1
        blocked_s = time.monotonic() - killed
    assert await sqlite.bodies("a") == [b"before", b"after"]
    assert blocked_s < 1.0 + LATE_S
