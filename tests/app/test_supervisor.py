import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from radio.app import supervisor
from radio.app.supervisor import Start, StoreProcess, Supervisor
from radio.child_processes import UNCHANGING_STATUS, Child, spawn
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

    def found(self, name: str, program: str, ready: asyncio.Event) -> None:
        """A supervisor of the same three, with one more that they stand on."""

        async def until_ready() -> None:
            await ready.wait()

        foundation = StoreProcess(name=name, start=self._start(name, program), until_ready=until_ready)
        starts = {name: self.supervisor._starts[name] for name in NAMES}
        self.supervisor = Supervisor(starts, NAMES, SystemClock(), foundation=foundation)

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


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, each process stops within its share of time."""
    monkeypatch.setattr(supervisor, "HEAD_START_S", 30.0)
    monkeypatch.setattr(supervisor, "STOP_WITHIN_S", 60.0)


@pytest.mark.usefixtures("unhurried")
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

    started.supervisor._starts["relay"] = refused_once
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
        assert sorted(radio.order.read_text().split()) == ["narrator", "scheduler"]


async def test_in_a_hurry_all_are_killed(tmp_path: Path) -> None:
    async with supervised(tmp_path, [DEAF] * 3) as radio:
        await radio.are_up()
        radio.stop.set()
        radio.hurry.set()
        await until(lambda: all(radio.children[name][0].status == -signal.SIGKILL for name in NAMES))


FOUNDATION = "s2-lite"


@pytest.mark.usefixtures("unhurried")
async def test_nothing_is_started_before_its_foundation_is_ready_which_stops_last(tmp_path: Path) -> None:
    started, ready = Started(tmp_path, [OBEDIENT] * 3), asyncio.Event()
    started.children[FOUNDATION] = []
    started.found(FOUNDATION, OBEDIENT, ready)
    async with asyncio.TaskGroup() as group:
        group.create_task(started.supervisor.run(started.stop, started.hurry))
        await until(Path(f"{started.order}.{FOUNDATION}").exists)
        assert not any(started.children[name] for name in NAMES)
        ready.set()
        await started.are_up()
        started.stop.set()
    assert started.order.read_text().split() == [*NAMES, FOUNDATION]


async def test_a_radio_whose_foundation_never_gets_ready_stops_all_the_same(tmp_path: Path) -> None:
    started = Started(tmp_path, [OBEDIENT] * 3)
    started.children[FOUNDATION] = []
    started.found(FOUNDATION, OBEDIENT, asyncio.Event())
    async with asyncio.TaskGroup() as group:
        group.create_task(started.supervisor.run(started.stop, started.hurry))
        await until(Path(f"{started.order}.{FOUNDATION}").exists)
        started.stop.set()
    assert started.order.read_text().split() == [FOUNDATION]


LEAVES_ONE_BEHIND = """
import subprocess, sys
from pathlib import Path
left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
Path(sys.argv[1] + "." + sys.argv[2]).write_text(str(left.pid))
sys.exit(1)
"""


async def test_what_a_process_leaves_behind_when_it_ends_is_ended_too(tmp_path: Path) -> None:
    async with supervised(tmp_path, [OBEDIENT, OBEDIENT, LEAVES_ONE_BEHIND]) as radio:
        await radio.are_up()
        pid = Path(f"{radio.order}.narrator").read_text
        await until(lambda: bool(pid()) and not runs(int(pid())))


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


HOPELESS = """
import sys
from radio.child_processes import mouth, say_last_words
say_last_words(mouth(), "there is no voice")
sys.exit(78)
"""


async def test_a_process_that_ends_twice_for_a_cause_that_will_not_change_ends_the_radio_with_its_words(
    tmp_path: Path,
) -> None:
    started = Started(tmp_path, [OBEDIENT, OBEDIENT, HOPELESS])
    with pytest.raises(supervisor.ChildRefused, match="narrator cannot run: there is no voice"):
        await started.supervisor.run(started.stop, started.hurry)
    assert [len(started.children[name]) for name in NAMES] == [1, 1, 2]
    assert all(child.status is not None for child in started.children["relay"])


async def test_a_process_of_a_radio_whose_settings_are_bad_says_so_to_its_parent(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "radio.cli", "narrate"]
    child = await spawn(argv, name="narrator", environment={"RADIO_HLS_WINDOW_S": "inf"})
    assert await child.wait() == UNCHANGING_STATUS
    assert child.last_words.startswith("--hls-window-s is inf: it must be from 6")
