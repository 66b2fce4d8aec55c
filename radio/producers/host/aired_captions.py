"""What a station had on air, in words: so that no run says again what an earlier one said."""

import logging

from radio.log import log_event
from radio.redaction import RedactionLog
from radio.streams import names
from radio.streams.contract import FromSeq, FromTail, Record, StreamNotFound, StreamStore
from radio.streams.records import (
    ARCHIVE,
    BROADCAST,
    AnyRecord,
    ArchivedRun,
    Audio,
    Family,
    UnknownRecord,
    decode,
)

log = logging.getLogger(__name__)

RECORDS = 300
"""So many of the newest records, and of the same show's last run: half an hour each."""
_ARCHIVED_RUNS = 200
"""The show's last run is looked for among so many."""


async def captions(store: StreamStore, station: str, show: str, *, but_not: str) -> tuple[str, ...]:
    """What was heard of the same show's last run, and lately; without `but_not`, and what is redacted."""
    name = names.broadcast(station)
    try:
        redacted = await RedactionLog(store).read()
        tail = (await store.check_tail(name)).seq

        async def said(at: int, end: int) -> list[str]:
            heard = await _captions(store, name, at, end, but_not)
            return [audio.t for seq, audio in heard if not redacted.takes(station, seq, audio.of)]

        lately = await said(max(tail - RECORDS, 0), tail)
        last = await _last_run(store, station, show, but_not)
        if last is None:
            return tuple(lately)
        first, newest = last.spans[-1]
        end = min(newest + 1, max(tail - RECORDS, 0))
        return tuple(await said(max(end - RECORDS, first), end) + lately)
    except StreamNotFound:
        return ()


async def _captions(
    store: StreamStore, name: str, at: int, end: int, but_not: str
) -> list[tuple[int, Audio]]:
    found: list[tuple[int, Audio]] = []
    while at < end:
        result = await store.read(name, FromSeq(at))
        found += [(r.seq, said) for r in result.records if r.seq < end and (said := _spoken(r, but_not))]
        if result.next_seq == at:
            break
        at = result.next_seq
    return found


async def _last_run(store: StreamStore, station: str, show: str, but_not: str) -> ArchivedRun | None:
    try:
        result = await store.read(names.shows(station), FromTail(_ARCHIVED_RUNS), clamp=True)
    except StreamNotFound:
        return None
    runs = [run for record in result.records if (run := _decoded(record, ARCHIVE)) is not None]
    own = [r for r in runs if isinstance(r, ArchivedRun) and r.show == show and r.run != but_not and r.spans]
    return own[-1] if own else None


def _spoken(record: Record, but_not: str) -> Audio | None:
    heard = _decoded(record, BROADCAST)
    return heard if isinstance(heard, Audio) and heard.run != but_not and heard.t else None


def _decoded(record: Record, family: Family) -> AnyRecord | None:
    try:
        return decode(family, record)
    except UnknownRecord as e:
        log.debug("record left out: %s", e, extra=log_event("record.unknown"))
        return None
