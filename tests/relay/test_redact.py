"""What listeners, and those who read on, get of records that an operator took out: nothing, by any route."""

import base64

from radio import control
from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME
from radio.redaction import REDACT, spell
from radio.relay.live.fan_out import CUSHION_FRAMES
from radio.streams import names
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air
from tests.relay.serving import Served, events_of, relay_on
from tests.waiting import until

LIVE = "/stations/harbor/live.mp3"
EVENTS = "/stations/harbor/events"
SECRET = "The address is nine Quay Street."


async def redact(store: StreamStore, first: int, last: int) -> None:
    await control.ask(store, REDACT, "harbor", [spell(first, last)])


async def heeds(served: Served, seq: int) -> None:
    await until(lambda: any(station.is_redacted(seq) for station in served.relay.stations.all()))


def muted(air: Air, first: int, last: int) -> bytes:
    """All that was said, with silence in place of these records."""
    pieces = [(seq, audio.body) for seq, audio in air.said]
    return b"".join(
        SILENCE_FRAME * (len(body) // FRAME_BYTES) if first <= seq <= last else body for seq, body in pieces
    )


async def test_what_is_not_sent_yet_is_silence_in_step_and_all_else_is_heard(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    said = await air.say_many(20)
    whole, cut = air.bytes_of(0, 99), muted(air, said[8], said[10])
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        sent = CUSHION_FRAMES * FRAME_BYTES
        assert await raw.take(sent) == whole[:sent]
        await redact(store, said[8], said[10])
        await heeds(served, said[8])
        clock.advance(19.2)
        want = cut[sent : sent + 800 * FRAME_BYTES]
        assert want != whole[sent : sent + 800 * FRAME_BYTES]
        assert await raw.take(len(want)) == want
        await raw.close()


async def test_it_holds_for_what_comes_with_the_tail_and_for_relays_that_begin_later(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    first = (await store.check_tail(names.broadcast("harbor"))).seq
    await redact(store, first + 1, first + 1)
    async with relay_on(store, clock) as served:
        await until(lambda: len(served.relay.stations.all()) == 1)
        said = [await air.say("One.", gap_ms=2400), *await air.say_many(3)]
        assert said[0] == first
        want = SILENCE_FRAME * 100 + muted(air, said[1], said[1])
        await until(lambda: served.relay.stations.all()[0].next_seq > said[-1])
        for _ in range(2):
            raw = await served.raw(LIVE)
            assert await raw.take(300 * FRAME_BYTES) == want[: 300 * FRAME_BYTES]
            await raw.close()
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        assert await raw.take(300 * FRAME_BYTES) == want[: 300 * FRAME_BYTES]
        await raw.close()


async def test_a_replay_keeps_its_length_and_its_ranges_and_no_cache_gives_the_old_one(
    any_store: StreamStore, clock: ManualClock
) -> None:
    air = await Air(any_store, clock).begin()
    said = await air.say_many(6)
    path = f"/stations/harbor/replay.mp3?from={said[0]}&to={said[-1]}"
    async with relay_on(any_store, clock) as served:
        async with served.http.get(served.at(path)) as reply:
            old, length = reply.headers["ETag"], reply.headers["Content-Length"]
            assert reply.headers["Cache-Control"] == "public, no-cache"
            assert await reply.read() == air.bytes_of(0, 99)
        await redact(any_store, said[2], said[3])
        await heeds(served, said[2])
        want = muted(air, said[2], said[3])
        async with served.http.get(served.at(path), headers={"If-None-Match": old}) as reply:
            assert (reply.status, reply.headers["Content-Length"]) == (200, length)
            new = reply.headers["ETag"]
            assert new != old
            assert await reply.read() == want
        part = {"Range": "bytes=20000-59999"}
        async with served.http.get(served.at(path), headers={**part, "If-Range": new}) as reply:
            assert (reply.status, await reply.read()) == (206, want[20000:60000])
        async with served.http.get(served.at(path), headers={**part, "If-Range": old}) as reply:
            assert (reply.status, await reply.read()) == (200, want)
        elsewhere = f"/stations/harbor/replay.mp3?from={said[4]}&to={said[5]}"
        async with served.http.get(served.at(elsewhere)) as reply:
            assert await reply.read() == air.bytes_of(said[4], said[5])


async def test_captions_of_a_replay_leave_it_out_and_the_others_keep_their_times(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    first, secret, last = await air.say("One."), await air.say(SECRET), await air.say("Three.")
    path = f"/stations/harbor/replay.vtt?from={first}&to={last}"
    async with relay_on(store, clock) as served:
        before = await (await served.http.get(served.at(path))).text()
        await redact(store, secret, secret)
        await heeds(served, secret)
        after = await (await served.http.get(served.at(path))).text()
    gone = next(block for block in before.split("\n\n") if SECRET in block)
    noted = before[: before.index(gone)].rstrip("\n").rpartition("\n\n")[2]
    assert after == before.replace(f"{noted}\n\n{gone}\n\n", "")
    assert SECRET not in after
    assert "Three." in after


async def test_who_follows_is_told_to_forget_it_and_who_comes_later_never_hears_of_it(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("One.")
    secret = await air.say(SECRET)
    await air.say("Three.")
    async with relay_on(store, clock) as served:
        async with events_of(served, EVENTS) as events:
            told = [(await events.next("caption"))[1]["t"] for _ in range(3)]
            assert told == ["One.", SECRET, "Three."]
            await redact(store, secret, secret)
            assert (await events.next("redact"))[1] == {"from": secret, "to": secret}
        async with events_of(served, EVENTS) as events:
            assert [(await events.next("caption"))[1]["t"] for _ in range(2)] == ["One.", "Three."]
        clock.advance(300)  # out of memory: told from the store
        await until(lambda: served.relay.stations.all()[0].since(secret) is None)
        async with events_of(served, f"{EVENTS}?from={secret}") as events:
            assert (await events.next("caption"))[1]["t"] == "Three."


async def test_who_was_away_when_it_was_taken_out_is_told_on_going_on(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    secret = await air.say(SECRET)
    await air.say("Two.")
    async with relay_on(store, clock) as served:
        async with events_of(served, EVENTS) as events:
            _, told, event_id = await events.next("caption")
            assert (told["t"], event_id is None) == (SECRET, False)
        await redact(store, secret, secret)
        await heeds(served, secret)
        for path, headers in (
            (EVENTS, {"Last_Event_ID": str(event_id)}),
            (f"{EVENTS}?from={secret + 1}", {}),
        ):
            async with events_of(served, path, **headers) as events:
                assert (await events.next("redact", "caption"))[1] == {"from": secret, "to": secret}
                assert (await events.next("redact", "caption"))[1]["t"] == "Two."
        async with events_of(served, EVENTS) as events:
            assert (await events.next("redact", "caption"))[1]["t"] == "Two."


async def test_what_a_rerun_had_heard_again_goes_with_it_by_every_route(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    secret = await air.say(SECRET)
    others = await air.say_many(6)
    copy = await air.say(SECRET, of=secret)
    want = muted(air, secret, secret)[: -len(air.said[-1][1].body)]
    want += SILENCE_FRAME * (len(air.said[-1][1].body) // FRAME_BYTES)
    path = f"/stations/harbor/replay.mp3?from={others[0]}&to={copy}"
    async with relay_on(store, clock) as served, events_of(served, EVENTS) as events:
        while (await events.next("caption"))[1]["seq"] != copy:
            pass
        raw = await served.raw(LIVE)
        await raw.take(CUSHION_FRAMES * FRAME_BYTES)
        async with served.http.get(served.at(path)) as reply:
            old = reply.headers["ETag"]
        await redact(store, secret, secret)
        told = [(await events.next("redact"))[1]["from"] for _ in range(2)]
        assert sorted(told) == [secret, copy]
        clock.advance(8)
        rest = await raw.take(len(want) - CUSHION_FRAMES * FRAME_BYTES)
        assert rest == want[CUSHION_FRAMES * FRAME_BYTES :]
        async with served.http.get(served.at(path)) as reply:
            assert reply.headers["ETag"] != old
            assert await reply.read() == want[len(air.said[0][1].body) :]
        page = await served.json(f"/s2/records?stream=pub/stations/harbor&seq_num={secret}")
        assert SECRET not in str(page)
        async with events_of(served, f"{EVENTS}?from={others[-1]}") as later:
            assert (await later.next("caption"))[1]["seq"] == others[-1]
            after = await air.say("On.", gap_ms=4800)
            assert (await later.next("caption"))[1]["seq"] == after


async def test_a_station_does_not_tell_what_is_silent(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    secret = await air.say(SECRET)
    async with relay_on(store, clock) as served:
        assert (await served.json("/stations/harbor"))["now"]["sentence"] == SECRET
        await redact(store, secret, secret)
        await heeds(served, secret)
        told = await served.json("/stations/harbor")
        assert (told["state"], told["now"]["sentence"], told["seq"]) == ("on_air", None, secret)


async def test_the_gateway_gives_it_to_nobody_from_the_first_read_on(
    any_store: StreamStore, clock: ManualClock
) -> None:
    air = await Air(any_store, clock).begin()
    kept, secret = await air.say("One."), await air.say(SECRET)
    skipped = await air.skip(SECRET)
    await redact(any_store, secret, skipped)
    async with relay_on(any_store, clock) as served:
        path = f"/s2/records?stream=pub/stations/harbor&seq_num={kept}"
        page = await served.json(path)
        assert SECRET not in str(page)
        one, silent, nothing = page["records"]
        assert base64.b64decode(one["body"]) == air.said[0][1].body
        assert base64.b64decode(silent["body"]) == muted(air, secret, secret)[-len(air.said[1][1].body) :]
        assert SECRET.encode() not in base64.b64decode(nothing["body"])
        async with events_of(served, path, Accept="text/event-stream") as events:
            assert (await events.next("batch"))[1]["records"] == page["records"]


async def test_another_station_and_casts_are_not_touched(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(3)
    other = await Air(store, clock, station="night").begin(title="Night")
    said = await other.say_many(3)
    await redact(store, 0, 99)
    async with relay_on(store, clock) as served:
        raw = await served.raw("/stations/night/live.mp3")
        assert await raw.take(50 * FRAME_BYTES) == other.bytes_of(0, 99)[: 50 * FRAME_BYTES]
        await raw.close()
        page = await served.json(f"/s2/records?stream=pub/stations/night&seq_num={said[0]}")
        stored = await store.read(names.broadcast("night"), FromSeq(said[0]))
        assert [base64.b64decode(r["body"]) for r in page["records"]] == [r.body for r in stored.records]
        card = await served.json("/s2/records?stream=pub/stations/harbor/card&seq_num=0")
        assert "Harbor FM" in base64.b64decode(card["records"][0]["body"]).decode()
