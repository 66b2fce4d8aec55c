"""A whole radio on a real S2 Lite that it runs itself: its stop, its restarts, and its loss."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.listener import account, listening
from tests.flow.lite import free_port, lite_options, servers, store_at
from tests.flow.running import Radio, lives, role_of
from tests.flow.stations import tale
from tests.flow.test_casts import status, submit
from tests.flow.test_faults import on_air, on_air_and_heard, tone_radio
from tests.flow.test_kills import every_sentence_stands_once, grows
from tests.need import need
from tests.waiting import until

pytestmark = pytest.mark.flow

CASTS = 6


@pytest.fixture
def radio(tmp_path: Path) -> Iterator[Radio]:
    """On air."""
    need("s2")
    port = free_port()
    made = tone_radio(tmp_path, *lite_options(port), store=store_at(port))
    with on_air(made):
        yield made


async def test_it_stops_last_and_in_time_and_keeps_all_for_the_next_start(radio: Radio) -> None:
    async with radio.store() as store:
        await grows(store, 2)
    radio.stop()
    (stopped,) = radio.logged("s2_lite.stopped")
    assert stopped["status"] == 0
    assert not radio.logged("process.killed")
    assert not radio.logged("s2_lite.killed")
    radio.start()
    async with radio.store() as store:
        await grows(store, 2)
        await every_sentence_stands_once(store)
    radio.stop()


async def test_nobody_hears_that_it_is_killed_under_load(radio: Radio) -> None:
    async with radio.store() as store, on_air_and_heard(radio, store) as listener:
        texts = [" ".join(tale(3 * n + 3)[3 * n :]) for n in range(CASTS)]
        casts = [(await submit(radio, text))[1]["cast"] for text in texts]
        killed = servers(radio)
        os.kill(killed[0].pid, signal.SIGKILL)
        await until(lambda: bool(servers(radio)) and servers(radio) != killed)
        for cast in casts:

            async def is_done(cast: str = cast) -> bool:
                return bool((await status(radio, cast)).get("status") == "done")

            await until(is_done, within_s=120)
        await grows(store, 2)
        await listener.hears(12)
        heard = await account(listener, store)
        await every_sentence_stands_once(store)
    assert heard.sentences >= 3
    assert heard.dead_air_s == 0
    assert not radio.logged("lane.lost")
    assert [(event["child"], event["status"]) for event in radio.logged("process.restarting")] == [
        ("s2-lite", 1)
    ]
    (ended,) = [event for event in radio.logged("process.failed") if event["role"] == "s2-lite"]
    assert "status -9" in ended["error"]


async def test_when_the_process_that_minds_it_is_killed_it_goes_too_and_both_come_back(radio: Radio) -> None:
    async with radio.store() as store:
        await grows(store, 1)
        (server,) = servers(radio)
        radio.kill("s2-lite")
        await until(lambda: not lives(server))
        await until(lambda: len(servers(radio)) == 1)
        await grows(store, 2)
        await every_sentence_stands_once(store)


async def test_a_killed_radio_leaves_no_s2_lite_behind(radio: Radio) -> None:
    async with radio.store() as store:
        await grows(store, 1)
    family = radio.family()
    assert {role_of(process) for process in family} >= {"s2-lite", "relay", "narrator", "scheduler"}
    assert servers(radio)
    radio.kill_up()
    await until(lambda: not [process for process in family if lives(process)])


async def test_a_radio_whose_s2_lite_begins_anew_without_its_folder_goes_on_air_on_that(radio: Radio) -> None:
    async with radio.store() as store:
        await grows(store, 2)
        old = await store.store_id()
    (radio.data / "s2").rename(radio.data / "lost")
    killed = servers(radio)
    os.kill(killed[0].pid, signal.SIGKILL)
    await until(lambda: len(radio.logged("store.replaced")) >= 3)
    async with radio.store() as store:
        assert await store.store_id() != old
        await grows(store, 3)
        async with listening(radio) as listener:
            await listener.hears(12)
            heard = await account(listener, store)
        await every_sentence_stands_once(store)
    assert heard.sentences >= 1
    assert {event["role"] for event in radio.logged("store.replaced")} >= {"relay", "narrator", "scheduler"}
