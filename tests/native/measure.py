"""How far two sounds are apart."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Doubles = NDArray[np.float64]

RATE = 24_000
_FFT, _HOP, _MELS = 1024, 240, 80
_FLOOR_DB, _HEARD_DB = -60.0, -40.0


def snr_db(wanted: Array, got: Array) -> float:
    """Signal to error, in decibels."""
    want = wanted.astype(np.float64)
    return float(10 * np.log10(np.mean(want**2) / np.mean((want - got) ** 2)))


def log_mel_db(samples: Array) -> Doubles:
    """[mels, frames of 10 ms] in decibels, not below -60."""
    padded = np.pad(samples.astype(np.float64), _FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::_HOP] * np.hanning(_FFT + 1)[:-1]
    spectrum = np.abs(np.fft.rfft(frames)).T
    return np.asarray(20 * np.log10(np.maximum(_filters() @ spectrum, 10 ** (_FLOOR_DB / 20))))


def mel_distance_db(a: Array, b: Array) -> float:
    """Mean difference of the log-mel spectra where one can be heard; the sounds are of equal length."""
    x, y = log_mel_db(a), log_mel_db(b)
    return float(np.abs(x - y)[np.maximum(x, y) > _HEARD_DB].mean())


def _filters() -> Doubles:
    edges = 700 * np.expm1(np.linspace(0, np.log1p(RATE / 2 / 700), _MELS + 2))
    hertz = np.linspace(0, RATE / 2, _FFT // 2 + 1)[:, None]
    rising = (hertz - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz) / (edges[2:] - edges[1:-1])
    filters: Doubles = np.clip(np.minimum(rising, falling), 0, None).T
    return filters
