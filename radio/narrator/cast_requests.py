"""What others ask of this narrator by a record in `control`: to remove a cast or hurry with it."""

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
"""Between two looks at a removal that is not done."""


class CastRequests:
    """Follows `control`. A request that was obeyed stands in the record that did so, and is passed over."""

    def __init__(self, context: Context, queue: JobQueue) -> None:
        self._context = context
        self._removal = CastRemoval(context, queue)
        self._removals: dict[int, records.ControlRequest] = {}
        """Asked for and not seen done, by the request's seq."""
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
            self._hurry(request.target)
        elif request.what == casts.REMOVE:
            self._removals[record.seq] = request

    def _hurry(self, cast: str) -> None:
        self._context.pause.hurry(cast)
        lane = self._context.lanes.get(LaneId.cast(cast))
        if isinstance(lane, CastLane):
            lane.hurry()
            self._context.changed.set()

    def _queue_removals(self) -> None:
        """To be done between two sentences."""
        for seq in self._removals.keys() - self._queued:
            self._queued.add(seq)
            self._context.between.put(partial(self._try_to_remove, seq))
            self._context.changed.set()

    async def _try_to_remove(self, seq: int) -> None:
        """Once now, and again after `AGAIN_S` until it is done: here, or by the narrator that speaks it."""
        asked = self._removals[seq]
        try:
            is_operator = asked.detail == casts.OPERATOR
            if await self._removal.remove(asked.target, request=seq, is_operator=is_operator):
                del self._removals[seq]
        except RadioError as failed:
            log.warning("cast not removed yet: %s", failed, extra=log_event("cast.remove_failed", c=seq))
        finally:
            self._queued.discard(seq)  # only now: a removal may take longer than `AGAIN_S`
