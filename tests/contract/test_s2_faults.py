"""What a network does to the S2 store, on a real S2 Lite behind a proxy: A9 to A11, C11, F7 to F10, M6."""

import asyncio
import logging
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from radio.streams.contract import (
    AppendUncertain,
    Fence,
    Follow,
    FromSeq,
    NewRecord,
    SeqMismatch,
    StoreClosed,
    StreamNotFound,
    StreamStore,
    Unavailable,
)
from radio.streams.stores.s2 import appending, following, retries, sdk
from radio.streams.stores.s2.store import S2Store
from tests.contract.kit import data
from tests.contract.s2_kit import S2Kit
from tests.proxy import Proxy, proxy
from tests.waiting import until

WAIT_S = 60


class Behind:
    """A store that is reached by way of a proxy; `kit` has a direct one."""

    def __init__(self, kit: S2Kit, network: Proxy, store: S2Store) -> None:
        self.kit = kit
        self.network = network
        self.store: StreamStore = store


@pytest.fixture
async def behind(s2: S2Kit) -> AsyncIterator[Behind]:
    async with AsyncExitStack() as stack:
        network = await stack.enter_async_context(proxy(s2.server.port))
        store = await s2.another(f"http://127.0.0.1:{network.port}")
        stack.push_async_callback(store.close)
        yield Behind(s2, network, store)


async def collect(tail: Follow, count: int) -> list[bytes]:
    found: list[bytes] = []
    async with asyncio.timeout(WAIT_S):
        while len(found) < count:
            found += [record.body for record in (await anext(tail)).records]
    return found


async def exhaust(tail: Follow, within_s: float = WAIT_S) -> None:
    """Take all that comes, until it ends."""
    async with asyncio.timeout(within_s):
        async for _ in tail:
            pass


@pytest.mark.parametrize("lost", [1, 3])
async def test_A9_an_append_whose_reply_is_lost_stands_once_with_the_right_ack(
    behind: Behind, lost: int
) -> None:
    await behind.kit.put("a", b"0")
    behind.network.lose_replies(lost)
    ack = await behind.store.append("a", data(b"1", b"2"), match_seq_num=1)
    assert (ack.start.seq, ack.end.seq, ack.tail.seq) == (1, 3, 3)
    assert behind.network.replies_lost == lost
    stored = await behind.kit.everything("a")
    assert [record.body for record in stored] == [b"0", b"1", b"2"]
    assert [record.headers for record in stored] == [(), (), ()]
    assert (ack.start.timestamp, ack.end.timestamp) == (stored[1].timestamp, stored[2].timestamp)


async def test_A9_an_append_that_is_cut_within_its_batch_stands_once(behind: Behind) -> None:
    await behind.kit.put("a", b"0")
    behind.network.cut_requests(2, least=100_000)
    batch = [NewRecord(bytes(40_000)) for _ in range(10)]
    ack = await behind.store.append("a", batch, match_seq_num=1)
    assert behind.network.cut == 2
    assert (ack.start.seq, ack.end.seq) == (1, 11)
    assert (await behind.kit.store.check_tail("a")).seq == 11


async def test_A9_of_two_writers_that_lose_replies_at_one_place_one_wins(behind: Behind) -> None:
    behind.network.lose_replies(2)
    results = await asyncio.gather(
        behind.store.append("a", data(b"one"), match_seq_num=0),
        behind.store.append("a", data(b"two"), match_seq_num=0),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["AppendAck", "SeqMismatch"]
    winner = [b"one", b"two"][isinstance(results[0], SeqMismatch)]
    assert await behind.kit.bodies("a") == [winner]


async def test_A9_if_the_server_cannot_be_asked_afterwards_it_is_uncertain(
    behind: Behind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appending, "APPEND_S", 1.0)
    await behind.kit.put("a", b"0")
    behind.network.lose_replies(1)

    async def shut() -> None:
        await until(lambda: behind.network.replies_lost == 1)
        behind.network.is_refusing = True

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(shut())
        with pytest.raises(AppendUncertain) as failed:
            await behind.store.append("a", data(b"1"), match_seq_num=1)
    assert "not known" in str(failed.value)
    assert await behind.kit.bodies("a") == [b"0", b"1"]


async def test_A10_without_a_place_a_lost_reply_is_uncertain_and_nothing_is_repeated(behind: Behind) -> None:
    behind.network.lose_replies(1)
    with pytest.raises(AppendUncertain):
        await behind.store.append("a", data(b"1"))
    assert await behind.kit.bodies("a") == [b"1"]


async def test_A10_without_a_place_a_server_that_refuses_for_a_while_is_waited_for(behind: Behind) -> None:
    behind.network.is_refusing = True
    behind.network.drop_all()
    looking = asyncio.create_task(behind.store.list())
    await until(lambda: behind.network.refused > 0)  # the lost connection has been noticed
    writing = asyncio.create_task(behind.store.append("a", data(b"1")))
    refused = behind.network.refused
    await until(lambda: behind.network.refused > refused + 1)
    behind.network.is_refusing = False
    async with asyncio.timeout(WAIT_S):
        assert (await writing).end.seq == 1
        await asyncio.gather(looking, return_exceptions=True)  # it may have been given up before
    assert await behind.kit.bodies("a") == [b"1"]


async def test_A11_a_cancelled_append_leaves_a_whole_batch_or_none(behind: Behind) -> None:
    behind.network.latency_s = 0.05
    for number in range(10):
        writing = asyncio.create_task(behind.store.append("a", data(*[b"%d" % number] * 3)))
        await asyncio.sleep(0.02 * number)
        writing.cancel()
        await asyncio.wait([writing])
    behind.network.latency_s = 0
    await behind.store.append("a", data(*[b"end"] * 3))
    bodies = await behind.kit.bodies("a")
    assert len(bodies) % 3 == 0
    assert all(len(set(bodies[i : i + 3])) == 1 for i in range(0, len(bodies), 3))


async def test_C11_a_fence_whose_reply_was_lost_is_decided_by_the_token(behind: Behind) -> None:
    await behind.kit.store.append("a", [Fence("e1.aaaaaaaa")])
    behind.network.lose_replies(1)
    with pytest.raises(AppendUncertain):
        await behind.store.append("a", [Fence("e2.bbbbbbbb")], fencing_token="e1.aaaaaaaa")
    assert await behind.store.fencing_token("a") == "e2.bbbbbbbb"


async def test_C11_a_take_over_at_a_place_is_exact_though_its_reply_was_lost(behind: Behind) -> None:
    await behind.kit.store.append("a", [Fence("e1.aaaaaaaa")])
    behind.network.lose_replies(2)
    ack = await behind.store.append(
        "a", [Fence("e2.bbbbbbbb"), NewRecord(b"start")], match_seq_num=1, fencing_token="e1.aaaaaaaa"
    )
    assert (ack.start.seq, ack.end.seq) == (1, 3)
    assert await behind.kit.bodies("a") == [b"start"]


async def test_X5_and_D2_a_trim_and_a_delete_outlive_lost_connections(behind: Behind) -> None:
    await behind.kit.put("a", b"0", b"1", b"2")
    behind.network.lose_replies(1)
    await behind.store.trim("a", 2)
    await until(lambda: is_trimmed_to(behind.kit, 2))
    behind.network.drop_all()
    assert await behind.store.delete("a") is True
    behind.network.drop_all()
    assert await behind.store.delete("a") is False


async def is_trimmed_to(kit: S2Kit, first: int) -> bool:
    return [record.seq for record in await kit.everything("a")][:1] == [first]


async def test_F8_a_follower_outlives_cut_connections_without_gap_or_double(behind: Behind) -> None:
    async with behind.store.follow("a", FromSeq(0), await_stream=True) as tail, asyncio.TaskGroup() as tasks:

        async def write() -> None:
            for number in range(60):
                await behind.kit.put("a", b"%d" % number)
                if number % 15 == 7:
                    behind.network.drop_all()

        tasks.create_task(write())
        assert await collect(tail, 60) == [b"%d" % n for n in range(60)]


async def test_F8_a_server_that_is_away_for_longer_than_allowed_is_unavailable(behind: Behind) -> None:
    await behind.kit.put("a", b"0")
    async with behind.store.follow("a", FromSeq(0), reconnect_timeout=0.5) as tail:
        assert await collect(tail, 1) == [b"0"]
        behind.network.is_refusing = True
        behind.network.drop_all()
        with pytest.raises(Unavailable) as failed:
            await exhaust(tail)
    assert failed.value.hint


async def test_F8_latency_delays_a_follower_and_does_nothing_else(behind: Behind) -> None:
    behind.network.latency_s = 0.2
    async with behind.store.follow("a", FromSeq(0), await_stream=True) as tail, asyncio.TaskGroup() as tasks:

        async def write() -> None:
            for number in range(10):
                await behind.store.append("a", data(b"%d" % number), match_seq_num=number)

        tasks.create_task(write())
        assert await collect(tail, 10) == [b"%d" % n for n in range(10)]


async def test_F7_a_stream_that_is_deleted_and_begun_anew_while_the_network_is_away_is_not_taken_for_the_old(
    behind: Behind,
) -> None:
    await behind.kit.put("a", b"0", b"1")
    async with behind.store.follow("a", FromSeq(0), await_stream=True) as tail:
        assert await collect(tail, 2) == [b"0", b"1"]
        behind.network.is_refusing = True
        behind.network.drop_all()
        await behind.kit.store.delete("a")
        await behind.kit.lab().put_anew("a", b"new", b"new", b"new", b"new")
        behind.network.is_refusing = False
        with pytest.raises(StreamNotFound):
            await exhaust(tail)


async def test_F10_a_follower_who_falls_behind_loses_its_session_and_nothing_else(
    s2: S2Kit, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(following, "SLOW_S", 0.1)
    await s2.put("a", b"0")
    async with s2.store.follow("a", FromSeq(0)) as slow:
        assert await collect(slow, 1) == [b"0"]
        for number in range(1, 40):
            await s2.put("a", b"%d" % number, bytes(500_000))
        await until(lambda: "store.follower_slow" in actions(caplog))
        async with s2.store.follow("a", FromSeq(78)) as fast:
            assert len(await collect(fast, 1)) == 1
        bodies = await collect(slow, 78)
        assert [body for body in bodies if len(body) < 9] == [b"%d" % n for n in range(1, 40)]
        await s2.put("a", b"live again")
        assert await collect(slow, 1) == [b"live again"]


def actions(caplog: pytest.LogCaptureFixture) -> list[object]:
    return [record.__dict__.get("action") for record in caplog.records]


async def test_M6_close_waits_for_appends_in_flight_and_ends_all_else(behind: Behind) -> None:
    await behind.kit.put("a", b"0")
    behind.network.latency_s = 0.1
    appends = [asyncio.create_task(behind.store.append("a", data(b"x"))) for _ in range(5)]
    await asyncio.sleep(0)
    await behind.store.close()
    async with asyncio.timeout(WAIT_S):
        acks = await asyncio.gather(*appends)
    assert sorted(ack.start.seq for ack in acks) == [1, 2, 3, 4, 5]
    assert len(await behind.kit.bodies("a")) == 6


async def test_M6_close_ends_calls_and_follows_of_a_server_that_does_not_answer(behind: Behind) -> None:
    await behind.kit.put("a", b"0")
    async with behind.store.follow("a", FromSeq(0)) as tail:
        assert await collect(tail, 1) == [b"0"]
        behind.network.is_refusing = True
        behind.network.drop_all()
        waiting = [
            asyncio.create_task(behind.store.read("a", FromSeq(0))),
            asyncio.create_task(behind.store.check_tail("a")),
            asyncio.create_task(behind.store.list()),
            asyncio.create_task(behind.store.append("a", data(b"1"), match_seq_num=1)),
        ]
        await until(lambda: behind.network.refused > 0)
        async with asyncio.timeout(WAIT_S):
            await behind.store.close()
            results = await asyncio.gather(*waiting, return_exceptions=True)
            with pytest.raises(StoreClosed):
                await anext(tail)
    assert [type(result) for result in results[:3]] == [StoreClosed] * 3
    assert isinstance(results[3], StoreClosed | AppendUncertain)  # its first attempt may have been cut


async def test_M6_a_frozen_server_is_given_up_in_time(s2: S2Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdk, "CALL_S", 0.5)
    monkeypatch.setattr(retries, "PATIENCE_S", 1.0)
    await s2.put("a", b"0")
    s2.server.send(signal.SIGSTOP)
    try:
        begun = time.monotonic()
        with pytest.raises(Unavailable, match="did not answer"):
            await s2.store.check_tail("a")
        assert time.monotonic() - begun < WAIT_S
    finally:
        s2.server.send(signal.SIGCONT)
    assert (await s2.store.check_tail("a")).seq == 1
