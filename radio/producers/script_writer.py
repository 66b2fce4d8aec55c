"""The script of one run on the store: its producer takes, writes and seals it; the attempt is the epoch."""

import logging
from collections.abc import Mapping

from radio.mp3 import duration_ms
from radio.producers.script_state import ScriptState, folded
from radio.producers.source import SoundPiece, Stretch, Words
from radio.streams import names
from radio.streams.contract import Fence, StreamStore
from radio.streams.ownership.members import new_owner
from radio.streams.ownership.stream_owner import Look, sealed, take
from radio.streams.reading import known, pages
from radio.streams.records import (
    SCRIPT,
    Again,
    AnyRecord,
    Clip,
    Cut,
    ScriptEnd,
    ScriptPosition,
    ScriptStart,
    Text,
    encode,
)
from radio.streams.writer import CoalescingWriter
from radio.writable_text import cleaned

log = logging.getLogger(__name__)

MAX_PIECE_BYTES = 64 * 1024
"""A longer piece goes out as several records of one batch."""


class OpenScript:
    """A script that this producer owns."""

    def __init__(self, writer: CoalescingWriter, standing: ScriptState) -> None:
        self._writer = writer
        self.standing = standing

    @classmethod
    async def take(cls, store: StreamStore, station: str, run: str, attempt: int) -> "OpenScript":
        """Become its owner; what stands is kept.

        Raises:
            Sealed: it is complete.
            Owned: a higher attempt has it.
        """
        name = names.script(station, run)
        standing = ScriptState()

        async def look() -> Look:
            nonlocal standing
            records, tail = await _read_all(store, name)
            standing = folded(records)
            return Look(encode(ScriptStart(attempt=attempt, keep=standing.end)), tail)

        ownership = await take(store, name, new_owner(), look, lives=_nobody, epoch=attempt)
        writer = CoalescingWriter(store, name, fencing_token=ownership.token, start_at=ownership.next_seq)
        return cls(writer, standing)

    async def write(self, piece: Words | SoundPiece | Stretch) -> None:
        """Append a piece, durably; all of it or nothing."""
        written = _records(piece)
        seq = self._writer.next_seq
        await self._writer.append(*map(encode, written))
        for n, record in enumerate(written):
            self.standing.fold(seq + n, record)

    async def take_back(self, seg: int) -> None:
        """Void what stands of this segment and is not spoken."""
        await self.take_back_to(self.standing.begin_of(seg))

    async def take_back_to(self, position: ScriptPosition) -> None:
        """Void what stands after a position and is not spoken."""
        keep = max(position, self.standing.spoken)
        if keep < self.standing.end:
            cut = Cut(keep=keep)
            seq = self._writer.next_seq
            await self._writer.append(encode(cut))
            self.standing.fold(seq, cut)

    async def seal(self, reason: str, discarded: Mapping[str, int] | None = None) -> None:
        """The script is complete: nobody can write to it any more."""
        end = ScriptEnd(reason=reason, discarded=discarded or None)
        await self._writer.append(encode(end), Fence(sealed(reason)))

    async def close(self) -> None:
        await self._writer.close()


def _records(piece: Words | SoundPiece | Stretch) -> list[Text | Clip | Again]:
    match piece:
        case SoundPiece():
            ms = duration_ms(piece.mp3)
            return [Clip(seg=piece.seg, d=ms, t=cleaned(piece.caption), mark=piece.mark, body=piece.mp3)]
        case Stretch():
            return [Again(seg=piece.seg, first=piece.first, last=piece.last, d=piece.ms, mark=piece.mark)]
        case Words():
            *heads, last = _bodies(cleaned(piece.text))
            marked = Text(seg=piece.seg, mark=piece.mark, body=last)
            return [*(Text(seg=piece.seg, body=body) for body in heads), marked]


def _bodies(text: str) -> list[bytes]:
    """UTF-8 of at most `MAX_PIECE_BYTES` each, cut between code points."""
    step = MAX_PIECE_BYTES // 4
    return [text[n : n + step].encode() for n in range(0, max(len(text), 1), step)]


async def read_standing(store: StreamStore, station: str, run: str) -> ScriptState:
    """What stands of a run's script, whoever writes it; nothing if it is deleted."""
    return folded((await _read_all(store, names.script(station, run)))[0])


async def _read_all(store: StreamStore, name: str) -> tuple[list[tuple[int, AnyRecord]], int]:
    """All records of a script, and its tail; nothing and 0 if there is none."""
    found: list[tuple[int, AnyRecord]] = []
    at = 0
    async for page in pages(store, name):
        decoded = ((record.seq, known(SCRIPT, record, name)) for record in page.records)
        found += [(seq, event) for seq, event in decoded if event is not None]
        at = page.next_seq
    return found, at


async def _nobody(owner: str) -> bool:
    """By attempt, not by life, is decided who writes a script."""
    del owner
    return False
