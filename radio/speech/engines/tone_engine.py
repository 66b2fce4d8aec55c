"""A voice without a model: a tone as long as the text would take to say. For tests and benches."""

import time
from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from radio.mp3 import RATE
from radio.pronunciation import Given
from radio.speech.engines import EngineFailed
from radio.voices import Blend

_MS_A_CHARACTER: Final = 70
_LONGEST_S: Final = 12.0
_LEVEL: Final = 0.3


class ToneEngine:
    """Speaks any text as one tone, whose pitch follows the voice's name.

    Args:
        xrt: seconds of audio made per second of wall time; 0: as fast as possible.
    """

    def __init__(self, xrt: float = 0.0) -> None:
        self.name = f"tone at {xrt:g} xRT" if xrt else "tone"
        self._xrt = xrt

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """70 ms a character at speed 1, at most 12 s. See `Engine`."""
        begun = time.perf_counter()
        if not phonemes:
            raise EngineFailed("there is nothing to say")
        seconds = min(len(phonemes) * _MS_A_CHARACTER / 1000 / blend.speed, _LONGEST_S)
        pitch = 220 + sum(map(ord, blend.parts[0][0])) % 220
        turns = np.arange(round(seconds * RATE), dtype=np.float32) * np.float32(pitch / RATE)
        self._wait(begun, seconds)
        wave: NDArray[np.float32] = np.sin(turns % 1 * np.float32(2 * np.pi)) * np.float32(_LEVEL)
        return wave

    def _wait(self, begun: float, seconds: float) -> None:
        if self._xrt:
            time.sleep(max(0.0, begun + seconds / self._xrt - time.perf_counter()))


class Letters:
    """Used instead of a G2P: the tone speaks letters."""

    def phonemes(self, text: str, language: str, given: Mapping[str, Given] | None = None) -> str:
        return "".join(given[letter].word if given and letter in given else letter for letter in text)

    def close(self) -> None:
        """Nothing runs."""
