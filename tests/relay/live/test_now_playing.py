from radio.clock import ManualClock
from radio.mp3.frames import FRAME_MS
from radio.streams import names
from radio.streams.records import BroadcastStart
from radio.streams.records import encode as to_record
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import TOKEN, Air, day
from tests.relay.conftest import NOW
from tests.relay.serving import relay_on
from tests.waiting import until

HOUR = 3_600_000
RUN = "night@20270115T0800"
DAYS = (
    day(RUN, "Night Book", NOW - HOUR, NOW + HOUR),
    day("brief@20270115T1000", "The Morning Brief", NOW + HOUR, NOW + 2 * HOUR),
)


async def test_a_station_tells_what_is_heard_now_and_not_what_was_made_ahead(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(days=DAYS)
    await air.show(RUN, "Night Book")
    first, second, _ = await air.say_many(3)
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor")
        d = air.said[0][1].d
        assert told["state"] == "on_air"
        assert told["store"] == await store.store_id()
        assert told["seq"] == first
        assert told["server_time"] == clock.now_ms()
        assert told["lead_ms"] == 3 * d
        assert told["now"] == {
            "run": RUN, "show": "night", "title": "Night Book", "kind": "show", "started_at": NOW - HOUR,
            "until": NOW + HOUR, "sentence": "Sentence 0.", "changed_at": air.said[0][1].at,
        }  # fmt: skip
        assert told["next"]["run"] == "brief@20270115T1000"
        assert told["urls"]["live"] == "/stations/harbor/live.mp3"
        clock.advance(d / 1000)
        later = await served.json("/stations/harbor")
        assert (later["seq"], later["now"]["sentence"]) == (second, "Sentence 1.")
        assert later["lead_ms"] == 2 * d
        listed = await served.json("/stations")
        assert [one["station"] for one in listed["stations"]] == ["harbor"]


async def test_a_clock_that_was_set_while_no_narrator_ran_silences_no_station(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("Before the clock was set.")
    async with relay_on(store, clock) as served:
        assert (await served.json("/stations/harbor"))["now"]["sentence"] == "Before the clock was set."
        clock.step(30 * 24 * 3600)
        await store.append(
            names.broadcast("harbor"), [to_record(BroadcastStart(owner="another"))], fencing_token=TOKEN
        )
        air.at = clock.now_ms() // FRAME_MS * FRAME_MS
        await air.say("After it was set.", gap_ms=3_000)
        clock.advance(4.0)

        async def is_heard() -> bool:
            return bool((await served.json("/stations/harbor"))["now"]["sentence"] == "After it was set.")

        await until(is_heard, within_s=60)


async def test_the_tag_changes_with_the_sentence_and_not_with_the_clock(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(2)
    async with relay_on(store, clock) as served:
        url = served.at("/stations/harbor")
        async with served.http.get(url) as reply:
            tag = reply.headers["ETag"]
            assert tag.startswith('W/"')
            assert reply.headers["Access-Control-Allow-Origin"] == "*"
        clock.advance(0.5)
        async with served.http.get(url, headers={"If-None-Match": tag}) as reply:
            assert (reply.status, await reply.read()) == (304, b"")
        clock.advance(2.0)
        async with served.http.get(url, headers={"If-None-Match": tag}) as reply:
            assert reply.status == 200


async def test_a_station_starts_then_is_heard_then_falls_silent(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(days=DAYS)
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor")
        assert (told["state"], told["now"]["kind"], told["seq"]) == ("starting", "starting", None)
        assert told["now"]["title"] == "Night Book"
        await air.say("Hello.")
        await until(lambda: served.relay.stations.all()[0].spoken_end is not None)
        assert (await served.json("/stations/harbor"))["state"] == "on_air"
        clock.advance(4)
        between = await served.json("/stations/harbor")
        assert (between["state"], between["now"]["sentence"]) == ("on_air", None)
        clock.advance(400)
        assert (await served.json("/stations/harbor"))["state"] == "silent"


async def test_off_is_a_state_of_its_own_and_a_fallback_a_kind(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(fallback="off")
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor")
        assert (told["state"], told["now"]["kind"], told["next"]) == ("off", "off", None)
        await air.show("fallback@7", "Meanwhile")
        await air.say("Music soon.")
        await until(lambda: served.relay.stations.all()[0].spoken_end is not None)
        told = await served.json("/stations/harbor")
        assert (told["state"], told["now"]["kind"], told["now"]["title"]) == (
            "on_air",
            "fallback",
            "Meanwhile",
        )


async def test_a_relay_that_starts_in_the_middle_knows_what_is_on(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(days=DAYS)
    await air.say_many(90, seconds=1.0)
    clock.advance((air.said[45][1].at or 0) / 1000 - NOW / 1000 + 0.1)
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor")
        assert told["now"]["sentence"] == "Sentence 45."
        assert told["now"]["title"] == "Night Book"


async def test_after_a_clock_step_that_the_relay_did_not_see_it_still_knows_what_is_heard(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(2)
    clock.step(-7200)
    await air.step(-7_200_000)
    await air.say_many(2)
    async with relay_on(store, clock) as served:
        told = await served.json("/stations/harbor")
        assert told["now"]["sentence"] == "Sentence 0."
        assert told["lead_ms"] == 4 * air.said[0][1].d
        clock.advance(2 * air.said[0][1].d / 1000 + 0.1)
        told = await served.json("/stations/harbor")
        assert told["now"]["changed_at"] == air.said[2][1].at


async def test_a_new_card_is_seen_and_a_new_station_is_found_at_once(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        assert (await served.json("/stations/harbor"))["title"] == "Harbor FM"
        await air.card(title="Harbour Radio")
        await until(lambda: served.relay.stations.all()[0].card.title == "Harbour Radio")
        await Air(store, clock, "tides").begin(title="Tides")
        assert (await served.json("/stations/tides"))["title"] == "Tides"


async def test_what_is_no_station_is_a_problem_with_a_hint(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        assert await served.json("/stations") == {"stations": []}
        for path in ("/stations/nowhere", "/stations/..%2F..%2Fcatalog", "/stations/%00", "/nothing"):
            async with served.http.get(served.at(path)) as reply:
                assert reply.status == 404
                assert reply.content_type == "application/problem+json"
                told = await reply.json(content_type=None)
                assert told["status"] == 404
                assert told["hint"]


async def test_a_station_tells_on_which_rung_of_its_ladder_it_is(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    ladder = {"rung": "rerun", "since": NOW - HOUR, "begun": {"own": 1, "rerun": 1}}
    await air.begin(ladder=ladder)
    async with relay_on(store, clock) as served:
        assert (await served.json("/stations/harbor"))["fallback"] == ladder


async def test_a_station_tells_which_model_writes_its_words(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(model="small.gguf")
    async with relay_on(store, clock) as served:
        assert (await served.json("/stations/harbor"))["model"] == "small.gguf"


async def test_a_station_without_a_ladder_tells_of_none(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        assert (await served.json("/stations/harbor"))["fallback"] is None
