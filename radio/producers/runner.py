"""A producer process: takes the script of its run, lets its source write at the right pace, and seals it.

It ends with the script sealed when the source has no more or the run is over; without when it is told to stop
or fails, so that a successor goes on. The source is asked for a piece only while the station's lead is below
its mark.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence

from radio import kinds
from radio.clock import Clock
from radio.errors import RadioError
from radio.producers import catalogue, pace
from radio.producers.script import OpenScript
from radio.producers.source import Brief, Source, TakeBack, Words
from radio.runs import Assignment
from radio.settings import Settings
from radio.streams import names
from radio.streams.contract import FenceMismatch, FromTail, Record, SeqMismatch, StreamStore
from radio.streams.ownership import Owned, Sealed
from radio.streams.records import BROADCAST, Audio, Skip, UnknownRecord, decode

log = logging.getLogger(__name__)

COALESCE_S = 0.25
"""Pieces that come within this time go out as one."""
LOOK_S = 0.5
"""How often the pace, the time and `stop` are looked at."""
CLOSE_S = 2.0
"""A source that has not closed after this is left alone; the process ends anyway."""
_HISTORY = 16
_LONG_HISTORY = 200
"""Records of the broadcast in which the newest of this run is looked for, at first and after a crash."""


class Hung(RadioError):
    """The source gave no piece within its time limit."""


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
        log.info("run is not mine to write: %s", e, extra={"action": "script.not_mine", **extra})
        return
    log.info("script taken", extra={"action": "script.taken", **extra})
    writing = _Writing(settings, store, clock, assignment, script)
    try:
        reason = await writing.write(stop)
        if reason is not None:
            await script.seal(reason)
        log.info("script left", extra={"action": "script.left", "reason": reason or "stop", **extra})
    except (FenceMismatch, SeqMismatch) as e:
        log.warning("script lost: %s", e, extra={"action": "script.lost", **extra})
    finally:
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
        self._heard_until: int | None = None
        self._queue: asyncio.Queue[Words | TakeBack | None] = asyncio.Queue(8)
        """Pieces on their way to the store, None at the end: so many may come during an append."""
        self._queued_bytes = 0

    async def write(self, stop: asyncio.Event) -> str | None:
        """Write until there is an end; its reason, or None if `stop` came first."""
        source = catalogue.open_source(self._task.producer, self._brief())
        try:
            async with asyncio.TaskGroup() as tasks:
                put = tasks.create_task(self._put(), name="script")
                end = tasks.create_task(self._wait_for_end(stop), name="end")
                others = [
                    tasks.create_task(self._follow_air(), name="air"),
                    tasks.create_task(self._pull(source), name="source"),
                ]
                await asyncio.wait({put, end}, return_when=asyncio.FIRST_COMPLETED)
                reason = end.result() if end.done() and not put.done() else "done"
                for task in (put, end, *others):
                    task.cancel()
        except BaseExceptionGroup as group:
            raise _first(group) from None
        return reason

    def _brief(self) -> Brief:
        return Brief(
            assignment=self._task,
            options=kinds.revive(self._task.producer, self._task.options),
            settings=self._settings,
            clock=self._clock,
            next_seg=self._script.standing.next_seg,
            written=self._script.standing.text,
            heard_at=lambda: self._ahead().heard_at(self._clock.now_ms()),
        )

    def _ahead(self) -> pace.Ahead:
        unspoken = self._script.standing.unspoken_bytes + self._queued_bytes
        return pace.Ahead(unspoken_bytes=unspoken, heard_until=self._heard_until, at=self._task.at)

    async def _pull(self, source: Source) -> None:
        """Ask the source for its pieces, each when it is due."""
        limit_s = source.first_piece_within_s
        pieces = source.pieces()
        try:
            while True:
                await self._until_due()
                piece = await _next(pieces, limit_s)
                if isinstance(piece, Words):
                    self._queued_bytes += len(piece.text.encode())
                await self._queue.put(piece)
                if piece is None:
                    return
                limit_s = source.piece_within_s
        finally:
            await _close(pieces)

    async def _until_due(self) -> None:
        task, was_writing = self._task, True
        while True:
            ahead_s = self._ahead().seconds(self._clock.now_ms())
            was_writing = pace.is_due(
                ahead_s, low_s=task.lead_low_s, high_s=task.lead_high_s, was_writing=was_writing
            )
            if was_writing:
                return
            await asyncio.sleep(LOOK_S)

    async def _put(self) -> None:
        """Write pieces as they come, those that come close together as one. Returns at the source's end."""
        is_over = False
        while not is_over:
            batch = await self._batch()
            is_over = batch[-1] is None
            for piece in merged(batch):
                if isinstance(piece, Words):
                    await self._script.write(piece.seg, piece.text)
                    self._queued_bytes -= len(piece.text.encode())
                else:
                    await self._script.take_back(piece.seg)

    async def _batch(self) -> list[Words | TakeBack | None]:
        batch = [await self._queue.get()]
        try:
            async with asyncio.timeout(COALESCE_S):
                while batch[-1] is not None:
                    batch.append(await self._queue.get())
        except TimeoutError:
            return batch
        return batch

    async def _follow_air(self) -> None:
        """Learn from the broadcast how far this run is spoken, and whether it is on air."""
        name = names.broadcast(self._task.station)
        history = FromTail(_HISTORY if self._task.attempt == 1 else _LONG_HISTORY)
        async with self._store.follow(name, history, await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    self._hear(record)

    def _hear(self, record: Record) -> None:
        try:
            heard = decode(BROADCAST, record)
        except UnknownRecord as e:
            log.debug("record left out: %s", e, extra={"action": "script.unknown_record"})
            return
        if isinstance(heard, Audio | Skip) and heard.run == self._task.run and heard.src is not None:
            self._script.standing.hear(heard.src)
        if isinstance(heard, Audio):
            self._heard_until = heard.until if heard.run == self._task.run else None

    async def _wait_for_end(self, stop: asyncio.Event) -> str | None:
        while self._clock.now_ms() < self._task.until:
            try:
                async with asyncio.timeout(LOOK_S):
                    await stop.wait()
                return None
            except TimeoutError:
                continue
        return "until"


def merged(batch: Sequence[Words | TakeBack | None]) -> list[Words | TakeBack]:
    """The batch with words of one segment that follow each other as one piece."""
    pieces: list[Words | TakeBack] = []
    for piece in batch:
        last = pieces[-1] if pieces else None
        if isinstance(piece, Words) and isinstance(last, Words) and last.seg == piece.seg:
            pieces[-1] = Words(piece.seg, last.text + piece.text)
        elif piece is not None:
            pieces.append(piece)
    return pieces


async def _next(pieces: AsyncGenerator[Words | TakeBack, None], limit_s: float) -> Words | TakeBack | None:
    """The next piece, None at the end. Raises `Hung`."""
    try:
        async with asyncio.timeout(limit_s):
            return await anext(pieces, None)
    except TimeoutError as e:
        raise Hung(f"no piece of script within {limit_s:.0f} s") from e


async def _close(pieces: AsyncGenerator[Words | TakeBack, None]) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await pieces.aclose()
    except TimeoutError:
        log.warning("source does not close", extra={"action": "source.stuck"})


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first failure of a group: each of its tasks ends all of them."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
