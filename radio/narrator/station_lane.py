"""The lane of one station: owns its broadcast, reads its runs, and appends each sentence with its air time.

A lane lives from `take` to the first failed append. What it knows comes from the streams alone, so that
whoever takes the station next goes on with the very next sentence.
"""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

from radio.clock import Clock
from radio.control import SAY, SKIP
from radio.mp3 import FRAME_MS
from radio.narrator.agenda import Agenda, Run
from radio.narrator.airtime import may_begin
from radio.narrator.contents import Contents
from radio.narrator.fallback import Fallback
from radio.narrator.hand import EDITOR, Asked, Hand
from radio.narrator.keeping import trim_point
from radio.narrator.lanes import Load, Piece
from radio.narrator.lead import Standing, guard, target
from radio.narrator.on_air import OnAir
from radio.narrator.programme import Programme, Source
from radio.narrator.reading import Reading
from radio.narrator.speaker import Spoken
from radio.narrator.station_take import Taken
from radio.narrator.steps import Step
from radio.narrator.tries import MOST, REASON
from radio.streams import names, records
from radio.streams.contract import Fence, FromSeq, FromTail, Record, StoreError, StreamStore, Trim
from radio.streams.known import known
from radio.streams.ownership import free, parse
from radio.streams.records import AnyRecord
from radio.streams.writer import CoalescingWriter

log = logging.getLogger(__name__)

LEAD_S = (30.0, 10.0)
"""Target and guard, until the station's card is there."""
SOON_MS = 60_000
"""A station is live if its audio goes on, or a run is due within this."""
RELEASE_S = 1.0
"""How long giving up a lane in good order may take."""


class StationLane:
    """See `radio.narrator.lanes.Lane`.

    Args:
        changed: set whenever the scheduler should look again.
    """

    kind = "station"

    def __init__(
        self, store: StreamStore, clock: Clock, station: str, taken: Taken, changed: asyncio.Event
    ) -> None:
        self.name = f"station {station}"
        self.station = station
        self.served = float("-inf")
        self.on_air: OnAir = taken.on_air
        self._store = store
        self._clock = clock
        self._changed = changed
        self._agenda: Agenda = taken.agenda
        self._agenda_at = taken.agenda_at
        self._unfinished = taken.unfinished
        self._must_skip = taken.tries >= MOST
        self.owner = parse(taken.ownership.token).owner
        self._epoch = taken.ownership.epoch
        self._readings: list[Reading] = taken.readings
        self._writer = CoalescingWriter(
            store,
            names.broadcast(station),
            fencing_token=taken.ownership.token,
            start_at=taken.ownership.next_seq,
        )
        self._contents = Contents(store, station, token=taken.ownership.token, next_seq=taken.shows_at)
        self._card: records.Card | None = None
        self._fallback = Fallback(store, clock, station)
        self._hand = Hand(store, station, changed)
        self._step_ms = taken.step_ms
        self._voice = taken.voice
        self._speaking: Reading | None = None
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tails: asyncio.TaskGroup | None = None
        self._followed: dict[str, asyncio.Task[None]] = {}

    # --- life ---

    async def run(self) -> None:
        """Read what comes, until the lane is lost (raises why) or this is cancelled."""
        async with asyncio.TaskGroup() as tails:
            self._tails = tails
            tails.create_task(self._follow_agenda(), name=f"{self.name} agenda")
            tails.create_task(self._follow_card(), name=f"{self.name} card")
            tails.create_task(self._hand.follow(self._clock.now_ms()), name=f"{self.name} requests")
            for reading in self._readings:
                self._follow(reading, tails)
            for run in self._unfinished:
                self._enter(run, "done", 0.0, is_aired=True)
            await self._lost

    def lose(self, error: Exception) -> None:
        if not self._lost.done():
            self._lost.set_exception(error)

    async def close(self, *, is_given_up: bool) -> None:
        """Let what is queued go in; in good order, give the station up."""
        with suppress(StoreError, TimeoutError):  # whoever takes it next sees that the owner is gone
            if is_given_up:
                async with asyncio.timeout(RELEASE_S):
                    await self._writer.append(Fence(free(self._epoch)))
        await self._writer.close()
        await self._contents.close()

    async def _follow_agenda(self) -> None:
        name = names.station_input(self.station)
        async with self._store.follow(name, FromSeq(self._agenda_at), await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    await self._on_input(record)
                self._changed.set()

    async def _on_input(self, record: Record) -> None:
        event = known(records.STATION_INPUT, record)
        run = None if event is None else self._agenda.fold(record.seq, record.timestamp, event)
        if run is None:
            return
        reading = next((r for r in self._readings if r.run is run), None)
        if run.is_ended:
            if reading is not None:
                await reading.end()
        elif reading is None and self._tails is not None:
            reading = self._reading(run)
            self._readings.append(reading)
            self._readings.sort(key=lambda r: (r.run.plan.at, r.run.seq))
            self._follow(reading, self._tails)

    def _reading(self, run: Run) -> Reading:
        voices = [self._voice] if self._card is None else [self._card.voice, self._voice]
        place = self.on_air.place(run.id)
        return Reading(self._store, self.station, run, place, self._changed, other_voices=voices)

    def _follow(self, reading: Reading, tails: asyncio.TaskGroup) -> None:
        run = reading.run.id
        self._followed[run] = tails.create_task(reading.follow(), name=f"{self.name} {run}")

    async def _follow_card(self) -> None:
        async with self._store.follow(names.card(self.station), FromTail(8), await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    card = known(records.CARD, record)
                    if isinstance(card, records.Card):
                        self._card = card
                self._changed.set()

    # --- for the scheduler ---

    @property
    def programme(self) -> Programme:
        return Programme(self.on_air.end, self.on_air.run, list(self._readings), self.on_air.heard)

    @property
    def is_live(self) -> bool:
        """It has audio ahead, or a run that is due."""
        now = self._clock.now_ms()
        programme = self.programme
        due = programme.due(now)
        return programme.audio_s(now) > 0 or (
            due is not None and (programme.planned(due.run) or now) - now < SOON_MS
        )

    def standing(self, load: Load) -> Standing:
        now = self._clock.now_ms()
        programme = self.programme
        due = programme.due(now)
        wanted, least = self._card.lead if self._card else LEAD_S
        guard_s = guard(least, stations=load.stations, xrt=load.xrt, ttl_s=load.ttl_s)
        is_fallback = due is not None and due.run.is_fallback
        return Standing(
            name=self.name,
            kind="station",
            lead=programme.lead_s(now),
            guard=guard_s,
            target=guard_s if is_fallback else target(wanted, guard_s),
            is_ready=(due is not None and due.script.next is not None) or self._wanted(SAY) is not None,
            served=self.served,
            ready_in=programme.changes_in_s(now),
        )

    async def prepare(self) -> None:
        """A station is owned as long as it has a lane; sound to be heard again is looked up."""
        while isinstance(due := self._due(), Reading) and not due.is_filled:
            await due.fill()

    def _due(self) -> Source | None:
        return self.programme.due(self._clock.now_ms())

    def _wanted(self, what: str) -> tuple[Asked, Reading] | None:
        """What the editor wants next, if it is that, and the run that it goes into."""
        now = self._clock.now_ms()
        asked = self._hand.next(now)
        if asked is None or asked.what != what:
            return None
        host = next((r for r in self._readings if r.run.id == self.on_air.run), None) or self._due()
        fits = isinstance(host, Reading) and may_begin(self.programme.at(host.run, now), host.run.plan.until)
        return (asked, host) if isinstance(host, Reading) and fits else None

    def begin(self) -> Piece | None:
        self.served = self._clock.monotonic()
        piece = self._begin_said() or self._begin_due()
        return replace(piece, skip=REASON) if piece is not None and self._must_skip else piece

    def _begin_said(self) -> Piece | None:
        if (wanted := self._wanted(SAY)) is None:
            return None
        asked, self._speaking = wanted
        return Piece(text=asked.text, voice=self._speaking.voice, i=self._speaking.next_i, c=asked.c)

    def _begin_due(self) -> Piece | None:
        due = self._due()
        if not isinstance(due, Reading) or due.script.next is None or not due.is_filled:
            return None
        self._speaking = due
        return due.begin()

    # --- what is appended ---

    async def put(self, piece: Piece, spoken: Spoken) -> None:
        reading, now = self._spoken(), self._clock.now_ms()
        reading.gen_ms += spoken.gen_ms
        stepped = await self._append_epoch()
        at = self.programme.at(reading.run, now)
        if stepped and not may_begin(at, reading.run.plan.until):
            log.warning(
                "sentence dropped: its run is over by the new clock",
                extra={"action": "sentence.dropped", "station": self.station, "run": reading.run.id},
            )
            return
        audio = records.Audio(
            i=piece.i,
            d=spoken.frames * FRAME_MS,
            t=piece.text,
            pos=self.on_air.pos,
            at=at,
            run=reading.run.id,
            src=reading.script.src,
            c=piece.c,
            body=spoken.mp3,
        )
        await self._append_of(reading, at, audio)
        self._hand.made(audio.until, reading.run.id, reading.script.seg)

    async def skip(self, piece: Piece, reason: str) -> None:
        reading = self._spoken()
        at = self.programme.at(reading.run, self._clock.now_ms())
        skip = records.Skip(
            i=piece.i, t=piece.text, reason=reason, run=reading.run.id, src=reading.script.src, c=piece.c
        )
        await self._append_of(reading, at, skip)
        log.warning(
            "sentence skipped",
            extra={
                "action": "sentence.skipped",
                "station": self.station,
                "run": reading.run.id,
                "reason": reason,
            },
        )

    async def tidy(self, load: Load) -> None:
        await self._append_epoch()
        await self._skip_segment()
        now = self._clock.now_ms()
        for reading in list(self._readings):
            reason = self.programme.why_over(reading, now)
            if reason is not None:
                await self._end(reading, reason)
        await self._fallback.tend(self.programme, self.standing(load), self._card)

    @property
    def unannounced(self) -> Step | None:
        """A step of the clock of which it is not sure that it stands in the broadcast."""
        return Step(self._step_ms, self._writer.next_seq) if self._step_ms else None

    async def _skip_segment(self) -> None:
        """Obey the editor; and pass over what has come since of a segment that was skipped."""
        if (wanted := self._wanted(SKIP)) is not None:
            asked, host = wanted
            if self._hand.is_heard(host.run.id, host.script.seg, self._clock.now_ms()):
                host.script.skip_segment()
            else:
                log.info(
                    "segment not skipped: it is made to its end",
                    extra={"action": "segment.made", "station": self.station, "c": asked.c},
                )
            await self._pass_over(host, c=asked.c)
        for reading in list(self._readings):
            if reading.script.has_passed:
                await self._pass_over(reading)

    async def _pass_over(self, reading: Reading, *, c: int | None = None) -> None:
        reading.script.take_passed()
        skip = records.Skip(
            i=reading.next_i, t="", reason=EDITOR, run=reading.run.id, src=reading.script.src, c=c
        )
        await self._append_of(reading, self.programme.at(reading.run, self._clock.now_ms()), skip)
        log.info(
            "segment skipped",
            extra={"action": "segment.skipped", "station": self.station, "run": reading.run.id},
        )

    def step(self, step_ms: int) -> None:
        """The wall clock stepped; on the grid."""
        self._hand.forget()
        self._step_ms += step_ms

    def _spoken(self) -> Reading:
        reading, self._speaking, self._must_skip = self._speaking, None, False
        assert reading is not None
        return reading

    async def _append_of(self, reading: Reading, at: int, record: records.Audio | records.Skip) -> None:
        run = reading.run
        is_change = self.on_air.run != run.id
        show = records.Show(run=run.id, show=run.plan.show, title=run.plan.title, at=at)
        reading.next_i = record.i + 1
        await self._append(*([show] if is_change else []), record)
        if record.c is not None:
            self._hand.obeyed(record.c)
        if is_change:
            log.info(
                "run on air", extra={"action": "run.on_air", "station": self.station, "run": run.id, "at": at}
            )

    async def _append_epoch(self) -> bool:
        if self._step_ms == 0:
            return False
        step = self._step_ms
        await self._append(records.Epoch(step=step))
        self._step_ms -= step
        log.warning(
            "wall clock stepped", extra={"action": "clock.step", "station": self.station, "step_ms": step}
        )
        return True

    async def _append(self, *events: AnyRecord) -> None:
        ack = await self._writer.append(*map(records.encode, events))
        for seq, event in enumerate(events, ack.start.seq):
            self.on_air.fold(seq, event)

    async def _end(self, reading: Reading, reason: str) -> None:
        run = reading.run
        await self._append(records.BroadcastEnd(run=run.id, reason=reason))
        self._readings.remove(reading)
        if (task := self._followed.pop(run.id, None)) is not None:
            task.cancel()
        log.info(
            "run finished",
            extra={"action": "run.finished", "station": self.station, "run": run.id, "reason": reason},
        )
        self._enter(run, reason, reading.gen_ms, is_aired=run.id in self.on_air.places)

    def _enter(self, run: Run, reason: str, gen_ms: float, *, is_aired: bool) -> None:
        """In the table of contents."""
        self._contents.pending.add(run.id)
        if self._tails is not None:
            entering = self._contents.enter(run, reason=reason, gen_ms=gen_ms, is_aired=is_aired)
            self._tails.create_task(entering, name=f"{self.name} archive")

    # --- what goes again ---

    @property
    def keep_ms(self) -> int | None:
        """How long its broadcast is kept; None: no limit, or not known yet."""
        return self._card.keep_ms if self._card else None

    @property
    def begun(self) -> dict[str, int]:
        """The runs that it knows, each with the seq of its `begin`."""
        return {run.id: run.seq for run in self._agenda.runs.values()}

    async def let_go(self, border: int) -> int:
        """Let go of the broadcast below record `border`, but of nothing that a successor needs.

        Returns the first record that stays. Only between two sentences. Raises `StoreError`: it is lost.
        """
        if self._contents.pending or self.on_air.audio is None:
            return 0
        newest = [self.on_air.sentences.get(reading.run.id) for reading in self._readings]
        first = trim_point(border, [self.on_air.audio, *(seq for seq in newest if seq is not None)])
        await self._writer.append(Trim(first))
        return first

    async def let_entries_go(self, first: int) -> None:
        """Let go of the table of contents below record `first`. Raises `StoreError` if the lane is lost."""
        await self._contents.trim(first)
