"""What others ask of this narrator by a record in `control`: to remove a cast, or to hurry with one."""

import logging
from functools import partial

from radio import casts
from radio.errors import RadioError
from radio.narrator.cast_lane import CastLane
from radio.narrator.cast_take import NoJob
from radio.narrator.desk import Desk
from radio.narrator.jobs import JobBook
from radio.streams import names, records
from radio.streams.contract import FenceMismatch, FromSeq, Record, SeqMismatch
from radio.streams.known import known
from radio.streams.ownership import free, parse

log = logging.getLogger(__name__)

HURRY = "wait"
"""Someone waits for the whole cast as a file."""
AGAIN_S = 10.0
"""Between two looks at a removal that is not done."""


class Requests:
    """Follows `control`. A request that was obeyed stands in the record that did so, and is passed over."""

    def __init__(self, desk: Desk, book: JobBook) -> None:
        self._desk = desk
        self._book = book
        self._removals: dict[int, records.Request] = {}
        """Asked for and not seen done, by the request's seq."""
        self._queued: set[int] = set()

    async def run(self) -> None:
        control = self._desk.store.follow(names.CONTROL, FromSeq(0), await_stream=True, heartbeat=AGAIN_S)
        async with control as tail:
            async for result in tail:
                for record in result.records:
                    self._hear(record)
                self._queue_removals()

    def _hear(self, record: Record) -> None:
        request = known(records.CONTROL, record)
        if not isinstance(request, records.Request):
            return
        lane = self._desk.lanes.get(f"cast {request.target}")
        if request.what == HURRY and isinstance(lane, CastLane):
            lane.hurry()
            self._desk.changed.set()
        elif request.what == casts.REMOVE:
            self._removals[record.seq] = request

    def _queue_removals(self) -> None:
        """To be done between two sentences."""
        for seq in self._removals.keys() - self._queued:
            self._queued.add(seq)
            self._desk.errands.append(partial(self._try_to_remove, seq))
            self._desk.changed.set()

    async def _try_to_remove(self, seq: int) -> None:
        """Once now, and again after `AGAIN_S` until it is done: here, or by the narrator that speaks it."""
        self._queued.discard(seq)
        try:
            if await self._remove(seq, self._removals[seq]):
                del self._removals[seq]
        except RadioError as failed:
            log.warning("cast not removed yet: %s", failed, extra={"action": "cast.remove_failed", "c": seq})

    async def _remove(self, seq: int, request: records.Request) -> bool:
        """Whether nothing is left to do."""
        cast, is_operator = request.target, request.detail == "operator"
        lane = self._desk.lanes.get(f"cast {cast}")
        while await casts.recipe(self._desk.store, cast) is not None:
            stored = await casts.look(self._desk.store, cast)
            if stored.state.obeyed >= seq:
                return True
            if await self._is_anothers(stored.fence):
                return False
            try:
                if isinstance(lane, CastLane) and not lane.is_over:
                    await lane.remove(request=seq, is_operator=is_operator)
                else:
                    await self._erase(cast, stored, seq, is_operator)
            except (FenceMismatch, SeqMismatch, NoJob):
                lane = None
                continue
            log.info("cast removed", extra={"action": "cast.removed", "cast": cast, "c": seq})
        return True

    async def _is_anothers(self, fence: str) -> bool:
        held, member = parse(fence), self._desk.member
        return held.kind == "owned" and held.owner != member.owner and await member.lives(held.owner)

    async def _erase(self, cast: str, stored: casts.Stored, seq: int, is_operator: bool) -> None:
        job = max(stored.state.job, self._book.jobs.open.get(cast, -1))
        await casts.erase(
            self._desk.store,
            cast,
            fence=stored.fence,
            next_seq=stored.next_seq,
            end=records.CastEnd(reason="removed", job=job, c=seq),
            then=casts.GONE if is_operator else free(stored.next_seq),
        )
        if job >= 0:
            await self._book.settle(cast, job)
