"""A narrator in a test: a store, a clock, a voice that speaks at once, and what it is given to speak."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from radio.clock import Clock, SystemClock
from radio.mp3 import FRAME_MS, SILENCE_FRAME
from radio.narrator import worker
from radio.pronunciation import NONE, Pronunciations
from radio.settings import Settings
from radio.speech.speaker import Speaker, Spoken, Unspeakable, Utterance
from radio.streams import names, records
from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    FromSeq,
    Record,
    Start,
    StreamNotFound,
    StreamStore,
    Unavailable,
)
from radio.streams.records import SCRIPT_START, AnyRecord
from radio.streams.stores.memory import MemoryStore
from tests.waiting import until

STATION = "harbor"
RUN = "brief@20261129T0700"


class QuickSpeaker:
    """Silence, two frames a word. What contains a word of `unspeakable` it cannot say."""

    name = "quick"
    at_once = 1

    def __init__(self, unspeakable: Sequence[str] = (), frames_a_word: int = 2) -> None:
        self.said: list[str] = []
        self.unspeakable = unspeakable
        self.frames_a_word = frames_a_word

    def warm_up(self) -> None:
        """Nothing to load."""

    def units(self, text: str, voice: str) -> int:
        return len(text)

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if any(word in text for word in self.unspeakable):
            raise Unspeakable("silent")
        if text != worker.TRIAL:
            self.said.append(text)
        frames = self.frames_a_word * len(text.split())
        return Spoken(
            mp3=SILENCE_FRAME * frames, frames=frames, phonemes=len(text), gen_ms=frames * FRAME_MS / 50
        )

    def speak_all(self, sentences: Sequence[Utterance]) -> list[Spoken | Exception]:
        """One after the other."""
        return [self._attempt(sentence) for sentence in sentences]

    def _attempt(self, sentence: Utterance) -> Spoken | Exception:
        try:
            return self.speak(sentence.text, sentence.voice, sentence.pronounce)
        except Exception as failed:  # noqa: BLE001 - crosses to the caller
            return failed

    def close(self) -> None:
        """Nothing runs."""


class FatalSpeaker(QuickSpeaker):
    """Its process dies when it is to say what contains one of `fatal`."""

    def __init__(self, fatal: Sequence[str]) -> None:
        super().__init__()
        self.fatal = fatal
        self.die: Callable[[], object] = lambda: None

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        if any(word in text for word in self.fatal):
            self.die()
            raise Unspeakable("dead")
        return super().speak(text, voice)


class DyingStore:
    """A store as one process sees it that dies at its write number `dies_at`: before or right after it."""

    def __init__(self, inner: StreamStore, dies_at: int, *, after: bool) -> None:
        self._inner = inner
        self._left = dies_at
        self._after = after
        self.dead = asyncio.Event()

    def __getattr__(self, name: str) -> object:
        if self.dead.is_set() and name not in ("follow", "close"):
            raise Unavailable
        return getattr(self._inner, name)

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        return await self._mortal(
            name,
            lambda: self._inner.append(
                name, records, match_seq_num=match_seq_num, fencing_token=fencing_token
            ),
        )

    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        return await self._mortal(
            name, lambda: self._inner.trim(name, first_seq, fencing_token=fencing_token)
        )

    async def _mortal(self, name: str, write: Callable[[], Awaitable[AppendAck]]) -> AppendAck:
        if self.dead.is_set():
            raise Unavailable
        if not name.startswith(names.MEMBERS):
            self._left -= 1
        if self._left < 0 and not self._after:
            self.dead.set()
            raise Unavailable
        ack = await write()
        if self._left < 0:
            self.dead.set()
            raise Unavailable
        return ack


@dataclass
class Studio:
    """What the tests of the narrator share."""

    data: Path
    store: StreamStore
    clock: Clock = field(default_factory=SystemClock)

    @property
    def settings(self) -> Settings:
        return Settings(data=self.data, store="memory", engine="tone")

    @contextlib.asynccontextmanager
    async def narrator(
        self,
        speaker: Speaker | None = None,
        store: StreamStore | None = None,
        settings: Settings | None = None,
    ) -> AsyncIterator[asyncio.Event]:
        """A narrator that runs; stopped in good order at the end."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(
                worker.run(
                    settings or self.settings,
                    store or self.store,
                    self.clock,
                    stop,
                    speaker or QuickSpeaker(),
                )
            )
            try:
                yield stop
            finally:
                stop.set()

    async def killed_narrator(
        self,
        dies_at: int,
        *,
        after: bool,
        until_over: str,
        speaker: QuickSpeaker | None = None,
        within_s: float = 60.0,
    ) -> bool:
        """Run a narrator that dies at its append `dies_at`, or after `within_s`.

        Returns whether `until_over` had no end yet then.
        """
        store = DyingStore(self.store, dies_at, after=after)
        loop = asyncio.get_running_loop()
        if isinstance(speaker, FatalSpeaker):
            speaker.die = lambda: loop.call_soon_threadsafe(store.dead.set)
        task = asyncio.create_task(
            worker.run(self.settings, store, self.clock, asyncio.Event(), speaker or QuickSpeaker())  # type: ignore[arg-type]  # it forwards
        )
        over = asyncio.create_task(until(lambda: self.is_over(until_over), within_s=within_s))
        dead = asyncio.create_task(store.dead.wait())
        try:
            await asyncio.wait({over, dead, task}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()
        finally:
            store.dead.set()
            for ended in (task, over, dead):
                ended.cancel()
            await asyncio.gather(task, over, dead, return_exceptions=True)
            await self._leave_locks()
        return not await self.is_over(until_over)

    async def _leave_locks(self) -> None:
        """A killed process leaves its lock file behind, unlocked."""
        for info in (await self.store.list(names.MEMBERS)).items:
            (self.data / "members" / f"{info.name.removeprefix(names.MEMBERS)}.lock").touch()

    async def is_over(self, name: str) -> bool:
        """A broadcast whose run has its `end`, or a cast that has its `eos`."""
        family = records.CAST if name.startswith(names.CAST_OUTPUTS) else records.BROADCAST
        found = await self.events(name, family)
        return any(isinstance(e, records.BroadcastEnd | records.CastEnd) for e in found)

    # --- what is written for it ---

    async def begin(
        self,
        run: str = RUN,
        *,
        starts_in_s: float = 0.0,
        length_s: float = 600.0,
        station: str = STATION,
        show: str = "brief",
        voice: str = "af_heart",
    ) -> records.Begin:
        now = self.clock.now_ms()
        begin = records.Begin(
            run=run,
            show=show,
            title=show.title(),
            voice=voice,
            producer="text",
            at=now + round(starts_in_s * 1000),
            until=now + round((starts_in_s + length_s) * 1000),
        )
        await self.write(names.station_input(station), begin)
        return begin

    async def end_run(self, run: str = RUN, station: str = STATION) -> None:
        await self.write(names.station_input(station), records.RunEnd(run=run, reason="stopped"))

    async def script(
        self, *pieces: str, run: str = RUN, station: str = STATION, is_complete: bool = True
    ) -> None:
        """The script in these pieces, by one attempt."""
        events: list[AnyRecord] = [records.ScriptStart(attempt=1, keep=SCRIPT_START)]
        events += [records.Text(seg=0, body=piece.encode()) for piece in pieces]
        if is_complete:
            events.append(records.ScriptEnd(reason="done"))
        await self.write(names.script(station, run), *events)

    async def card(
        self,
        station: str = STATION,
        *,
        fallback: str = "off",
        lead: tuple[float, float] = (30, 10),
        voice: str = "af_heart",
        keep_ms: int | None = None,
        pronounce: Mapping[str, str] | None = None,
    ) -> None:
        card = records.Card(
            station=station,
            title="Harbor FM",
            description="",
            zone="UTC",
            language="en-us",
            voice=voice,
            lead=lead,
            keep_ms=keep_ms,
            fallback=fallback,
            days=(),
            pronounce=pronounce,
        )
        await self.write(names.card(station), card)

    async def write(self, name: str, *events: AnyRecord) -> None:
        await self.store.append(name, [records.encode(e) for e in events])

    # --- what came of it ---

    async def stored(self, name: str, start: Start | None = None) -> list[Record]:
        found: list[Record] = []
        at: Start = start or FromSeq(0)
        try:
            while True:
                page = await self.store.read(name, at, include_commands=True)
                found += page.records
                if not page.records:
                    return found
                at = FromSeq(page.next_seq)
        except StreamNotFound:
            return found

    async def events(self, name: str, family: records.Family) -> list[AnyRecord]:
        return [records.decode(family, r) for r in await self.stored(name) if r.kind == "data"]

    async def broadcast(self, station: str = STATION) -> list[AnyRecord]:
        return await self.events(names.broadcast(station), records.BROADCAST)

    async def on_air(self, run: str = RUN, station: str = STATION) -> list[records.Audio | records.Skip]:
        """The sentences of a run in order."""
        return [
            e
            for e in await self.broadcast(station)
            if isinstance(e, records.Audio | records.Skip) and e.run == run
        ]

    async def captions(self, run: str = RUN, station: str = STATION) -> list[str]:
        return [e.t for e in await self.on_air(run, station)]

    async def finished(self, run: str = RUN, station: str = STATION) -> None:
        """Wait for the run's `end`."""

        async def is_there() -> bool:
            return any(
                isinstance(e, records.BroadcastEnd) and e.run == run for e in await self.broadcast(station)
            )

        await until(is_there)

    async def archived(self, run: str = RUN, station: str = STATION) -> records.ArchivedRun:
        """Wait for the run's entry."""
        found: list[AnyRecord] = []

        async def is_there() -> bool:
            found[:] = await self.events(names.shows(station), records.ARCHIVE)
            return any(isinstance(e, records.ArchivedRun) and e.run == run for e in found)

        await until(is_there)
        [entry] = [e for e in found if isinstance(e, records.ArchivedRun) and e.run == run]
        return entry

    async def cast_over(self, cast: str) -> records.CastEnd:
        """Wait for the cast's `eos`."""
        ends: list[records.CastEnd] = []

        async def is_there() -> bool:
            ends[:] = [
                e for e in await self.events(names.cast(cast), records.CAST) if isinstance(e, records.CastEnd)
            ]
            return bool(ends)

        await until(is_there)
        return ends[-1]

    async def receipts(self) -> list[records.Receipt]:
        return [e for e in await self.events(names.DONE, records.DONE) if isinstance(e, records.Receipt)]


def assert_exact(sentences: Sequence[records.Audio | records.Skip], broadcast: Sequence[AnyRecord]) -> None:
    """Air time is dense on the grid and never overlaps, bytes are dense, and each sentence comes once."""
    end, pos = 0, 0
    for event in broadcast:
        if isinstance(event, records.Audio):
            assert event.at is not None
            assert event.at % FRAME_MS == 0
            assert event.at >= end
            assert event.pos == pos
            assert event.d * 8 == len(event.body)
            end, pos = event.until, pos + len(event.body)
    assert [s.i for s in sentences] == list(range(len(sentences)))
    places = [s.src for s in sentences if s.src is not None]
    assert places == sorted(set(places))
    assert len(places) == len(sentences)


async def memory_studio(data: Path) -> Studio:
    return Studio(data, MemoryStore(SystemClock()))


__all__ = [
    "RUN",
    "STATION",
    "DyingStore",
    "FatalSpeaker",
    "Fence",
    "QuickSpeaker",
    "Studio",
    "assert_exact",
    "memory_studio",
]
