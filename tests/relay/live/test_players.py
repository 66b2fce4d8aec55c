"""Real players on a relay process, through a recorder that notes what they ask for."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from radio.relay.live.icy_metadata import METAINT
from radio.settings import Settings
from tests.need import need
from tests.relay.process import RelayProcess, go_on_air, relaying
from tests.relay.recorder import Recorder, recording
from tests.waiting import until

pytestmark = pytest.mark.player
WITHIN_S = 120.0
LIVE = "{base}/stations/harbor/live.mp3"
NOBODY = ("setpriv", "--reuid=65534", "--clear-groups")
"""VLC refuses to run as root."""


@pytest.fixture(scope="module")
def relay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RelayProcess]:
    settings = Settings(data=tmp_path_factory.mktemp("radio"), port=0)
    asyncio.run(go_on_air(settings, 1800.0))
    with relaying(settings) as process:
        yield process


@dataclass(frozen=True, slots=True)
class Heard:
    """What a player said, its exit status, and what it had asked."""

    said: str
    status: int | None
    asked: Recorder


async def play(relay: RelayProcess, folder: Path, *argv: str, before: Sequence[str] = ()) -> Heard:
    """Run a player until it ends by itself. `{base}` is where it finds the radio."""
    async with recording(relay.port) as recorder:
        spelt = [part.format(base=f"http://127.0.0.1:{recorder.port}") for part in argv]
        process = await asyncio.create_subprocess_exec(
            *before, *spelt, cwd=folder, env={**os.environ, "HOME": "/tmp"},
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        try:
            async with asyncio.timeout(WITHIN_S):
                out, _ = await process.communicate()
        except BaseException:
            process.kill()
            await process.wait()
            raise
        return Heard(out.decode(errors="replace"), process.returncode, recorder)


async def test_ffmpeg_plays_and_reads_the_title(relay: RelayProcess, tmp_path: Path) -> None:
    need("ffmpeg")
    options = ("-nostdin", "-hide_banner", "-v", "verbose", "-i", LIVE, "-t", "3", "-f", "null", "-")
    heard = await play(relay, tmp_path, "ffmpeg", *options)
    assert heard.status == 0
    assert "StreamTitle: Night Book" in heard.said
    assert "72000 samples" in heard.said
    assert heard.asked.field_of("Range") == ["bytes=0-"]
    assert heard.asked.field_of("Icy-MetaData") == ["1"]


async def test_curl_gets_a_head_that_ends_and_sound_that_does_not(
    relay: RelayProcess, tmp_path: Path
) -> None:
    need("curl")
    heard = await play(relay, tmp_path, "curl", "-sSI", LIVE)
    assert (heard.status, heard.said.split()[1]) == (0, "200")
    heard = await play(relay, tmp_path, "curl", "-sS", "-o", "heard.mp3", "--max-time", "2", LIVE)
    assert heard.status == 28, "it ran until its time was over"
    assert "bytes received" in heard.said


@pytest.mark.soak
async def test_mpv_plays_and_shows_the_title(relay: RelayProcess, tmp_path: Path) -> None:
    need("mpv")
    heard = await play(relay, tmp_path, "mpv", "--no-config", "--no-video", "--ao=null", "--length=5", LIVE)
    assert heard.status == 0
    assert "icy-title: Night Book" in heard.said
    assert heard.asked.field_of("Icy-MetaData") == ["1"]


@pytest.mark.soak
@pytest.mark.parametrize("path", ["live.mp3", "live.m3u", "live.pls"])
async def test_vlc_plays_and_asks_again_for_titles(relay: RelayProcess, tmp_path: Path, path: str) -> None:
    need("vlc")
    before = NOBODY if os.geteuid() == 0 else ()
    source = LIVE.replace("live.mp3", path)
    options = ("-I", "dummy", "--aout", "adummy", "--run-time", "5", "-vv", source, "vlc://quit")
    heard = await play(relay, Path("/tmp"), "cvlc", *options, before=before)
    assert heard.status == 0
    assert "Night Book" in heard.said
    assert heard.asked.field_of("Icy-MetaData")[-2:] == ["", "1"]


@pytest.mark.soak
async def test_mpg123_decodes_every_frame_and_prints_the_title(relay: RelayProcess, tmp_path: Path) -> None:
    need("mpg123")
    heard = await play(relay, tmp_path, "mpg123", "-v", "-t", "-n", "200", LIVE)
    assert heard.status == 0
    assert "ICY-META: StreamTitle='Night Book';" in heard.said
    assert "ICY-NAME: Harbor FM" in heard.said
    assert not [
        line for line in heard.said.splitlines() if "error" in line.lower() or "resync" in line.lower()
    ]
    assert heard.asked.heads[0].startswith("GET /stations/harbor/live.mp3 HTTP/1.0\r\n")


@pytest.mark.soak
async def test_streamripper_names_its_recording_after_the_title(relay: RelayProcess, tmp_path: Path) -> None:
    need("streamripper")
    heard = await play(relay, tmp_path, "streamripper", LIVE, "-d", str(tmp_path), "-l", "8", "-s")
    assert heard.status == 0
    assert [len(recorded) > METAINT for recorded in recordings(tmp_path, "Night Book")] == [True]
    assert heard.asked.field_of("Icy-MetaData") == ["1"]


def recordings(folder: Path, title: str) -> list[bytes]:
    """What was recorded under that title."""
    return [path.read_bytes() for path in folder.rglob(f"*{title}*.mp3")]


@pytest.mark.soak
async def test_a_player_that_connects_again_plays_on_after_the_relay_was_started_anew(tmp_path: Path) -> None:
    need("ffmpeg")
    settings = Settings(data=tmp_path, port=0)
    await go_on_air(settings, 600.0)
    again = ("-reconnect", "1", "-reconnect_at_eof", "1", "-reconnect_streamed", "1")
    with relaying(settings) as relay:
        settings = replace(settings, port=relay.port)
        source = LIVE.format(base=relay.url.rstrip("/"))
        player = await asyncio.create_subprocess_exec(
            "ffmpeg", "-nostdin", "-v", "error", *again, "-reconnect_on_network_error", "1", "-i", source,
            "-t", "25", "-f", "s16le", "-", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        await until(lambda: "listener.joined" in relay.logged())
    with relaying(settings) as relay:
        async with asyncio.timeout(WITHIN_S):
            sound, _ = await player.communicate()
        assert "listener.joined" in relay.logged()
    assert (player.returncode, len(sound)) == (0, 25 * 24_000 * 2)
