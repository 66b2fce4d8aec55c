import asyncio
from typing import Any

import pytest

from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES
from radio.relay.http import event_stream
from radio.streams.contract import StreamStore
from radio.streams.names import broadcast
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import TOKEN, Air
from tests.relay.conftest import NOW
from tests.relay.serving import events_of, relay_on
from tests.waiting import until

EVENTS = "/stations/harbor/events"


async def test_captions_come_ahead_of_time_from_the_one_heard_now_on(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.show("night@1", "Night Book")
    numbers = await air.say_many(4)
    clock.advance(2.3)
    async with relay_on(store, clock) as served, events_of(served, EVENTS) as events:
        assert events.response.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert events.response.headers["Cache-Control"] == "no-cache, no-transform"
        assert events.response.headers["X-Accel-Buffering"] == "no"
        assert (await events.next())[0] == "state"
        for k in range(1, 4):
            kind, data, event_id = await events.next()
            audio = air.said[k][1]
            assert kind == "caption"
            assert event_id == f"{await store.store_id()}:{numbers[k]}"
            assert data == {
                "seq": numbers[k], "at": audio.at, "d": audio.d,
                "t": f"Sentence {k}.", "run": "night@1", "i": k,
            }  # fmt: skip
        await air.show("brief@2", "The Brief")
        at = air.at
        await air.say("Good morning.")
        kind, data, event_id = await events.next("show")
        assert (data["run"], data["show"], data["title"], data["at"]) == ("brief@2", "brief", "The Brief", at)
        assert event_id is None
        assert (await events.next("caption"))[1]["t"] == "Good morning."


async def test_the_state_is_told_when_it_changes_by_time_alone(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("Hello.")
    async with relay_on(store, clock) as served, events_of(served, EVENTS) as events:
        assert (await events.next("state"))[1]["state"] == "on_air"
        clock.advance(600)
        assert (await events.next("state"))[1]["state"] == "silent"


@pytest.mark.parametrize("way", ["header", "query", "both"])
async def test_a_client_goes_on_where_it_was(
    air: Air, any_store: StreamStore, clock: ManualClock, way: str
) -> None:
    air.store = any_store
    await air.begin()
    numbers = await air.say_many(6)
    store = await any_store.store_id()
    headers = {"Last_Event_ID": f"{store}:{numbers[2]}"} if way != "query" else {}
    query = {"header": "", "query": f"?from={numbers[3]}", "both": f"?from={numbers[0]}"}[way]
    async with relay_on(any_store, clock) as served, events_of(served, EVENTS + query, **headers) as events:
        assert (await events.next("caption", "reset"))[1].get("seq") == numbers[3]


async def test_who_was_away_for_long_is_served_from_the_store(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    numbers = await air.say_many(120, seconds=1.0)
    clock.advance(118)
    async with relay_on(any_store, clock) as served:
        [station] = [await served.relay.stations.find("harbor")]
        assert station.since(numbers[0]) is None
        async with events_of(served, f"{EVENTS}?from={numbers[0]}") as events:
            told = [(await events.next("caption"))[1]["seq"] for _ in numbers]
            assert told == numbers
            await air.say("And now.")
            assert (await events.next("caption"))[1]["t"] == "And now."


async def test_another_store_or_a_trimmed_place_resets(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    numbers = await air.say_many(4)
    async with relay_on(store, clock) as served:
        async with events_of(served, EVENTS, Last_Event_ID="other:2") as events:
            assert (await events.next("reset", "caption"))[0] == "reset"
            assert (await events.next("caption"))[1]["seq"] == numbers[0]
        async with events_of(served, f"{EVENTS}?from=9999") as events:
            assert (await events.next("reset", "caption"))[0] == "reset"
    await store.trim(broadcast("harbor"), numbers[2], fencing_token=TOKEN)
    async with relay_on(store, clock) as served, events_of(served, f"{EVENTS}?from={numbers[0]}") as events:
        assert (await events.next("reset", "caption"))[0] == "reset"
        assert (await events.next("caption"))[1]["seq"] == numbers[2]


async def test_a_page_learns_what_its_player_hears(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    await air.say_many(6)
    clock.advance(1.2)
    async with relay_on(store, clock) as served:
        raw = await served.raw("/stations/harbor/live.mp3?c=page-1")
        await raw.take(FRAME_BYTES)
        async with events_of(served, f"{EVENTS}?c=page-1") as events:
            assert (await events.next("join"))[1] == {"at": NOW + 1200, "ms": 0}
            clock.advance(2.4)
            again = await served.raw("/stations/harbor/live.mp3?c=page-1")
            await again.take(FRAME_BYTES)
            assert (await events.next("join"))[1] == {"at": NOW + 3600, "ms": 0}
            await raw.close()
            [station] = served.relay.stations.all()
            await until(lambda: len(station.fanout) == 1)
            assert station.fanout.joins["page-1"].at == NOW + 3600
        async with events_of(served, f"{EVENTS}?c=page-2") as events:
            assert (await events.next("join", "caption"))[0] == "caption"
            early = asyncio.ensure_future(events.next("join"))
            other = await served.raw("/stations/harbor/live.mp3?c=page-2")
            assert (await early)[1]["ms"] == 0
            await other.close()


async def test_at_an_epoch_the_page_is_told_anew_once_the_frames_before_it_are_heard(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(2)
    played_ms = 2 * air.said[0][1].d
    async with relay_on(store, clock) as served:
        raw = await served.raw("/stations/harbor/live.mp3?c=page")
        await raw.take(FRAME_BYTES)
        async with events_of(served, f"{EVENTS}?c=page") as events:
            assert (await events.next("join"))[1] == {"at": NOW, "ms": 0}
            clock.step(3600)
            await air.step(3_600_000)
            await air.say_many(2)
            assert (await events.next("epoch"))[1] == {"step": 3_600_000}
            clock.advance(played_ms / 1000 + 0.1)
            assert (await events.next("join"))[1] == {"at": air.said[2][1].at, "ms": played_ms}


async def test_a_quiet_stream_is_pinged(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radio.relay.live.caption_events.PING_S", 0.05)
    assert event_stream.PING_S == 15
    await air.begin()
    async with relay_on(store, clock) as served:
        raw = await served.raw(EVENTS, "Accept-Encoding: gzip, br")
        assert "content-encoding" not in raw.headers
        seen = b""
        while b": ping\n\n" not in seen:
            seen += await raw.take(1)
        assert b": connected\nretry: 3000\n\n" in seen


async def test_bad_places_and_keys_are_refused(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        for query in ("from=x", "from=-1", "c=", "c=a%20b", "c=" + "x" * 65):
            async with served.http.get(served.at(f"{EVENTS}?{query}")) as reply:
                assert (reply.status, reply.content_type) == (400, "application/problem+json")


async def test_ids_and_data_stand_on_one_line_each() -> None:
    spelt: Any = event_stream.spell("caption", {"t": "two\nlines, “quotes”"}, "s:1")
    assert spelt.decode().split("\n") == [
        "id: s:1", "event: caption", 'data: {"t": "two\\nlines, “quotes”"}', "", "",
    ]  # fmt: skip


async def test_events_end_when_the_reader_leaves(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        await served.json("/stations/harbor")
        before = len(asyncio.all_tasks())
        raw = await served.raw(EVENTS)
        assert b": connected" in await raw.take(40)
        assert len(asyncio.all_tasks()) > before
        await raw.close()
        await until(lambda: len(asyncio.all_tasks()) <= before)
