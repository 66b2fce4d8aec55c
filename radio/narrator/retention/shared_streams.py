"""Trims the streams that all processes share, once nobody needs their old records. Any narrator may do it.

Ages count back from a stream's newest record, so no clock of this process matters.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from radio import casts
from radio.errors import RadioError
from radio.log import log_event
from radio.narrator.context import Context
from radio.narrator.retention.policy import UNTIL_OBEYED, ControlEntry, renewal
from radio.redaction import REDACT, stretch
from radio.streams import names, records
from radio.streams.contract import (
    Appendable,
    FromSeq,
    FromTimestamp,
    Record,
    SeqMismatch,
    StreamNotFound,
    StreamStore,
    Trim,
)
from radio.streams.job_cursor import Cursor
from radio.streams.reading import all_records, known

log = logging.getLogger(__name__)

ROUND_S = 600.0
FINISHED_JOBS = 1000
"""How many finished jobs stay below the cursor, for people to look at."""
DEAD_JOBS = 1000
RECEIPTS_MS = 7 * 86_400_000
REQUESTS = 1000
"""`control` is renewed when it holds more requests, or older ones than `REQUESTS_MS`."""
REQUESTS_MS = 86_400_000
HEEDED_MS = 3_600_000
"""This long after a redaction every narrator knows of it, and repeats nothing of it."""
LEAST = 100
"""Fewer records than this are not worth a trim."""


class SharedStreams:
    """Keeps `jobs`, `jobs/dead`, `progress/done` and `control` short."""

    def __init__(self, context: Context) -> None:
        self._store = context.store

    async def run(self) -> None:
        work: tuple[Callable[[StreamStore], Awaitable[None]], ...]
        work = (trim_jobs, trim_dead, trim_receipts, renew_control)
        while True:
            for step in work:
                try:
                    await step(self._store)
                except StreamNotFound:
                    continue  # nothing was written there yet
                except RadioError as failed:
                    said = log_event("streams.not_trimmed", step=step.__name__)
                    log.warning("shared stream not trimmed: %s", failed, extra=said)
            await asyncio.sleep(ROUND_S)


async def trim_jobs(store: StreamStore) -> None:
    """Trim jobs far below the cursor."""
    first = await Cursor(store).read() - FINISHED_JOBS
    if await _is_worth_it(store, names.JOBS, first):
        await store.trim(names.JOBS, first)


async def trim_dead(store: StreamStore) -> None:
    """Trim all dead jobs but the newest."""
    first = (await store.check_tail(names.JOBS_DEAD)).seq - DEAD_JOBS
    if await _is_worth_it(store, names.JOBS_DEAD, first):
        await store.trim(names.JOBS_DEAD, first)


async def trim_receipts(store: StreamStore) -> None:
    """Trim receipts older than `RECEIPTS_MS`, but none that is younger than an unfinished job."""
    newest_ms = (await store.check_tail(names.DONE)).timestamp
    oldest_ms = newest_ms - RECEIPTS_MS
    open_ms = await _first_open_ms(store)
    start = FromTimestamp(max(oldest_ms if open_ms is None else min(oldest_ms, open_ms), 0))
    found = (await store.read(names.DONE, start, max_records=1, include_commands=True)).records
    if found and await _is_worth_it(store, names.DONE, found[0].seq):
        await store.trim(names.DONE, found[0].seq)


async def _first_open_ms(store: StreamStore) -> int | None:
    """The timestamp of the job at the cursor; None if all are finished."""
    try:
        page = await store.read(names.JOBS, FromSeq(await Cursor(store).read()), max_records=1, clamp=True)
    except StreamNotFound:
        return None
    return page.records[0].timestamp if page.records else None


async def renew_control(store: StreamStore) -> None:
    """If it is long or old, write the requests in force again and trim the rest, in one append."""
    tail = await store.check_tail(names.CONTROL)
    found = [record async for record in all_records(store, names.CONTROL) if record.seq < tail.seq]
    is_long = len(found) > REQUESTS
    if not found or not (is_long or tail.timestamp - found[0].timestamp > REQUESTS_MS):
        return
    asked = [
        ControlEntry(
            record.seq, record.timestamp, request, is_obeyed=await _is_obeyed(store, record, request)
        )
        for record in found
        if isinstance(request := known(records.CONTROL, record, names.CONTROL), records.ControlRequest)
    ]
    renewed = renewal(asked, tail.seq)
    went = sum(record.seq < renewed.border for record in found)
    if went - len(renewed.again) < LEAST:
        return
    batch: list[Appendable] = [*map(records.encode, renewed.again), Trim(renewed.border)]
    try:
        await store.append(names.CONTROL, batch, match_seq_num=tail.seq)
    except SeqMismatch:
        return  # a request came meanwhile: the next round tries again
    log.info("control renewed", extra=log_event("control.renewed", again=len(renewed.again)))


async def _is_obeyed(store: StreamStore, record: Record, request: records.ControlRequest) -> bool:
    if request.what == REDACT:
        asked_ms = record.timestamp if request.since is None else request.since
        return await _is_gone(store, request, asked_ms)
    if request.what != UNTIL_OBEYED:
        return False
    stored = await casts.look(store, request.target)
    return stored.next_seq == 0 or stored.fence == casts.GONE or stored.state.obeyed >= record.seq


async def _is_gone(store: StreamStore, request: records.ControlRequest, asked_ms: int) -> bool:
    """Whether nobody needs to know of a redaction any more.

    It also hides reruns of its records. Those were made before it was asked, so everything up to then must be
    trimmed.
    """
    taken = stretch(request.detail)
    if taken is None:
        return True
    try:
        page = await store.read(
            names.broadcast(request.target), FromSeq(0), max_records=1, include_commands=True, clamp=True
        )
    except StreamNotFound:
        return False
    if not page.records:
        return page.next_seq > taken[1]
    oldest = page.records[0]
    return oldest.seq > taken[1] and oldest.timestamp > asked_ms + HEEDED_MS


async def _is_worth_it(store: StreamStore, name: str, first: int) -> bool:
    """Whether enough records are stored below `first` to trim them."""
    oldest = (await store.read(name, FromSeq(0), max_records=1, include_commands=True)).records
    is_worth_it = bool(oldest) and first - oldest[0].seq >= LEAST
    if is_worth_it:
        log.info("stream trimmed", extra=log_event("stream.trimmed", stream=name, first=first))
    return is_worth_it
