"""Speaks many sentences of random length and says how much memory it holds: a program for its own process.

    python -m tests.speech.memory_child ENGINE COUNT

Prints a line of `sentences bytes` every 250 sentences, each time behind the longest sentence there is:
after it an engine holds what it always holds, and no buffers that a former sentence happened to need.
"""

import random
import sys

import psutil

from radio import models, voices
from radio.settings import Settings
from radio.speech.engines import MAX_PHONEMES, Engine
from tests.native.sentences import SENTENCES

_EVERY = 250
_THREADS = 1
"""Two would wait for each other wherever something else runs."""
_TEXT = " ".join(SENTENCES * 3)
_LONGEST_BY = voices.parse("af_heart@2")


def main(engine: str, count: int) -> None:
    voice, chance, process = _engine(engine), random.Random(7), psutil.Process()
    for number in range(1, count + 1):
        voice.synthesise(*_sentence(chance))
        if number % _EVERY == 0:
            voice.synthesise(_TEXT[:MAX_PHONEMES], _LONGEST_BY)
            print(number, process.memory_info().rss, flush=True)


def _sentence(chance: random.Random) -> tuple[str, voices.Blend]:
    """Any length and speed makes other shapes; most are short, so that two thousand take minutes."""
    size = _size(chance)
    begin = chance.randrange(len(_TEXT) - size)
    speed = chance.randint(120, 200) / 100
    return _TEXT[begin : begin + size].strip() or "a", voices.parse(
        f"{chance.choice(list(voices.VOICES))}@{speed}"
    )


def _size(chance: random.Random) -> int:
    """In phonemes: one in ten above 12, one in two hundred above 90."""
    kind = chance.random()
    if kind < 0.005:
        return chance.randint(91, MAX_PHONEMES)
    return chance.randint(13, 90) if kind < 0.1 else chance.randint(1, 12)


def _engine(name: str) -> Engine:
    from radio.speech.engines.native_engine import NativeEngine
    from radio.speech.engines.onnx_engine import OnnxEngine

    files = models.kokoro(Settings())
    return NativeEngine(files, _THREADS) if name == "native" else OnnxEngine(files, _THREADS)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
