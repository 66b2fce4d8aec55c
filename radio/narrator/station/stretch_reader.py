"""Finding the next sound of a stretch of a station's own broadcast that is to be heard again."""

from dataclasses import dataclass

from radio.mp3 import BYTES_PER_MS, FRAME_BYTES
from radio.narrator.station.script import ScriptAgain
from radio.redaction import Redactions
from radio.streams import names, records
from radio.streams.contract import FromSeq, ReadResult, StreamStore
from radio.streams.reading import known

_PAGE = 4
"""Records read at a time: mostly the first one is it."""
GONE = "gone"
"""The reason of a skip where records are not kept any more."""


@dataclass(frozen=True, slots=True)
class RepeatedSound:
    """What the first `count` records of a stretch come to.

    Attributes:
        audio: the last of them, to append again; None: none of them is a sound.
        of: seq of the record that had its sound first.
        is_gone: they are not kept any more.
    """

    count: int
    audio: records.Audio | None = None
    is_gone: bool = False
    of: int | None = None


async def next_of(store: StreamStore, station: str, item: ScriptAgain, redacted: Redactions) -> RepeatedSound:
    """The next sound in it that is not redacted, or that there is none."""
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
    """Sound of our format that belongs to the run: what its editor had said in between was for that hour."""
    return (
        audio.c is None
        and 0 < audio.d * BYTES_PER_MS == len(audio.body)
        and len(audio.body) % FRAME_BYTES == 0
    )
