"""What the narrator adds to the voice: over an hour of script, and until a cast is first heard.

    python -m bench.narrator [--hour-xrt 120] [--engine auto] [--casts 8]

`hour`: a script of one hour of audio, spoken by an engine of fixed speed (a tone that sleeps). Wall time is
split into the engine, the rest of the voice (speech text, edges, MP3), and the narrator (cutting, scheduling,
appends to the SQLite store).

`cast`: an idle narrator; from before a cast is submitted until its first audio record can be read by another
reader of the store, over the bare synthesis of the same first piece by the same speaker. Rounds alternate.
"""

import argparse
import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from radio import casts
from radio.cli.terminal import table
from radio.clock import SystemClock
from radio.mp3 import BYTES_PER_MS
from radio.narrator import worker
from radio.narrator.cast.text import CastText
from radio.pronunciation import NONE, Given, Pronunciations
from radio.settings import Settings
from radio.speech.engines.tone_engine import ToneEngine
from radio.speech.speaker import Speaker, Spoken, VoiceSpeaker, load_speaker
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.records import SCRIPT_START, AnyRecord
from radio.streams.stores.sqlite.store import SqliteStore
from radio.voices import Blend

STATION, RUN, VOICE = "bench", "hour@20261129T0700", "af_heart"
HOUR_S = 3600
ORDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SENTENCES = (
    "The old ferry crossed the bay twice a day, carrying schoolchildren, bicycles, and crates of oranges.",
    "When the archive finally opened its doors, the historians found more than they expected.",
    "Tonight we have three stories for you: a comet, a cat, and a very small computer.",
    "The rain stopped just before the market opened this morning.",
    "It can read to you while you cook.",
)


class TimedEngine(ToneEngine):
    """A tone of fixed speed that counts its own time."""

    def __init__(self, xrt: float) -> None:
        super().__init__(xrt)
        self.spent_s = 0.0

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        begun = time.perf_counter()
        wave = super().synthesise(phonemes, blend)
        self.spent_s += time.perf_counter() - begun
        return wave


class Letters:
    """In place of a G2P."""

    def phonemes(self, text: str, language: str, given: Mapping[str, Given] | None = None) -> str:
        return text

    def close(self) -> None:
        """Nothing runs."""


class TimedSpeaker(VoiceSpeaker):
    """Counts the time of whole sentences."""

    spent_s = 0.0

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        begun = time.perf_counter()
        spoken = super().speak(text, voice)
        self.spent_s += time.perf_counter() - begun
        return spoken


@dataclass(frozen=True, slots=True)
class Hour:
    """Times in seconds."""

    sentences: int
    audio: float
    wall: float
    engine: float
    speaker: float


@contextlib.asynccontextmanager
async def narrating(settings: Settings, store: StreamStore, speaker: Speaker) -> AsyncIterator[None]:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(worker.run(settings, store, SystemClock(), stop, speaker), name="narrator")
        try:
            yield
        finally:
            stop.set()


async def write(store: StreamStore, name: str, *events: AnyRecord) -> None:
    for at in range(0, len(events), 500):
        await store.append(name, [records.encode(event) for event in events[at : at + 500]])


async def hour(folder: Path, xrt: float) -> Hour:
    store = await SqliteStore.open(folder / "hour.sqlite3", SystemClock())
    engine = TimedEngine(xrt)
    speaker = TimedSpeaker(engine, Letters(), lambda _: True, VOICE)
    now = SystemClock().now_ms()
    await write(store, names.card(STATION), _card())
    await write(store, names.station_input(STATION), _begin(now))
    length_s = sum(speaker.speak(s, VOICE).frames for s in SENTENCES) * 0.024
    pieces = [f"{s} " for _ in range(round(HOUR_S / length_s)) for s in SENTENCES]
    script: list[AnyRecord] = [records.ScriptStart(attempt=1, keep=SCRIPT_START)]
    script += [records.Text(seg=0, body=piece.encode()) for piece in pieces]
    await write(store, names.script(STATION, RUN), *script, records.ScriptEnd(reason="done"))
    async with narrating(Settings(data=folder), store, speaker):
        begun, spent, spoken = await _first(store), engine.spent_s, speaker.spent_s
        audio, last = await _until_end(store)
        wall, engine_s = last - begun, engine.spent_s - spent
    await store.close()
    return Hour(len(pieces), audio, wall, engine_s, speaker.spent_s - spoken)


async def _first(store: StreamStore) -> float:
    """When the first audio stands."""
    async with store.follow(names.broadcast(STATION), FromSeq(0), await_stream=True) as tail:
        async for result in tail:
            if any(records.event_of(r) == records.Audio.EVENT for r in result.records):
                return time.perf_counter()
    raise AssertionError("the broadcast ended")


async def _until_end(store: StreamStore) -> tuple[float, float]:
    """Seconds of audio after the first record, and when the run's end stands."""
    size = 0
    async with store.follow(names.broadcast(STATION), FromSeq(0), await_stream=True) as tail:
        async for result in tail:
            size += sum(len(r.body) for r in result.records if records.event_of(r) == records.Audio.EVENT)
            if any(records.event_of(r) == records.BroadcastEnd.EVENT for r in result.records):
                return size / BYTES_PER_MS / 1000, time.perf_counter()
    raise AssertionError("the broadcast ended")


def _card() -> records.Card:
    return records.Card(
        station=STATION, title="Bench", description="", zone="UTC", language="en-us", voice=VOICE,
        lead=(10 * HOUR_S, 10), keep_ms=None, fallback="off", days=(),
    )  # fmt: skip


def _begin(now: int) -> records.Begin:
    until = now + 10 * HOUR_S * 1000
    return records.Begin(
        run=RUN, show="hour", title="Hour", voice=VOICE, producer="text", at=now, until=until
    )


async def cast_rounds(folder: Path, settings: Settings, count: int) -> list[tuple[float, float]]:
    """(Bare synthesis, submission to first audio) of each round, in seconds."""
    store = await SqliteStore.open(folder / "cast.sqlite3", SystemClock())
    rounds = []
    with closing(load_speaker(settings)) as speaker:
        speaker.warm_up()
        for n in range(count):
            text = f"This is message {ORDINALS[n % len(ORDINALS)]}, and it came late. {SENTENCES[n % 5]}"
            first = CastText(text, VOICE).next
            assert first is not None
            speaker.speak(first, VOICE)
            begun = time.perf_counter()
            speaker.speak(first, VOICE)
            bare = time.perf_counter() - begun
            async with narrating(settings, store, speaker):
                await _idle(store, n)
                rounds.append((bare, await _heard(store, text)))
    await store.close()
    return rounds


async def _idle(store: StreamStore, n: int) -> None:
    """The narrator has warmed up and waits: a cast that it was given before is done."""
    text = f"Message {ORDINALS[n % len(ORDINALS)]} comes after this one. "
    made = await casts.submit(store, SystemClock(), text=text, voice=VOICE)
    await _until(store, made.cast, records.CastEnd.EVENT)


async def _heard(store: StreamStore, text: str) -> float:
    begun = time.perf_counter()
    made = await casts.submit(store, SystemClock(), text=text, voice=VOICE)
    await _until(store, made.cast, records.Audio.EVENT)
    heard = time.perf_counter() - begun
    await _until(store, made.cast, records.CastEnd.EVENT)
    return heard


async def _until(store: StreamStore, cast: str, event: str) -> None:
    async with store.follow(names.cast(cast), FromSeq(0)) as tail:
        async for result in tail:
            if any(records.event_of(record) == event for record in result.records):
                return


def hour_table(found: Hour, xrt: float) -> str:
    narrator = found.wall - found.speaker
    rows = [
        ("engine", found.engine, found.engine / found.wall),
        ("rest of the voice", found.speaker - found.engine, (found.speaker - found.engine) / found.wall),
        ("narrator", narrator, narrator / found.wall),
        ("all", found.wall, 1.0),
    ]
    head = f"{found.audio:.0f} s of audio in {found.sentences} sentences, engine at {xrt:g} xRT"
    return table(
        [[what, f"{s:.2f}", f"{share:.1%}", f"{s * 1000 / found.sentences:.2f}"] for what, s, share in rows],
        [head, "s", "share", "ms a sentence"],
    )


def cast_table(rounds: list[tuple[float, float]], engine: str) -> str:
    over = [heard - bare for bare, heard in rounds]
    ratio = [heard / bare for bare, heard in rounds]
    columns = {
        "bare synthesis, ms": [1000 * bare for bare, _ in rounds],
        "submitted to first audio, ms": [1000 * heard for _, heard in rounds],
        "difference, ms": [1000 * s for s in over],
        "ratio": ratio,
    }
    return table(
        [
            [what, *(f"{v:.2f}" for v in (statistics.median(values), min(values), max(values)))]
            for what, values in columns.items()
        ],
        [f"first piece of a cast, {engine}", "median", "least", "most"],
    )


async def bench(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        print(hour_table(await hour(Path(folder), options.hour_xrt), options.hour_xrt), end="\n\n")
        settings = Settings(data=Path(folder), engine=options.engine, tone_xrt=options.tone_xrt)
        with closing(load_speaker(settings)) as speaker:
            engine = speaker.name
        print(cast_table(await cast_rounds(Path(folder), settings, options.casts), engine))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hour-xrt", type=float, default=120.0, help="speed of the engine over the hour")
    parser.add_argument("--engine", default="auto", help="the voice of the casts, as RADIO_ENGINE")
    parser.add_argument("--tone-xrt", type=float, default=5.0, help="its speed if that is `tone`")
    parser.add_argument("--casts", type=int, default=8, choices=range(1, 13), metavar="1..12")
    parser.add_argument("--folder", type=Path, help="where the stores are made")
    asyncio.run(bench(parser.parse_args()))


if __name__ == "__main__":
    main()
