"""Recorded sound, as mono samples at the radio's rate. The only module that knows soxr."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from radio.errors import BadInput
from radio.mp3 import RATE
from radio.mp3.sound_file import blocks, open_sound

Samples = NDArray[np.float32]

_BLOCK_S: Final = 1.0
_LEAST_RATE: Final = 1_000
"""Hertz. A second of a file that claims less becomes so much sound that a small file fills the memory."""
_MOST_RATE: Final = 768_000
_MOST_CHANNELS: Final = 64


class Recording:
    """A sound file in a format that libsndfile reads: WAV, FLAC, Ogg, MP3, AIFF and others.

    Attributes:
        title: as the file says itself, else by its name.
        seconds: how long it is, as the file says.
    """

    def __init__(self, path: Path) -> None:
        """Raises `BadInput` if it is no such file."""
        self.path = path
        with open_sound(path) as file:
            if not (_LEAST_RATE <= file.samplerate <= _MOST_RATE and 0 < file.channels <= _MOST_CHANNELS):
                raise BadInput(f"{path} has {file.channels} channels at {file.samplerate} Hz")
            self.seconds = file.frames / file.samplerate
            self.title = _title(file.copy_metadata(), path)

    def samples(self, from_s: float = 0.0) -> Iterator[Samples]:
        """The sound from some second on, about a second at a time.

        Raises:
            BadInput: the file is damaged.
        """
        with open_sound(self.path) as file:
            resample = soxr.ResampleStream(file.samplerate, RATE, 1, dtype="float32", quality="HQ")
            first = min(round(from_s * file.samplerate), file.frames)
            for block in blocks(file, round(_BLOCK_S * file.samplerate), first):
                mono = np.ascontiguousarray(block.mean(axis=1), np.float32)
                yield resample.resample_chunk(np.nan_to_num(mono, posinf=0.0, neginf=0.0))
            yield resample.resample_chunk(np.zeros(0, np.float32), last=True)


def _title(told: dict[str, str], path: Path) -> str:
    title, artist = (" ".join(told.get(key, "").split()) for key in ("title", "artist"))
    if title:
        return f"{title}, {artist}" if artist else title
    return " ".join(path.stem.replace("_", " ").replace("-", " ").split())
