"""The inputs of every Kokoro engine: numbers for phonemes, and the style of a voice or blend."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError
from radio.models import KokoroFiles
from radio.speech.engines import MAX_PHONEMES, EngineFailed
from radio.voices import Blend

STYLE_SIZE: Final = 256
_PAD: Final = 0


@dataclass(frozen=True, slots=True)
class ModelInput:
    """One sentence as the model's input.

    Attributes:
        tokens: int64 [1, n], pads included.
        style: float32 [1, 256].
        speed: of its voice.
    """

    tokens: NDArray[np.int64]
    style: NDArray[np.float32]
    speed: float


class VoiceDamaged(RadioError):
    """A file of the voice model cannot be used."""


def vocabulary(config: Path) -> Mapping[str, int]:
    """The number of each phoneme.

    Raises:
        VoiceDamaged
    """
    try:
        numbers = json.loads(config.read_text())["vocab"]
        return {str(symbol): int(number) for symbol, number in numbers.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as failed:
        raise VoiceDamaged(
            f"{config} holds no vocabulary: {failed}", hint="Run: radio models verify"
        ) from failed


class Inputs:
    """Makes the inputs of one engine; voices stay in memory once read (half a megabyte each).

    Args:
        files: the voice model's.
    """

    def __init__(self, files: KokoroFiles) -> None:
        self._numbers = vocabulary(files.config)
        self._folder = files.voices_dir
        self._blended = lru_cache(maxsize=16)(self._read_blend)

    def line(self, phonemes: str, blend: Blend) -> ModelInput:
        """All inputs. Raises as `tokens` and `style`."""
        tokens = self.tokens(phonemes)
        return ModelInput(tokens, self.style(blend, tokens.size - 2), blend.speed)

    def tokens(self, phonemes: str) -> NDArray[np.int64]:
        """int64 [1, n + 2]: the numbers of the n symbols that the model knows, padded with 0 at both ends.

        Raises:
            EngineFailed: n is 0 or above `MAX_PHONEMES`.
        """
        numbers = [self._numbers[symbol] for symbol in phonemes if symbol in self._numbers]
        if not 1 <= len(numbers) <= MAX_PHONEMES:
            raise EngineFailed(f"{len(numbers)} phonemes are not 1 to {MAX_PHONEMES}")
        return np.array([[_PAD, *numbers, _PAD]], np.int64)

    def style(self, blend: Blend, count: int) -> NDArray[np.float32]:
        """float32 [1, 256]: the weighted mean of the voices' styles for a text of `count` phonemes.

        Raises:
            VoiceDamaged: a voice cannot be read.
        """
        row: NDArray[np.float32] = self._blended(blend.parts)[count - 1 : count]
        return row

    def _read_blend(self, parts: tuple[tuple[str, int], ...]) -> NDArray[np.float32]:
        if len(parts) == 1:
            return self._read(parts[0][0])
        total = sum(weight for _, weight in parts)
        mean = np.zeros((MAX_PHONEMES, STYLE_SIZE), np.float64)
        for name, weight in parts:
            mean += self._read(name) * np.float64(weight / total)
        return mean.astype(np.float32)

    def _read(self, name: str) -> NDArray[np.float32]:
        path = self._folder / f"{name}.bin"
        try:
            rows = np.fromfile(path, "<f4").astype(np.float32, copy=False).reshape(MAX_PHONEMES, STYLE_SIZE)
        except (OSError, ValueError) as failed:
            raise VoiceDamaged(
                f"voice {name} cannot be read: {failed}", hint="Run: radio models verify"
            ) from failed
        return rows
