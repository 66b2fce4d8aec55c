"""S2 Lite killed and started anew under writers and followers, with real processes: M1, F8, C10, M7."""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from radio.streams.contract import Fence, FenceMismatch, FromSeq, NewRecord, StreamStore, Trim
from tests.contract.kit import data
from tests.contract.s2_kit import S2Kit
from tests.contract.test_processes import Other, check_acknowledged, others, stands
from tests.need import need
from tests.s2_server import S2Server
from tests.waiting import until

SHARED, MINE = "shared", "mine-"
WAIT_S = 120


@pytest.fixture
async def mortal(tmp_path: Path) -> AsyncIterator[S2Kit]:
    """A kit whose server is its own, to be killed."""
    need("s2")
    server = S2Server(tmp_path / "s2")
    await asyncio.to_thread(server.start)
    kit = await S2Kit(server).open()
    yield kit
    await kit.close()
    await asyncio.to_thread(server.stop)


async def restart(server: S2Server) -> None:
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)


class Listener:
    """Follows a stream over all that happens to the server, in this process."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    async def listen(self, store: StreamStore, name: str) -> None:
        async with store.follow(name, FromSeq(0), await_stream=True) as tail:
            async for result in tail:
                assert not result.gap
                self.bodies += [record.body for record in result.records]


class Ears:
    """What several processes say, as they say it."""

    def __init__(self, marks: list[str], speakers: list[Other]) -> None:
        self._speakers = dict(zip(marks, speakers, strict=True))
        self.acks: dict[str, list[list[str]]] = {mark: [] for mark in marks}
        self.unsure = 0

    async def hear(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for mark, speaker in self._speakers.items():
                tasks.create_task(self._hear(mark, speaker))

    async def _hear(self, mark: str, speaker: Other) -> None:
        while words := await speaker.hear():
            if words[0] == "unsure":
                self.unsure += 1
            elif len(words) == 3:  # a line that a kill has cut is no ack
                self.acks[mark].append(words)

    def have_grown_since(self, counts: dict[str, int]) -> bool:
        return all(len(acks) > counts[mark] for mark, acks in self.acks.items())

    def counts(self) -> dict[str, int]:
        return {mark: len(acks) for mark, acks in self.acks.items()}


async def kill_rounds(kit: S2Kit, ears: Ears, rounds: int) -> None:
    """Kill and start the server at random moments; between two, every writer has gone on."""
    moments = random.Random(2)
    for _ in range(rounds):
        before = ears.counts()
        await until(lambda before=before: ears.have_grown_since(before), within_s=WAIT_S)  # type: ignore[misc]
        await asyncio.sleep(moments.uniform(0, 0.3))
        await restart(kit.server)


@pytest.mark.parametrize("rounds", [3, pytest.param(50, marks=pytest.mark.soak)])
async def test_M1_what_was_acknowledged_survives_kill_9_of_the_server_under_writers_and_a_follower(
    mortal: S2Kit, rounds: int
) -> None:
    shared, alone = ["p", "q"], ["x", "y"]
    commands = [("write", SHARED, mark, "0") for mark in shared]
    commands += [("write_exactly", MINE + mark, mark) for mark in alone]  # type: ignore[misc]
    listener = Listener()
    async with others(mortal.where, *commands) as writers, asyncio.TaskGroup() as tasks:
        listening = tasks.create_task(listener.listen(mortal.store, SHARED))
        ears = Ears([*shared, *alone], writers)
        hearing = tasks.create_task(ears.hear())
        for writer in writers:
            writer.tell()
        await kill_rounds(mortal, ears, rounds)
        for writer in writers:
            await writer.kill()
        await hearing
        bodies = await stands(mortal.store, SHARED)
        await until(lambda: len(listener.bodies) >= len(bodies), within_s=WAIT_S)
        listening.cancel()
    assert listener.bodies == bodies
    records = await check_acknowledged(mortal.store, SHARED, {mark: ears.acks[mark] for mark in shared})
    for mark in alone:
        records += await check_alone(mortal.store, mark, len(ears.acks[mark]))
    print(
        f"\nkill -9 of S2 Lite: {rounds} rounds, {records} records,"
        f" {ears.unsure} appends unsure, 0 acknowledged lost, 0 twice"
    )


async def check_alone(store: StreamStore, mark: str, acknowledged: int) -> int:
    """The only writer of a stream wrote each batch once and in order, the last perhaps without its ack."""
    bodies = await stands(store, MINE + mark)
    assert bodies == [f"{mark}:{n // 3}:{n % 3}".encode() for n in range(len(bodies))]
    assert acknowledged <= len(bodies) // 3 <= acknowledged + 1
    return len(bodies)


async def test_C10_the_fence_survives_a_kill_of_the_server(mortal: S2Kit) -> None:
    await mortal.store.append("a", [Fence("t"), NewRecord(b"x"), Trim(1000)])
    await restart(mortal.server)
    assert await mortal.store.fencing_token("a") == "t"
    assert (await mortal.store.check_tail("a")).seq == 3
    with pytest.raises(FenceMismatch):
        await mortal.store.append("a", data(b"x"), fencing_token="")


async def test_M7_the_id_survives_a_kill_of_the_server(mortal: S2Kit) -> None:
    mine = await mortal.store.store_id()
    await restart(mortal.server)
    assert await mortal.store.store_id() == mine
    assert await (await mortal.another()).store_id() == mine


async def test_F8_an_idle_follower_and_an_awaiting_one_outlive_the_server(mortal: S2Kit) -> None:
    await mortal.put("a", b"0")
    found: list[bytes] = []
    async with (
        mortal.store.follow("a", FromSeq(1), heartbeat=0.5) as idle,
        mortal.store.follow("b", FromSeq(0), await_stream=True, heartbeat=0.5) as awaiting,
    ):
        assert (await anext(idle)).records == ()
        assert (await anext(awaiting)).records == ()
        await restart(mortal.server)
        await mortal.put("a", b"1")
        await mortal.put("b", b"2")
        async with asyncio.timeout(WAIT_S):
            for tail in (idle, awaiting):
                while not (result := await anext(tail)).records:
                    pass
                found += [record.body for record in result.records]
    assert found == [b"1", b"2"]
