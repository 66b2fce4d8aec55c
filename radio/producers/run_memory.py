"""What a run keeps in its show's memory: how far it was heard, though its producer did not live to say it.

A run begins with its memory when the show's run before is over, so that it goes on where that one ended.
"""

import asyncio
import logging

from radio.clock import Clock
from radio.log import log_event
from radio.producers.script_state import ScriptState
from radio.producers.script_writer import read_standing
from radio.producers.show_memory import ShowMemory
from radio.runs import Assignment, RunHistory, is_fallback
from radio.streams import names
from radio.streams.contract import FromSeq, FromTail, Start, StreamStore
from radio.streams.reading import all_events, known, pages
from radio.streams.records import BROADCAST, STATION_INPUT, Audio, Begin, BroadcastEnd, Skip

log = logging.getLogger(__name__)

LOOK_S = 0.25
HISTORY = 60
"""Records of the broadcast in which the run before is looked for: it ended just now, or is long over."""


async def begin(store: StreamStore, clock: Clock, task: Assignment, *, by_hearing: bool) -> ShowMemory:
    """The memory of the run's show, once the show's run before is over or this run is due.

    Args:
        by_hearing: what counts is what was heard; what the run before did not say of itself is added.
    """
    before = await _run_before(store, task)
    while before is not None and clock.now_ms() < min(before.plan.until, task.at):
        if await before.is_over():
            break
        await asyncio.sleep(LOOK_S)
    memory = await ShowMemory.take(store, task.station, task.show, task.run)
    if before is not None and by_hearing:
        await _catch_up(before, memory)
    return memory


async def _catch_up(before: "_RunBefore", memory: ShowMemory) -> None:
    """Add how far the run before was heard, as the store still tells, if the memory has it not."""
    mark, run = await before.heard_mark(), before.plan.run
    if mark is not None and not any(heard.run == run and heard.mark == mark for heard in memory.heard):
        await memory.add_of(run, mark)
        log.info(
            "show remembers what its last run did not tell", extra=log_event("memory.caught_up", run=run)
        )


class _RunBefore:
    """The show's newest run that began before this one, as its streams tell."""

    def __init__(self, store: StreamStore, station: str, plan: Begin, *, is_ended: bool) -> None:
        self.plan = plan
        self._store = store
        self._station = station
        self._is_over = is_ended and is_fallback(plan.run)
        self._standing = ScriptState()
        self._place: Start = FromTail(HISTORY)

    async def is_over(self) -> bool:
        """Nothing more of it is spoken."""
        await self._look()
        return self._is_over

    async def heard_mark(self) -> str | None:
        """Up to where it was heard; None if its script is deleted, or nothing was."""
        await self._look()
        standing = await read_standing(self._store, self._station, self.plan.run)
        standing.hear(self._standing.spoken)
        return standing.heard_mark

    async def _look(self) -> None:
        name = names.broadcast(self._station)
        async for page in pages(self._store, name, self._place):
            for record in page.records:
                event = known(BROADCAST, record, name)
                if isinstance(event, Audio | Skip) and event.run == self.plan.run and event.src:
                    self._standing.hear(event.src)
                elif isinstance(event, BroadcastEnd) and event.run == self.plan.run:
                    self._is_over = True
            self._place = FromSeq(page.next_seq)


async def _run_before(store: StreamStore, task: Assignment) -> _RunBefore | None:
    history = RunHistory()
    async for seq, event in all_events(store, STATION_INPUT, names.station_input(task.station)):
        history.fold(seq, event)
    begun = [run for run in history.runs.values() if run.plan.show == task.show]
    mine = next((n for n, run in enumerate(begun) if run.id == task.run), len(begun))
    if not mine:
        return None
    before = begun[mine - 1]
    return _RunBefore(store, task.station, before.plan, is_ended=before.is_ended)
