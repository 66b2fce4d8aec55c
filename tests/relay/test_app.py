import asyncio
import logging
import time
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest

from radio.clock import ManualClock, SystemClock
from radio.mp3.frames import FRAME_BYTES
from radio.relay import app
from radio.relay.http.server_log import server_log
from radio.settings import Settings
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore
from tests.relay.airing import Air, Narrated
from tests.relay.serving import events_of, relay_on
from tests.waiting import until


async def test_the_relay_answers_before_there_is_anything_to_hear(
    store: MemoryStore, clock: ManualClock
) -> None:
    ready: asyncio.Queue[str] = asyncio.Queue()
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        running = app.run(Settings(port=0), store, clock, stop, ready.put_nowait)
        task = group.create_task(running)
        url = await ready.get()
        async with aiohttp.request("GET", url + "stations") as reply:
            assert await reply.json() == {"stations": []}
        stop.set()
        await task


async def test_an_address_that_is_taken_is_an_error_with_a_hint(
    store: MemoryStore, clock: ManualClock
) -> None:
    async with relay_on(store, clock) as served:
        settings = replace(Settings(), port=served.port)
        with pytest.raises(app.CannotListen) as refused:
            await app.run(settings, store, clock, asyncio.Event(), print)
        assert "--port" in refused.value.hint


async def test_it_ends_in_time_and_cleanly_whoever_still_listens(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await air.say_many(5)
    cast = await Narrated.submit(store, clock, "Ships pass.")
    await cast.start()
    await cast.say(0, "Ships pass.")
    ready: asyncio.Queue[str] = asyncio.Queue()
    stop = asyncio.Event()
    paths = (
        "stations/harbor/live.mp3", "stations/harbor/replay.mp3?from=2", "stations/harbor/events",
        f"casts/{cast.cast}.mp3", f"casts/{cast.cast}/events",
    )  # fmt: skip
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(timeout=timeout) as http, asyncio.TaskGroup() as group:
        task = group.create_task(app.run(Settings(port=0), store, clock, stop, ready.put_nowait))
        url = await ready.get()
        replies = [await http.get(url + path) for path in paths * 4]
        for reply in replies:
            assert await reply.content.read(10)
        _, writer = await asyncio.open_connection("127.0.0.1", int(url.rstrip("/").rpartition(":")[2]))
        began = time.monotonic()
        stop.set()
        await task
        assert time.monotonic() - began < 3
        for reply in replies:
            if reply.url.path == f"/casts/{cast.cast}.mp3":  # it has an end, and this is none
                with pytest.raises(aiohttp.ClientPayloadError):
                    await reply.content.read()
            else:
                await reply.content.read()  # a broken body would raise here
            reply.close()
        writer.close()
        with pytest.raises(aiohttp.ClientConnectionError):
            await http.get(url)


async def test_large_headers_are_taken(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        raw = await served.raw("/stations/harbor/live.mp3", "Cookie: " + "x" * 30_000)
        assert raw.status == "HTTP/1.1 200 OK"


@pytest.mark.parametrize("path", ["/healthz", "/no-such-path"])
async def test_an_expectation_that_nobody_can_meet_is_passed_over(
    store: MemoryStore, clock: ManualClock, path: str
) -> None:
    async with relay_on(store, clock) as served:
        status = 200 if path == "/healthz" else 404
        for expect in (b"\xba00-continue", b"x", b"", b"100-continue"):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nExpect: ".encode())
            writer.write(expect + b"\r\n\r\n")
            reply = (await reader.read()).removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n")
            writer.close()
            assert int(reply.split()[1]) == status


async def test_a_wrong_method_says_which_are_right(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    async with relay_on(store, clock) as served, served.http.post(served.at("/stations")) as reply:
        assert (reply.status, reply.content_type) == (405, "application/problem+json")
        assert "GET" in reply.headers["Allow"]


async def test_numbers_that_are_too_long_are_refused_and_nothing_breaks(
    air: Air, store: MemoryStore, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    await air.begin()
    seq = await air.say("Ships pass.")
    long = "9" * 5000
    base = "/stations/harbor"
    asked = {
        f"{base}/replay.mp3?from={long}": 400, f"{base}/replay.mp3?at={long}": 400,
        f"{base}/replay.mp3?from={seq}&to={long}": 400, f"{base}/events?from={long}": 400,
        f"/s2/records?stream=pub/stations/harbor&seq_num={long}": 400, f"/web/{long[:300]}.js": 404,
    }  # fmt: skip
    headers = {"Last-Event-ID": f"x:{long}", "Range": f"bytes=0-{long}"}
    async with relay_on(store, clock) as served:
        for path, status in asked.items():
            async with served.http.get(served.at(path)) as reply:
                assert (path, reply.status) == (path, status)
                assert reply.content_type == "application/problem+json"
        for path in (f"{base}/replay.mp3?from={seq}&to={seq}", "/s2/records?stream=pub/stations/harbor"):
            async with served.http.get(served.at(path), headers=headers) as reply:
                assert reply.status == 200
    assert "request.failed" not in [getattr(record, "action", "") for record in caplog.records]


async def test_clients_who_speak_no_http_or_leave_put_nothing_in_the_log(
    air: Air, store: MemoryStore, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    await air.begin()
    await air.say("Ships pass.")
    async with relay_on(store, clock) as served:
        for said in (
            b"\x16\x03\x01\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET / HTTP/1.1\r\nX: " + b"y" * 70_000,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(said + b"\r\n\r\n")
            answered = await reader.read()
            writer.close()
            assert answered.split(b" ")[1] == b"400"
        for path in (
            "/stations/harbor/events",
            "/stations/harbor/replay.mp3?from=1",
            "/stations/harbor/live.mp3",
        ):
            for _ in range(5):
                _, writer = await asyncio.open_connection("127.0.0.1", served.port)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                await writer.drain()
                writer.transport.abort()
        await served.json("/stations/harbor")
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_a_fault_in_the_server_itself_is_still_logged(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise KeyError("inside")
    except KeyError:
        server_log().exception("Unhandled exception")
    assert [record.getMessage() for record in caplog.records] == ["Unhandled exception"]


async def test_a_fault_of_ours_is_a_problem_too_and_says_nothing_of_itself(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await air.begin()

    def broken(*_: object, **__: object) -> None:
        raise KeyError("inside")

    async with relay_on(store, clock) as served:
        monkeypatch.setattr(served.relay.stations, "all", broken)
        async with served.http.get(served.at("/stations")) as reply:
            assert (reply.status, reply.content_type) == (500, "application/problem+json")
            assert "inside" not in await reply.text()


async def test_two_processes_share_a_store_and_the_real_clock_moves_the_sound(tmp_path: Path) -> None:
    clock = SystemClock()
    path = tmp_path / "radio.sqlite3"
    narrator, mine = await SqliteStore.open(path, clock), await SqliteStore.open(path, clock)
    try:
        now = ManualClock(clock.now_ms())
        air = await Air(narrator, now).begin()
        air.at += 2040
        async with relay_on(mine, clock) as served:
            await served.relay.stations.find("harbor")
            await air.say_many(3, seconds=1.0)
            raw = await served.raw("/stations/harbor/live.mp3")
            heard = b""
            while air.said[0][1].body not in heard:
                heard += await raw.take(FRAME_BYTES)
            async with events_of(served, "/stations/harbor/events") as events:
                assert (await events.next("caption"))[1]["t"] == "Sentence 0."
            await until(lambda: _is_heard(served, "Sentence 1."))
    finally:
        await narrator.close()
        await mine.close()


async def _is_heard(served: object, sentence: str) -> bool:
    told = await served.json("/stations/harbor")  # type: ignore[attr-defined]
    return bool(told["now"]["sentence"] == sentence)
