"""The narrator as a process of its own on SQLite, ended by SIGKILL at moments that nobody chose."""

import asyncio
import contextlib
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from radio import casts
from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.stores.open_store import open_store
from tests.narrator.studio import RUN, STATION, Studio, assert_exact
from tests.waiting import until

XRT = "30"
"""Slow enough that a kill mostly hits a sentence in the making."""
COUNT = 30


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Studio]:
    store = await open_store(Settings(data=tmp_path), SystemClock())
    try:
        yield Studio(tmp_path, store)
    finally:
        await store.close()


class Process:
    """`radio narrate`, which this test may kill."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._log = data / "narrator.log"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "radio.cli",
                "narrate",
                *("--data", str(self._data)),
                env={**os.environ, "RADIO_ENGINE": "tone", "RADIO_TONE_XRT": XRT},
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
            )

    async def kill(self) -> None:
        assert self._process is not None
        assert self._process.returncode is None, self._log.read_text()
        self._process.send_signal(signal.SIGKILL)
        await self._process.wait()

    async def stop(self) -> int:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        return await self._process.wait()


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[Process]:
    running = Process(tmp_path)
    await running.start()
    yield running
    await running.stop()


async def prepared(studio: Studio) -> list[str]:
    """A station with a whole script, whose lead may grow over all of it, and three casts."""
    await studio.card(lead=(900, 10))
    await studio.begin(length_s=3600)
    await studio.script(" ".join(f"Here is sentence {k} of the run." for k in range(COUNT)))
    made = []
    for n in range(3):
        text = " ".join(f"Cast {n} says the sentence {k}." for k in range(8))
        made.append((await casts.submit(studio.store, studio.clock, text=text, voice="af_heart")).cast)
    return made


async def made_at_least(studio: Studio, count: int) -> bool:
    return len(await studio.on_air()) >= count or await studio.is_over(names.broadcast(STATION))


async def may_be_killed(studio: Studio, made: list[str]) -> bool:
    """No cast of `made` waits for a sentence that a narrator already died at: a third death would skip it."""
    states = [(await casts.look(studio.store, cast)).state for cast in made]
    return not any(state.is_new_start and state.start and state.start.tries for state in states)


async def test_after_every_kill_each_sentence_is_heard_once_and_casts_end(
    studio: Studio, process: Process
) -> None:
    made = await prepared(studio)
    draw = random.Random(7)
    for _ in range(4):
        before = len(await studio.on_air())
        await until(lambda: made_at_least(studio, before + draw.randint(1, 4)))  # noqa: B023 - awaited at once
        await until(lambda: may_be_killed(studio, made))
        await asyncio.sleep(draw.uniform(0, 0.2))  # not to be right: any moment will do
        await process.kill()
        await process.start()
    await studio.finished()
    ends = [await studio.cast_over(cast) for cast in made]
    entry = await studio.archived()
    assert await studio.captions() == [f"Here is sentence {k} of the run." for k in range(COUNT)]
    assert_exact(await studio.on_air(), await studio.broadcast())
    assert entry.sentences == COUNT
    assert [end.reason for end in ends] == ["done"] * 3
    for n, cast in enumerate(made):
        state = (await casts.look(studio.store, cast)).state
        assert [line.t for line in state.lines.values()] == [
            f"Cast {n} says the sentence {k}." for k in range(8)
        ]
        audio = [
            e for e in await studio.events(names.cast(cast), records.CAST) if isinstance(e, records.Audio)
        ]
        assert [a.i for a in audio] == list(range(8))
    starts = [e for e in await studio.broadcast() if isinstance(e, records.BroadcastStart)]
    assert len(starts) >= 2


async def test_a_frozen_narrator_is_replaced_and_its_writes_are_refused(
    studio: Studio, process: Process, tmp_path: Path
) -> None:
    """It thaws in the middle of a sentence that its successor has spoken meanwhile."""
    await studio.card(lead=(900, 10))
    await studio.begin(length_s=3600)
    await studio.script(" ".join(f"Here is sentence {k} of the run." for k in range(COUNT)))
    spare = Process(tmp_path)
    await until(lambda: made_at_least(studio, 3))
    assert process._process is not None
    process._process.send_signal(signal.SIGSTOP)
    try:
        await spare.start()
        await until(lambda: _owners(studio, 2), within_s=90)
        process._process.send_signal(signal.SIGCONT)
        await studio.finished()
        assert await spare.stop() == 0
    finally:
        process._process.send_signal(signal.SIGCONT)
    assert await studio.captions() == [f"Here is sentence {k} of the run." for k in range(COUNT)]
    assert_exact(await studio.on_air(), await studio.broadcast())


async def _owners(studio: Studio, count: int) -> bool:
    starts = [e for e in await studio.broadcast() if isinstance(e, records.BroadcastStart)]
    return len({start.owner for start in starts}) >= count


async def test_it_ends_soon_after_sigterm_and_gives_its_station_up(studio: Studio, process: Process) -> None:
    await studio.begin()
    await studio.script("Here is a sentence of the run. And there will be", is_complete=False)
    await until(lambda: made_at_least(studio, 1))
    assert await process.stop() == 0
    assert (await studio.store.fencing_token(names.broadcast(STATION))).startswith("free.")
    assert await studio.captions(RUN) == ["Here is a sentence of the run."]
