"""The first minute of a show, written and spoken as it would be on air, for its editor alone.

Producer and narrator run in this process on a store of their own that lasts as long as the preview.
"""

import asyncio
import dataclasses
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, closing
from pathlib import Path
from typing import Protocol

from radio.app import manual_assignment
from radio.clock import Clock, SystemClock
from radio.errors import RadioError, first_of
from radio.narrator import worker
from radio.producers import runner
from radio.runs import Assignment
from radio.settings import Settings
from radio.speech.speaker import load_speaker
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamStore
from radio.streams.reading import known
from radio.streams.stores.memory import MemoryStore
from radio.streams.writer import claim

AHEAD_S = 60.0
"""Made beyond the requested time, so that nothing waits for the clock."""


class Nothing(RadioError):
    """The show ended before a sentence of it was heard."""


class OnSentence(Protocol):
    """Called with each sentence: its caption and its MP3."""

    def __call__(self, caption: str, mp3: bytes, /) -> None: ...


def preview(settings: Settings, station: str, show: str, seconds: float, on_sentence: OnSentence) -> float:
    """Make about that many seconds of the show, up to the end of a sentence. Returns how many they are.

    Raises:
        NotFound: no such station or show.
        BadInput: the station's file or the producer's options have errors.
        Nothing: no sentence came.
    """
    clock = SystemClock()
    planned = manual_assignment.assignment(settings, station, show, None, clock.now_ms())
    words = manual_assignment.station_of(settings, station).pronounce
    with tempfile.TemporaryDirectory(prefix="radio-preview-") as folder:
        apart = dataclasses.replace(settings, store="memory", data=Path(folder))
        try:
            made = _Preview(apart, clock, _now(planned, clock, seconds), seconds, words)
            return asyncio.run(made.run(on_sentence))
        except BaseExceptionGroup as group:
            raise first_of(group) from None


def _now(planned: Assignment, clock: Clock, seconds: float) -> Assignment:
    """The same run, starting now, and without waiting for listeners to hear it."""
    at = clock.now_ms()
    length_ms = max(planned.until - planned.at, round(1000 * (seconds + AHEAD_S)))
    return dataclasses.replace(
        planned,
        at=at,
        until=at + length_ms,
        lead_low_s=planned.lead_low_s + seconds,
        lead_high_s=planned.lead_high_s + seconds,
    )


class _Preview:
    """One preview. `words`: the station's pronunciation list."""

    def __init__(
        self, settings: Settings, clock: Clock, task: Assignment, seconds: float, words: Mapping[str, str]
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._task = task
        self._seconds = seconds
        self._words = words

    async def run(self, on_sentence: OnSentence) -> float:
        store, stop = MemoryStore(self._clock), asyncio.Event()
        await self._begin(store)
        made_s = 0.0
        with closing(await asyncio.to_thread(load_speaker, self._settings)) as speaker:
            async with asyncio.TaskGroup() as rooms:
                rooms.create_task(runner.run(self._settings, store, self._clock, stop, self._task))
                rooms.create_task(worker.run(self._settings, store, self._clock, stop, speaker))
                async with aclosing(self._audio(store)) as audio:
                    async for sentence in audio:
                        on_sentence(sentence.t, sentence.body)
                        made_s += sentence.d / 1000
                        if made_s >= self._seconds:
                            break
                stop.set()
        await store.close()
        if not made_s:
            raise Nothing(f"{self._task.show} had nothing to say", hint="the lines above may tell why")
        return made_s

    async def _begin(self, store: StreamStore) -> None:
        task = self._task
        begin = records.Begin(
            run=task.run, show=task.show, title=task.title, voice=task.voice, producer=task.producer,
            at=task.at, until=task.until,
        )  # fmt: skip
        card = records.Card(
            station=task.station, title=task.station_title, description="", zone=task.zone,
            language=task.language, voice=task.voice, lead=(self._seconds + AHEAD_S, 10.0), fallback="off",
            days=(), pronounce=self._words or None,
        )  # fmt: skip
        await claim(store, names.card(task.station), [records.encode(card)], fencing_token="")
        await claim(store, names.station_input(task.station), [records.encode(begin)], fencing_token="")

    async def _audio(self, store: StreamStore) -> AsyncGenerator[records.Audio, None]:
        """The records put on air, until the run's end."""
        name = names.broadcast(self._task.station)
        async with store.follow(name, FromSeq(0), await_stream=True) as tail:
            async for result in tail:
                for record in result.records:
                    event = known(records.BROADCAST, record, name)
                    if isinstance(event, records.Audio):
                        yield event
                    if isinstance(event, records.BroadcastEnd):
                        return
