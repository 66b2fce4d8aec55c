"""Requests about casts in `control`: to remove one, or to speak one sooner because someone waits for it."""

import logging
from functools import partial

from radio import casts
from radio.errors import RadioError
from radio.log import log_event
from radio.narrator.cast.job_queue import JobQueue
from radio.narrator.cast.lane import CastLane
from radio.narrator.cast.removal import CastRemoval
from radio.narrator.context import Context
from radio.streams import names, records
from radio.streams.contract import FromSeq, Record
from radio.streams.reading import known
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

AGAIN_S = 10.0
"""Pause between two attempts at a removal that is not done."""


class CastRequests:
    """Follows `control` from its beginning. A cast's own records tell which requests were obeyed."""

    def __init__(self, context: Context, queue: JobQueue) -> None:
        self._context = context
        self._removal = CastRemoval(context, queue)
        self._removals: dict[int, records.ControlRequest] = {}
        """Removals that are not known to be done, by the request's seq."""
        self._queued: set[int] = set()

    async def run(self) -> None:
        control = self._context.store.follow(names.CONTROL, FromSeq(0), await_stream=True, heartbeat=AGAIN_S)
        async with control as tail:
            async for result in tail:
                for record in result.records:
                    self._hear(record)
                self._context.pause.fold(result.records)
                self._queue_removals()

    def _hear(self, record: Record) -> None:
        request = known(records.CONTROL, record, names.CONTROL)
        if not isinstance(request, records.ControlRequest):
            return
        if request.what == casts.WAIT:
            self._mark_awaited(request.target)
        elif request.what == casts.REMOVE:
            self._removals[record.seq] = request

    def _mark_awaited(self, cast: str) -> None:
        self._context.pause.add_awaited(cast)
        lane = self._context.lanes.get(LaneId.cast(cast))
        if isinstance(lane, CastLane):
            lane.mark_awaited()
            self._context.changed.set()

    def _queue_removals(self) -> None:
        """Queue the removals that are not queued yet, to run between two sentences."""
        for seq in self._removals.keys() - self._queued:
            self._queued.add(seq)
            self._context.between.put(partial(self._try_to_remove, seq))
            self._context.changed.set()

    async def _try_to_remove(self, seq: int) -> None:
        """Try once. It is queued again after `AGAIN_S` until this or another narrator has done it."""
        asked = self._removals[seq]
        try:
            is_operator = asked.detail == casts.OPERATOR
            if await self._removal.remove(asked.target, request=seq, is_operator=is_operator):
                del self._removals[seq]
        except RadioError as failed:
            log.warning("cast not removed yet: %s", failed, extra=log_event("cast.remove_failed", c=seq))
        finally:
            self._queued.discard(seq)  # only now: a removal may take longer than `AGAIN_S`
