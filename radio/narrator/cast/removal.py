"""Removing a cast everywhere: by its owner if that is alive, else by any narrator."""

import logging

from radio import casts
from radio.log import log_event
from radio.narrator.cast.job_queue import JobQueue
from radio.narrator.cast.lane import CastLane
from radio.narrator.cast.takeover import NoJob
from radio.narrator.context import Context
from radio.streams import records
from radio.streams.contract import FenceMismatch, SeqMismatch
from radio.streams.ownership.stream_owner import free, parse
from radio.streams.records import LaneId

log = logging.getLogger(__name__)


class CastRemoval:
    """Removes casts. Its steps run between two sentences."""

    def __init__(self, context: Context, queue: JobQueue) -> None:
        self._context = context
        self._queue = queue

    async def remove(self, cast: str, *, request: int | None, is_operator: bool = False) -> bool:
        """Remove a cast. Returns False if another narrator speaks it, and so will remove it.

        Args:
            request: seq of the request; None: the cast expired.
            is_operator: the operator asks: the cast can never be submitted again.
        """
        lane = self._context.lanes.get(LaneId.cast(cast))
        while True:
            stored = await casts.look(self._context.store, cast)
            was = stored.state
            if await casts.forget(self._context.store, cast, was.recipes, was.erased):
                log.info("removal completed", extra=log_event("cast.forgotten", cast=cast))
            has_recipe = await casts.recipe(self._context.store, cast) is not None
            if _is_done(stored, request, has_recipe=has_recipe):
                return True
            if await self._is_anothers(stored.fence):
                return False
            try:
                if isinstance(lane, CastLane) and not lane.is_over:
                    await lane.remove(request=request, is_operator=is_operator)
                else:
                    await self._erase(cast, stored, request, is_operator)
            except (FenceMismatch, SeqMismatch, NoJob):
                lane = None
                continue
            log.info("cast removed", extra=log_event("cast.removed", cast=cast, c=request))
            return True

    async def _is_anothers(self, fence: str) -> bool:
        held, member = parse(fence), self._context.member
        return held.kind == "owned" and held.owner != member.owner and await member.lives(held.owner)

    async def _erase(
        self, cast: str, stored: casts.StoredCast, request: int | None, is_operator: bool
    ) -> None:
        job = max(stored.state.job, self._queue.jobs.open.get(cast, -1))
        await casts.erase(
            self._context.store,
            cast,
            fence=stored.fence,
            next_seq=stored.next_seq,
            end=records.CastEnd(reason="removed", job=job, c=stored.state.obeyed_with(request)),
            then=casts.GONE if is_operator else free(stored.next_seq),
        )
        if job >= 0:
            await self._queue.settle(cast, job)


def _is_done(stored: casts.StoredCast, request: int | None, *, has_recipe: bool) -> bool:
    """Whether nothing is left to remove, or a record says that the request was obeyed.

    Such a record is written even if nothing was left to remove. Otherwise a narrator that reads the request
    again, after the cast was submitted anew, would obey it then.
    """
    if stored.fence == casts.GONE or (stored.next_seq == 0 and not has_recipe):
        return True
    if request is not None:
        return stored.state.obeyed >= request
    return stored.state.meta is None and not has_recipe
