import asyncio
import logging
import socket
import subprocess

import pytest

from radio.clock import ManualClock
from radio.mp3.frames import FRAME_BYTES, SILENCE_FRAME, frames
from radio.relay.live.fan_out import CUSHION_FRAMES, WRITE_DEADLINE_S
from radio.relay.live.frame_pump import AHEAD_FRAMES, BEHIND_FRAMES
from radio.relay.live.icy_metadata import METAINT
from radio.relay.live.live_routes import LONG_BYTES
from radio.settings import Limits
from radio.streams.stores.memory import MemoryStore
from tests.need import need
from tests.relay.airing import Air
from tests.relay.live.test_icy_metadata import split
from tests.relay.serving import Raw, Served, relay_on
from tests.waiting import until

LIVE = "/stations/harbor/live.mp3"
CUSHION = CUSHION_FRAMES * FRAME_BYTES


async def test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(8)
    clock.advance(1.2)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE, "Range: bytes=0-1", "Connection: keep-alive")
        assert raw.status == "HTTP/1.1 200 OK"
        assert raw.headers["content-type"] == "audio/mpeg"
        assert raw.headers["connection"] == "close"
        assert raw.headers["icy-br"] == "64"
        assert raw.headers["icy-name"] == "Harbor FM"
        assert raw.headers["icy-url"] == f"{served.url}s/harbor"
        assert raw.headers["access-control-allow-origin"] == "*"
        absent = {"transfer-encoding", "content-length", "accept-ranges", "content-range", "set-cookie"}
        assert not absent & set(raw.headers)
        assert "icy-metaint" not in raw.headers
        whole = air.bytes_of(0, 99)
        assert await raw.take(CUSHION) == whole[50 * FRAME_BYTES :][:CUSHION]
        await raw.close()


async def test_a_listener_stays_ten_seconds_ahead_and_is_sent_what_comes_in_step(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(12)
    whole = air.bytes_of(0, 99)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        assert await raw.take(CUSHION) == whole[:CUSHION]
        clock.advance(2.4)
        assert await raw.take(100 * FRAME_BYTES) == whole[CUSHION:][: 100 * FRAME_BYTES]
        await raw.close()


async def test_a_cushion_that_was_spent_is_filled_again_as_soon_as_there_is_something(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say("Only one.", seconds=1.0)
    first = air.bytes_of(0, 99)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        taken = await raw.take(AHEAD_FRAMES * FRAME_BYTES)
        await air.say("Then more.", seconds=8.0, gap_ms=2400)
        taken += await raw.take((CUSHION_FRAMES - AHEAD_FRAMES) * FRAME_BYTES)
        assert taken == (first + SILENCE_FRAME * 100 + air.said[-1][1].body)[:CUSHION]


@pytest.mark.parametrize(
    "asked", ["", "Range: bytes=0-", "Range: bytes=0-1", "Range: bytes=500-", "Range: x"]
)
async def test_whatever_range_is_asked_for_live_is_the_same_and_nothing_is_said_twice(
    air: Air, store: MemoryStore, clock: ManualClock, asked: str
) -> None:
    await air.begin()
    await air.say_many(8)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE, *([asked] if asked else []), "If-Range: x", "Accept-Encoding: gzip")
        assert raw.status == "HTTP/1.1 200 OK"
        assert await raw.take(CUSHION) == air.bytes_of(0, 99)[:CUSHION]
        assert raw.headers["cache-control"] == "no-cache, no-store"
        assert raw.headers["expires"] < "T"
        names = [name for name, _ in raw.fields]
        assert len(names) == len(set(names))
        assert {"content-encoding", "vary", "etag", "last-modified"}.isdisjoint(names)


async def test_a_renderer_that_takes_nothing_without_a_length_may_ask_for_one(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(8)
    async with relay_on(store, clock) as served:
        for method in ("HEAD", "GET"):
            raw = await served.raw(f"{LIVE}?cl=1", "Icy-MetaData: 1", method=method)
            assert raw.headers["content-length"] == str(LONG_BYTES)
            assert {"icy-metaint", "transfer-encoding", "accept-ranges"}.isdisjoint(raw.headers)
        assert await raw.take(CUSHION) == air.bytes_of(0, 99)[:CUSHION]
        [station] = served.relay.stations.all()
        [listener] = station.fanout
        listener.last = listener.cursor + 10
        clock.advance(2.4)
        assert await raw.rest() == air.bytes_of(0, 99)[CUSHION:][: 10 * FRAME_BYTES]


async def test_playlists_name_the_address_that_listeners_came_by(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    given = {"X-Forwarded-Proto": "http, https", "X-Forwarded-Host": "evil.example, radio.example"}
    told = {
        0: "http://127.0.0.1:{port}/stations/harbor/live.mp3",
        1: "https://radio.example/stations/harbor/live.mp3",
    }
    for hops, url in told.items():
        async with relay_on(store, clock, trusted_hops=hops) as served:
            for path in ("live.m3u", "live.pls"):
                async with served.http.get(served.at(f"/stations/harbor/{path}"), headers=given) as reply:
                    assert url.format(port=served.port) in await reply.text()
    async with relay_on(store, clock, base_url="https://a.example/radio/", trusted_hops=1) as served:
        async with served.http.get(served.at("/stations/harbor/live.m3u"), headers=given) as reply:
            assert (await reply.text()).splitlines()[-1] == "https://a.example/radio/stations/harbor/live.mp3"
        raw = await served.raw(LIVE)
        assert raw.headers["icy-url"] == "https://a.example/radio/s/harbor"


async def test_an_old_client_gets_its_own_version_and_a_body_that_ends_with_the_connection(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(3)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE, version="1.0")
        assert raw.status == "HTTP/1.0 200 OK"
        assert "transfer-encoding" not in raw.headers
        assert (await raw.take(FRAME_BYTES))[:3] == air.bytes_of(0, 99)[:3]
        await raw.close()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_head_has_the_headers_of_get_and_ends(
    air: Air, store: MemoryStore, clock: ManualClock, version: str
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE, "Icy-MetaData: 1", method="HEAD", version=version)
        assert raw.status == f"HTTP/{version} 200 OK"
        assert raw.headers["icy-metaint"] == str(METAINT)
        assert "transfer-encoding" not in raw.headers
        assert await raw.rest() == b""
        assert (await served.raw("/stations/nowhere/live.mp3", method="HEAD")).status.endswith(
            "404 Not Found"
        )


async def test_a_browser_may_ask_before_it_asks(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    async with relay_on(store, clock) as served, served.http.options(served.at(LIVE)) as reply:
        assert reply.status == 204
        assert "Icy-MetaData" in reply.headers["Access-Control-Allow-Headers"]
        assert "Range" in reply.headers["Access-Control-Allow-Headers"]
        assert "icy-metaint" in reply.headers["Access-Control-Expose-Headers"]


async def test_titles_stand_at_the_exact_distance_and_the_audio_between_them_is_untouched(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.show("night@20270115T0800", "Night's Book; part 1")
    await air.say_many(8)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE, "Icy-MetaData: 1")
        assert raw.headers["icy-metaint"] == str(METAINT)
        blocks = CUSHION // METAINT
        title = "StreamTitle='Night’s Book; part 1';".encode()
        taken = await raw.take(CUSHION + blocks + -(-len(title) // 16) * 16)
        audio, titles = split(taken)
        assert audio == air.bytes_of(0, 99)[:CUSHION]
        assert [text.rstrip(b"\0") for text in titles] == [title] + [b""] * (blocks - 1)
        await raw.close()


@pytest.mark.parametrize(
    "title", ["Łódź’s “Night” 🎙", "a\r\nSet-Cookie: x=1", "日本", "x" * 5000, "\x00\x1f", "é; ' \\"]
)
async def test_no_name_of_a_station_can_break_its_stream(
    air: Air, store: MemoryStore, clock: ManualClock, title: str
) -> None:
    await air.begin(title=title, description=title)
    await air.show("night@1", title)
    await air.say_many(3)
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE, "Icy-MetaData: 1")
        assert raw.status == "HTTP/1.1 200 OK"
        assert "set-cookie" not in raw.headers
        assert raw.headers["icy-name"].isascii()
        assert raw.headers["icy-name"] == raw.headers["icy-name"].strip()
        assert 0 < len(raw.headers["icy-name"]) <= 128
        assert len(await raw.take(METAINT)) == METAINT
        await raw.close()
        assert (await served.json("/stations/harbor"))["title"] == title
        for path in ("live.m3u", "live.pls"):
            async with served.http.get(served.at(f"/stations/harbor/{path}")) as reply:
                assert reply.status == 200
                lines = (await reply.text()).splitlines()
                assert lines[-1 if path == "live.m3u" else 1].endswith(
                    f"{served.url}stations/harbor/live.mp3"
                )


async def test_a_full_station_says_when_to_come_back(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock, limits=Limits(listeners_per_station=1)) as served:
        first = await served.raw(LIVE)
        await first.take(FRAME_BYTES)
        for method in ("GET", "HEAD"):
            refused = await served.raw(LIVE, method=method)
            assert refused.status == "HTTP/1.1 503 Service Unavailable"
            assert int(refused.headers["retry-after"]) >= 1
            assert refused.headers["content-type"] == "application/problem+json"
        await first.close()
        await until(lambda: len(served.relay.stations.all()[0].fanout) == 0)
        again = await served.raw(LIVE)
        assert again.status == "HTTP/1.1 200 OK"
        await again.close()


async def test_one_address_cannot_take_all_the_room(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    seq = await air.say("Ships pass.")
    limits = Limits(listeners_per_client=1)
    async with relay_on(store, clock, limits=limits, trusted_hops=1) as served:
        first = await served.raw(LIVE, "X-Forwarded-For: 6.6.6.6, 1.1.1.1")
        await first.take(FRAME_BYTES)
        same = await served.raw(LIVE, "X-Forwarded-For: 7.7.7.7, 1.1.1.1")
        other = await served.raw(LIVE, "X-Forwarded-For: 6.6.6.6, 2.2.2.2")
        replay = await served.raw(f"/stations/harbor/replay.mp3?from={seq}", "X-Forwarded-For: 1.1.1.1")
        assert same.status.split()[1] == replay.status.split()[1] == "503"
        assert other.status.split()[1] == "200"
        await first.close()
        await other.close()
        await until(lambda: not served.relay.listening)
        again = await served.raw(f"/stations/harbor/replay.mp3?from={seq}", "X-Forwarded-For: 1.1.1.1")
        assert again.status.split()[1] == "200"


async def test_a_listener_who_never_reads_is_dropped_alone(
    air: Air, store: MemoryStore, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await air.begin()
    await air.say_many(3)
    async with relay_on(store, clock) as served:
        quick = await served.raw(LIVE)
        stuck = await _stuck(served)
        [station] = served.relay.stations.all()
        await until(lambda: len(station.fanout) == 2)
        taken = bytearray()
        while station.fanout.dropped == 0:
            clock.advance(2.0)
            taken += await quick.take(80 * FRAME_BYTES)
        assert len(station.fanout) <= 2
        await until(lambda: len(station.fanout) == 1)
        clock.advance(2.0)
        taken += await quick.take(80 * FRAME_BYTES)
        assert sum(1 for _ in frames(bytes(taken))) == len(taken) // FRAME_BYTES
        stuck.close()
        await quick.close()
    actions = [getattr(record, "action", "") for record in caplog.records]
    assert actions.count("listener.joined") == 2
    assert actions.count("listener.dropped") == 1
    assert actions.count("listener.left") == 2
    assert WRITE_DEADLINE_S < BEHIND_FRAMES * 0.024


async def _stuck(served: Served) -> socket.socket:
    """A client with a small window that asks and never reads."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(sock, ("127.0.0.1", served.port))
    await loop.sock_sendall(sock, f"GET {LIVE} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    return sock


async def test_the_station_counts_who_stays(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        await raw.take(FRAME_BYTES)
        assert (await served.json("/stations/harbor"))["listeners"] == 0
        clock.advance(4)
        assert (await served.json("/stations/harbor"))["listeners"] == 1
        await raw.close()
        await until(lambda: len(served.relay.stations.all()[0].fanout) == 0)
        assert (await served.json("/stations/harbor"))["listeners"] == 0


async def test_two_connections_of_one_player_are_one_listener(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock, trusted_hops=1) as served:
        [station] = [await served.relay.stations.find("harbor")]

        async def join(address: str, agent: str, key: str = "") -> Raw:
            path = f"{LIVE}?c={key}" if key else LIVE
            raw = await served.raw(path, f"X-Forwarded-For: {address}", f"User-Agent: {agent}")
            await raw.take(FRAME_BYTES)
            return raw

        first = await join("1.1.1.1", "AppleCoreMedia")
        twin = await join("1.1.1.1", "AppleCoreMedia")
        others = [await join("1.1.1.1", "VLC"), await join("2.2.2.2", "AppleCoreMedia")]
        pages = [await join("1.1.1.1", "Mozilla", key) for key in ("one", "two")]
        clock.advance(5)
        assert station.listeners(clock.monotonic()) == 5
        third = await join("1.1.1.1", "AppleCoreMedia")
        clock.advance(5)
        assert station.listeners(clock.monotonic()) == 6
        await first.close()
        await until(lambda: len(station.fanout) == 6)
        assert station.listeners(clock.monotonic()) == 6, "the twin counts once the first one is gone"
        for raw in (twin, third, *others, *pages):
            await raw.close()
        await until(lambda: len(station.fanout) == 0)
        assert station.listeners(clock.monotonic()) == 0


async def test_who_has_little_in_hand_gets_each_frame_as_soon_as_it_is_there(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        raw = await served.raw(LIVE)
        assert await raw.take(AHEAD_FRAMES * FRAME_BYTES) == SILENCE_FRAME * AHEAD_FRAMES
        for _ in range(3):
            clock.advance(0.24)
            assert await raw.take(10 * FRAME_BYTES) == SILENCE_FRAME * 10
        await raw.close()


async def test_late_audio_is_counted_and_logged(
    air: Air, store: MemoryStore, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        [station] = [await served.relay.stations.find("harbor")]
        clock.advance(5.0)
        station.step(clock.monotonic())
        await air.say("Too late to be whole.", seconds=8.0)
        await until(lambda: station.late_frames > 0)
        assert station.late_frames == -(-5000 // 24) - 1 + AHEAD_FRAMES
        assert (await served.json("/healthz"))["stations"][0]["late_frames"] == station.late_frames
    assert [r for r in caplog.records if getattr(r, "action", "") == "station.late_frames"]


@pytest.mark.player
async def test_ffmpeg_decodes_the_live_stream_without_an_error(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    need("ffmpeg")
    await air.begin()
    await air.say_many(3)
    await air.say("After a pause.", gap_ms=1200)
    await air.say_many(2)
    async with relay_on(store, clock) as served:
        argv = ["ffmpeg", "-v", "warning", "-i", served.at(LIVE), "-t", "8", "-f", "s16le", "-"]
        process = await asyncio.create_subprocess_exec(*argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        async with asyncio.timeout(60):
            out, err = await process.communicate()
        assert err.decode() == ""
        assert process.returncode == 0
        assert len(out) == 8 * 24_000 * 2
