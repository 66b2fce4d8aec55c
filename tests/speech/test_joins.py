"""Records of the real voices, joined as they are sent: no click, and no more silence than is meant.

The long form joins 500 records, the short one 12.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from radio.mp3 import FRAME_SAMPLES, RATE
from radio.settings import Settings
from radio.speech import shaping
from radio.speech.speaker import Speaker, load_speaker
from radio.voices import VOICES
from tests.hearing import samples
from tests.need import need
from tests.speech.sentences import BY_LANGUAGE

Sound = NDArray[np.float32]

SPARE_MS = 400
"""Silence before a record's sound, or behind it, beyond what its last symbol asks for."""
_LOUD = 10 ** (-50 / 20)
_NEAR = FRAME_SAMPLES
"""Samples on both sides of a join that are looked at."""


@dataclass(frozen=True)
class Join:
    """One record within the whole."""

    begin: int
    end: int
    last: str
    """The last symbol of its text."""


@pytest.fixture(scope="module")
def real() -> Iterator[Speaker]:
    need("voice", "ffmpeg")
    made = load_speaker(Settings())
    yield made
    made.close()


def texts(count: int) -> list[tuple[str, str]]:
    """`count` short texts with voices of their languages; every kind of end."""
    names = list(VOICES)
    spoken = [name for name in names if VOICES[name].language[:2] in BY_LANGUAGE]
    made = []
    for number in range(count):
        voice = spoken[number * 7 % len(spoken)]
        sentences = BY_LANGUAGE[VOICES[voice].language[:2]]
        words = sentences[number * 3 % len(sentences)].rstrip(".?!।。").split()[: 2 + number % 3]
        made.append((" ".join(words).rstrip(",") + (".", "!", ",", "")[number % 4], voice))
    return made


def joined(real: Speaker, count: int) -> tuple[Sound, list[Join]]:
    """Everything decoded at once, and where each record lies. Its length must be the sum of its frames."""
    records = [(real.speak(text, voice), text[-1]) for text, voice in texts(count)]
    heard = samples(b"".join(spoken.mp3 for spoken, _ in records))
    joins, at = [], 0
    for spoken, last in records:
        end = at + spoken.frames * FRAME_SAMPLES
        joins.append(Join(at, end, last))
        at = end
    assert heard.size == at
    return heard, joins


def assert_no_click(heard: Sound, joins: list[Join]) -> None:
    steps = np.abs(np.diff(heard))
    most = np.percentile(steps[np.abs(heard[1:]) > _LOUD], 99.9)
    worst = max(steps[join.end - _NEAR : join.end + _NEAR].max() for join in joins[:-1])
    print(f"\nlargest step at {len(joins) - 1} joins {worst:.5f}, 99.9th percentile of speech {most:.5f}")
    assert worst <= most


def assert_silence_as_meant(heard: Sound, joins: list[Join]) -> None:
    """Between two sounds lies what the first one's end asks for, up to 400 ms more, and never 60 ms less."""
    loud = [join.begin + np.flatnonzero(np.abs(heard[join.begin : join.end]) > _LOUD) for join in joins]
    assert all(places.size for places in loud)
    leads = [(places[0] - join.begin) * 1000 / RATE for places, join in zip(loud, joins, strict=True)]
    gaps = [(after[0] - before[-1]) * 1000 / RATE for before, after in pairwise(loud)]
    spare = [gap - shaping.pause_ms(join.last) for gap, join in zip(gaps, joins, strict=False)]
    print(f"\nlead-in at most {max(leads):.0f} ms, beyond the pause {min(spare):.0f} to {max(spare):.0f} ms")
    assert max(leads) <= SPARE_MS
    assert min(spare) >= -60
    assert max(spare) <= SPARE_MS


@pytest.mark.model
def test_twelve_joined_records_click_nowhere_and_pause_as_meant(real: Speaker) -> None:
    heard, joins = joined(real, 12)
    assert_no_click(heard, joins)
    assert_silence_as_meant(heard, joins)


@pytest.mark.soak
@pytest.mark.model
def test_five_hundred_joined_records_click_nowhere_and_pause_as_meant(real: Speaker) -> None:
    heard, joins = joined(real, 500)
    assert_no_click(heard, joins)
    assert_silence_as_meant(heard, joins)
