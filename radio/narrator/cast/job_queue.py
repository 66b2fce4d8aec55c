"""The unfinished jobs, and the watermark: the lowest of them.

`Jobs` is a fold of `jobs` and of the receipts in `progress/done`. `JobQueue` keeps it up to date and moves
the shared cursor. Every narrator follows all of both streams from the cursor on, as they are small.
"""

import asyncio
import logging
from collections.abc import Container
from dataclasses import dataclass, field

from radio import casts
from radio.casts import CastState
from radio.clock import Clock
from radio.log import log_event
from radio.narrator.cast.writer import FAILED, VOICE, skips
from radio.narrator.suspects import why_failed
from radio.streams import names, records
from radio.streams.contract import (
    FromSeq,
    FromTail,
    FromTimestamp,
    Start,
    StoreChanged,
    StreamNotFound,
    StreamStore,
)
from radio.streams.job_cursor import Cursor
from radio.streams.reading import all_events, known

log = logging.getLogger(__name__)

JUDGE_S = 10.0
"""A job that has been at the watermark this long without a receipt is judged by its cast's records."""


@dataclass(slots=True)
class Jobs:
    """The jobs from the watermark on. A receipt finishes all jobs of its cast up to the one that it names."""

    next_seq: int = 0
    unfinished: dict[int, str] = field(default_factory=dict)
    """Cast ids by job seq, ascending."""
    receipts: dict[str, int] = field(default_factory=dict)
    """The highest finished job of each cast."""

    def add(self, seq: int, cast: str) -> None:
        self.next_seq = seq + 1
        if self.receipts.get(cast, -1) < seq:
            self.unfinished[seq] = cast

    def finish(self, cast: str, job: int) -> None:
        self.receipts[cast] = max(job, self.receipts.get(cast, -1))
        over = [seq for seq, name in self.unfinished.items() if name == cast and seq <= job]
        for seq in over:
            del self.unfinished[seq]
        self.receipts = {c: j for c, j in self.receipts.items() if j >= self.watermark}

    @property
    def watermark(self) -> int:
        """The lowest unfinished job; the next job to come if all are finished."""
        return next(iter(self.unfinished), self.next_seq)

    @property
    def open(self) -> dict[str, int]:
        """Casts in the order of their first unfinished job, each with its highest job."""
        order: dict[str, int] = {}
        for seq, cast in self.unfinished.items():
            order[cast] = seq
        return order


class JobQueue:
    """The jobs as this narrator sees them; `run` keeps them up to date."""

    def __init__(self, store: StreamStore, clock: Clock) -> None:
        self.jobs = Jobs()
        self.changed = asyncio.Event()
        """Set whenever a job is added or finished."""
        self._store = store
        self._clock = clock
        self._cursor = Cursor(store)
        self._known = 0
        self._first: tuple[int, float] = (-1, 0.0)
        """The job at the watermark, and since when (monotonic) it has been there."""

    async def run(self) -> None:
        self.jobs = Jobs()
        self._known = self.jobs.next_seq = await self._start()
        receipts = await self._receipts_from(self._known)
        async with asyncio.TaskGroup() as tails:
            tails.create_task(self._follow_jobs(self._known), name="jobs")
            tails.create_task(self._follow_receipts(receipts), name="receipts")

    async def judge(self, mine: Container[str]) -> None:
        """Settle the job at the watermark if it has been there for `JUDGE_S`. To be called now and then.

        Args:
            mine: casts that this narrator is speaking.
        """
        seq, now = self.jobs.watermark, self._clock.monotonic()
        if seq != self._first[0]:
            self._first = (seq, now)
        cast = self.jobs.unfinished.get(seq)
        if cast is not None and cast not in mine and now - self._first[1] >= JUDGE_S:
            self._first = (seq, now)
            await self.settle(cast, seq)

    async def settle(self, cast: str, job: int) -> None:
        """Append the receipt of a job whose cast is over; nothing while it is open."""
        stored, recipe = await casts.look(self._store, cast), await casts.recipe(self._store, cast)
        state = stored.state
        if casts.is_open(state, job, has_recipe=recipe is not None, fence=stored.fence):
            return
        receipt = records.Receipt(
            id=cast,
            reason=state.status if state.is_over else "removed",
            voice=state.meta.voice if state.meta else "",
            sentences=state.sentences,
            skipped=state.skipped,
            audio_ms=state.audio_ms,
            gen_ms=0,
            job=max(job, state.job),
        )
        if state.status == FAILED:
            await self._bury(cast, state)
        await self._store.append(names.DONE, [records.encode(receipt)])
        log.info("job settled", extra=log_event("job.settled", cast=cast, job=job))

    async def _bury(self, cast: str, state: CastState) -> None:
        """Append the dead job that belongs before the receipt, unless its narrator already did."""
        buried = [dead async for _, dead in all_events(self._store, records.DEAD, names.JOBS_DEAD)]
        if any(isinstance(dead, records.DeadJob) and dead.job == state.job for dead in buried):
            return
        reason = why_failed(skips(state), is_whole=True) or VOICE
        dead = records.DeadJob(cast=cast, job=state.job, reason=reason)
        await self._store.append(names.JOBS_DEAD, [records.encode(dead)])

    async def _start(self) -> int:
        try:
            return await self._cursor.read()
        except StoreChanged as changed:
            log.warning("%s", changed, extra=log_event("jobs.read_again"))
            return 0

    async def _receipts_from(self, seq: int) -> Start:
        """Where to begin reading receipts: those older than the job at the watermark do not matter."""
        try:
            found = await self._store.read(names.JOBS, FromSeq(seq), max_records=1, clamp=True)
        except StreamNotFound:
            return FromTail(0)
        return FromTimestamp(found.records[0].timestamp) if found.records else FromTail(0)

    async def _follow_jobs(self, start: int) -> None:
        async with self._store.follow(names.JOBS, FromSeq(start), await_stream=True, clamp=True) as tail:
            async for result in tail:
                for record in result.records:
                    job = known(records.JOBS, record, names.JOBS)
                    if isinstance(job, records.Job):
                        self.jobs.add(record.seq, job.cast)
                self.changed.set()

    async def _follow_receipts(self, start: Start) -> None:
        async with self._store.follow(names.DONE, start, await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    receipt = known(records.DONE, record, names.DONE)
                    if isinstance(receipt, records.Receipt) and receipt.job is not None:
                        self.jobs.finish(receipt.id, receipt.job)
                await self._advance()
                self.changed.set()

    async def _advance(self) -> None:
        if self.jobs.watermark > self._known:
            self._known = await self._cursor.advance(self.jobs.watermark)
