"""Shapes a voice's samples into a record: edges, level, pauses. Pure.

Samples are float32, mono, 24 kHz.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from radio.mp3 import LEAD_SAMPLES, RATE, TAIL_SAMPLES

Samples = NDArray[np.float32]

_HOP: Final = RATE // 200
"""Level is measured over 5 ms."""
_SILENCE_DB: Final = -60.0
"""Below the softest onset of a word, 15 dB above the model's own silence."""
_MARGIN: Final = RATE * 50 // 1000
_FADE: Final = RATE * 5 // 1000

_PAUSES_MS: Final[Mapping[str, int]] = {
    **dict.fromkeys(".!?…", 480),
    **dict.fromkeys(";:—", 360),
    ",": 300,
}
_SHORTEST_PAUSE_MS: Final = 250
_INNER_PAUSE_MS: Final[Mapping[str, int]] = {**dict.fromkeys(".!?…", 350), **dict.fromkeys(";:—,", 180)}


def trimmed(samples: Samples) -> Samples:
    """The sound with 50 ms of the model's output, or silence, at both ends, faded; empty if it is silent."""
    samples = np.pad(samples, _MARGIN)
    hops = samples.size // _HOP
    level = np.square(samples[: hops * _HOP].reshape(hops, _HOP)).mean(axis=1)
    loud = np.flatnonzero(level > 10 ** (_SILENCE_DB / 10))
    if not loud.size:
        return np.zeros(0, np.float32)
    first, last = int(loud[0]) * _HOP, (int(loud[-1]) + 2) * _HOP  # the last partial hop was not measured
    return faded(samples[max(0, first - _MARGIN) : last + _MARGIN])


def faded(samples: Samples) -> Samples:
    """With a fade of 5 ms at both ends, shorter if the sound is shorter than four fades."""
    length = min(_FADE, samples.size // 4)
    ramp = np.linspace(0.0, 1.0, length + 1, dtype=np.float32)[:-1]
    shaped = samples.copy()
    shaped[:length] *= ramp
    shaped[samples.size - length :] *= ramp[::-1]
    return shaped


def joined(pieces: Sequence[Samples], ends: Sequence[str]) -> Samples:
    """Pieces of one sentence with short pauses between them.

    Args:
        pieces: each trimmed.
        ends: the last symbol of each piece.
    """
    parts: list[Samples] = []
    for piece, end in zip(pieces, ends, strict=True):
        parts += [piece, _silence(_INNER_PAUSE_MS.get(end, 0) * RATE // 1000 - 2 * _MARGIN)]
    return np.concatenate(parts[:-1])


def with_pause(samples: Samples, end: str) -> Samples:
    """With silence after it, so that the pause before the next record is what `end` requires.

    The silence that both records have anyway is counted.

    Args:
        end: the last symbol spoken; a full stop needs a longer pause than a comma.
    """
    wanted = pause_ms(end) * RATE // 1000
    given = _MARGIN + TAIL_SAMPLES + LEAD_SAMPLES + _MARGIN
    return np.concatenate([samples, _silence(wanted - given)])


def pause_ms(end: str) -> int:
    """Silence between two records, the first of which ends with the symbol `end`."""
    return _PAUSES_MS.get(end, _SHORTEST_PAUSE_MS)


def _silence(samples: int) -> Samples:
    return np.zeros(max(0, samples), np.float32)
