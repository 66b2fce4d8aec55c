"""Several lanes served together: each sentence is heard once and in order, whatever befalls its company."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from radio import casts
from radio.errors import RadioError
from radio.narrator import worker
from radio.narrator.voice_thread import VoiceBroken
from radio.speech.engines import EngineFailed
from radio.speech.engines.tone_engine import Letters, ToneEngine
from radio.speech.speaker import Spoken, Utterance, VoiceSpeaker
from radio.streams import names, records
from radio.voices import Blend
from tests.narrator.studio import FatalSpeaker, QuickSpeaker, Studio, assert_exact, memory_studio
from tests.narrator.test_broken_voice import BrokenSpeaker

HOURS = [f"It is the hour {k} at the harbor, and all is well." for k in range(6)]
CASTS = [[f"Cast {name} has a sentence {k}." for k in range(6)] for name in ("one", "two", "three")]


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


class ToneChoir(ToneEngine):
    """Four tones at once. What contains `faulty` fails; one with `shy` is spoken alone only."""

    at_once = 4

    def __init__(self) -> None:
        super().__init__()
        self.groups: list[list[str]] = []

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        if "faulty" in phonemes:
            raise EngineFailed("out of order")
        return super().synthesise(phonemes, blend)

    def synthesise_together(
        self, sentences: Sequence[tuple[str, Blend]]
    ) -> list[NDArray[np.float32] | RadioError]:
        self.groups.append([phonemes for phonemes, _ in sentences])
        return [self._made(*sentence) for sentence in sentences]

    def _made(self, phonemes: str, blend: Blend) -> NDArray[np.float32] | RadioError:
        try:
            return EngineFailed("not in company") if "shy" in phonemes else self.synthesise(phonemes, blend)
        except EngineFailed as failed:
            return failed


def lane_of(sentence: str) -> str:
    return sentence.partition(" has a sentence")[0] if sentence.startswith("Cast") else "station"


async def submit(studio: Studio, sentences: Sequence[str]) -> str:
    text = " ".join(sentences)
    return (await casts.submit(studio.store, studio.clock, text=text, voice="af_heart")).cast


async def heard(studio: Studio, cast: str) -> list[tuple[str, str | None]]:
    """Caption of each sentence in order, and why it was skipped if it was."""
    events = await studio.events(names.cast(cast), records.CAST)
    told = [event for event in events if isinstance(event, records.Audio | records.Skip)]
    assert [event.i for event in told] == list(range(len(told)))
    return [(event.t, event.reason if isinstance(event, records.Skip) else None) for event in told]


async def spoken_together(studio: Studio, sentences: Sequence[Sequence[str]]) -> tuple[ToneChoir, list[str]]:
    """A station's run and these casts, from first to last; the engine, and the casts' names."""
    choir = ToneChoir()
    speaker = VoiceSpeaker(choir, Letters(), lambda _: True, "af_heart")
    await studio.begin(starts_in_s=-1)
    await studio.script(" ".join(HOURS))
    submitted = [await submit(studio, each) for each in sentences]
    async with studio.narrator(speaker):
        await studio.finished()
        for cast in submitted:
            assert (await studio.cast_over(cast)).reason == "done"
    return choir, submitted


async def test_several_lanes_are_spoken_together_and_each_is_heard_whole_and_in_order(studio: Studio) -> None:
    choir, submitted = await spoken_together(studio, CASTS)
    assert await studio.captions() == HOURS
    assert_exact(await studio.on_air(), await studio.broadcast())
    for cast, sentences in zip(submitted, CASTS, strict=True):
        assert await heard(studio, cast) == [(sentence, None) for sentence in sentences]
    assert max(map(len, choir.groups)) > 1
    for group in choir.groups:
        assert len(group) <= choir.at_once
        assert len({lane_of(sentence) for sentence in group}) == len(group)


async def test_one_sentence_that_fails_does_not_hurt_its_company(
    studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    """One fails in company and is spoken alone; another fails again alone and is skipped."""
    shy, faulty, well = (list(sentences) for sentences in CASTS)
    shy[2], faulty[3] = "Here is a shy sentence.", "Here is a faulty sentence."
    choir, submitted = await spoken_together(studio, [shy, faulty, well])
    assert await studio.captions() == HOURS
    assert all(isinstance(sentence, records.Audio) for sentence in await studio.on_air())
    assert await heard(studio, submitted[0]) == [(sentence, None) for sentence in shy]
    assert await heard(studio, submitted[1]) == [
        (sentence, "engine" if sentence == faulty[3] else None) for sentence in faulty
    ]
    assert await heard(studio, submitted[2]) == [(sentence, None) for sentence in well]
    together = [sentence for group in choir.groups for sentence in group]
    tried_alone = [r for r in caplog.records if getattr(r, "action", "") == "sentence.retry"]
    assert (shy[2] in together, faulty[3] in together, len(tried_alone)) == (True, True, 2)


class BrokenTogether(QuickSpeaker):
    """It speaks whatever it is given alone, and nothing together."""

    at_once = 4

    def __init__(self) -> None:
        super().__init__(frames_a_word=20)
        self.asked = 0

    def speak_all(self, sentences: Sequence[Utterance]) -> list[Spoken | Exception]:
        self.asked += 1
        raise RuntimeError("the device has no memory left")


async def test_what_cannot_be_spoken_together_is_spoken_one_after_the_other(studio: Studio) -> None:
    submitted = [await submit(studio, sentences) for sentences in CASTS]
    speaker = BrokenTogether()
    async with studio.narrator(speaker):
        for cast in submitted:
            assert (await studio.cast_over(cast)).reason == "done"
    for cast, sentences in zip(submitted, CASTS, strict=True):
        assert await heard(studio, cast) == [(sentence, None) for sentence in sentences]
    assert speaker.asked


class MuteTogether(BrokenSpeaker):
    at_once = 4


async def test_a_voice_that_fails_at_everything_ends_the_narrator_in_company_too(studio: Studio) -> None:
    submitted = [await submit(studio, sentences) for sentences in CASTS]
    with pytest.raises(VoiceBroken, match="3 sentences in a row"):
        await worker.run(studio.settings, studio.store, studio.clock, asyncio.Event(), MuteTogether())
    for cast in submitted:
        assert all(reason == "RuntimeError" for _, reason in await heard(studio, cast))


class FatalTogether(FatalSpeaker):
    at_once = 4


async def test_a_deadly_sentence_is_skipped_and_its_company_is_heard_whole(studio: Studio) -> None:
    """After a death its company is served one by one until it has shown itself innocent."""
    sentences = [list(each) for each in CASTS]
    sentences[1][2] = "Here is a deadly sentence."
    submitted = [await submit(studio, each) for each in sentences]
    lives = 1
    while await studio.killed_narrator(
        1000, after=False, until_over=names.cast(submitted[1]), speaker=FatalTogether(["deadly"])
    ):
        lives += 1
        assert lives < 20
    async with studio.narrator():
        for cast in submitted:
            assert (await studio.cast_over(cast)).reason == "done"
    for cast, each in zip(submitted, sentences, strict=True):
        assert await heard(studio, cast) == [
            (sentence, "tries" if "deadly" in sentence else None) for sentence in each
        ]
