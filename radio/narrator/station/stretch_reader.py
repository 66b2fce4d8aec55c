"""Finds the next audio of a stretch of a station's own broadcast that is to be repeated."""

from dataclasses import dataclass

from radio.mp3 import BYTES_PER_MS, FRAME_BYTES
from radio.narrator.station.script import ScriptAgain
from radio.redaction import Redactions
from radio.streams import names, records
from radio.streams.contract import FromSeq, ReadResult, StreamStore
from radio.streams.reading import known

_PAGE = 4
"""How many records are read at a time: mostly the first is the one."""
GONE = "gone"
"""Reason of a `skip` record where the records to repeat were trimmed."""


@dataclass(frozen=True, slots=True)
class RepeatedSound:
    """What was found in the first `count` records of a stretch.

    Attributes:
        audio: the last of them, to append again; None: there is no audio among them.
        of: seq of the record that first carried this audio.
        is_gone: whether they were trimmed.
    """

    count: int
    audio: records.Audio | None = None
    is_gone: bool = False
    of: int | None = None


async def next_of(store: StreamStore, station: str, item: ScriptAgain, redacted: Redactions) -> RepeatedSound:
    """Look for the next audio in the stretch that is not redacted."""
    name, at, end = names.broadcast(station), item.first, item.last + 1
    while at < end:
        page = await store.read(name, FromSeq(at), max_records=_PAGE, clamp=True)
        if page.gap or (not page.records and page.next_seq <= at):
            return RepeatedSound(_gone_until(page, end) - item.first, is_gone=True)
        for record in page.records:
            if record.seq >= end:
                break
            audio = known(records.BROADCAST, record, name)
            if not isinstance(audio, records.Audio) or not _is_sound(audio):
                continue
            if not redacted.takes(station, record.seq, audio.of):
                of = record.seq if audio.of is None else audio.of
                return RepeatedSound(record.seq + 1 - item.first, audio, of=of)
        at = page.next_seq
    return RepeatedSound(end - item.first)


def _gone_until(page: ReadResult, end: int) -> int:
    return min(page.records[0].seq, end) if page.records else end


def _is_sound(audio: records.Audio) -> bool:
    """Whether it is audio of our format, and not what the editor had said, which was for that hour only."""
    return (
        audio.c is None
        and 0 < audio.d * BYTES_PER_MS == len(audio.body)
        and len(audio.body) % FRAME_BYTES == 0
    )
