"""Faults of the network between a whole radio and a real S2 Lite: nobody hears them, and nothing is lost."""

import asyncio
from pathlib import Path

import pytest

from radio.streams.contract import StreamStore
from tests.flow.listener import Listener, account
from tests.flow.lite import options_for, standing_alone, store_at
from tests.flow.test_faults import on_air_and_heard, tone_radio
from tests.flow.test_kills import every_sentence_stands_once, grows
from tests.need import need
from tests.proxy import Proxy, proxy
from tests.waiting import until

pytestmark = pytest.mark.flow

TIMES = 4
SENTENCE_BYTES = 20_000
"""No request but an append of sound is as large."""
LATENCY_S = 0.2


async def heard_as_ever(store: StreamStore, listener: Listener) -> None:
    """Sentences go on, and the listener heard each once, without a gap."""
    await listener.hears(16)
    heard = await account(listener, store)
    await every_sentence_stands_once(store)
    assert heard.sentences >= 6
    assert heard.dead_air_s == 0


async def lose_replies(between: Proxy, store: StreamStore) -> None:
    """After the store has done what it was asked for."""
    between.lose_replies(TIMES, least=SENTENCE_BYTES)
    await until(lambda: between.replies_lost == TIMES)
    await grows(store, 1)


async def cut_connections(between: Proxy, store: StreamStore) -> None:
    """In the middle of a batch."""
    between.cut_requests(TIMES, least=SENTENCE_BYTES)
    await until(lambda: between.cut == TIMES)
    await grows(store, 1)


async def be_far_away(between: Proxy, store: StreamStore) -> None:
    between.latency_s = LATENCY_S
    await grows(store, 2)
    between.latency_s = 0.0


async def break_all_at_once(between: Proxy, store: StreamStore) -> None:
    for _ in range(TIMES):
        between.drop_all()
        await grows(store, 1)


async def test_faults_of_the_network_leave_one_copy_of_all_and_nobody_hears_them(tmp_path: Path) -> None:
    """A radio that reaches its store through a proxy; the test itself looks past that."""
    need("s2")
    async with standing_alone(tmp_path) as port, proxy(port) as between:
        radio = tone_radio(tmp_path / "radio", *options_for(store_at(between.port)), store=store_at(port))
        try:
            await asyncio.to_thread(radio.start)  # the proxy runs meanwhile
            async with radio.store() as store, on_air_and_heard(radio, store) as listener:
                for happens in (lose_replies, cut_connections, be_far_away, break_all_at_once):
                    await happens(between, store)
                    await every_sentence_stands_once(store)
                await heard_as_ever(store, listener)
            assert not radio.logged("process.restarting")
            assert not radio.logged("lane.lost")
            await asyncio.to_thread(radio.stop)
        finally:
            radio.end()
