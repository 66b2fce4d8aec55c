import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from radio.app.supervisor import Start, Supervisor
from radio.children import Child, spawn
from radio.clock import SystemClock
from tests.waiting import until

OBEDIENT = """
import signal, sys
from pathlib import Path
def stop(*_):
    with Path(sys.argv[1]).open("a") as order:
        print(sys.argv[2], file=order)
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
Path(sys.argv[1] + "." + sys.argv[2]).write_text("up")
while True:
    signal.pause()
"""
DEAF = OBEDIENT.replace("signal.SIGTERM, stop", "signal.SIGTERM, signal.SIG_IGN")
NAMES = ("relay", "scheduler", "narrator")


class Started:
    """Three processes under a supervisor, and what came of them."""

    def __init__(self, folder: Path, programs: Sequence[str]) -> None:
        self.order = folder / "order"
        self.children: dict[str, list[Child]] = {name: [] for name in NAMES}
        starts = {name: self._start(name, program) for name, program in zip(NAMES, programs, strict=True)}
        self.supervisor = Supervisor(starts, NAMES, SystemClock())
        self.stop, self.hurry = asyncio.Event(), asyncio.Event()

    def _start(self, name: str, program: str) -> Start:
        async def start() -> Child:
            child = await spawn([sys.executable, "-c", program, str(self.order), name], name=name)
            self.children[name].append(child)
            return child

        return start

    async def are_up(self) -> None:
        for name in NAMES:
            await until(Path(f"{self.order}.{name}").exists)


@asynccontextmanager
async def supervised(folder: Path, programs: Sequence[str]) -> AsyncIterator[Started]:
    started = Started(folder, programs)
    async with asyncio.TaskGroup() as group:
        group.create_task(started.supervisor.run(started.stop, started.hurry))
        try:
            yield started
        finally:
            started.stop.set()
            started.hurry.set()


async def test_processes_stop_in_the_order_given(tmp_path: Path) -> None:
    async with supervised(tmp_path, [OBEDIENT] * 3) as radio:
        await radio.are_up()
        radio.stop.set()
        await until(lambda: radio.order.exists() and len(radio.order.read_text().split()) == 3)
        assert radio.order.read_text().split() == list(NAMES)


async def test_a_process_that_is_killed_is_started_again_alone(tmp_path: Path) -> None:
    async with supervised(tmp_path, [OBEDIENT] * 3) as radio:
        await radio.are_up()
        os.kill(radio.children["scheduler"][0].pid, signal.SIGKILL)
        await until(lambda: len(radio.children["scheduler"]) == 2)
        assert [len(radio.children[name]) for name in NAMES] == [1, 2, 1]
        assert radio.children["scheduler"][1].pid != radio.children["scheduler"][0].pid


async def test_a_process_that_the_system_has_no_room_for_is_tried_again(tmp_path: Path) -> None:
    refusals = [BlockingIOError("no more processes")]
    started = Started(tmp_path, [OBEDIENT] * 3)
    start = started.supervisor._starts["relay"]

    async def refused_once() -> Child:
        if refusals:
            raise refusals.pop()
        return await start()

    started.supervisor._starts["relay"] = refused_once  # type: ignore[index]
    async with asyncio.TaskGroup() as group:
        group.create_task(started.supervisor.run(started.stop, started.hurry))
        await started.are_up()
        started.stop.set()
    assert not refusals


async def test_a_process_that_does_not_stop_is_killed_and_hinders_no_other(tmp_path: Path) -> None:
    async with supervised(tmp_path, [DEAF, OBEDIENT, OBEDIENT]) as radio:
        await radio.are_up()
        radio.stop.set()
        await until(lambda: radio.children["relay"][0].status is not None)
        assert radio.children["relay"][0].status == -signal.SIGKILL
        assert radio.order.read_text().split() == ["scheduler", "narrator"]


async def test_in_a_hurry_all_are_killed(tmp_path: Path) -> None:
    async with supervised(tmp_path, [DEAF] * 3) as radio:
        await radio.are_up()
        radio.stop.set()
        radio.hurry.set()
        await until(lambda: all(radio.children[name][0].status == -signal.SIGKILL for name in NAMES))
