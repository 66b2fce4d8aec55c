"""Faults of the network between a whole radio and a real S2 Lite: nobody hears them, and nothing is lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from radio.streams.contract import StreamStore
from tests.flow.listener import Listener, account
from tests.flow.lite import options_for, standing_alone, store_at
from tests.flow.running import Radio
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


@asynccontextmanager
async def behind_a_proxy(folder: Path) -> AsyncIterator[tuple[Radio, Proxy, StreamStore, Listener]]:
    """A radio on air that reaches its store through a proxy; the test itself looks past that."""
    need("s2")
    async with standing_alone(folder) as port, proxy(port) as between:
        radio = tone_radio(folder / "radio", *options_for(store_at(between.port)), store=store_at(port))
        try:
            await asyncio.to_thread(radio.start)  # the proxy runs meanwhile
            async with radio.store() as store, on_air_and_heard(radio, store) as listener:
                yield radio, between, store, listener
            assert not radio.logged("restart")
            assert not radio.logged("lane.lost")
            assert await asyncio.to_thread(radio.stop) < 5.5
        finally:
            radio.end()


async def heard_as_ever(store: StreamStore, listener: Listener) -> None:
    """Sentences go on, and the listener hears each once, without a gap."""
    await grows(store, 2)
    await listener.hears(16)
    heard = await account(listener, store)
    await every_sentence_stands_once(store)
    assert heard.sentences >= 2
    assert heard.dead_air_s == 0


async def test_replies_that_are_lost_after_the_append_leave_one_copy(tmp_path: Path) -> None:
    async with behind_a_proxy(tmp_path) as (_, between, store, listener):
        between.lose_replies(TIMES, least=SENTENCE_BYTES)
        await until(lambda: between.replies_lost == TIMES)
        await heard_as_ever(store, listener)


async def test_connections_cut_in_the_middle_of_a_batch_lose_nothing(tmp_path: Path) -> None:
    async with behind_a_proxy(tmp_path) as (_, between, store, listener):
        between.cut_requests(TIMES, least=SENTENCE_BYTES)
        await until(lambda: between.cut == TIMES)
        await heard_as_ever(store, listener)


async def test_a_store_that_is_far_away_is_not_heard(tmp_path: Path) -> None:
    async with behind_a_proxy(tmp_path) as (_, between, store, listener):
        between.latency_s = LATENCY_S
        await grows(store, 2)
        await heard_as_ever(store, listener)


async def test_all_connections_breaking_at_once_is_not_heard(tmp_path: Path) -> None:
    async with behind_a_proxy(tmp_path) as (_, between, store, listener):
        for _ in range(TIMES):
            between.drop_all()
            await grows(store, 1)
        await heard_as_ever(store, listener)
