"""What the owner of a station appends: its broadcast, and by `archive` its table of contents."""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress

from radio.log import log_event
from radio.narrator.retention.policy import trim_point
from radio.narrator.station.archive_writer import ArchiveWriter
from radio.narrator.station.broadcast import BroadcastState
from radio.narrator.station.clock_steps import Step
from radio.narrator.station.run_reader import RunReader
from radio.narrator.station.takeover import TakenStation
from radio.runs import Run
from radio.streams import names, records
from radio.streams.contract import Fence, StoreError, StreamStore, Trim
from radio.streams.ownership.stream_owner import free, parse
from radio.streams.records import AnyRecord
from radio.streams.writer import CoalescingWriter

log = logging.getLogger(__name__)

RELEASE_S = 1.0
"""Longest time in seconds for giving up a station in good order."""


class StationWriter:
    """Every append of the station's owner. Each raises `StoreError` if the station is lost.

    Attributes:
        on_air: the state of the broadcast, with all that was appended.
        archive: its table of contents, which the same owner writes.
        owner: the owner id under which the station was taken.
        step_ms: how far the wall clock stepped since the last `epoch`.
    """

    def __init__(self, store: StreamStore, station: str, taken: TakenStation) -> None:
        self.on_air: BroadcastState = taken.on_air
        self.owner = parse(taken.ownership.token).owner
        self.step_ms = taken.step_ms
        self._station = station
        self._epoch = taken.ownership.epoch
        token = taken.ownership.token
        self._writer = CoalescingWriter(
            store, names.broadcast(station), fencing_token=token, start_at=taken.ownership.next_seq
        )
        self.archive = ArchiveWriter(store, station, token=token, next_seq=taken.shows_at)

    async def close(self, *, is_given_up: bool) -> None:
        """Finish the queued appends. With `is_given_up`, free the station for other narrators."""
        with suppress(StoreError, TimeoutError):  # the next narrator sees that the owner is gone
            if is_given_up:
                async with asyncio.timeout(RELEASE_S):
                    await self._writer.append(Fence(free(self._epoch)))
        await self._writer.close()
        await self.archive.close()

    async def sentence(self, reader: RunReader, at: int, record: records.Audio | records.Skip) -> None:
        """Append a run's next sentence, heard at `at` (epoch ms); first a `show` if the run changes."""
        run = reader.run
        is_change = self.on_air.run != run.id
        show = records.ShowBegin(run=run.id, show=run.plan.show, title=run.plan.title, at=at)
        reader.next_i = record.i + 1
        await self._append(*([show] if is_change else []), record)
        if is_change:
            said = log_event("run.on_air", station=self._station, run=run.id, at=at)
            log.info("run on air", extra=said)

    async def epoch(self) -> bool:
        """Append an `epoch` if the clock stepped. Returns whether it did."""
        if self.step_ms == 0:
            return False
        step = self.step_ms
        await self._append(records.Epoch(step=step))
        self.step_ms -= step
        said = log_event("clock.step", station=self._station, step_ms=step)
        log.warning("wall clock stepped", extra=said)
        return True

    async def end(self, run: Run, reason: str) -> None:
        """Append the run's `end`."""
        await self._append(records.BroadcastEnd(run=run.id, reason=reason))
        said = log_event("run.finished", station=self._station, run=run.id, reason=reason)
        log.info("run finished", extra=said)

    @property
    def unannounced(self) -> Step | None:
        """A step of the clock that may not have got into the broadcast; None: there is none."""
        return Step(self.step_ms, self._writer.next_seq) if self.step_ms else None

    async def _append(self, *events: AnyRecord) -> None:
        ack = await self._writer.append(*map(records.encode, events))
        for seq, event in enumerate(events, ack.start.seq):
            self.on_air.fold(seq, event)

    async def trim(self, border: int, open_runs: Iterable[str]) -> int:
        """Trim the broadcast below record `border`, but nothing that a successor needs.

        To be called between two sentences.

        Returns the first record that stays; 0 if nothing was trimmed, as a finished run has no entry in the
        table of contents yet, or no audio stands.
        """
        if self.archive.pending or self.on_air.audio is None:
            return 0
        first = trim_point(border, [self.on_air.audio, *self.on_air.needed(open_runs)])
        await self._writer.append(Trim(first))
        return first
