import asyncio
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from radio import control
from radio.clock import ManualClock
from radio.mp3.frames import SILENCE_FRAME, frames
from radio.relay.hls import segment_grid
from radio.settings import Limits
from radio.streams.contract import ReadResult, StreamStore, Trim
from radio.streams.names import CONTROL, broadcast
from radio.streams.records import ControlRequest, encode
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore
from tests.need import need
from tests.relay.airing import TOKEN, Air
from tests.relay.conftest import NOW
from tests.relay.serving import Served, relay_on
from tests.waiting import until

LIVE = "/stations/harbor/live.m3u8"
TAG = len(segment_grid.timestamp(0))
N = NOW // segment_grid.SEGMENT_MS
SILENT = SILENCE_FRAME * segment_grid.SEGMENT_FRAMES


async def get(served: Served, path: str, **headers: str) -> tuple[int, bytes, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with served.http.get(served.at(path), headers=named) as reply:
        return reply.status, await reply.read(), reply.headers


async def media(served: Served) -> str:
    """The path of the playlist that the lasting address names."""
    status, body, _ = await get(served, LIVE)
    assert status == 200
    return LIVE.rpartition("/")[0] + "/" + body.decode().splitlines()[-1]


async def listed(served: Served, path: str) -> tuple[list[int], str]:
    """The numbers of the segments in a playlist, and its text."""
    status, body, _ = await get(served, path)
    assert status == 200, body
    text = body.decode()
    numbers = [int(n) for n in re.findall(r"^(\d+)\.mp3$", text, re.M)]
    assert f"#EXT-X-MEDIA-SEQUENCE:{numbers[0]}\n" in text
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    return numbers, text


async def segment(served: Served, n: int, epoch: int = 0) -> bytes:
    """The frames of segment n."""
    status, body, _ = await get(served, f"/stations/harbor/hls/{epoch}/{n}.mp3")
    assert (n, status) == (n, 200), body
    assert body[:TAG] == segment_grid.timestamp(n)
    assert len(list(frames(body[TAG:]))) == segment_grid.SEGMENT_FRAMES
    return body[TAG:]


async def live(air: Air, clock: ManualClock, seconds: float, *, lead_s: float = 24.0) -> None:
    """The station goes on for so long, sentence after sentence, each made `lead_s` before it is heard."""
    end = clock.now_ms() + seconds * 1000
    while clock.now_ms() < end:
        while air.at < clock.now_ms() + lead_s * 1000:
            await air.say(f"Sentence {len(air.said)}.", seconds=5.0)
        clock.advance(1.0)


async def heard(served: Served, air: Air) -> None:
    """Until the relay has read all that was said."""
    station = await served.relay.stations.find("harbor")
    await until(lambda: station.next_seq > air.said[-1][0])


async def test_segments_of_the_window_are_the_broadcast_cut_on_the_grid(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    await live(air, clock, 60)
    await air.say("After a pause.", seconds=5.0, gap_ms=2400)
    async with relay_on(any_store, clock) as served:
        path = await media(served)
        assert path == "/stations/harbor/hls/0/live.m3u8"
        numbers, text = await listed(served, path)
        assert numbers == list(range(N, N + 13))
        assert "#EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:00.000Z\n" in text
        assert "ENDLIST" not in text
        made = b"".join([await segment(served, n) for n in numbers])
        whole = air.bytes_of(0, air.said[-2][0])
        assert len(whole) > len(made) - 2 * len(SILENT)
        whole += SILENCE_FRAME * 100 + air.said[-1][1].body
        assert made == whole[: len(made)]


async def test_two_relays_and_one_that_begins_later_give_the_same_bytes_in_any_order(
    clock: ManualClock, tmp_path: Path
) -> None:
    first = await SqliteStore.open(tmp_path / "radio.sqlite3", clock)
    second = await SqliteStore.open(tmp_path / "radio.sqlite3", clock)
    air = await Air(first, clock).begin()
    await live(air, clock, 20)
    got: list[dict[int, bytes]] = []
    async with relay_on(first, clock) as one:
        ahead, _ = await listed(one, await media(one))
        got.append({n: await segment(one, n) for n in ahead})
        await live(air, clock, 30)
        async with relay_on(second, clock) as other:
            await heard(one, air)
            await heard(other, air)
            for served in (one, other):
                numbers, _ = await listed(served, await media(served))
                assert numbers[-1] > ahead[-1]
                order = reversed(numbers) if served is other else numbers
                got.append({n: await segment(served, n) for n in order})
    async with relay_on(second, clock) as again:
        got.append({n: await segment(again, n) for n in got[1]})
    assert got[1] == got[2] == got[3]
    assert got[0] == {n: got[1][n] for n in got[0]}
    await first.close()
    await second.close()


async def test_a_gap_is_silence_once_it_is_over_and_what_comes_late_does_not_change_it(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    await air.say("Alone.", seconds=5.0)
    async with relay_on(any_store, clock) as served:
        path = await media(served)
        assert (await listed(served, path))[0][-1] == N - 1
        clock.advance(6.9)
        assert (await listed(served, path))[0][-1] == N - 1
        assert (await get(served, f"/stations/harbor/hls/0/{N}.mp3"))[0] == 404
        clock.advance(0.2)
        assert (await listed(served, path))[0][-1] == N
        alone = air.said[0][1].body
        want = alone + SILENT[len(alone) :]
        assert await segment(served, N) == want
        await air.say("Too late for its first half.", seconds=5.0)
        await heard(served, air)
        clock.advance(6.0)
    async with relay_on(any_store, clock) as served:
        assert await segment(served, N) == want
        late = air.said[1][1]
        assert late.at is not None
        rest = late.body[(segment_grid.begin_ms(N + 1) - late.at) * 8 :]
        assert await segment(served, N + 1) == rest + SILENT[len(rest) :]


async def test_a_station_that_never_spoke_and_one_that_is_silent_are_silence(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        path = await media(served)
        numbers, _ = await listed(served, path)
        assert len(numbers) == 6
        for n in numbers:
            assert await segment(served, n) == SILENT
        await air.say("At last.", gap_ms=3000)
        await heard(served, air)
        clock.advance(3700)
        numbers, _ = await listed(served, path)
        assert numbers[-1] == (clock.now_ms() - 1000) // 6000 - 1
        assert await segment(served, numbers[-1]) == SILENT


async def test_a_station_that_nobody_narrates_yet_is_silence(
    any_store: StreamStore, clock: ManualClock
) -> None:
    await Air(any_store, clock).card()
    async with relay_on(any_store, clock) as served:
        numbers, _ = await listed(served, await media(served))
        assert [await segment(served, n) for n in numbers] == [SILENT] * 6


async def test_the_window_is_as_long_as_it_is_set_and_segments_stay_for_two_of_them(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await live(air, clock, 200)
    async with relay_on(store, clock, hls_window_s=60.0) as served:
        numbers, _ = await listed(served, await media(served))
        assert len(numbers) == 10
        await segment(served, numbers[0] - 10)
        status, body, _ = await get(served, f"/stations/harbor/hls/0/{numbers[0] - 11}.mp3")
        assert status == 410
        assert b"replay.mp3" in body


async def test_what_is_trimmed_is_gone_and_the_segment_it_reaches_into_too(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    await live(air, clock, 60)
    kept, audio = air.said[6]
    assert audio.at is not None
    async with relay_on(any_store, clock) as served:
        before = (await listed(served, await media(served)))[0]
        await any_store.trim(broadcast("harbor"), kept, fencing_token=TOKEN)
        first = -(-audio.at // 6000)
        assert before[0] < first - 1
        status, _, _ = await get(served, f"/stations/harbor/hls/0/{first - 1}.mp3")
        assert status == 410  # though what the playlist says is some seconds old
        clock.advance(6.0)
        numbers, _ = await listed(served, await media(served))
        assert numbers[0] == first
        assert await segment(served, first)
        status, body, headers = await get(served, f"/stations/harbor/hls/0/{first - 1}.mp3")
        assert (status, headers["Cache-Control"]) == (410, "no-store")
        assert f'"oldest": {kept}'.encode() in body


async def test_after_an_epoch_the_playlist_has_a_new_path_and_the_old_one_ends(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    await live(air, clock, 30)
    old = air.bytes_of(0, 999)
    async with relay_on(any_store, clock) as served:
        before = await media(served)
        clock.step(-3600)
        epoch = await air.step(-3_600_000)
        await live(air, clock, 60)
        await heard(served, air)
        async with relay_on(any_store, clock) as other:
            for relay in (served, other):
                assert await media(relay) == f"/stations/harbor/hls/{epoch}/live.m3u8"
                numbers, text = await listed(relay, before)
                assert text.endswith("#EXT-X-ENDLIST\n")
                made = b"".join([await segment(relay, n) for n in numbers])
                assert made.startswith(old)
                assert set(made[len(old) :]) <= set(SILENCE_FRAME)
                new, text = await listed(relay, await media(relay))
                assert "ENDLIST" not in text
                assert new[-1] < numbers[0]
                first = next(audio for _, audio in air.said if audio.epoch)
                assert first.at is not None
                n = first.at // 6000 + 1
                begin = (segment_grid.begin_ms(n) - first.at) * 8
                rest = b"".join(audio.body for _, audio in air.said if audio.epoch)
                assert await segment(relay, n, epoch) == rest[begin : begin + len(SILENT)]
        for wrong in (epoch - 1, epoch + 1):
            assert (await get(served, f"/stations/harbor/hls/{wrong}/live.m3u8"))[0] == 404
        await any_store.trim(broadcast("harbor"), epoch, fencing_token=TOKEN)
        clock.advance(6)
        assert (await get(served, before))[0] == 410
        assert (await listed(served, await media(served)))[0][0] == new[0]


async def test_a_muted_station_is_silent_from_the_first_segment_that_nobody_can_have_yet(
    air: Air, any_store: StreamStore, clock: ManualClock
) -> None:
    air.store = any_store
    await air.begin()
    await live(air, clock, 30)
    async with relay_on(any_store, clock) as served:
        known, _ = await listed(served, await media(served))
        had = {n: await segment(served, n) for n in known}
        await control.ask(any_store, control.MUTE, "harbor")
        asked = clock.now_ms()
        station = await served.relay.stations.find("harbor")
        await until(lambda: station.is_muted)
        await live(air, clock, 30)
        await control.ask(any_store, control.UNMUTE, "harbor")
        again = clock.now_ms()
        await until(lambda: not station.is_muted)
        await live(air, clock, 40)
        await heard(served, air)
        assert {n: await segment(served, n) for n in known} == had
        numbers, _ = await listed(served, await media(served))
        silent = [n for n in numbers if await segment(served, n) == SILENT]
        assert silent == [n for n in numbers if asked + 20_000 < segment_grid.end_ms(n) <= again + 20_000]
        assert len(silent) == 5
    async with relay_on(any_store, clock) as later:
        assert silent == [n for n in numbers if await segment(later, n) == SILENT]
    again_said = [
        ControlRequest(what=control.MUTE, target="harbor", since=asked),
        ControlRequest(what=control.UNMUTE, target="harbor", since=again),
    ]
    await any_store.append(CONTROL, [*map(encode, again_said), Trim(2)])
    async with relay_on(any_store, clock) as later:
        assert silent == [n for n in numbers if await segment(later, n) == SILENT]


async def test_caches_may_keep_segments_and_look_again_for_playlists(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await live(air, clock, 20)
    async with relay_on(store, clock) as served:
        path = f"/stations/harbor/hls/0/{N}.mp3"
        status, whole, headers = await get(served, path, Origin="http://elsewhere.example")
        assert (status, headers["Content-Type"]) == (200, "audio/mpeg")
        assert headers["Cache-Control"] == "public, max-age=86400, immutable"
        assert headers["Content-Length"] == str(len(whole)) == str(TAG + 48_000)
        assert headers["Access-Control-Allow-Origin"] == "*"
        status, _, _ = await get(served, path, If_None_Match=headers["ETag"])
        assert status == 304
        status, part, told = await get(served, path, Range="bytes=70-79")
        assert (status, part, told["Content-Range"]) == (206, whole[70:80], f"bytes 70-79/{len(whole)}")
        for playlist in (LIVE, await media(served)):
            _, _, headers = await get(served, playlist)
            assert headers["Content-Type"].startswith("application/vnd.apple.mpegurl")
            assert headers["Cache-Control"] == "public, max-age=2"
            assert headers["Access-Control-Allow-Origin"] == "*"
        for asked, coding in (("br, gzip;q=0.5", "gzip"), ("gzip; q=0", None), ("deflate", None)):
            _, _, headers = await get(served, await media(served), Accept_Encoding=asked)
            assert (headers.get("Content-Encoding"), headers["Vary"]) == (coding, "Accept-Encoding")
        described = await served.json("/stations/harbor")
        assert described["urls"]["hls"] == LIVE


async def test_who_fetches_playlists_again_and_again_is_a_listener(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await live(air, clock, 20)
    async with relay_on(store, clock, trusted_hops=1) as served:
        path = await media(served)
        station = await served.relay.stations.find("harbor")
        for seconds in (0.0, 6.0):
            clock.advance(seconds)
            await get(served, path, X_Forwarded_For="1.1.1.1", User_Agent="VLC")
            await get(served, path, X_Forwarded_For="1.1.1.1", User_Agent="mpv")
            await get(served, path, X_Forwarded_For="2.2.2.2", X_Playback_Session_Id="a", User_Agent="x")
            await get(served, path, X_Forwarded_For="2.2.2.2", X_Playback_Session_Id="b", User_Agent="x")
            async with served.http.head(served.at(path), headers={"X-Forwarded-For": "3.3.3.3"}) as reply:
                assert reply.status == 200
        assert station.listeners(clock.monotonic()) == 4
        assert (await served.json("/stations/harbor"))["listeners"] == 4
        clock.advance(30)
        assert (await served.json("/stations/harbor"))["listeners"] == 0


async def test_what_a_player_calls_itself_costs_no_memory_however_long_it_is(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        path = await media(served)
        for name in ("a" * 50_000, "a" * 50_000 + "b", "c"):
            assert (await get(served, path, X_Playback_Session_Id=name))[0] == 200
        players = (await served.relay.stations.find("harbor")).by_hls._players
        assert len(players) == 3
        assert max(len(name) for _, name in players) <= 16


async def test_one_client_cannot_fetch_more_than_its_share_and_others_still_can(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    await live(air, clock, 20)
    limits = Limits(hls_bytes_per_s=60_000)
    async with relay_on(store, clock, limits=limits, trusted_hops=1) as served:
        path = f"/stations/harbor/hls/0/{N}.mp3"
        replies = [await get(served, path, X_Forwarded_For="1.1.1.1") for _ in range(20)]
        statuses = [status for status, _, _ in replies]
        assert set(statuses[:10]) == {200}
        assert statuses[-1] == 429
        assert int(replies[-1][2]["Retry-After"]) >= 1
        assert (await get(served, LIVE, X_Forwarded_For="1.1.1.1"))[0] == 429
        assert (await get(served, path, X_Forwarded_For="2.2.2.2"))[0] == 200
        clock.advance(2)
        assert (await get(served, path, X_Forwarded_For="1.1.1.1"))[0] == 200


async def test_what_is_not_there_is_told_as_such(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    await air.begin()
    await live(air, clock, 20)
    async with relay_on(store, clock) as served:
        for path in (
            "/stations/nowhere/live.m3u8",
            "/stations/harbor/hls/0/99999999999999999999.mp3",
            "/stations/harbor/hls/0/99999999999.mp3",
            f"/stations/harbor/hls/0/{N + 100}.mp3",
            f"/stations/harbor/hls/7/{N}.mp3",
            f"/stations/harbor/hls/-1/{N}.mp3",
            "/stations/harbor/hls/x/live.m3u8",
            "/stations/harbor/hls/0/x.mp3",
        ):
            status, body, headers = await get(served, path)
            assert (path, status, headers["Cache-Control"]) == (path, 404, "no-store")
            assert b'"hint"' in body


async def test_many_who_ask_at_once_cost_one_look_into_the_store(
    air: Air, store: MemoryStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await air.begin()
    await live(air, clock, 60)
    async with relay_on(store, clock) as served:
        numbers, _ = await listed(served, await media(served))
        await segment(served, numbers[0])
        reads: list[str] = []
        read = store.read

        async def counted(name: str, *asked: Any, **options: Any) -> ReadResult:
            reads.append(name)
            return await read(name, *asked, **options)

        monkeypatch.setattr(store, "read", counted)
        await asyncio.gather(*[segment(served, numbers[1]) for _ in range(50)])
        looks = [name for name in reads if name != CONTROL]
        assert len(looks) <= 2
        await segment(served, numbers[1])
        assert [name for name in reads if name != CONTROL] == looks


STEPS_S = (-3600, -30, 30, 3600)


@pytest.mark.parametrize(("seed", "steps"), [(1, True), (2, True), (3, False), (4, False)])
async def test_what_a_relay_once_gave_it_gives_for_ever_whatever_comes_after(
    air: Air, store: MemoryStore, clock: ManualClock, seed: int, steps: bool
) -> None:
    chance = random.Random(seed)
    await air.begin()
    air.at += 3000
    had: dict[tuple[int, int], bytes] = {}
    is_muted = False
    async with relay_on(store, clock) as one, relay_on(store, clock) as other:
        for _ in range(50):
            chosen = chance.random()
            if chosen < 0.6:
                await say_as_a_narrator_does(air, clock, chance)
            elif chosen < 0.65 and steps:
                step = chance.choice(STEPS_S)
                clock.step(step)
                await air.step(step * 1000)
            elif chosen < 0.65:
                is_muted = not is_muted
                await control.ask(store, control.MUTE if is_muted else control.UNMUTE, "harbor")
            for served in (one, other):
                await heeds(served, air, is_muted=is_muted)
            await look(chance.choice([one, other]), had)
            clock.advance(chance.choice([0.2, 1.0, 3.0]))
    async with relay_on(store, clock) as later:
        spoken = {audio.epoch or 0 for _, audio in air.said}
        for epoch, n in had:
            if epoch in spoken:
                assert await segment(later, n, epoch) == had[epoch, n]
    assert any(data != SILENT for data in had.values())


async def say_as_a_narrator_does(air: Air, clock: ManualClock, chance: random.Random) -> None:
    """A sentence right after the one before, or 3 s from now where that is too near; or none."""
    now = clock.now_ms()
    if air.at < now + 2000:
        air.at = -(-(now + 3000) // 24) * 24
    if air.at < now + chance.choice([4000, 12_000, 30_000]):
        await air.say("Words.", seconds=chance.choice([1.0, 3.0, 7.0]))


async def heeds(served: Served, air: Air, *, is_muted: bool) -> None:
    """Until the relay knows what was said and asked."""
    station = await served.relay.stations.find("harbor")
    last = air.said[-1][0] if air.said else 0
    await until(lambda: station.next_seq > max(last, air.epoch or 0) and station.is_muted == is_muted)


async def look(served: Served, had: dict[tuple[int, int], bytes]) -> None:
    """The newest segments are what they were."""
    path = await media(served)
    epoch = int(path.split("/")[-2])
    for n in (await listed(served, path))[0][-4:]:
        data = await segment(served, n, epoch)
        assert had.setdefault((epoch, n), data) == data, (epoch, n)


@pytest.mark.player
async def test_ffmpeg_plays_segment_after_segment_as_one_sound(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    need("ffmpeg")
    await air.begin()
    await live(air, clock, 90)
    async with relay_on(store, clock) as served:
        numbers, _ = await listed(served, await media(served))
        whole = b"".join([await segment(served, n) for n in numbers])
        count = 12 * segment_grid.SEGMENT_FRAMES
        heard = await decoded("-live_start_index", "0", "-i", served.at(LIVE), count=count)
        assert len(heard) > count * 1152
        assert heard == await decoded("-f", "mp3", "-i", "-", count=count, given=whole)


async def decoded(*source: str, count: int, given: bytes | None = None) -> bytes:
    """The first `count` frames of what ffmpeg hears there, as WAV.

    Raw samples would do, but ffmpeg 5.1 complains then of its own timestamps: it reads 1024 bytes at once, so
    that up to five frames before a segment get the time of that segment.
    """
    process = await asyncio.create_subprocess_exec(
        *["ffmpeg", "-v", "error", *source, "-frames:a", str(count), "-f", "wav", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, complaints = await process.communicate(given)
    assert (complaints.decode(), process.returncode) == ("", 0)
    return out
