"""The script of one run on the store: its producer takes, writes and seals it; the attempt is the epoch."""

import logging

from radio.producers.standing import Standing, folded
from radio.streams import names
from radio.streams.contract import Fence, FromSeq, StreamNotFound, StreamStore
from radio.streams.members import new_owner
from radio.streams.ownership import Look, sealed, take
from radio.streams.records import (
    SCRIPT,
    AnyRecord,
    Cut,
    ScriptEnd,
    ScriptStart,
    Text,
    UnknownRecord,
    decode,
    encode,
)
from radio.streams.writer import CoalescingWriter

log = logging.getLogger(__name__)

MAX_PIECE_BYTES = 64 * 1024
"""A longer piece goes out as several records of one batch."""


class OpenScript:
    """A script that this producer owns."""

    def __init__(self, writer: CoalescingWriter, standing: Standing) -> None:
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
        standing = Standing()

        async def look() -> Look:
            nonlocal standing
            records, tail = await _read_all(store, name)
            standing = folded(records)
            return Look(encode(ScriptStart(attempt=attempt, keep=standing.end)), tail)

        ownership = await take(store, name, new_owner(), look, lives=_nobody, epoch=attempt)
        writer = CoalescingWriter(store, name, fencing_token=ownership.token, start_at=ownership.next_seq)
        return cls(writer, standing)

    async def write(self, seg: int, text: str) -> None:
        """Append text, durably; all of it or nothing."""
        texts = [Text(seg=seg, body=body) for body in _bodies(text)]
        seq = self._writer.next_seq
        await self._writer.append(*map(encode, texts))
        for n, record in enumerate(texts):
            self.standing.fold(seq + n, record)

    async def take_back(self, seg: int) -> None:
        """Void what stands of this segment and is not spoken."""
        keep = max(self.standing.begin_of(seg), self.standing.spoken)
        if keep < self.standing.end:
            cut = Cut(keep=keep)
            seq = self._writer.next_seq
            await self._writer.append(encode(cut))
            self.standing.fold(seq, cut)

    async def seal(self, reason: str) -> None:
        """The script is complete: nobody can write to it any more."""
        await self._writer.append(encode(ScriptEnd(reason=reason)), Fence(sealed(reason)))

    async def close(self) -> None:
        await self._writer.close()


def _bodies(text: str) -> list[bytes]:
    """UTF-8 of at most `MAX_PIECE_BYTES` each, cut between code points."""
    step = MAX_PIECE_BYTES // 4
    if len(text) <= step:
        return [text.encode()]
    return [text[n : n + step].encode() for n in range(0, len(text), step)]


async def _read_all(store: StreamStore, name: str) -> tuple[list[tuple[int, AnyRecord]], int]:
    """All records of a script, and its tail; nothing and 0 if there is none."""
    found: list[tuple[int, AnyRecord]] = []
    at = 0
    try:
        while True:
            result = await store.read(name, FromSeq(at))
            for record in result.records:
                try:
                    found.append((record.seq, decode(SCRIPT, record)))
                except UnknownRecord as e:
                    log.warning("record left out: %s", e, extra={"action": "script.unknown_record"})
            if result.next_seq == at:
                return found, at
            at = result.next_seq
    except StreamNotFound:
        return [], 0


async def _nobody(owner: str) -> bool:
    """By attempt, not by life, is decided who writes a script."""
    del owner
    return False
