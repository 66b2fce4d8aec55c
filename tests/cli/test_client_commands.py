"""The client commands against a small radio of the test's own, over real HTTP."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from radio.cli import client, main
from radio.cli.terminal import clock, counted, table

SOUND = bytes(range(256)) * 100
STATION = {
    "station": "harbor",
    "title": "Hafen 港",
    "state": "on_air",
    "now": {"title": "Night Book"},
    "next": None,
    "urls": {"live": "/stations/harbor/live.mp3"},
}
CAST: dict[str, Any] = {
    "cast": "Zm9vYmFyYmF6",
    "status": "queued",
    "position": 2,
    "estimate_s": 61.0,
    "characters": 11,
    "sentences": 0,
    "skipped": 0,
    "audio_ms": 0,
    "reason": None,
    "urls": {
        "page": "/c/Zm9vYmFyYmF6",
        "mp3": "/casts/Zm9vYmFyYmF6.mp3",
        "events": "/casts/Zm9vYmFyYmF6/events",
    },
}


class SmallRadio:
    """Answers as the relay does, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []
        self.bearer: list[str] = []
        self.outcome = "done"
        self.stations_now = [STATION]
        self.has_sound = True
        self.begins: dict[str, str] = {}
        self.state = "on_air"
        self.quiet = asyncio.Event()
        self.url = ""

    def app(self) -> web.Application:
        app = web.Application()
        app.add_routes(
            [
                web.get("/stations", self.stations),
                web.get("/stations/harbor/live.mp3", self.sound),
                web.get("/stations/harbor/replay.mp3", self.sound),
                web.get("/stations/nowhere/live.mp3", self.absent),
                web.get("/stations/quiet/live.mp3", self.two_bytes_and_no_more),
                web.get("/stations/mute/live.mp3", self.nothing),
                web.get("/stations/quiet/replay.mp3", self.two_bytes_and_no_more),
                web.get("/stations/{name:mute|quiet}", self.station),
                web.post("/casts", self.submit),
                web.get("/casts/Zm9vYmFyYmF6.mp3", self.sound),
                web.get("/casts/Zm9vYmFyYmF6/events", self.events),
                web.get("/casts/Zm9vYmFyYmF6", self.cast),
            ]
        )
        return app

    async def stations(self, request: web.Request) -> web.Response:
        return web.json_response({"stations": self.stations_now})

    async def station(self, request: web.Request) -> web.Response:
        return web.json_response({**STATION, "state": self.state})

    async def sound(self, request: web.Request) -> web.Response:
        if not self.has_sound:
            raise web.HTTPNotFound(text='{"title": "nothing of this cast could be spoken"}')
        self.asked.append((request.path, dict(request.query)))
        return web.Response(body=SOUND, content_type="audio/mpeg", headers=self.begins)

    async def absent(self, request: web.Request) -> web.Response:
        problem = {"title": "no station nowhere", "status": 404, "hint": "see /stations"}
        return web.json_response(problem, status=404, content_type="application/problem+json")

    async def nothing(self, request: web.Request) -> web.Response:
        await self.quiet.wait()
        return web.Response()

    async def two_bytes_and_no_more(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(SOUND[:2])
        await self.quiet.wait()
        return response

    async def submit(self, request: web.Request) -> web.Response:
        self.bearer.append(request.headers.get("Authorization", ""))
        self.asked.append((request.path, await request.json()))
        return web.json_response({**CAST, "token": "secret"}, status=201)

    async def events(self, request: web.Request) -> web.Response:
        lines = (
            f'event: caption\nid: a:1\ndata: {{"t": "Hello world"}}\n\nevent: end\ndata: {json.dumps({})}\n\n'
        )
        return web.Response(text=lines, content_type="text/event-stream")

    async def cast(self, request: web.Request) -> web.Response:
        reason = None if self.outcome == "done" else "no phonemes"
        return web.json_response(
            {**CAST, "status": self.outcome, "sentences": 1, "audio_ms": 65_000, "reason": reason}
        )


@pytest.fixture
def radio(monkeypatch: pytest.MonkeyPatch) -> Iterator[SmallRadio]:
    """Serves in a thread, for a command owns its loop."""
    small, ready, loop = SmallRadio(), threading.Event(), asyncio.new_event_loop()
    stop = asyncio.Event()

    async def serve() -> None:
        runner = web.AppRunner(small.app())
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        small.url = site.name if not site.name.endswith(":0") else ""
        port = runner.addresses[0][1]
        small.url = f"http://127.0.0.1:{port}/"
        ready.set()
        await stop.wait()
        small.quiet.set()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    assert ready.wait(30)
    monkeypatch.setenv("RADIO_URL", small.url)
    yield small
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()


Output = pytest.CaptureFixture[str]


def test_stations_prints_a_table(radio: SmallRadio, capsys: Output) -> None:
    assert main(["stations"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["STATION", "TITLE", "STATE", "NOW", "NEXT", "LIVE"]
    assert row.split() == [
        "harbor", "Hafen", "港", "on_air", "Night", "Book", f"{radio.url}stations/harbor/live.mp3"
    ]  # fmt: skip


def test_a_station_that_is_off_has_nothing_on_now(radio: SmallRadio, capsys: Output) -> None:
    radio.stations_now = [{**STATION, "title": "Harbor", "state": "off", "next": {"title": "Tides"}}]
    assert main(["stations"]) == 0
    _, row = capsys.readouterr().out.splitlines()
    assert row.split() == ["harbor", "Harbor", "off", "Tides", f"{radio.url}stations/harbor/live.mp3"]


def test_stations_prints_json_for_programs(radio: SmallRadio, capsys: Output) -> None:
    assert main(["stations", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"stations": [STATION]}


def test_listen_takes_as_much_sound_as_asked(radio: SmallRadio, tmp_path: Path) -> None:
    out = tmp_path / "live.mp3"
    assert main(["listen", "harbor", "--for", "1.5", "--out", str(out)]) == 0
    assert out.read_bytes() == SOUND[:12_000]
    assert radio.asked == [("/stations/harbor/live.mp3", {})]


@pytest.mark.parametrize(
    ("option", "query"),
    [
        (["--from", "7"], {"from": "7"}),
        (["--run", "brief@20261129T0700"], {"run": "brief@20261129T0700"}),
        (["--at", "2026-11-29T07:00+01:00"], {"at": "2026-11-29T07:00+01:00"}),
    ],
)
def test_listen_asks_for_a_replay(
    radio: SmallRadio, tmp_path: Path, option: list[str], query: dict[str, str]
) -> None:
    assert main(["listen", "harbor", *option, "--out", str(tmp_path / "r.mp3")]) == 0
    assert radio.asked == [("/stations/harbor/replay.mp3", query)]
    assert (tmp_path / "r.mp3").read_bytes() == SOUND


def test_a_replay_that_begins_later_than_asked_says_when(
    radio: SmallRadio, tmp_path: Path, capsys: Output
) -> None:
    asked = ["listen", "harbor", "--at", "2026-11-29T07:00", "--out", str(tmp_path / "r.mp3")]
    assert main(asked) == 0
    assert "begins" not in capsys.readouterr().err
    radio.begins = {"Radio-Begins": "2026-11-29T08:00:00+01:00"}
    assert main(asked) == 0
    told = capsys.readouterr().err
    assert told.count("radio: nothing was on air then; it begins at 2026-11-29T08:00:00+01:00") == 1


def test_a_replay_of_a_station_that_went_off_ends_and_says_that_it_is_all(
    radio: SmallRadio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output
) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.2)
    radio.state, out = "off", tmp_path / "r.mp3"
    assert main(["listen", "quiet", "--at", "2026-11-29T07:00", "--out", str(out)]) == 0
    said = capsys.readouterr().err
    assert "radio: quiet is off the air, and this is all there is" in said
    assert "has been silent" not in said
    assert out.read_bytes() == SOUND[:2]


def test_listen_takes_one_start_only(radio: SmallRadio, capsys: Output) -> None:
    assert main(["listen", "harbor", "--from", "1", "--run", "x", "--out", "-"]) == 2
    assert radio.asked == []


def test_what_is_not_there_is_said_with_the_radios_own_words(radio: SmallRadio, capsys: Output) -> None:
    assert main(["listen", "nowhere", "--out", "-"]) == 1
    assert capsys.readouterr().err.splitlines()[-2:] == ["radio: no station nowhere", "       see /stations"]


def test_a_file_is_not_touched_before_sound_comes(radio: SmallRadio, tmp_path: Path) -> None:
    new, old = tmp_path / "new.mp3", tmp_path / "old.mp3"
    old.write_bytes(b"sound of yesterday")
    assert main(["listen", "nowhere", "--out", str(new)]) == 1
    assert main(["listen", "nowhere", "--out", str(old)]) == 1
    assert not new.exists()
    assert old.read_bytes() == b"sound of yesterday"


def test_a_cast_without_sound_leaves_no_file(radio: SmallRadio, tmp_path: Path, capsys: Output) -> None:
    radio.has_sound = False
    assert main(["cast", "Hello world", "--out", str(tmp_path / "cast.mp3")]) == 1
    assert "nothing of this cast could be spoken" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_said(radio: SmallRadio, tmp_path: Path, capsys: Output) -> None:
    assert main(["listen", "harbor", "--out", str(tmp_path / "no" / "folder.mp3")]) == 1
    assert "folder.mp3" in capsys.readouterr().err


@pytest.mark.parametrize("station", ["mute", "quiet"])
def test_a_radio_that_says_nothing_more_is_not_taken_for_none(
    radio: SmallRadio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output, station: str
) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.2)
    assert main(["listen", station, "--out", str(tmp_path / "live.mp3")]) == 1
    said = capsys.readouterr().err
    assert f"the radio at {radio.url} has been silent for 0.2 s" in said
    assert "no radio answers" not in said


def test_a_radio_that_takes_a_request_and_gives_no_answer_is_silent_too(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(client, "ANSWER_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        assert main(["stations", "--url", f"http://127.0.0.1:{deaf.getsockname()[1]}/"]) == 1
    assert "has been silent for 0.2 s" in capsys.readouterr().err


def test_no_radio_is_said_with_a_hint(capsys: Output) -> None:
    assert main(["stations", "--url", "http://127.0.0.1:9/"]) == 1
    assert "no radio answers" in capsys.readouterr().err


def test_cast_submits_and_prints_the_link(radio: SmallRadio, capsys: Output) -> None:
    assert main(["cast", "Hello world", "--voice", "bf_emma", "--speed", "1.2"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{radio.url}c/Zm9vYmFyYmF6\n"
    assert "queued at 2, about 1:01; stations on air go first" in err
    assert radio.asked == [("/casts", {"text": "Hello world", "voice": "bf_emma", "speed": 1.2})]


def test_cast_sends_the_submit_token_of_a_file_or_of_the_environment(
    radio: SmallRadio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text("of-a-file-0123456789\n")
    monkeypatch.setenv("RADIO_SUBMIT_TOKEN", "of-the-environment-0")
    assert main(["cast", "Hello.", "--url", radio.url]) == 0
    assert main(["cast", "Hello.", "--url", radio.url, "--submit-token-file", str(file)]) == 0
    monkeypatch.delenv("RADIO_SUBMIT_TOKEN")
    assert main(["cast", "Hello.", "--url", radio.url]) == 0
    assert radio.bearer == ["Bearer of-the-environment-0", "Bearer of-a-file-0123456789", ""]


def test_cast_reads_a_file(radio: SmallRadio, tmp_path: Path) -> None:
    text = tmp_path / "tale.txt"
    text.write_bytes(b"\xef\xbb\xbfOnce upon a time.")
    assert main(["cast", str(text)]) == 0
    assert radio.asked == [("/casts", {"text": "Once upon a time."})]


def test_cast_waits_and_writes_the_sound(radio: SmallRadio, tmp_path: Path, capsys: Output) -> None:
    out = tmp_path / "cast.mp3"
    assert main(["cast", "Hello world", "--out", str(out)]) == 0
    assert out.read_bytes() == SOUND
    assert "spoken: 1 sentence, 1:05" in capsys.readouterr().err


def test_a_cast_that_fails_is_a_failure_with_its_reason(radio: SmallRadio, capsys: Output) -> None:
    radio.outcome = "failed"
    assert main(["cast", "Hello world", "--wait"]) == 1
    assert "no phonemes" in capsys.readouterr().err


def test_cast_of_nothing_is_wrong_use(radio: SmallRadio, tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    assert main(["cast", str(tmp_path / "empty.txt")]) == 2
    assert radio.asked == []


@pytest.mark.parametrize("name", ["nofile.txt", "tales/one", "./tale", "/no/such/tale.md", "no-file.v2.MD"])
def test_the_name_of_a_file_that_is_not_there_is_not_spoken(
    radio: SmallRadio, capsys: Output, name: str
) -> None:
    assert main(["cast", name]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"radio: there is no file {name}",
        "       give a text, an existing file, or -",
    ]
    assert radio.asked == []


@pytest.mark.parametrize("text", ["Hello.", "3.14", "Wait...what", "See tale.txt", "and / or", "你好/世界。"])
def test_a_text_that_is_no_name_of_a_file_is_spoken(radio: SmallRadio, text: str) -> None:
    assert main(["cast", text]) == 0
    assert radio.asked == [("/casts", {"text": text})]


def test_tables_are_even_with_wide_characters_too() -> None:
    assert table([("港", "x"), ("ab", "y")], ("A", "B")) == "A   B\n港  x\nab  y"


@pytest.mark.parametrize(("number", "text"), [(0, "0 files"), (1, "1 file"), (2, "2 files")])
def test_one_of_a_thing_is_not_many(number: int, text: str) -> None:
    assert counted(number, "file") == text


@pytest.mark.parametrize(("ms", "text"), [(0, "0:00"), (61_499, "1:01"), (3_723_000, "1:02:03")])
def test_lengths_of_time(ms: int, text: str) -> None:
    assert clock(ms) == text
