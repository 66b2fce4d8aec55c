import asyncio
import gzip
import subprocess
from pathlib import Path
from typing import Any

import pytest

from radio import casts
from radio.clock import ManualClock
from radio.errors import NotFound
from radio.mp3.frames import frames
from radio.relay.archive import webvtt
from radio.relay.casts.cast_cache import CastCache
from radio.relay.casts.queue_position import Queue, Waiting, place
from radio.settings import Limits
from radio.streams import names
from radio.streams.contract import FromSeq, NewRecord, ReadResult, StreamStore
from radio.streams.ownership.observer import Observer
from radio.streams.records import CastEnd, Heartbeat, encode
from radio.streams.stores.memory import MemoryStore
from tests.need import need
from tests.relay.airing import Narrated
from tests.relay.serving import Served, events_of, relay_on
from tests.waiting import until

TEXT = "Ships pass. Tides turn. Lamps are lit."


async def post(served: Served, body: Any, **options: Any) -> tuple[int, Any]:
    given: dict[str, Any] = {"json": body} if isinstance(body, dict) else {"data": body}
    async with served.http.post(served.at("/casts"), **given, **options) as reply:
        return reply.status, await reply.json(content_type=None)


async def test_a_text_is_submitted_once_and_known_ever_after(
    any_store: StreamStore, clock: ManualClock
) -> None:
    async with relay_on(any_store, clock) as served:
        status, told = await post(served, {"text": TEXT, "title": "Evening"})
        assert status == 201
        assert told["token"]
        assert told["cast"] == casts.cast_id(TEXT, "af_heart")
        assert (told["status"], told["position"], told["title"]) == ("queued", 1, "Evening")
        assert told["characters"] == len(TEXT)
        assert told["urls"] == {
            "page": f"/c/{told['cast']}", "mp3": f"/casts/{told['cast']}.mp3",
            "events": f"/casts/{told['cast']}/events", "vtt": f"/casts/{told['cast']}.vtt",
            "txt": f"/casts/{told['cast']}.txt",
        }  # fmt: skip
        again, same = await post(served, TEXT, headers={"Content-Type": "text/plain"})
        assert (again, same["cast"]) == (200, told["cast"])
        assert "token" not in same
        assert (await served.json(f"/casts/{told['cast']}"))["status"] == "queued"
        assert "token" not in await served.json(f"/casts/{told['cast']}")


async def test_a_packed_a_broken_or_a_missing_body_is_the_fault_of_who_sent_it(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radio.relay.http.request_body.BODY_S", 0.2)
    packed = gzip.compress(b"Ships pass.")
    bodies = (
        (f"Content-Encoding: gzip\r\nContent-Length: {len(packed)}", packed, 415),
        ("Content-Encoding: gzip\r\nContent-Length: 3", b"abc", 415),
        ("Transfer-Encoding: chunked", b"ZZZ\r\nabc\r\n0\r\n\r\n", 400),
        ("Content-Length: 500", b"abc", 408),
    )
    async with relay_on(store, clock) as served:
        for head, body, status in bodies:
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            start = f"POST /casts HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n{head}\r\n\r\n"
            writer.write(start.encode() + body)
            answered = await reader.readline()
            writer.close()
            assert (head, answered.split(b" ")[1]) == (head, str(status).encode())
        assert (await store.list(names.CAST_OUTPUTS)).items == ()


async def test_a_token_that_is_no_text_removes_nothing(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        _, told = await post(served, {"text": TEXT})
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        head = f"DELETE /casts/{told['cast']} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
        writer.write(head.encode() + b"\xff\xfe\r\n\r\n")
        answered = await reader.readline()
        writer.close()
        assert answered.split(b" ")[1] == b"403"
        assert (await served.json(f"/casts/{told['cast']}"))["status"] == "queued"


async def test_a_page_of_another_site_can_submit_nothing(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        plain = {"Content-Type": "text/plain"}
        for origin in ("http://elsewhere.example", "null", "http://[", "//", ""):
            status, told = await post(served, TEXT, headers={**plain, "Origin": origin})
            assert (status, "another site" in told["detail"]) == (403, True)
        assert not (await store.list(names.CATALOG)).items
        own = served.url.rstrip("/")
        assert (await post(served, TEXT, headers={**plain, "Origin": own}))[0] == 201


async def test_what_cannot_be_spoken_is_refused_with_a_hint(store: MemoryStore, clock: ManualClock) -> None:
    limits = Limits(body_bytes=5000, cast_characters=100, casts_per_client_hour=1000)
    json_type, text_type = {"Content-Type": "application/json"}, {"Content-Type": "text/plain"}
    async with relay_on(store, clock, limits=limits) as served:
        refused: list[tuple[Any, dict[str, str] | None, int]] = [
            ({"text": ""}, None, 400), ({"text": " \n"}, None, 400), ({}, None, 400),
            ({"text": 7}, None, 400),
            ({"text": TEXT, "voice": "af_haert"}, None, 400), ({"text": TEXT, "voice": 3}, None, 400),
            ({"text": TEXT, "speed": 9}, None, 400), ({"text": TEXT, "speed": "fast"}, None, 400),
            ({"text": TEXT, "tempo": 1}, None, 400), ({"text": TEXT, "title": "x" * 300}, None, 400),
            ({"text": "x" * 101}, None, 413), (b"x" * 6000, text_type, 413), (b"{", json_type, 400),
            (b"[]", json_type, 400), (b"\xff\xfe", text_type, 400),
            (TEXT, {"Content-Type": "text/html"}, 415),
            (b'{"text": "\\ud800"}', json_type, 400), ({"text": TEXT, "speed": True}, None, 400),
            (b'{"text": "a", "speed": NaN}', json_type, 400),
            (b'{"text": "a", "speed": 1%s}' % (b"0" * 400), json_type, 400), (b"[" * 4000, json_type, 400),
            (b'{"text": "a", "title": "\\ud800"}', json_type, 400),
            (b'{"text": "a", "voice": "\\ud800"}', json_type, 400), (b'{"\\ud800": 1}', json_type, 400),
        ]  # fmt: skip
        for body, headers, wanted in refused:
            status, told = await post(served, body, **({"headers": headers} if headers else {}))
            assert (body, status) == (body, wanted)
            assert told["hint"]
            assert told["status"] == wanted
        assert (await store.list(names.CATALOG)).items == ()


async def test_a_wrong_voice_is_told_the_nearest_ones(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        _, told = await post(served, {"text": TEXT, "voice": "af_haert"})
        assert "af_heart" in told["hint"]
        known = await served.json("/casts/voices")
        assert known["default"] == "af_heart"
        assert {"name", "language", "gender"} <= set(known["voices"][0])
        assert len(known["voices"]) == 54


async def test_submissions_have_a_rate_per_client_and_per_radio(
    store: MemoryStore, clock: ManualClock
) -> None:
    limits = Limits(casts_per_client_hour=2, casts_per_hour=3)
    async with relay_on(store, clock, limits=limits, trusted_hops=1) as served:

        async def ask(k: int, client: str) -> tuple[int, str | None]:
            headers = {"X-Forwarded-For": client}
            async with served.http.post(
                served.at("/casts"), json={"text": f"{k}."}, headers=headers
            ) as reply:
                return reply.status, reply.headers.get("Retry-After")

        assert [(await ask(k, "1.1.1.1"))[0] for k in range(3)] == [201, 201, 429]
        assert (await ask(4, "2.2.2.2"))[0] == 201
        status, wait = await ask(5, "3.3.3.3")
        assert status == 503
        clock.advance(float(wait or 0))
        assert (await ask(5, "3.3.3.3"))[0] == 201


async def test_a_cast_is_heard_while_it_is_made(any_store: StreamStore, clock: ManualClock) -> None:
    cast = await Narrated.submit(any_store, clock, TEXT)
    async with relay_on(any_store, clock) as served:
        raw = await served.raw(f"/casts/{cast.cast}.mp3", "Range: bytes=0-")
        assert raw.status == "HTTP/1.1 200 OK"
        assert not {"content-length", "accept-ranges"} & set(raw.headers)
        assert raw.is_chunked
        old = await served.raw(f"/casts/{cast.cast}.mp3", version="1.0")
        assert not {"content-length", "transfer-encoding"} & set(old.headers)
        await cast.start()
        for i, text in enumerate(("Ships pass.", "Tides turn.")):
            body = await cast.say(i, text)
            assert await raw.take(len(body)) == body
            assert await old.take(len(body)) == body
        told = await served.json(f"/casts/{cast.cast}")
        assert (told["status"], told["sentences"], told["position"]) == ("live", 2, None)
        await cast.end()
        assert await raw.rest() == await old.rest() == b""


@pytest.mark.parametrize("how", ["failed", "stopped"])
async def test_who_hears_a_cast_in_the_making_tells_a_cut_from_its_end(
    store: MemoryStore, clock: ManualClock, how: str
) -> None:
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    body = await cast.say(0, "Ships pass.")
    async with relay_on(store, clock) as served:
        raw = await served.raw(f"/casts/{cast.cast}.mp3")
        assert await raw.take(len(body)) == body
        if how == "failed":
            await cast.end("failed")
        else:
            served.relay.finish()
        with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
            await raw.rest()


@pytest.mark.player
async def test_ffmpeg_plays_a_cast_in_the_making_to_its_end_without_a_complaint(
    store: MemoryStore, clock: ManualClock
) -> None:
    need("ffmpeg")
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    size = sum([len(await cast.say(i, "Ships pass.")) for i in range(3)])
    async with relay_on(store, clock) as served:
        player = await asyncio.create_subprocess_exec(
            "ffmpeg", "-nostdin", "-v", "warning", "-i", served.at(f"/casts/{cast.cast}.mp3"),
            "-f", "s16le", "-", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        await until(lambda: served.relay.listening.total() == 1)
        size += len(await cast.say(3, "Tides turn."))
        await cast.end()
        async with asyncio.timeout(60):
            sound, said = await player.communicate()
    assert (player.returncode, said.decode()) == (0, "")
    assert len(sound) == size // 8 * 24 * 2


async def test_no_sentence_is_heard_twice_when_a_narrator_is_replaced(
    any_store: StreamStore, clock: ManualClock
) -> None:
    cast = await Narrated.submit(any_store, clock, TEXT)
    await cast.start()
    async with relay_on(any_store, clock) as served:
        raw = await served.raw(f"/casts/{cast.cast}.mp3")
        zero, one = await cast.say(0, "Ships pass."), await cast.say(1, "Tides turn.")
        assert await raw.take(len(zero + one)) == zero + one
        await cast.start(first=0)
        await cast.say(0, "Ships pass.", number=10)
        again = await cast.say(1, "Tides turn.", number=11)
        assert again != one
        two = await cast.say(2, "Lamps are lit.", number=12)
        assert await raw.take(len(two)) == two
        await cast.end()
        assert await raw.rest() == b""
        async with served.http.get(served.at(f"/casts/{cast.cast}.mp3")) as reply:
            assert (await reply.read()).endswith(again + two)
        async with served.http.get(served.at(f"/casts/{cast.cast}.mp3?from=1")) as reply:
            assert await reply.read() == again + two


async def test_who_jumps_ahead_begins_with_that_sentence(store: MemoryStore, clock: ManualClock) -> None:
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    await cast.say(0, "Ships pass.")
    async with relay_on(store, clock) as served:
        raw = await served.raw(f"/casts/{cast.cast}.mp3?from=1")
        body = await cast.say(1, "Tides turn.")
        assert await raw.take(len(body)) == body
        await cast.end()
        assert await raw.rest() == b""
        async with served.http.get(served.at(f"/casts/{cast.cast}.mp3?from=x")) as reply:
            assert reply.status == 400


async def test_who_follows_is_told_of_a_removal(store: MemoryStore, clock: ManualClock) -> None:
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    await cast.say(0, "Ships pass.")
    async with relay_on(store, clock) as served, events_of(served, f"/casts/{cast.cast}/events") as events:
        await events.next("caption")
        stored = await casts.look(store, cast.cast)
        end = CastEnd(reason="removed", job=0)
        await casts.erase(
            store, cast.cast, fence=stored.fence, next_seq=stored.next_seq, end=end, then="free.1"
        )
        kind, told, _ = await events.next("end")
        assert (kind, told["status"], told["characters"], told["title"]) == ("end", "removed", 0, "")


async def test_a_done_cast_is_a_file_with_ranges(any_store: StreamStore, clock: ManualClock) -> None:
    cast = await Narrated.submit(any_store, clock, TEXT)
    await cast.start()
    parts = [await cast.say(0, "Ships pass."), await cast.say(1, "Tides turn.")]
    await cast.skip(2, "???")
    parts.append(await cast.say(3, "Lamps are lit."))
    await cast.end()
    whole = b"".join(parts)
    async with relay_on(any_store, clock) as served:
        url = served.at(f"/casts/{cast.cast}.mp3")
        async with served.http.get(url) as reply:
            assert await reply.read() == whole
            assert reply.headers["Accept-Ranges"] == "bytes"
            tag = reply.headers["ETag"]
        border = len(parts[0])
        for first, last in ((0, 1), (border - 1, border), (5, len(whole) - 1)):
            headers = {"Range": f"bytes={first}-{last}", "If-Range": tag}
            async with served.http.get(url, headers=headers) as reply:
                assert reply.status == 206
                assert await reply.read() == whole[first : last + 1]
        async with served.http.head(url) as reply:
            assert reply.headers["Content-Length"] == str(len(whole))
        async with served.http.get(url, headers={"Range": f"bytes={len(whole)}-"}) as reply:
            assert reply.status == 416
        told = await served.json(f"/casts/{cast.cast}")
        assert (told["status"], told["sentences"], told["skipped"]) == ("done", 3, 1)
        assert told["audio_ms"] == len(whole) // 8
        async with served.http.get(served.at(told["urls"]["txt"])) as reply:
            assert await reply.text() == "Ships pass.\nTides turn.\nLamps are lit.\n"
        async with served.http.get(served.at(told["urls"]["vtt"])) as reply:
            cues = (await reply.text()).split("\n\n")
            assert cues[0] == "WEBVTT"
            assert len(cues) == 5
            ms = len(parts[0]) // 8
            assert cues[2].startswith(f"00:00:0{ms // 1000}.{ms % 1000:03} --> ")


async def test_captions_tell_their_place_in_the_sound_and_resume(
    any_store: StreamStore, clock: ManualClock
) -> None:
    cast = await Narrated.submit(any_store, clock, TEXT)
    path = f"/casts/{cast.cast}/events"
    async with relay_on(any_store, clock) as served:
        async with events_of(served, path) as events:
            assert (await events.next())[1]["status"] == "queued"
            await cast.start()
            d0 = len(await cast.say(0, "Ships pass.")) // 8
            kind, first, first_id = await events.next("caption")
            assert (first["i"], first["at_ms"], first["d"], first["t"]) == (0, 0, d0, "Ships pass.")
            assert first_id == f"{await any_store.store_id()}:{first['seq']}"
            await cast.say(1, "Tides turn.")
            assert (await events.next("caption"))[1]["at_ms"] == d0
            await cast.end()
            assert (await events.next("status"))[1]["status"] == "done"
            assert (await events.next("end"))[1]["status"] == "done"
            assert (await events.next())[0] == "closed"
        async with events_of(served, path, Last_Event_ID=str(first_id)) as events:
            assert (await events.next("caption"))[1]["i"] == 1
        async with events_of(served, path, Last_Event_ID="other:3") as events:
            assert (await events.next("reset", "caption"))[0] == "reset"
            assert (await events.next("caption"))[1]["i"] == 0
        assert kind == "caption"


async def test_captions_and_text_are_as_long_as_what_is_spoken(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock) as served:
        cast = await Narrated.submit(store, clock, "Ships & tides. 5 < 6. Bells.")

        async def read(leaf: str) -> str:
            async with served.http.get(served.at(f"/casts/{cast.cast}{leaf}")) as reply:
                assert (reply.status, reply.charset) == (200, "utf-8")
                return await reply.text()

        assert (await read(".vtt"), await read(".txt")) == ("WEBVTT\n\n", "")
        await cast.start()
        await cast.say(0, "Ships & tides.")
        await cast.skip(1, "5 < 6.")
        assert await read(".txt") == "Ships & tides.\n"
        second = await cast.say(2, "Bells.")
        first_ms = (await served.json(f"/casts/{cast.cast}"))["audio_ms"] - len(second) // 8
        await cast.end()
        assert await read(".txt") == "Ships & tides.\nBells.\n"
        begin, end = webvtt.stamp(first_ms), webvtt.stamp(first_ms + len(second) // 8)
        assert await read(".vtt") == (
            f"WEBVTT\n\n00:00:00.000 --> {begin}\nShips &amp; tides.\n\n{begin} --> {end}\nBells.\n\n"
        )


async def test_a_failed_cast_says_why_and_what_was_removed_is_gone(
    store: MemoryStore, clock: ManualClock
) -> None:
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    await cast.end("voice broke")
    async with relay_on(store, clock) as served:
        told = await served.json(f"/casts/{cast.cast}")
        assert (told["status"], told["reason"]) == ("failed", "voice broke")
        async with served.http.get(served.at(told["urls"]["mp3"])) as reply:
            assert reply.status == 404
        stored = await casts.look(store, cast.cast)
        end = CastEnd(reason="removed", job=0)
        await casts.erase(
            store, cast.cast, fence=stored.fence, next_seq=stored.next_seq, end=end, then="free.1"
        )
        for leaf in ("", ".mp3", ".vtt", ".txt", "/events"):
            async with served.http.get(served.at(f"/casts/{cast.cast}{leaf}")) as reply:
                assert reply.status == 410
        stored = await casts.look(store, cast.cast)
        await casts.erase(
            store, cast.cast, fence=stored.fence, next_seq=stored.next_seq, end=end, then=casts.GONE
        )
        for path in ("", ".mp3", "/events"):
            async with served.http.get(served.at(f"/casts/{cast.cast}{path}")) as reply:
                assert reply.status == 410
        assert (await post(served, {"text": TEXT}))[0] == 410


async def test_only_the_submitter_removes_a_cast(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        _, told = await post(served, {"text": TEXT})
        url = served.at(f"/casts/{told['cast']}")
        for headers, status in (
            ({}, 401),
            ({"Authorization": "Bearer wrong"}, 403),
            ({"Authorization": f"Bearer {told['token']}"}, 202),
        ):
            async with served.http.delete(url, headers=headers) as reply:
                assert reply.status == status
        page = await store.read(names.CONTROL, FromSeq(0))
        assert len(page.records) == 1


async def test_no_cast_of_that_name(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served:
        for cast in ("abcdefghijkl", "short", "..%2F..%2Fjobs", "a" * 400, "abcdefghijk%00"):
            for leaf in ("", ".mp3", ".vtt", ".txt", "/events"):
                async with served.http.get(served.at(f"/casts/{cast}{leaf}")) as reply:
                    assert reply.status == 404
        assert (await store.list("")).items == ()


async def test_many_may_ask_at_once_for_a_cast_that_is_not(store: MemoryStore, clock: ManualClock) -> None:
    cast_cache = CastCache(store)
    asked = await asyncio.gather(*(cast_cache.find("abcdefghijkl") for _ in range(5)), return_exceptions=True)
    assert [type(answer) for answer in asked] == [NotFound] * 5


async def test_who_waits_sees_the_place_and_the_time(store: MemoryStore, clock: ManualClock) -> None:
    await store.append(names.member("m1"), [encode(Heartbeat(role="narrator", host="h", xrt=2.4))])
    first = await Narrated.submit(store, clock, "One. " * 200)
    second = await Narrated.submit(store, clock, "Two. " * 100)
    third = await Narrated.submit(store, clock, "Three.")
    async with relay_on(store, clock) as served:
        told = [await served.json(f"/casts/{cast.cast}") for cast in (first, second, third)]
        assert [one["position"] for one in told] == [1, 2, 3]
        assert told[0]["estimate_s"] == 0
        assert 0 < told[1]["estimate_s"] < told[2]["estimate_s"]
        await first.start()
        clock.advance(2)
        await until(lambda: _is_position(served, third.cast, 2))


async def test_what_the_narrators_say_that_they_carry_counts_and_not_what_is_on_air(
    store: MemoryStore, clock: ManualClock
) -> None:
    beat = Heartbeat(role="narrator", host="h", xrt=4.9, live=1)
    await store.append(names.member("m1"), [encode(beat)])
    await Narrated.submit(store, clock, "One. " * 200)
    second = await Narrated.submit(store, clock, "Two.")
    alone, beside = [await queue_of(store, clock).place(second.cast, stations=n) for n in (0, 4)]
    assert alone is not None
    assert alone == beside


def queue_of(store: MemoryStore, clock: ManualClock) -> Queue:
    return Queue(store, clock, CastCache(store), Observer(store, clock, data=Path("absent"), ttl_s=6.0))


async def test_all_who_ask_at_once_for_their_places_share_one_look(
    store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = [await Narrated.submit(store, clock, f"Cast {n}.") for n in range(10)]
    await store.append(names.JOBS, [NewRecord(b"{}", ((b"e", b"later"), (b"v", b"9")))])
    queue, looks = queue_of(store, clock), 0
    read = store.read

    async def counted(name: str, *asked: Any, **options: Any) -> ReadResult:
        nonlocal looks
        looks += name == names.JOBS
        return await read(name, *asked, **options)

    monkeypatch.setattr(store, "read", counted)
    places = await asyncio.gather(*(queue.place(cast.cast, stations=1) for cast in waiting))
    assert [place and place.position for place in places] == list(range(1, 11))
    assert looks == 1


async def _is_position(served: Served, cast: str, position: int) -> bool:
    return bool((await served.json(f"/casts/{cast}"))["position"] == position)


def test_the_estimate_shares_the_sound_before_among_what_the_voice_can_carry() -> None:
    waiting = [Waiting("a", 60, True), Waiting("b", 30, False), Waiting("c", 10, False)]
    places = [place(waiting, cast, 2) for cast in ("a", "b", "c", "d")]
    assert [(p.position, p.estimate_s) if p else None for p in places] == [None, (1, 30.0), (2, 45.0), None]


@pytest.mark.parametrize(("xrt", "estimate_s"), [(None, None), (1.8, None), (2.1, 0.0)])
async def test_no_time_is_promised_while_stations_take_all_of_the_voice(
    store: MemoryStore, clock: ManualClock, xrt: float | None, estimate_s: float | None
) -> None:
    beat = Heartbeat(role="narrator", host="h", xrt=xrt, live=1)
    await store.append(names.member("m1"), [encode(beat)])
    cast = await Narrated.submit(store, clock, "Hello.")
    told = await queue_of(store, clock).place(cast.cast, stations=1)
    assert told is not None
    assert (told.position, told.estimate_s) == (1, estimate_s)


@pytest.mark.player
async def test_ffmpeg_decodes_a_cast_while_it_is_made(store: MemoryStore, clock: ManualClock) -> None:
    need("ffmpeg")
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    body = await cast.say(0, "Ships pass.")
    async with relay_on(store, clock) as served:
        argv = ["ffmpeg", "-v", "error", "-i", served.at(f"/casts/{cast.cast}.mp3"), "-f", "s16le", "-"]
        process = await asyncio.create_subprocess_exec(*argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        await until(lambda: bool(served.relay.tails.watched()))
        body += await cast.say(1, "Tides turn.")
        await cast.end()
        async with asyncio.timeout(60):
            out, err = await process.communicate()
    # a body without a length that ends is an input error to ffmpeg's HTTP reader, after it has played it all
    faults = [line for line in err.decode().splitlines() if not _is_about_the_end(line)]
    assert (faults, process.returncode) == ([], 0)
    assert abs(len(out) // 2 - sum(1 for _ in frames(body)) * 576) <= 2 * 576


def _is_about_the_end(line: str) -> bool:
    return "Stream ends prematurely" in line or line.endswith("Input/output error")
