import asyncio
import socket
import subprocess
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import aiohttp
import pytest

from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES
from radio.relay.http import responses
from radio.relay.http.query_times import instant
from radio.streams.contract import Fence, ReadResult, StreamStore
from radio.streams.names import broadcast
from radio.streams.stores.memory import MemoryStore
from tests.need import need
from tests.relay.airing import TOKEN, Air
from tests.relay.serving import relay_on

REPLAY = "/stations/harbor/replay.mp3"


async def test_a_replay_with_an_end_is_a_file(air: Air, any_store: StreamStore, clock: ManualClock) -> None:
    air.store = any_store
    await air.begin()
    await air.show("night@1", "Night Book")
    numbers = await air.say_many(6)
    await air.skip("?")
    numbers += await air.say_many(3)
    want = air.bytes_of(numbers[1], numbers[7])
    async with relay_on(any_store, clock) as served:
        url = served.at(f"{REPLAY}?from={numbers[1]}&to={numbers[7]}")
        async with served.http.get(url) as reply:
            assert reply.status == 200
            assert await reply.read() == want
            assert reply.headers["Content-Length"] == str(len(want))
            assert reply.headers["Accept-Ranges"] == "bytes"
            assert reply.headers["Content-Type"] == "audio/mpeg"
            assert reply.headers["Cache-Control"] == "public, no-cache"
            assert "Transfer-Encoding" not in reply.headers
            tag = reply.headers["ETag"]
            assert tag.startswith('"')
        async with served.http.head(url, headers={"Range": "bytes=0-1"}) as reply:
            assert (reply.status, reply.headers["Content-Length"]) == (200, str(len(want)))
            assert reply.headers["ETag"] == tag
        async with served.http.get(url, headers={"If-None-Match": tag}) as reply:
            assert reply.status == 304


async def test_every_range_of_a_replay_is_what_it_says(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    numbers = await air.say_many(2)
    await air.show("night@1", "Night Book")
    numbers += await air.say_many(3)
    whole = air.bytes_of(numbers[0], numbers[-1])
    size, first = len(whole), len(air.said[0][1].body)
    async with relay_on(any_store, clock) as served:
        url = served.at(f"{REPLAY}?from={numbers[0]}&to={numbers[-1]}")
        async with served.http.get(url) as reply:
            tag = reply.headers["ETag"]
        cuts = [
            (0, 1),
            (0, size - 1),
            (first - 1, first),
            (first, first),
            (size - 1, size - 1),
            (7, size // 2),
        ]
        for begin, end in cuts:
            headers = {"Range": f"bytes={begin}-{end}", "If-Range": tag}
            async with served.http.get(url, headers=headers) as reply:
                assert reply.status == 206
                assert reply.headers["Content-Range"] == f"bytes {begin}-{end}/{size}"
                assert await reply.read() == whole[begin : end + 1]
        async with served.http.get(url, headers={"Range": "bytes=-100"}) as reply:
            assert await reply.read() == whole[-100:]
        async with served.http.get(url, headers={"Range": f"bytes={size}-"}) as reply:
            assert reply.status == 416
            assert reply.headers["Content-Range"] == f"bytes */{size}"
        async with served.http.get(url, headers={"Range": "bytes=0-1", "If-Range": '"old"'}) as reply:
            assert (reply.status, await reply.read()) == (200, whole)


async def test_what_was_live_comes_again_byte_for_byte(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    numbers = await air.say_many(12)
    async with relay_on(store, clock) as served:
        live = await served.raw("/stations/harbor/live.mp3")
        heard = await live.take(350 * FRAME_BYTES)
        replay = await served.raw(f"{REPLAY}?from={numbers[0]}")
        assert replay.status == "HTTP/1.1 200 OK"
        absent = {"content-length", "transfer-encoding", "accept-ranges"}
        assert not absent & set(replay.headers)
        assert await replay.take(350 * FRAME_BYTES) == heard


async def test_a_player_that_is_paused_in_a_replay_gets_the_rest_when_it_goes_on(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses, "WRITE_DEADLINE_S", 0.1)
    await air.begin()
    numbers = await air.say_many(60, seconds=8.0)
    want = air.bytes_of(numbers[0], numbers[-1])
    async with relay_on(store, clock) as served:
        with socket.socket() as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.setblocking(False)
            await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", served.port))
            path = f"{REPLAY}?from={numbers[0]}&to={numbers[-1]}"
            reader, writer = await asyncio.open_connection(sock=sock, limit=1024)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            await asyncio.sleep(0.5)  # paused for longer than the deadline of others
            async with asyncio.timeout(60):
                got = await reader.read()
            writer.close()
        assert got.endswith(want[-1000:])
        assert len(got) > len(want)


async def test_a_replay_without_an_end_plays_on_as_long_as_the_station_does(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    numbers = await air.say_many(3)
    async with relay_on(any_store, clock) as served:
        raw = await served.raw(f"{REPLAY}?from={numbers[1]}")
        want = air.bytes_of(numbers[1], 99)
        assert await raw.take(len(want)) == want
        await air.say("More, after a pause that is not played.", gap_ms=6000)
        assert await raw.take(len(air.said[-1][1].body)) == air.said[-1][1].body


async def test_a_replay_that_has_come_to_the_end_waits_though_a_command_stands_there(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await air.begin()
    numbers = await air.say_many(2)
    await store.append(broadcast("harbor"), [Fence("free.1")], fencing_token=TOKEN)
    reads = 0
    read = store.read

    async def counted(*asked: Any, **options: Any) -> ReadResult:
        nonlocal reads
        reads += 1
        return await read(*asked, **options)

    async with relay_on(store, clock) as served:
        raw = await served.raw(f"{REPLAY}?from={numbers[0]}")
        want = air.bytes_of(*numbers)
        assert await raw.take(len(want)) == want
        monkeypatch.setattr(store, "read", counted)
        for _ in range(300):
            await asyncio.sleep(0)
        assert reads < 10


async def test_a_replay_without_an_end_is_sent_at_most_thirty_seconds_ahead_of_its_pace(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    numbers = await air.say_many(30)
    whole = air.bytes_of(0, 999)
    clock.advance(100)
    async with relay_on(store, clock) as served:
        raw = await served.raw(f"{REPLAY}?from={numbers[0]}")
        record = len(air.said[0][1].body)
        ahead = (30_000 * 8 // record + 1) * record
        assert await raw.take(ahead) == whole[:ahead]
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.6):
                await raw.reader.readexactly(1)
        clock.advance(record / 8000)
        assert await raw.take(record) == whole[ahead : ahead + record]


async def test_a_finished_run_is_one_file_though_it_was_interrupted(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    await air.show("night@1", "Night Book")
    a = await air.say_many(2)
    await air.show("fallback@9", "Meanwhile")
    await air.say("Music soon.")
    await air.show("night@1", "Night Book")
    b = await air.say_many(2)
    await air.end()
    await air.archive("night@1", "Night Book", [(a[0], a[1]), (b[0], b[1])])
    want = air.bytes_of(*a) + air.bytes_of(*b)
    async with relay_on(any_store, clock) as served:
        async with served.http.get(served.at(f"{REPLAY}?run=night@1")) as reply:
            assert await reply.read() == want
            assert 'filename="Harbor FM - Night Book.mp3"' in reply.headers["Content-Disposition"]
        border = len(air.bytes_of(*a))
        headers = {"Range": f"bytes={border - 3}-{border + 3}"}
        async with served.http.get(served.at(f"{REPLAY}?run=night@1"), headers=headers) as reply:
            assert await reply.read() == want[border - 3 : border + 4]


async def test_the_run_on_air_plays_until_its_end_without_the_fallback_between(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    local = datetime.fromtimestamp(clock.now_ms() / 1000, ZoneInfo("Europe/Berlin"))
    run = f"night@{local:%Y%m%dT%H%M}"
    await air.begin()
    await air.show("brief@1", "The Brief")
    await air.say("Before.")
    await air.show(run, "Night Book")
    a = await air.say_many(2)
    await air.show("fallback@9", "Meanwhile")
    await air.say("Music soon.")
    await air.show(run, "Night Book")
    async with relay_on(store, clock) as served:
        served.relay.stations.all()
        (await served.relay.stations.find("harbor")).run_starts.clear()
        raw = await served.raw(f"{REPLAY}?run={run}")
        assert ("content-length" in raw.headers, raw.is_chunked) == (False, True)
        want = air.bytes_of(*a)
        assert await raw.take(len(want)) == want
        last = await air.say("The end.")
        await air.end()
        assert await raw.rest() == air.bytes_of(last, last)


async def test_a_replay_by_time_begins_with_the_sentence_that_was_on_air(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    numbers = await air.say_many(20)
    want = air.said[7][1]
    at = (want.at or 0) + 700
    spelt = datetime.fromtimestamp(at / 1000, UTC).isoformat()
    async with relay_on(any_store, clock) as served:
        for when in (str(at), spelt.replace("+", "%2B"), spelt):
            url = f"{served.at(REPLAY)}?at={when}&to={numbers[9]}"
            async with aiohttp.request("GET", url) as reply:
                assert await reply.read() == air.bytes_of(numbers[7], numbers[9])


async def test_a_replay_of_a_time_before_the_first_record_says_when_it_begins(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    numbers = await air.say_many(3)
    first = air.said[0][1].at or 0
    async with relay_on(store, clock) as served:
        for asked, begins in ((first - 3_600_000, "2027-01-15T09:00:00+01:00"), (first, None)):
            for to in ("", f"&to={numbers[1]}"):
                async with served.http.head(served.at(f"{REPLAY}?at={asked}{to}")) as reply:
                    assert reply.headers.get("Radio-Begins") == begins


def test_a_time_without_an_offset_is_the_stations_own() -> None:
    assert instant("2026-07-01T12:00", "Europe/Berlin") == instant("2026-07-01T10:00:00Z", "UTC")
    assert instant("1800000000000", "UTC") == 1_800_000_000_000


async def test_what_is_not_there_says_what_is(air: Air, any_store: StreamStore, clock: ManualClock) -> None:
    air.store = any_store
    await air.begin()
    numbers = await air.say_many(8)
    async with relay_on(any_store, clock) as served:
        expected = [
            ("from=999", 404, "next"),
            (f"from={numbers[0]}&to=999", 404, "next"),
            (f"at={air.at + 60_000}", 404, "next"),
            ("run=night@20200101T0000", 404, None),
            ("run=nonsense", 404, None),
            ("", 400, None),
            ("from=1&at=2", 400, None),
            ("from=x", 400, None),
            (f"from={numbers[3]}&to={numbers[1]}", 400, None),
            ("at=yesterday", 400, None),
            ("run=a@1&to=3", 400, None),
        ]
        for query, status, fact in expected:
            async with served.http.get(served.at(f"{REPLAY}?{query}")) as reply:
                told = await reply.json(content_type=None)
                assert (query, reply.status) == (query, status)
                assert told["hint"]
                assert fact is None or fact in told
        await any_store.trim(broadcast("harbor"), numbers[4], fencing_token=TOKEN)
        for query in (f"from={numbers[1]}", f"from={numbers[1]}&to={numbers[6]}", f"at={air.said[1][1].at}"):
            async with served.http.get(served.at(f"{REPLAY}?{query}")) as reply:
                assert (query, reply.status) == (query, 410)
                assert (await reply.json(content_type=None))["oldest"] == numbers[4]


async def test_captions_of_a_replay_count_its_own_time_and_note_the_air_time(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    first = await air.say("Ships <b>& tides</b> --> here.")
    await air.skip("unspeakable")
    last = await air.say("Second.", gap_ms=4800)
    d = air.said[0][1].d
    async with relay_on(store, clock) as served:
        url = served.at(f"/stations/harbor/replay.vtt?from={first}&to={last}")
        async with served.http.get(url) as reply:
            assert reply.content_type == "text/vtt"
            head, note, cue, note2, cue2, _ = (await reply.text()).split("\n\n")
        assert (head, note) == ("WEBVTT", f"NOTE record {first} on air 2027-01-15T08:00:00.000Z")
        assert (
            cue
            == f"00:00:00.000 --> 00:00:02.{d - 2000:03}\nShips &lt;b&gt;&amp; tides&lt;/b&gt; --&gt; here."
        )
        assert cue2.startswith(f"00:00:02.{d - 2000:03} --> ")
        assert note2.startswith(f"NOTE record {last} on air 2027-01-15T08:00:0")
        async with served.http.get(served.at(f"/stations/harbor/replay.vtt?from={first}")) as reply:
            assert (await reply.text()).count("-->") == 2


@pytest.mark.player
async def test_ffmpeg_decodes_and_seeks_in_a_replay_without_an_error(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    need("ffmpeg")
    await air.begin()
    numbers = await air.say_many(10)
    seconds = len(air.bytes_of(0, 999)) / 8000
    async with relay_on(store, clock) as served:
        url = served.at(f"{REPLAY}?from={numbers[0]}&to={numbers[-1]}")
        for before in ([], ["-ss", "10"]):
            argv = ["ffmpeg", "-v", "error", *before, "-i", url, "-f", "s16le", "-"]
            process = await asyncio.create_subprocess_exec(
                *argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            async with asyncio.timeout(60):
                out, err = await process.communicate()
            assert (err.decode(), process.returncode) == ("", 0)
            assert abs(len(out) / 48_000 - (seconds - (10 if before else 0))) < 0.2
