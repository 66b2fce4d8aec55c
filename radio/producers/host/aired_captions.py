"""What a station had on air, in words: so that no run says again what an earlier one said."""

from radio.redaction import RedactionLog
from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore
from radio.streams.reading import all_events, newest_events
from radio.streams.records import (
    ARCHIVE,
    BROADCAST,
    ArchivedRun,
    Audio,
)

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
    events = all_events(store, BROADCAST, name, FromSeq(at), end=end)
    return [
        (seq, heard)
        async for seq, heard in events
        if isinstance(heard, Audio) and heard.run != but_not and heard.t
    ]


async def _last_run(store: StreamStore, station: str, show: str, but_not: str) -> ArchivedRun | None:
    newest = await newest_events(store, ARCHIVE, names.shows(station), _ARCHIVED_RUNS)
    runs = [run for _, run in newest if isinstance(run, ArchivedRun)]
    own = [run for run in runs if run.show == show and run.run != but_not and run.spans]
    return own[-1] if own else None
