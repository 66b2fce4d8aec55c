"""How loud the voices come out: each within 1 LU of the level of EBU R128, by the sound of its records.

The long form measures all 54 and prints them; the short one takes the softest and the loudest.
"""

from collections.abc import Iterator

import pytest

from radio.producers.recordings.loudness import Meter
from radio.settings import Settings
from radio.speech.levels import LEVELS_LUFS, TARGET_LUFS, gain
from radio.speech.speaker import VoiceSpeaker, load_speaker
from radio.voices import VOICES, parse
from tests.hearing import samples
from tests.need import need
from tests.speech.sentences import BY_LANGUAGE


@pytest.fixture(scope="module")
def real() -> Iterator[VoiceSpeaker]:
    need("voice", "ffmpeg")
    made = load_speaker(Settings())
    assert isinstance(made, VoiceSpeaker)
    yield made
    made.close()


def lufs(real: VoiceSpeaker, voice: str, count: int = 4) -> float:
    """Of `count` records by one voice, in its language."""
    sentences = BY_LANGUAGE[VOICES[voice].language[:2]]
    meter = Meter()
    for number in range(count):
        meter.add(samples(real.speak(sentences[(number * 7 + 2) % len(sentences)], voice).mp3))
    told = meter.lufs()
    assert told is not None
    return told


def test_every_voice_has_a_level_and_a_soft_one_a_larger_gain() -> None:
    assert set(LEVELS_LUFS) == set(VOICES)
    assert min(gain(parse(voice)) for voice in VOICES) > 0.3
    assert gain(parse("af_nova")) > gain(parse("af_heart")) > 1 > gain(parse("if_sara"))


def test_a_blend_has_the_mean_gain_of_its_parts_whatever_its_speed() -> None:
    heart, emma = gain(parse("af_heart")), gain(parse("bf_emma"))
    assert gain(parse("af_heart(2)+bf_emma@1.50")) == pytest.approx((2 * heart + emma) / 3)


@pytest.mark.model
def test_the_softest_and_the_loudest_voice_come_out_alike(real: VoiceSpeaker) -> None:
    by_level = sorted(VOICES, key=LEVELS_LUFS.__getitem__)
    for voice in (by_level[0], by_level[-1]):
        assert abs(lufs(real, voice, 2) - TARGET_LUFS) <= 2.0


@pytest.mark.soak
@pytest.mark.model
def test_every_voice_is_within_one_unit_of_the_target(real: VoiceSpeaker) -> None:
    told = {voice: lufs(real, voice) for voice in VOICES}
    for voice, level in told.items():
        print(f"\n{voice:14} {level:6.1f} LUFS, {level - TARGET_LUFS:+.1f} LU", end="")
    assert {voice: level for voice, level in told.items() if abs(level - TARGET_LUFS) > 1.0} == {}
