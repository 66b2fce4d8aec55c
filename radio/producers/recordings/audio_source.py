"""Airs recorded sound, without synthesis: decoded, made equally loud, and encoded in our format.

A file is encoded as a whole and cut at frames into pieces, so that they join without a gap. A segment is a
file. A piece's mark says which one it is: who goes on after a crash encodes on from there, and a later run
begins with the file after the last one that was heard.
"""

import logging
import random
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from radio import producer_kinds
from radio.errors import BadInput
from radio.log import log_event
from radio.mp3 import FRAME_BYTES, FRAME_MS, RATE, LongEncoder, levelled
from radio.producers.recordings.loudness import Meter
from radio.producers.recordings.resampling import Recording, Samples
from radio.producers.source import Brief, SoundPiece
from radio.streams.records import MAX_CLIP_MS
from radio.thread_iteration import iterate_in_thread

log = logging.getLogger(__name__)

PIECE_MS: Final = MAX_CLIP_MS
PIECE_BYTES: Final = PIECE_MS // FRAME_MS * FRAME_BYTES
MOST_GAIN_DB: Final = 20.0
_MEASURED_S: Final = 1800
"""Seconds from the begin of a file by which its loudness is told."""
_FADE: Final = RATE * 5 // 1000
_LAST: Final = "last"


@dataclass(frozen=True, slots=True)
class AudioChunk:
    """Some frames of a file. `n` counts them from its begin."""

    n: int
    mp3: bytes
    is_last: bool


def loudness(recording: Recording) -> float | None:
    """In LUFS; None of silence."""
    meter = Meter()
    for block in islice(recording.samples(), _MEASURED_S):
        meter.add(block)
    return meter.lufs()


def gain(lufs: float | None, wanted: float) -> float:
    """What samples are multiplied by, so that sound of that loudness has the wanted one."""
    return 1.0 if lufs is None else float(10 ** (min(wanted - lufs, MOST_GAIN_DB) / 20))


def pieces_of(recording: Recording, wanted: float, first: int = 0) -> Iterator[AudioChunk]:
    """A file in pieces from number `first` on; what it begins with is encoded before it, and left out.

    Raises:
        BadInput: the file is damaged.
    """
    factor = gain(loudness(recording), wanted)
    start = max(first - 1, 0)
    blocks = _faded(recording.samples(start * PIECE_MS / 1000), at_begin=start == 0)
    held = b""
    n = start
    for mp3 in _cut(_encoded(levelled(block, factor) for block in blocks)):
        if held and n >= first:
            yield AudioChunk(n, held, is_last=False)
        n, held = n + bool(held), mp3
    if held and n >= first:
        yield AudioChunk(n, held, is_last=True)


def _encoded(blocks: Iterator[Samples]) -> Iterator[bytes]:
    with closing(LongEncoder()) as encoder:
        for block in blocks:
            yield encoder.feed(block)
        yield encoder.finish()


def _cut(parts: Iterator[bytes]) -> Iterator[bytes]:
    """Frames in pieces of full length, and what is left."""
    held = b""
    for part in parts:
        held += part
        while len(held) >= PIECE_BYTES:
            yield held[:PIECE_BYTES]
            held = held[PIECE_BYTES:]
    if held:
        yield held


def _faded(blocks: Iterator[Samples], *, at_begin: bool) -> Iterator[Samples]:
    """With 5 ms of fade at the end, and at the begin of a file."""
    held = np.zeros(0, np.float32)
    ramp = np.linspace(0.0, 1.0, _FADE, dtype=np.float32)
    for block in blocks:
        held = np.concatenate([held, block])
        if held.size < 2 * _FADE:
            continue
        if at_begin:
            held[:_FADE] *= ramp
            at_begin = False
        yield held[:-_FADE]
        held = held[-_FADE:]
    end = min(_FADE, held.size)
    held[held.size - end :] *= ramp[::-1][_FADE - end :]
    yield held


class AudioSource:
    """The files of one run.

    Args:
        files: in their order.
        first: index of the first one.
        first_piece: number of its first piece.
    """

    first_piece_within_s = 180.0
    piece_within_s = 180.0

    def __init__(
        self,
        files: Sequence[Path],
        options: producer_kinds.AudioFiles,
        *,
        first: int,
        first_piece: int,
        next_seg: int,
    ) -> None:
        self._files = files
        self._options = options
        self._first = first
        self._first_piece = first_piece
        self._seg = next_seg

    async def pieces(self) -> AsyncGenerator[SoundPiece, None]:
        """One piece each of at most 12 s. A file that cannot be read is left out, with a warning.

        Raises:
            BadInput: none of them can be read.
        """
        at, silent = self._first, 0
        while self._options.loop or at < len(self._files):
            path = self._files[at % len(self._files)]
            first = self._first_piece if at == self._first else 0
            silent += first == 0
            async with aclosing(self._file(path, first)) as sounds:
                async for sound in sounds:
                    silent = 0
                    yield sound
            at, self._seg = at + 1, self._seg + 1
            if silent >= len(self._files):
                raise BadInput(f"there is no sound in {', '.join(map(str, self._files))}")

    async def _file(self, path: Path, first: int) -> AsyncGenerator[SoundPiece, None]:
        try:
            recording = Recording(path)
            made = pieces_of(recording, self._options.level, first)
            async with aclosing(iterate_in_thread(made, name="audio", bound=2)) as parts:
                async for part in parts:
                    mark = f"{name_of(path)}#{_LAST if part.is_last else part.n}"
                    yield SoundPiece(self._seg, part.mp3, f"♪ {recording.title}", mark)
        except BadInput as e:
            log.warning("sound left out: %s", e, extra=log_event("audio.left_out", file=path.name))


def open_source(brief: Brief) -> AudioSource:
    """The files in the run's order, from where it goes on."""
    options = brief.options
    assert isinstance(options, producer_kinds.AudioFiles)
    files = [Path(file) for file in options.files]
    if options.shuffle:
        files = _shuffled(files, brief)
    if brief.marks:
        first, piece = _after(files, brief.marks[-1])
    else:
        known = {name_of(path) for path in files}
        marks = [heard.mark for heard in brief.memory.heard if heard.mark.rpartition("#")[0] in known]
        at, piece = _after(files, marks[-1]) if marks and options.resume else (0, 0)
        first, piece = (at + (piece > 0)) % len(files), 0
    return AudioSource(files, options, first=first, first_piece=piece, next_seg=brief.next_seg)


def _shuffled(files: Sequence[Path], brief: Brief) -> list[Path]:
    """In an order that is the same all day, and for every attempt."""
    task = brief.assignment
    day = datetime.fromtimestamp(task.at / 1000, UTC).astimezone(ZoneInfo(task.zone)).date()
    shuffled = sorted(files)
    random.Random(f"{task.station} {task.show} {day}").shuffle(shuffled)
    return shuffled


def _after(files: Sequence[Path], mark: str) -> tuple[int, int]:
    """The file and the piece after a mark; (0, 0) if the file is gone."""
    name, _, piece = mark.rpartition("#")
    at = next((n for n, path in enumerate(files) if name_of(path) == name), None)
    if at is None:
        return 0, 0
    return (at, int(piece) + 1) if piece.isdecimal() else (at + 1, 0)


def name_of(path: Path) -> str:
    """By the end of its path: the rest may change when a radio moves."""
    return "/".join(path.parts[-2:])
