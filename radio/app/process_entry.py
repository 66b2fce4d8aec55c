"""The body of each process: one room with its store. A room is imported only by the process that runs it."""

import asyncio
import resource
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from radio import child_processes
from radio.app import process
from radio.app.process import Frame
from radio.app.s2_lite import server_process
from radio.app.s2_lite.local_server import FOLDER as S2_FOLDER
from radio.runs import Assignment
from radio.settings import Settings, emptied, to_environment
from radio.streams.contract import StreamStore


def relay(settings: Settings, on_ready: Callable[[str], None]) -> None:
    """Serve listeners. `on_ready` is called with the relay's URL once it answers."""

    allow_all_files()

    async def body(frame: Frame) -> None:
        from radio.relay import app

        async def serve(store: StreamStore) -> None:
            await app.run(settings, store, frame.clock, frame.stop, on_ready)

        await process.with_store(frame, serve)

    process.run(settings, "relay", body)


def allow_all_files() -> None:
    """Raise the limit of open files as far as the system allows: each listener needs one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def narrator(settings: Settings) -> None:
    """Speak the input streams."""

    async def body(frame: Frame) -> None:
        from radio.narrator import worker
        from radio.speech.speaker import load_speaker

        speaker = await asyncio.to_thread(load_speaker, settings)

        async def narrate(store: StreamStore) -> None:
            await worker.run(settings, store, frame.clock, frame.stop, speaker)

        with closing(speaker):
            if not frame.stop.is_set():
                await process.with_store(frame, narrate)

    process.run(settings, "narrator", body)


def scheduler(settings: Settings) -> None:
    """Begin and end runs by the timetables, with a producer process for each."""

    async def body(frame: Frame) -> None:
        from radio.stations import scheduler as stations

        async def schedule(store: StreamStore) -> None:
            argv, environment = command("produce", settings, "--assignment", "-")
            spawn = partial(child_processes.spawn, environment=environment)
            await stations.run(settings, store, frame.clock, frame.stop, produce_argv=argv, spawn=spawn)

        await process.with_store(frame, schedule)

    process.run(settings, "scheduler", body)


def s2_lite(settings: Settings, binary: Path) -> None:
    """Run S2 Lite in the data folder."""

    async def body(frame: Frame) -> None:
        folder = settings.data / S2_FOLDER
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        await server_process.run(binary, folder, settings.s2_lite_port, frame.stop)

    process.run(settings, "s2-lite", body)


def producer(settings: Settings, assignment: Assignment) -> None:
    """Write the script of one run."""

    async def body(frame: Frame) -> None:
        from radio.producers import runner

        async def produce(store: StreamStore) -> None:
            await runner.run(settings, store, frame.clock, frame.stop, assignment)

        await process.with_store(frame, produce)

    process.run(settings, "producer", body)


def command(name: str, settings: Settings, *arguments: str) -> tuple[Sequence[str], Mapping[str, str]]:
    """The command line of a process of this radio, and the variables that give it the same settings."""
    argv = (sys.executable, "-m", "radio.cli", name, *arguments, *emptied(settings))
    return argv, to_environment(settings)
