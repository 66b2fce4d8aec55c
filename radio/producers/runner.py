"""A producer process: takes the script of its run, lets its source write at the right pace, and seals it.

It ends with the script sealed when the source has no more or the run is over; without when it is told to stop
or fails, so that a successor goes on. The source is asked for a piece only while the station's lead is below
its mark, and while what it writes would still be heard.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from radio import producer_kinds
from radio.clock import Clock
from radio.errors import first_of
from radio.log import log_event
from radio.producers import catalogue, pace, run_memory
from radio.producers.air_position import AirPosition
from radio.producers.host import aired_captions
from radio.producers.models.model_cache import ModelCache
from radio.producers.script_state import clock_mark, seconds_of
from radio.producers.script_writer import OpenScript
from radio.producers.show_memory import NO_MEMORY, NoMemory, ShowMemory
from radio.producers.source import Brief, Over, Piece, Source, TakeBack, Words
from radio.producers.source_pull import Hung, close, merged, next_piece
from radio.runs import Assignment
from radio.settings import Settings
from radio.streams.contract import AppendConditionFailed, StreamStore
from radio.streams.ownership.stream_owner import Owned, Sealed
from radio.streams.records import ScriptPosition

__all__ = ["Hung", "merged", "run"]

log = logging.getLogger(__name__)

COALESCE_S = 0.25
"""Pieces that come within this time go out as one."""
LOOK_S = 0.5
"""How often the pace, the time and `stop` are looked at."""
MAX_REASON = 32
"""Characters of a reason that a seal can hold."""


async def run(
    settings: Settings, store: StreamStore, clock: Clock, stop: asyncio.Event, assignment: Assignment
) -> None:
    """Write one run. Returns when it is sealed, when another attempt has it, or when `stop` is set.

    Raises:
        BadInput: what the editor wrote cannot be used.
        Hung: the source stands still.
    """
    extra = {"station": assignment.station, "run": assignment.run, "attempt": assignment.attempt}
    try:
        script = await OpenScript.take(store, assignment.station, assignment.run, assignment.attempt)
    except (Sealed, Owned) as e:
        log.info("run is not mine to write: %s", e, extra=log_event("script.not_mine", **extra))
        return
    log.info("script taken", extra=log_event("script.taken", **extra))
    writing = _Writing(settings, store, clock, assignment, script)
    try:
        reason = await writing.write(stop)
        discarded = dict(sorted((+writing.discarded).items()))
        if reason is not None:
            await script.seal(reason[:MAX_REASON], discarded)
        done = log_event("script.left", reason=reason or "stop", discarded=counted(discarded))
        log.info("script left", extra={**done, **extra})
    except AppendConditionFailed as e:
        log.warning("script lost: %s", e, extra=log_event("script.lost", **extra))
    finally:
        await writing.close()
        await script.close()


class _Writing:
    """One run while it is written."""

    def __init__(
        self, settings: Settings, store: StreamStore, clock: Clock, task: Assignment, script: OpenScript
    ) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self._task = task
        self._script = script
        self._air = AirPosition(store, clock, task, script.standing)
        self._queue: asyncio.Queue[Piece | Over] = asyncio.Queue(8)
        """Pieces on their way to the store: so many may come during an append."""
        self._aired: tuple[str, ...] = ()
        self._memory: ShowMemory | NoMemory = NO_MEMORY
        self._remembered: str | None = None
        self.discarded: Counter[str] = Counter()
        self._model_cache = ModelCache()

    async def write(self, stop: asyncio.Event) -> str | None:
        """Write until there is an end; its reason, or None if `stop` came first."""
        try:
            async with asyncio.TaskGroup() as tasks:
                end = tasks.create_task(self._wait_for_end(stop), name="end")
                put = tasks.create_task(self._put(), name="script")
                others = [
                    tasks.create_task(self._air.follow(), name="air"),
                    tasks.create_task(self._pull(), name="source"),
                ]
                await asyncio.wait({put, end}, return_when=asyncio.FIRST_COMPLETED)
                reason = put.result() if put.done() else end.result()
                for task in (put, end, *others):
                    task.cancel()
        except BaseExceptionGroup as group:
            raise first_of(group) from None
        await self._remember(is_all=reason == "done")
        return reason

    async def close(self) -> None:
        await self._model_cache.close()
        if isinstance(self._memory, ShowMemory):
            await self._memory.close()

    async def _open(self) -> Source:
        task, kind = self._task, catalogue.kind(self._task.producer)
        if kind.listens:
            self._aired = await aired_captions.captions(
                self._store, task.station, task.show, but_not=task.run
            )
        if kind.memory != "none":
            by_hearing = kind.memory == "heard"
            self._memory = await run_memory.begin(self._store, self._clock, task, by_hearing=by_hearing)
        return catalogue.open_source(task.producer, self._brief())

    def _brief(self) -> Brief:
        standing = self._script.standing
        return Brief(
            assignment=self._task,
            options=producer_kinds.revive(self._task.producer, self._task.options),
            settings=self._settings,
            clock=self._clock,
            next_seg=standing.next_seg,
            written=standing.text,
            heard_at=self._air.heard_at,
            stands=standing.text_of,
            aired=self._aired,
            discarded=self.discarded,
            model_cache=self._model_cache,
            marks=standing.marks,
            was_begun=standing.was_begun,
            memory=self._memory,
            store=self._store,
        )

    async def _pull(self) -> None:
        """Ask the source for its pieces, each when it is due; open it anew when a clock went wrong."""
        source = await self._open()
        while (wrong := await self._pull_from(source)) is not None:
            await self._queue.join()
            await self._script.take_back_to(wrong)
            self.discarded["air time moved"] += 1
            log.info("air time moved", extra=log_event("script.air_time_moved", run=self._task.run))
            source = catalogue.open_source(self._task.producer, self._brief())

    async def _pull_from(self, source: Source) -> ScriptPosition | None:
        """Until the source's end, or where words begin whose clock went wrong."""
        limit_s = source.first_piece_within_s
        pieces = source.pieces()
        try:
            while True:
                if (wrong := await self._until_due()) is not None:
                    return wrong
                piece = await next_piece(pieces, limit_s)
                self._air.queued_s += seconds_of(piece)
                await self._queue.put(piece)
                if isinstance(piece, Over):
                    return None
                if isinstance(piece, TakeBack):
                    await self._queue.join()
                limit_s = source.piece_within_s
        finally:
            await close(pieces)

    async def _until_due(self) -> ScriptPosition | None:
        """Wait until the next piece is due, or a clock that stands is wrong: where its words begin."""
        task, was_writing = self._task, True
        while (wrong := self._air.wrong_clock()) is None:
            was_writing = pace.is_due(
                self._air.seconds(), low_s=task.lead_low_s, high_s=task.lead_high_s, was_writing=was_writing
            )
            if was_writing and not self._air.is_full:
                return None
            await asyncio.sleep(LOOK_S)
        return wrong

    async def _put(self) -> str:
        """Write pieces as they come, those that come close together as one. At the source's end, why."""
        while True:
            batch = await self._batch()
            for piece in merged(batch):
                await self._put_piece(piece)
            for _ in batch:
                self._queue.task_done()
            if isinstance(over := batch[-1], Over):
                return over.reason

    async def _put_piece(self, piece: Piece) -> None:
        if isinstance(piece, TakeBack):
            await self._script.take_back(piece.seg)
            return
        begin = self._script.standing.end
        heard_about = piece.heard_about if isinstance(piece, Words) else None
        if isinstance(piece, Words) and heard_about is not None and piece.mark is None:
            piece = replace(piece, mark=clock_mark(heard_about))
        await self._script.write(piece)
        if heard_about is not None and piece.mark != clock_mark(heard_about):
            self._air.expect(begin, heard_about)
        self._air.queued_s -= seconds_of(piece)

    async def _batch(self) -> list[Piece | Over]:
        batch = [await self._queue.get()]
        try:
            async with asyncio.timeout(COALESCE_S):
                while not isinstance(batch[-1], Over):
                    batch.append(await self._queue.get())
        except TimeoutError:
            return batch
        return batch

    async def _wait_for_end(self, stop: asyncio.Event) -> str | None:
        while self._clock.now_ms() < self._task.until:
            await self._remember()
            try:
                async with asyncio.timeout(LOOK_S):
                    await stop.wait()
                return None
            except TimeoutError:
                continue
        return "until"

    async def _remember(self, *, is_all: bool = False) -> None:
        """Note up to where the run was heard; `is_all`: all that stands of it will be."""
        standing = self._script.standing
        if catalogue.kind(self._task.producer).memory != "heard" or isinstance(self._memory, NoMemory):
            return
        written = standing.marks[-1] if standing.marks else None
        mark = written if is_all else standing.heard_mark
        if mark is None or mark == self._remembered:
            return
        self._remembered = mark
        try:
            await self._memory.add(mark)
        except AppendConditionFailed as e:
            log.info("a later run remembers now: %s", e, extra=log_event("memory.lost", run=self._task.run))
            self._memory = NO_MEMORY


def counted(discarded: Mapping[str, int]) -> str | None:
    """For the log: `repeated:3,stage direction:1`."""
    return ",".join(f"{reason}:{count}" for reason, count in discarded.items()) or None
