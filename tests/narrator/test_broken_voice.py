"""A voice that fails at everything or never answers ends its process; of a slow one an operator is told."""

import asyncio
import logging
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from radio.mp3 import FRAME_MS
from radio.narrator import voice_thread, worker
from radio.narrator.voice_thread import VoiceBroken
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import ENGINE, Spoken, Unspeakable
from radio.streams import records
from tests.narrator.studio import QuickSpeaker, Studio, memory_studio

TEXT = " ".join(f"This is the sentence with the number {n}, and it is long enough." for n in range(20))


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


class BrokenSpeaker(QuickSpeaker):
    """It says its trial, and then nothing more."""

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if text == worker.TRIAL:
            return super().speak(text, voice)
        raise RuntimeError("the engine is gone")


class FailedEngine(QuickSpeaker):
    """Its engine fails at every sentence after the trial."""

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if text == worker.TRIAL:
            return super().speak(text, voice)
        raise Unspeakable(ENGINE, "the device is gone")


class HangingSpeaker(QuickSpeaker):
    """It never comes back from a sentence, until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if text != worker.TRIAL:
            self.let_go.wait()
        return super().speak(text, voice)


async def run(studio: Studio, speaker: QuickSpeaker) -> None:
    await studio.begin(starts_in_s=-1)
    await studio.script(TEXT)
    await worker.run(studio.settings, studio.store, studio.clock, asyncio.Event(), speaker)


async def test_a_voice_that_fails_at_everything_ends_the_narrator_and_keeps_the_script(
    studio: Studio,
) -> None:
    with pytest.raises(VoiceBroken, match="3 sentences in a row"):
        await run(studio, BrokenSpeaker())
    skipped = [event for event in await studio.on_air() if isinstance(event, records.Skip)]
    assert [skip.reason for skip in skipped] == ["RuntimeError"] * 2
    speaker = QuickSpeaker()
    async with studio.narrator(speaker):
        await studio.finished()
    assert len(speaker.said) == 18


async def test_an_engine_that_fails_at_everything_ends_the_narrator(studio: Studio) -> None:
    with pytest.raises(VoiceBroken, match="3 sentences in a row: the device is gone"):
        await run(studio, FailedEngine())
    skipped = [event for event in await studio.on_air() if isinstance(event, records.Skip)]
    assert [skip.reason for skip in skipped] == [ENGINE] * 2


async def test_a_voice_that_never_answers_ends_the_narrator(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice_thread, "HUNG_S", 0.2)
    speaker = HangingSpeaker()
    try:
        with pytest.raises(VoiceBroken, match="has not answered"):
            await run(studio, speaker)
    finally:
        speaker.let_go.set()
    assert await studio.on_air() == []


class SlowSpeaker(QuickSpeaker):
    """It says that it took twice as long as its sound lasts."""

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        spoken = super().speak(text, voice)
        return replace(spoken, gen_ms=2 * spoken.frames * FRAME_MS)


async def test_a_voice_that_cannot_keep_up_is_a_warning(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    await studio.begin(starts_in_s=-1)
    await studio.script(TEXT)
    with caplog.at_level(logging.INFO):
        async with studio.narrator(SlowSpeaker()):
            await studio.finished()
    told = [r for r in caplog.records if getattr(r, "action", "") == "voice.speed"]
    assert {(r.levelname, r.message) for r in told} == {("WARNING", "voice slower than its stations play")}
