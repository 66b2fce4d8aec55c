"""How loud sound is, in LUFS: the integrated loudness of EBU R128 (ITU-R BS.1770), one channel, 24 kHz. Pure.

The K weighting is applied in the frequency domain, stretch by stretch: its impulse response is far shorter
than what each stretch is given of the sound before it.
"""

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from radio.mp3 import RATE

Samples = NDArray[np.float32]

_HOP: Final = RATE // 10
_HOPS_A_BLOCK: Final = 4
"""A block is 400 ms, and begins every 100 ms."""
_STRETCH: Final = RATE * 10
_BEFORE: Final = RATE // 2
_ABSOLUTE_LUFS: Final = -70.0
_RELATIVE_LU: Final = -10.0
_OFFSET: Final = -0.691
_SHELF: Final = (1681.974450955533, 3.999843853973347, 0.7071752369554196)
"""Corner (Hz), gain (dB) and quality of the shelf that stands for the head."""
_SHELF_EXPONENT: Final = 0.4996667741545416
_PASS: Final = (38.13547087602444, 0.5003270373238773)
"""Corner (Hz) and quality of the high pass."""


class Meter:
    """Measures sound as it comes."""

    def __init__(self) -> None:
        self._rest = np.zeros(0, np.float32)
        self._before = np.zeros(_BEFORE, np.float32)
        self._hops: list[NDArray[np.float64]] = []

    def add(self, samples: Samples) -> None:
        self._rest = np.concatenate([self._rest, samples])
        while self._rest.size >= _STRETCH:
            self._measure(self._rest[:_STRETCH])
            self._rest = self._rest[_STRETCH:]

    def lufs(self) -> float | None:
        """The loudness of all that was added; None if nothing of it is louder than silence."""
        if self._rest.size:
            whole = -(-self._rest.size // _HOP) * _HOP
            self._measure(np.pad(self._rest, (0, whole - self._rest.size)))
            self._rest = np.zeros(0, np.float32)
        return _gated(np.concatenate(self._hops)) if self._hops else None

    def _measure(self, stretch: Samples) -> None:
        heard = np.concatenate([self._before, stretch])
        weighted = np.fft.irfft(np.fft.rfft(heard) * _response(heard.size), heard.size)[_BEFORE:]
        self._hops.append(np.square(weighted).reshape(-1, _HOP).mean(axis=1))
        self._before = heard[-_BEFORE:]


def _gated(hops: NDArray[np.float64]) -> float | None:
    count = max(hops.size - _HOPS_A_BLOCK + 1, 1)
    blocks = np.array([hops[n : n + _HOPS_A_BLOCK].mean() for n in range(count)])
    kept = blocks[blocks > _power(_ABSOLUTE_LUFS)]
    if not kept.size:
        return None
    kept = kept[kept > kept.mean() * 10 ** (_RELATIVE_LU / 10)]
    return float(_OFFSET + 10 * np.log10(kept.mean()))


def _power(lufs: float) -> float:
    return float(10 ** ((lufs - _OFFSET) / 10))


@cache
def _response(size: int) -> NDArray[np.complex128]:
    """Of the K weighting, at the frequencies of a transform of that size."""
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(size))
    return _biquad(z, *_shelf()) * _biquad(z, *_high_pass())


def _biquad(z: NDArray[np.complex128], b: tuple[float, ...], a: tuple[float, ...]) -> NDArray[np.complex128]:
    return (b[0] + b[1] * z + b[2] * z * z) / (1.0 + a[0] * z + a[1] * z * z)


def _shelf() -> tuple[tuple[float, float, float], tuple[float, float]]:
    corner, gain_db, quality = _SHELF
    k = np.tan(np.pi * corner / RATE)
    high = 10 ** (gain_db / 20)
    middle = high**_SHELF_EXPONENT
    a0 = 1 + k / quality + k * k
    b = (
        (high + middle * k / quality + k * k) / a0,
        2 * (k * k - high) / a0,
        (high - middle * k / quality + k * k) / a0,
    )
    return b, (2 * (k * k - 1) / a0, (1 - k / quality + k * k) / a0)


def _high_pass() -> tuple[tuple[float, float, float], tuple[float, float]]:
    corner, quality = _PASS
    k = np.tan(np.pi * corner / RATE)
    a0 = 1 + k / quality + k * k
    return (1.0, -2.0, 1.0), (2 * (k * k - 1) / a0, (1 - k / quality + k * k) / a0)
