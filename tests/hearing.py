"""The tests' ear: what a speech recogniser hears in MP3, and how far that is from what was meant."""

import re
import subprocess
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pypinyin import lazy_pinyin

from radio import models
from radio.settings import Settings
from radio.speech.text.speech_text import speech_text
from tests.need import need

_OF_VOICES = {"en": "en-us", "pt": "pt-br"}
"""Languages of voices by those of the recogniser."""
_WRITTEN_SO = {"hi": "यह हिन्दी में लिखा गया है।"}
"""What the recogniser takes to stand before: else it writes Hindi in any script, or in English."""


def hear(mp3: bytes, language: str = "en") -> str:
    """The words of `mp3`, as Whisper writes them. Takes about a third of the sound's own time."""
    need("ffmpeg", "whisper")
    segments, _ = _ear().transcribe(
        _decoded(mp3, 16_000),
        language=language,
        beam_size=1,
        condition_on_previous_text=False,
        initial_prompt=_WRITTEN_SO.get(language),
    )
    return " ".join(segment.text.strip() for segment in segments)


def words(text: str, language: str = "en-us") -> list[str]:
    """Words in small letters, without punctuation; numbers and abbreviations as they are said.

    Of Japanese, which has no spaces, each letter; of Chinese the syllables, however they are written.
    """
    said = speech_text(text, _OF_VOICES.get(language, language)).lower().replace("-", " ").replace("’", "'")
    letters = [letter for letter in said if letter.isalnum()]
    if language == "zh":
        return [syllable for letter in letters for syllable in lazy_pinyin(letter)]
    if language == "ja":
        return letters
    return re.findall(r"[^\W_]+(?:['\u0900-\u0963]+[^\W_]*)*", said)


def word_error_rate(heard: str, meant: str, language: str = "en-us") -> float:
    """Words to change, add or remove, per word that was meant."""
    got, wanted = words(heard, language), words(meant, language)
    return errors(got, wanted) / max(1, len(wanted))


def errors(got: Sequence[str], wanted: Sequence[str]) -> int:
    """How many words must be changed, added or removed to make `wanted` of `got`."""
    row = list(range(len(got) + 1))
    for i, word in enumerate(wanted, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(got, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (word != other))
    return row[-1]


def missed_and_repeated(heard: Sequence[str], other: Sequence[str]) -> list[str]:
    """Words of `other` that `heard` lacks, and words that it says twice; a word heard differently is none.

    A word is missed if nothing, or less than half its letters, stands in its place.
    """
    faults = []
    for kind, i, j, k, m in SequenceMatcher(None, other, heard, autojunk=False).get_opcodes():
        wanted, got = list(other[i:j]), list(heard[k:m])
        if kind in ("delete", "replace") and 2 * len("".join(got)) < len("".join(wanted)):
            faults.append(f"missed {' '.join(wanted)}")
        before, after = list(heard[max(0, k - len(got)) : k]), list(heard[m : m + len(got)])
        if kind == "insert" and got in (before, after):
            faults.append(f"repeated {' '.join(got)}")
    return faults


def samples(mp3: bytes) -> NDArray[np.float32]:
    """What a decoder makes of `mp3`: 24 kHz, mono, its delay included. Any complaint of ffmpeg fails."""
    need("ffmpeg")
    return _decoded(mp3, 24_000)


def _decoded(mp3: bytes, rate: int) -> NDArray[np.float32]:
    command = ["ffmpeg", "-v", "error", "-xerror", "-f", "mp3", "-i", "-"]
    command += ["-f", "f32le", "-ac", "1", "-ar", str(rate), "-"]
    done = subprocess.run(command, input=mp3, capture_output=True, check=True, timeout=120)
    assert not done.stderr, done.stderr.decode()
    return np.frombuffer(done.stdout, np.float32)


@cache
def _ear() -> Any:
    from faster_whisper import WhisperModel

    return WhisperModel(str(models.whisper(Settings())), device="cpu", compute_type="int8", cpu_threads=2)
