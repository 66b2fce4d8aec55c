"""A radio on air for a browser: the real relay, on a store that a small narrator keeps filling.

The narrator stands in for the real one so that a test decides when a cast's next sentence is made; its
records and its MP3 are real, its voice is the tone. All of it runs on a thread of its own, in one event loop.
"""

import asyncio
import socket
import threading
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar

from radio import casts, control, mp3, voices
from radio.clock import Clock, SystemClock
from radio.relay import app
from radio.sentences import Splitter
from radio.settings import Settings
from radio.speech.engines.tone_engine import ToneEngine
from radio.streams import names, records
from radio.streams.contract import FromSeq, NewRecord, StreamStore
from radio.streams.stores.memory import MemoryStore

STATION = "harbor"
SILENT = "shelf"
DAWN = "dawn"
"""Off air until a test lets it begin."""
LEAD_MS = 20_000
SCRIPT = (
    "Good morning from the harbor, where the fog is slowly lifting.",
    "The early ferry to the north island left on time, with nine passengers and a piano.",
    "Its captain calls the sea calm, and the piano quiet.",
    "On the fish market they sell mackerel, two kinds of crab, and yesterday's gossip.",
    "The lighthouse has a new lamp: it is smaller than a fist and is seen from twenty miles away.",
    "If you walk along the pier today, look out for the painter with the red umbrella.",
    "She has been painting the same three boats since April, and says they never hold still.",
)
HOUR_MS = 3_600_000

T = TypeVar("T")


@cache
def spoken(text: str) -> bytes:
    """The text as a tone: MP3 of whole frames."""
    return mp3.encode(ToneEngine().synthesise(text, voices.parse("af_heart")))


class Broadcast:
    """What is said on a station, kept `lead_ms` ahead of the clock until `stop`."""

    def __init__(self, store: StreamStore, clock: Clock, station: str, *, lead_ms: int = LEAD_MS) -> None:
        self._store, self._clock, self._station, self._lead_ms = store, clock, station, lead_ms
        self._name = names.broadcast(station)
        self.captions: list[tuple[int, records.Audio]] = []
        """(seq, record) of all audio."""
        self._at = self._pos = 0

    async def say(self, run: str, i: int) -> None:
        """The run's next sentence, right after what was said before."""
        text = SCRIPT[i % len(SCRIPT)]
        body = spoken(text)
        audio = records.Audio(
            i=i, d=len(body) // mp3.BYTES_PER_MS, t=text, pos=self._pos, at=self._at, run=run,
            src=records.ScriptPosition(0, i + 1), body=body,
        )  # fmt: skip
        seq = await self._append(audio)
        self.captions.append((seq, audio))
        self._at, self._pos = audio.until, self._pos + len(body)

    async def past_run(self, run: str, title: str, ago_ms: int, sentences: int) -> None:
        """A run that is over, in the archive."""
        show = run.partition("@")[0]
        self._at = begun = (self._clock.now_ms() - ago_ms) // 24 * 24
        await self._append(records.ShowBegin(run=run, show=show, title=title, at=begun))
        pos, first = self._pos, (await self._store.check_tail(self._name)).seq
        for i in range(sentences):
            await self.say(run, i)
        await self._append(records.BroadcastEnd(run=run, reason="done"))
        archived = records.ArchivedRun(
            run=run, show=show, title=title, spans=((first, first + sentences - 1),), at=begun,
            until=self._at, size=self._pos - pos, sentences=sentences,
        )  # fmt: skip
        await self._store.append(names.shows(self._station), [records.encode(archived)])

    async def go_on(self, run: str, title: str, stop: asyncio.Event) -> None:
        """A run that began a minute ago and does not end by itself."""
        self._at = (self._clock.now_ms() - 60_000) // 24 * 24
        await self._append(records.ShowBegin(run=run, show=run.partition("@")[0], title=title, at=self._at))
        i = 0
        while not stop.is_set():
            if self._at < self._clock.now_ms() + self._lead_ms:
                await self.say(run, i)
                i += 1
            else:
                await _wait(stop, 0.2)

    async def _append(self, record: records.AnyRecord) -> int:
        return (await self._store.append(self._name, [records.encode(record)])).start.seq


async def write_card(
    store: StreamStore, clock: Clock, station: str, title: str, about: str, *, shows: range
) -> None:
    """The station's card; its shows are two hours long and counted from this hour on."""
    now = clock.now_ms() // HOUR_MS * HOUR_MS
    plan = ("Morning brief", "A story from the quay", "Tide tables", "Letters from listeners")
    days = tuple(
        {"run": f"show-{k}@{now + 2 * k * HOUR_MS}", "show": f"show-{k}", "title": plan[k % 4],
         "at": now + 2 * k * HOUR_MS, "until": now + (2 * k + 2) * HOUR_MS}
        for k in shows
    )  # fmt: skip
    card = records.Card(
        station=station, title=title, description=about, zone="Europe/Berlin", language="en-us",
        voice="af_heart", lead=(20.0, 8.0), keep_ms=None, fallback="off", days=days,
    )  # fmt: skip
    await store.append(names.card(station), [records.encode(card)])


class CastNarrator:
    """Speaks casts side by side, one sentence of a cast for each permit that the test gives it."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self._permits: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(0))

    def permit(self, cast: str, sentences: int) -> None:
        """Let that many more sentences of the cast be spoken."""
        for _ in range(sentences):
            self._permits[cast].release()

    async def work(self) -> None:
        """Every job, for ever."""
        async with (
            asyncio.TaskGroup() as casts_at_work,
            self._store.follow(names.JOBS, FromSeq(0), await_stream=True) as jobs,
        ):
            async for page in jobs:
                for record in page.records:
                    job = records.decode(records.JOBS, record)
                    assert isinstance(job, records.Job)
                    casts_at_work.create_task(self._speak(job.cast, record.seq))

    async def _speak(self, cast: str, job: int) -> None:
        recipe = await casts.recipe(self._store, cast)
        assert recipe is not None
        splitter = Splitter()
        lines = [*splitter.feed(recipe.text), *splitter.finish()]
        pos = 0
        for i, line in enumerate(lines):
            await self._permits[cast].acquire()
            if i == 0:
                await self._append(cast, records.CastStart(owner="test", first=0))
            body = spoken(line.text)
            audio = records.Audio(i=i, d=len(body) // mp3.BYTES_PER_MS, t=line.text, pos=pos, body=body)
            await self._append(cast, audio)
            pos += len(body)
        await self._append(cast, records.CastEnd(reason="done", job=job))

    async def _append(self, cast: str, record: records.AnyRecord) -> None:
        new: NewRecord = records.encode(record)
        await self._store.append(names.cast(cast), [new])


class OnAir:
    """The radio on its thread. A context manager; `url` is where it answers.

    Args:
        lead_ms: sound of `STATION` that is made ahead.
    """

    def __init__(self, data: Path, *, lead_ms: int = LEAD_MS) -> None:
        self._lead_ms = lead_ms
        self.settings = Settings(data=data, port=_free_port(), store="memory")
        self.url = f"http://127.0.0.1:{self.settings.port}"
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="on-air")
        self._ready = threading.Event()

    def __enter__(self) -> "OnAir":
        self._done = self._thread.submit(lambda: asyncio.run(self._main()))
        self._done.add_done_callback(lambda _: self._ready.set())
        assert self._ready.wait(60), "the relay did not answer within a minute"
        if self._done.done():
            self._done.result()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._done.result(30)
        self._thread.shutdown()

    def make(self, sentences: int, *, of: str) -> None:
        """Let the narrator speak that many more sentences of the cast with the page `of`."""
        self._loop.call_soon_threadsafe(self.casts.permit, of.rpartition("/")[2], sentences)

    def begin(self, station: str, run: str, title: str) -> None:
        """A run begins on a station that is off air, and does not end by itself."""

        def task() -> None:
            broadcast = Broadcast(self._store, SystemClock(), station)
            self._tasks.create_task(broadcast.go_on(run, title, self._stop))

        self._loop.call_soon_threadsafe(task)

    def ask(self, what: str, detail: str = "") -> None:
        """The editor's hand on `STATION`."""

        async def task() -> None:
            await control.ask(self._store, what, STATION, [detail])

        self._call(task)

    def restart_relay(self) -> None:
        """The relay stops and starts again at the same address, as after an update."""
        self._call(self._restart)

    def heard(self, air_ms: float) -> Sequence[str]:
        """Captions that a listener may see lit at this air time: two within 300 ms of a change."""
        return [
            audio.t for _, audio in tuple(self.broadcast.captions)
            if audio.at is not None and audio.at - 300 <= air_ms <= audio.until + 300
        ]  # fmt: skip

    def _call(self, function: Callable[[], Awaitable[T]]) -> T:
        async def run() -> T:
            return await function()

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result(60)

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        clock = SystemClock()
        self._store = MemoryStore(clock)
        self.broadcast = Broadcast(self._store, clock, STATION, lead_ms=self._lead_ms)
        self.casts = CastNarrator(self._store)
        await write_card(
            self._store,
            clock,
            STATION,
            "Harbor FM",
            "Small news from a town by the sea.",
            shows=range(-4, 60),
        )
        await write_card(
            self._store,
            clock,
            SILENT,
            "Night Shelf",
            "Long stories for people who are awake.",
            shows=range(4, 6),
        )
        await write_card(
            self._store,
            clock,
            DAWN,
            "Dawn Chorus",
            "Birds and weather, before the day begins.",
            shows=range(4, 6),
        )
        for k, title in ((3, "Letters from listeners"), (2, "A story from the quay"), (1, "Tide tables")):
            await self.broadcast.past_run(f"past-{k}@{k}", title, k * 2 * HOUR_MS, 12)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.broadcast.go_on("brief@now", "Morning brief", self._stop))
            narrator = tasks.create_task(self.casts.work())
            self._tasks = tasks
            await self._start_relay()
            self._ready.set()
            await self._stop.wait()
            await self._stop_relay()
            narrator.cancel()
        await self._store.close()

    async def _start_relay(self) -> None:
        ready, self._relay_stop = asyncio.Event(), asyncio.Event()
        self._relay = self._tasks.create_task(
            app.run(self.settings, self._store, SystemClock(), self._relay_stop, lambda _: ready.set())
        )
        async with asyncio.timeout(120):
            await ready.wait()

    async def _stop_relay(self) -> None:
        self._relay_stop.set()
        await self._relay

    async def _restart(self) -> None:
        await self._stop_relay()
        await self._start_relay()


async def _wait(event: asyncio.Event, timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await event.wait()
    except TimeoutError:
        return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
