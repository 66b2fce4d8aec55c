"""What listeners get of a station that its editor muted."""

from radio import control
from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME
from radio.relay.live.fan_out import CUSHION_FRAMES
from radio.streams import names
from radio.streams.contract import FromSeq
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.serving import Served, events_of, relay_on
from tests.waiting import until

LIVE = "/stations/harbor/live.mp3"
EVENTS = "/stations/harbor/events"
STATION = "/stations/harbor"


async def heeds(served: Served, *, muted: bool) -> None:
    await until(lambda: all(s.is_muted == muted for s in served.relay.stations.all()))


async def test_listeners_get_silence_in_step_and_then_the_programme_where_it_is_by_now(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(20)
    whole = air.bytes_of(0, 99)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        cushion = CUSHION_FRAMES * FRAME_BYTES
        assert await raw.take(cushion) == whole[:cushion]
        await control.ask(store, control.MUTE, "harbor")
        await heeds(served, muted=True)
        clock.advance(2.4)
        assert await raw.take(100 * FRAME_BYTES) == SILENCE_FRAME * 100
        await control.ask(store, control.UNMUTE, "harbor")
        await heeds(served, muted=False)
        clock.advance(2.4)
        sent = cushion + 100 * FRAME_BYTES
        assert await raw.take(100 * FRAME_BYTES) == whole[sent : sent + 100 * FRAME_BYTES]
        await raw.close()


async def test_a_relay_that_begins_later_never_lets_a_muted_station_be_heard(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(8)
    await control.ask(store, control.MUTE, "harbor")
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        assert await raw.take(50 * FRAME_BYTES) == SILENCE_FRAME * 50
        told = await served.json(STATION)
        assert told["muted"] is True
        assert told["state"] == "on_air"
        assert told["now"]["sentence"] is None
        await raw.close()


async def test_captions_stop_with_the_sound_and_those_still_to_be_heard_are_told_afterwards(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("Before.")
    async with relay_on(store, clock) as served, events_of(served, EVENTS) as events:
        assert (await events.next("caption"))[1]["t"] == "Before."
        await control.ask(store, control.MUTE, "harbor")
        assert (await events.next("state"))[1]["muted"] is True
        await air.say("Wrong.", gap_ms=240)
        await air.say("Right.")
        await until(lambda: served.relay.stations.all()[0].next_seq > air.said[-1][0])
        clock.advance(5.0)
        await control.ask(store, control.UNMUTE, "harbor")
        assert (await events.next("caption"))[1]["t"] == "Right."
        assert (await events.next("state"))[1]["muted"] is False


async def test_another_station_is_not_touched(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    other = await Air(store, clock, station="night").begin(title="Night")
    await other.say_many(3)
    await control.ask(store, control.MUTE, "harbor")
    async with relay_on(store, clock) as served:
        raw = await served.raw("/stations/night/live.mp3")
        assert await raw.take(50 * FRAME_BYTES) == other.bytes_of(0, 99)[: 50 * FRAME_BYTES]
        assert (await served.json("/stations/night"))["muted"] is False
        await raw.close()


async def test_what_is_made_while_muted_stays_in_the_broadcast(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await control.ask(store, control.MUTE, "harbor")
    async with relay_on(store, clock) as served:
        await air.say_many(3)
        await heeds(served, muted=True)
        async with served.http.get(served.at("/stations/harbor/replay.mp3?from=0&to=4")) as response:
            assert await response.read() == air.bytes_of(0, 99)


async def test_mutes_fold_to_what_was_asked_last_in_any_pages(store: MemoryStore) -> None:
    for what, station in (("mute", "a"), ("mute", "b"), ("unmute", "a"), ("dry", "b"), ("unmute", "c")):
        await control.ask(store, what, station)
    page = await store.read(names.CONTROL, FromSeq(0))
    for cut in range(len(page.records) + 1):
        mutes = control.Mutes()
        mutes.fold(page.records[:cut], cut)
        mutes.fold(page.records, page.next_seq)
        assert mutes.stations == {"b"}


async def test_when_a_station_was_muted_is_when_the_store_took_the_first_word_of_it_and_its_end(
    store: MemoryStore, clock: ManualClock
) -> None:
    begun = clock.now_ms()
    for what in ("unmute", "mute", "mute", "unmute", "unmute", "mute"):
        await control.ask(store, what, "a")
        clock.advance(1)
    page = await store.read(names.CONTROL, FromSeq(0))
    mutes = control.Mutes()
    mutes.fold(page.records, page.next_seq)
    mutes.fold(page.records, page.next_seq)
    first, second = control.MuteSpan(begun + 1000, begun + 3000), control.MuteSpan(begun + 5000)
    assert mutes.spans == {"a": [first, second]}
