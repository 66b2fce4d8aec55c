import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from radio.child_processes import ORPHAN_STATUS, Child, spawn
from tests.waiting import until

OBEDIENT = """
import asyncio, sys
from pathlib import Path
from radio import child_processes
async def main():
    stop = asyncio.Event()
    child_processes.stop_when_parent_is_gone(stop, grace_s=float(sys.argv[2]))
    Path(sys.argv[1]).write_text("up")
    await stop.wait()
    Path(sys.argv[1]).write_text("stopped")
asyncio.run(main())
"""
STUBBORN = OBEDIENT.replace('write_text("stopped")', 'write_text("stopped"); await asyncio.sleep(3600)')
DEAF = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGTERM, signal.SIG_IGN)
Path(sys.argv[1]).write_text("up")
signal.pause()
"""
PARENT = """
import asyncio, sys
from radio.child_processes import spawn
async def main():
    child = await spawn([sys.executable, "-c", sys.argv[1], sys.argv[2], "2"], name="grandchild")
    print(child.pid, file=open(sys.argv[3], "w"), flush=True)
    await child.wait()
asyncio.run(main())
"""


@asynccontextmanager
async def spawned(*argv: str) -> AsyncIterator[Child]:
    child = await spawn([sys.executable, *argv], name="test")
    try:
        yield child
    finally:
        child.kill()
        await child.wait()


def says(path: Path, text: str) -> bool:
    return path.exists() and path.read_text().strip() == text


async def test_wait_gives_the_exit_status() -> None:
    async with spawned("-c", "raise SystemExit(7)") as child:
        assert await child.wait() == 7


async def test_the_first_line_arrives_and_the_pipe_stays_open(tmp_path: Path) -> None:
    program = (
        "import sys; from radio.child_processes import read_first_line;"
        "open(sys.argv[1], 'wb').write(read_first_line()); sys.stdin.read()"
    )
    said = tmp_path / "said"
    child = await spawn([sys.executable, "-c", program, str(said)], name="test", first_line="grüße".encode())
    try:
        await until(lambda: says(said, "grüße"))
        assert child.status is None
    finally:
        assert await child.stop() == -signal.SIGTERM


async def test_a_child_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    up = tmp_path / "up"
    async with spawned("-c", DEAF, str(up)) as child:
        await until(lambda: says(up, "up"))
        assert await child.stop(grace_s=0.1) == -signal.SIGKILL


async def test_a_child_is_not_in_the_group_that_ctrl_c_reaches() -> None:
    async with spawned("-c", "import sys; sys.stdin.read()") as child:
        assert os.getpgid(child.pid) == child.pid != os.getpgrp()


@pytest.mark.parametrize("kill_parent", [signal.SIGKILL, signal.SIGTERM])
async def test_a_grandchild_stops_in_order_when_its_parent_is_killed(
    tmp_path: Path, kill_parent: signal.Signals
) -> None:
    state, pid = tmp_path / "state", tmp_path / "pid"
    async with spawned("-c", PARENT, OBEDIENT, str(state), str(pid)) as parent:
        await until(lambda: says(state, "up") and pid.exists() and pid.read_text() != "")
        os.kill(parent.pid, kill_parent)
        await until(lambda: says(state, "stopped"))
        await until(lambda: not is_running(int(pid.read_text())))


async def test_a_child_that_does_not_stop_is_ended_when_its_parent_is_gone(tmp_path: Path) -> None:
    state = tmp_path / "state"
    child = await spawn([sys.executable, "-c", STUBBORN, str(state), "0.1"], name="test")
    await until(lambda: says(state, "up"))
    child._let_go()  # what the end of this process does
    assert await child.wait() == ORPHAN_STATUS
    assert says(state, "stopped")


def is_running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


async def test_a_start_that_is_cancelled_leaves_nothing_open() -> None:
    """Its first line is longer than a pipe holds, and nobody reads it."""
    before = len(os.listdir("/proc/self/fd"))
    starting = asyncio.create_task(
        spawn([sys.executable, "-c", "import signal; signal.pause()"], name="test", first_line=bytes(1 << 20))
    )
    done, _ = await asyncio.wait([starting], timeout=1.0)
    assert not done
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await until(lambda: len(os.listdir("/proc/self/fd")) <= before)
