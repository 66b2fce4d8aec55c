"""Speech and the operator's hand on casts, with a whole radio, a station on air and the real commands."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from radio import casts
from radio.mp3 import decoder
from tests.flow import measure
from tests.flow.conftest import reading_radio
from tests.flow.running import ROOT, Radio
from tests.waiting import until

pytestmark = pytest.mark.flow

TEXT = " ".join(f"The ferry number {n} leaves the harbor at nine, and nobody is late." for n in range(8))


@pytest.fixture
def radio(tmp_path: Path) -> Iterator[Radio]:
    """With a test tone for a voice that makes four seconds of sound in a second."""
    radio = reading_radio(tmp_path, "--engine=tone", "--tone-xrt=4")
    try:
        radio.start()
        yield radio
    finally:
        radio.end()


def command(radio: Radio, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "radio.cli", "casts", *words]
    environment = {**os.environ, "RADIO_DATA": str(radio.data)}
    return subprocess.run(
        argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60
    )


async def told(radio: Radio, path: str) -> tuple[int, Any]:
    async with aiohttp.ClientSession() as session, session.get(f"{radio.url}{path}") as reply:
        return reply.status, await reply.json(content_type=None)


async def test_speech_waits_out_a_pause_in_which_the_station_goes_on_and_is_whole_at_last(
    radio: Radio,
) -> None:
    cast = casts.cast_id(TEXT, "af_heart")
    asked = {"model": "tts-1", "voice": "af_heart", "input": TEXT, "response_format": "pcm"}

    async def made(radio: Radio) -> int:
        return int((await told(radio, f"casts/{cast}"))[1]["sentences"])

    async def station_sentences() -> int:
        async with radio.store() as store:
            return len(await measure.audio_of(store, "harbor"))

    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{radio.url}v1/audio/speech", json=asked) as reply,
    ):
        assert (reply.status, reply.headers["X-Radio-Cast"]) == (200, cast)
        assert len(await reply.content.readexactly(4800)) == 4800
        paused = await asyncio.to_thread(command, radio, "pause")
        assert paused.returncode == 0, paused.stderr
        before = await station_sentences()
        await until(lambda: _grown(station_sentences, before + 1), within_s=60)  # so the pause was heard
        stands, before = await made(radio), await station_sentences()
        assert 1 <= stands < 8
        await until(lambda: _grown(station_sentences, before + 1), within_s=60)
        assert await made(radio) == stands
        assert (await told(radio, f"casts/{cast}"))[1]["paused"] is True
        async with session.post(f"{radio.url}v1/audio/speech", json={**asked, "input": "New."}) as refused:
            assert refused.status == 503
        assert (await asyncio.to_thread(command, radio, "resume")).returncode == 0
        async with asyncio.timeout(120):
            samples = 4800 + len(await reply.content.read())
    async with radio.store() as store:
        sound = [audio.body for _, audio in await measure.cast_audio(store, cast)]
    assert samples == sum(len(decoder.pcm(body)) for body in sound)
    assert len(sound) == 8

    removed = await asyncio.to_thread(command, radio, "remove", f"{radio.url}c/{cast}")
    assert removed.returncode == 0, removed.stderr

    async def is_gone() -> bool:
        return (await told(radio, f"casts/{cast}"))[0] == 410

    await until(is_gone, within_s=60)


async def _grown(count: Any, least: int) -> bool:
    return bool(await count() >= least)
