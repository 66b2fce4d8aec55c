"""The lane of one cast: from its job to its receipt."""

import asyncio
import logging
from contextlib import suppress

from radio.clock import Clock
from radio.log import log_event
from radio.narrator.cast.takeover import take_cast
from radio.narrator.cast.writer import DONE, FAILED, REMOVED, CastWriter
from radio.narrator.lane_scheduler import LaneStatus, Playhead
from radio.narrator.lanes import LaneSentence, Load
from radio.narrator.suspects import MOST, REASON
from radio.speech.speaker import Spoken
from radio.streams import names, records
from radio.streams.contract import StoreError, StreamStore
from radio.streams.ownership.stream_owner import Member
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

RELEASE_S = 1.0
"""Longest time in seconds for giving up a lane in good order."""


class CastLane:
    """See `radio.narrator.lanes.Lane`.

    The cast is taken only when its next sentence has its turn. So a narrator that dies counts as a `try` only
    against the casts that it was speaking.

    Args:
        job: its highest job that was read.
        target_s: the lead in seconds that is enough.
    """

    is_live = False

    def __init__(
        self, store: StreamStore, clock: Clock, member: Member, cast: str, *, job: int, target_s: float
    ) -> None:
        self.id = LaneId.cast(cast)
        self.cast = cast
        self.job = job
        self._store = store
        self._clock = clock
        self._member = member
        self._target_s = target_s
        self._served = float("-inf")
        self._awaited_since: float | None = None
        self._head = Playhead()
        self._writer: CastWriter | None = None
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    # --- life ---

    async def run(self) -> None:
        """Wait until the cast is over or the lane is lost (raises why)."""
        await self._over

    def end_with(self, error: Exception) -> None:
        if not self._over.done():
            self._over.set_exception(error)

    @property
    def is_over(self) -> bool:
        return self._over.done()

    async def close(self, *, is_given_up: bool) -> None:
        """Finish the queued appends. With `is_given_up`, free the cast for others unless it is over."""
        if self._writer is None:
            return
        with suppress(StoreError, TimeoutError):  # the next narrator sees that the owner is gone
            if is_given_up and not self._writer.state.is_over:
                async with asyncio.timeout(RELEASE_S):
                    await self._writer.give_up()
        await self._writer.close()

    # --- for the scheduler ---

    @property
    def owner(self) -> str:
        return "" if self._writer is None or self.is_over else self._writer.owner

    def status(self, load: Load) -> LaneStatus:
        writer = self._writer
        has_next = writer is None or (writer.text.next is not None and writer.is_speakable)
        return LaneStatus(
            id=self.id,
            lead=self._head.lead(self._clock.monotonic()),
            target=self._target_s,
            is_ready=has_next and not self.is_over,
            served=self._served,
            awaited_since=self._awaited_since,
            is_suspect=writer is not None and writer.tries > 0,
        )

    def mark_awaited(self) -> None:
        """Note that someone waits for the whole cast as a file."""
        if self._awaited_since is None:
            self._awaited_since = self._clock.monotonic()

    async def prepare(self) -> None:
        if self._writer is not None:
            return
        taken = await take_cast(self._store, self._member, self.cast, self.job)
        self._writer = CastWriter(self._store, self.cast, taken)
        made_s = taken.state.audio_ms / 1000
        self._head = Playhead(made_s=made_s, played_s=made_s)  # listeners may have heard all of it

    def begin(self) -> LaneSentence:
        writer = self._mine
        assert writer.text.next is not None
        self._served = self._clock.monotonic()
        return LaneSentence(
            text=writer.text.next,
            voice=writer.voice,
            i=writer.next_i,
            skip=REASON if writer.tries >= MOST else None,
        )

    # --- what is appended ---

    async def put(self, piece: LaneSentence, spoken: Spoken) -> None:
        length_s = await self._mine.put(piece.text, spoken)
        self._head.add(length_s, self._clock.monotonic())

    async def skip(self, piece: LaneSentence, reason: str) -> None:
        await self._mine.skip(piece.text, reason)
        log.warning("sentence skipped", extra=log_event("sentence.skipped", cast=self.cast, reason=reason))

    async def tidy(self, load: Load) -> None:
        """End the cast once all of it is spoken, or when it has failed."""
        if self._writer is None or self.is_over:
            return
        why = self._writer.why_failed()
        if why is not None:
            await self._writer.fail(self.job)
            dead = records.DeadJob(cast=self.cast, job=self.job, reason=why)
            await self._store.append(names.JOBS_DEAD, [records.encode(dead)])
            await self._give_receipt(FAILED)
        elif self._writer.text.next is None:
            await self._writer.finish(self.job)
            await self._give_receipt(DONE)

    async def remove(self, *, request: int | None, is_operator: bool) -> None:
        """Empty the cast's streams and end the lane. `request` is its seq; None: the cast expired."""
        await self.prepare()
        await self._mine.erase(self.job, request=request, is_operator=is_operator)
        await self._give_receipt(REMOVED)

    @property
    def _mine(self) -> CastWriter:
        assert self._writer is not None
        return self._writer

    async def _give_receipt(self, reason: str) -> None:
        state, writer = self._mine.state, self._mine
        receipt = records.Receipt(
            id=self.cast,
            reason=reason,
            voice=writer.voice,
            sentences=state.sentences,
            skipped=state.skipped,
            audio_ms=state.audio_ms,
            gen_ms=round(writer.gen_ms),
            job=self.job,
        )
        await self._store.append(names.DONE, [records.encode(receipt)])
        log.log(
            logging.WARNING if reason == FAILED else logging.INFO,
            "cast over",
            extra=log_event(
                "cast.over",
                cast=self.cast,
                reason=reason,
                sentences=receipt.sentences,
                audio_ms=receipt.audio_ms,
                gen_ms=receipt.gen_ms,
            ),
        )
        if not self._over.done():
            self._over.set_result(None)
