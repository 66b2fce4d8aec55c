"""Sound in any format that libsndfile reads. The only module that knows soundfile."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import soundfile
from numpy.typing import NDArray

from radio.errors import BadInput


def open_sound(source: Path | BinaryIO) -> soundfile.SoundFile:
    """The sound of a file or of bytes in memory; close it after use. Raises `BadInput` if it is not sound."""
    try:
        return soundfile.SoundFile(source)
    except (soundfile.SoundFileError, OSError, TypeError, ValueError) as e:
        shown = source if isinstance(source, Path) else "this"
        raise BadInput(
            f"{shown} is no sound: {e}", hint="libsndfile reads WAV, FLAC, Ogg, MP3 and others"
        ) from e


def blocks(file: soundfile.SoundFile, size: int, first: int = 0) -> Iterator[NDArray[np.float32]]:
    """The samples from `first` on, (samples, channels), at most `size` at a time.

    Raises:
        BadInput: the file is damaged.
    """
    try:
        if first:
            file.seek(first)
        yield from file.blocks(size, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as e:
        raise BadInput(f"{file.name} is damaged: {e}") from e
