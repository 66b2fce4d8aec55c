"""The lane of one station: which run speaks next, and when each sentence is heard.

A lane lives from taking the station to the first failed append. All it knows comes from the streams, so the
next owner continues with the very next sentence.
"""

import asyncio
import logging
from dataclasses import replace

from radio.clock import Clock
from radio.control import SAY, SKIP
from radio.log import log_event
from radio.mp3 import FRAME_MS
from radio.narrator.lane_scheduler import LaneStatus, guard, target
from radio.narrator.lanes import LaneSentence, Load
from radio.narrator.station.air_time import may_begin
from radio.narrator.station.broadcast import BroadcastState
from radio.narrator.station.editor_requests import EDITOR, MADE, EditorRequest, EditorRequests
from radio.narrator.station.fallback_requests import FallbackRequests
from radio.narrator.station.inputs import StationInputs
from radio.narrator.station.programme import Programme, ReadableRun
from radio.narrator.station.run_reader import RunReader
from radio.narrator.station.takeover import TakenStation
from radio.narrator.station.writer import StationWriter
from radio.narrator.suspects import MOST, REASON
from radio.speech.speaker import Spoken
from radio.streams import records
from radio.streams.contract import StreamStore
from radio.streams.records import LaneId

log = logging.getLogger(__name__)

LEAD_S = (30.0, 10.0)
"""Target and guard in seconds, until the station's card is read."""


class StationLane:
    """See `radio.narrator.lanes.Lane`.

    Attributes:
        writer: every append of the station's owner.
        on_air: the state of its broadcast, as the writer keeps it.
        inputs: the runs, their scripts and the card.

    Args:
        changed: set whenever the scheduler should look again.
    """

    def __init__(
        self, store: StreamStore, clock: Clock, station: str, taken: TakenStation, changed: asyncio.Event
    ) -> None:
        self.id = LaneId.station(station)
        self.station = station
        self.served = float("-inf")
        self._clock = clock
        self.writer = StationWriter(store, station, taken)
        self.on_air: BroadcastState = self.writer.on_air
        self.inputs = StationInputs(store, station, taken, self.on_air.place, changed)
        self._editor_requests = EditorRequests(store, station, changed)
        self._fallback = FallbackRequests(store, clock, station)
        self._unfinished = taken.unfinished
        self._tries = taken.tries
        self._speaking: RunReader | None = None
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tasks: asyncio.TaskGroup | None = None

    @property
    def owner(self) -> str:
        return self.writer.owner

    # --- life ---

    async def run(self) -> None:
        """Follow the station's inputs until the lane is lost (raises why) or this is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            self.inputs.start(tasks)
            tasks.create_task(self._editor_requests.follow(self._clock.now_ms()), name=f"{self.id} requests")
            for run in self._unfinished:
                self.writer.archive.enter(run, tasks, reason="done", gen_ms=0.0, is_aired=True)
            await self._lost

    def end_with(self, error: Exception) -> None:
        if not self._lost.done():
            self._lost.set_exception(error)

    async def close(self, *, is_given_up: bool) -> None:
        """Finish the queued appends. With `is_given_up`, free the station for other narrators."""
        await self.writer.close(is_given_up=is_given_up)

    # --- for the scheduler ---

    @property
    def programme(self) -> Programme:
        return Programme(self.on_air.end, self.on_air.run, list(self.inputs.readers), self.on_air.heard)

    @property
    def is_live(self) -> bool:
        """Whether the voice must keep up with it."""
        return self.programme.needs_voice(self._clock.now_ms())

    def status(self, load: Load) -> LaneStatus:
        now = self._clock.now_ms()
        programme = self.programme
        due = programme.due(now)
        wanted, least = self.inputs.card.lead if self.inputs.card else LEAD_S
        guard_s = guard(least, stations=load.stations, xrt=load.xrt, ttl_s=load.ttl_s, at_once=load.at_once)
        is_fallback = due is not None and due.run.is_fallback
        return LaneStatus(
            id=self.id,
            lead=programme.lead_s(now),
            guard=guard_s,
            target=guard_s if is_fallback else target(wanted, guard_s),
            is_ready=(due is not None and due.script.next is not None) or self._wanted(SAY) is not None,
            served=self.served,
            ready_in=programme.changes_in_s(now),
            is_suspect=self._tries > 0,
        )

    async def prepare(self) -> None:
        """Look up the audio of the next item if it repeats earlier audio."""
        while isinstance(due := self._due(), RunReader):
            await due.fill()
            if self._due() is due:
                return

    def _due(self) -> ReadableRun | None:
        return self.programme.due(self._clock.now_ms())

    def _wanted(self, what: str) -> tuple[EditorRequest, RunReader] | None:
        """The editor's oldest request if it is a `what`, and the run that it applies to."""
        now = self._clock.now_ms()
        asked = self._editor_requests.next(now)
        if asked is None or asked.what != what:
            return None
        host = self.inputs.reader(self.on_air.run) or self._due()
        fits = isinstance(host, RunReader) and may_begin(
            self.programme.at(host.run, now), host.run.plan.until
        )
        return (asked, host) if isinstance(host, RunReader) and fits else None

    def begin(self) -> LaneSentence | None:
        self.served = self._clock.monotonic()
        piece = self._begin_said() or self._begin_due()
        skip = REASON if self._tries >= MOST else None
        return piece and replace(piece, pronounce=self.inputs.pronounce, skip=skip or piece.skip)

    def _begin_said(self) -> LaneSentence | None:
        if (wanted := self._wanted(SAY)) is None:
            return None
        asked, self._speaking = wanted
        return LaneSentence(text=asked.text, voice=self._speaking.voice, i=self._speaking.next_i, c=asked.c)

    def _begin_due(self) -> LaneSentence | None:
        due = self._due()
        if not isinstance(due, RunReader) or due.script.next is None or not due.is_filled:
            return None
        self._speaking = due
        return due.begin()

    # --- what is appended ---

    async def put(self, piece: LaneSentence, spoken: Spoken) -> None:
        reader, now = self._spoken(), self._clock.now_ms()
        reader.gen_ms += spoken.gen_ms
        stepped = await self.writer.epoch()
        at = self.programme.at(reader.run, now)
        if stepped and not may_begin(at, reader.run.plan.until):
            log.warning(
                "sentence dropped: its run is over by the new clock",
                extra=log_event("sentence.dropped", station=self.station, run=reader.run.id),
            )
            return
        audio = records.Audio(
            i=piece.i,
            d=spoken.frames * FRAME_MS,
            t=piece.text,
            pos=self.on_air.pos,
            at=at,
            run=reader.run.id,
            src=reader.script.src,
            of=piece.of,
            c=piece.c,
            epoch=self.on_air.epoch,
            body=spoken.mp3,
        )
        await self._append(reader, at, audio)
        self._editor_requests.made(audio.until, reader.run.id, reader.script.seg)

    async def skip(self, piece: LaneSentence, reason: str) -> None:
        reader = self._spoken()
        at = self.programme.at(reader.run, self._clock.now_ms())
        skip = records.Skip(
            i=piece.i, t=piece.text, reason=reason, run=reader.run.id, src=reader.script.src, c=piece.c
        )
        await self._append(reader, at, skip)
        log.warning(
            "sentence skipped",
            extra=log_event("sentence.skipped", station=self.station, run=reader.run.id, reason=reason),
        )

    async def tidy(self, load: Load) -> None:
        await self.writer.epoch()
        await self._skip_segment()
        now = self._clock.now_ms()
        for reader in list(self.inputs.readers):
            reason = self.programme.why_over(reader, now)
            if reason is not None:
                await self._end(reader, reason)
        await self._fallback.ask_if_needed(self.programme, self.status(load), self.inputs.card)

    async def _skip_segment(self) -> None:
        """Obey a request to skip, and pass over new script of segments that were skipped earlier."""
        if (wanted := self._wanted(SKIP)) is not None:
            asked, host = wanted
            if self._editor_requests.is_heard(host.run.id, host.script.seg, self._clock.now_ms()):
                host.script.skip_segment()
                await self._pass_over(host, c=asked.c)
            else:
                await self._obey_without_skipping(host, asked.c)
        for reader in list(self.inputs.readers):
            if reader.script.has_passed:
                await self._pass_over(reader)

    async def _pass_over(self, reader: RunReader, *, c: int | None = None) -> None:
        reader.script.take_passed()
        await self._append_skip(reader, EDITOR, c)
        log.info(
            "segment skipped",
            extra=log_event("segment.skipped", station=self.station, run=reader.run.id),
        )

    async def _obey_without_skipping(self, reader: RunReader, c: int) -> None:
        """Append only the record that carries out a skip that came too late: the next segment continues."""
        await self._append_skip(reader, MADE, c)
        log.info(
            "segment not skipped: it is made to its end",
            extra=log_event("segment.made", station=self.station, c=c),
        )

    async def _append_skip(self, reader: RunReader, reason: str, c: int | None) -> None:
        skip = records.Skip(
            i=reader.next_i, t="", reason=reason, run=reader.run.id, src=reader.script.src, c=c
        )
        await self._append(reader, self.programme.at(reader.run, self._clock.now_ms()), skip)

    def step(self, step_ms: int) -> None:
        """Take note of a step of the wall clock, in ms on the grid."""
        self._editor_requests.forget()
        self.writer.step_ms += step_ms

    def _spoken(self) -> RunReader:
        reader, self._speaking, self._tries = self._speaking, None, 0
        assert reader is not None
        return reader

    async def _append(self, reader: RunReader, at: int, record: records.Audio | records.Skip) -> None:
        await self.writer.sentence(reader, at, record)
        if record.c is not None:
            self._editor_requests.obeyed(record.c)

    async def _end(self, reader: RunReader, reason: str) -> None:
        run = reader.run
        await self.writer.end(run, reason)
        self.inputs.drop(reader)
        if self._tasks is not None:
            is_aired = run.id in self.on_air.places
            self.writer.archive.enter(
                run, self._tasks, reason=reason, gen_ms=reader.gen_ms, is_aired=is_aired
            )

    # --- retention ---

    @property
    def keep_ms(self) -> int | None:
        """How long its broadcast is kept, in ms; None: no limit, or not known yet."""
        return self.inputs.card.keep_ms if self.inputs.card else None
