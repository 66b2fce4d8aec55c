"""What a narrator shows of its voice, and when it warms it up."""

import logging
from pathlib import Path

import pytest

from radio.streams.ownership.observer import Observer
from tests.narrator.studio import QuickSpeaker, Studio, memory_studio
from tests.waiting import until

ENGINE = "native avx2, 2 threads"


class NamedSpeaker(QuickSpeaker):
    """With the name of a real engine. It counts how often it is warmed up."""

    name = ENGINE
    wakes = 0

    def warm_up(self) -> None:
        self.wakes += 1


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def test_log_and_heartbeat_name_the_engine_and_its_instruction_set(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    observer = Observer(studio.store, studio.clock, data=studio.data, ttl_s=60.0)

    async def is_shown() -> bool:
        return [peer.engine for peer in await observer.peers()] == [ENGINE]

    def is_told() -> bool:
        said = [r.__dict__ for r in caplog.records if r.__dict__.get("action") == "narrator.ready"]
        return [one["engine"] for one in said] == [ENGINE]

    async with studio.narrator(NamedSpeaker()):
        await until(is_shown)
        await until(is_told)


async def test_a_voice_that_is_not_idle_is_warmed_up_at_the_start_only(studio: Studio) -> None:
    speaker = NamedSpeaker()
    await studio.begin()
    await studio.script("The tide turns at nine. Nobody is late. ", "The lamp burns.")
    async with studio.narrator(speaker):
        await studio.finished()
    assert len(speaker.said) == 3
    assert speaker.wakes == 1
