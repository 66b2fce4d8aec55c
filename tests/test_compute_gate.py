"""The compute gate, with its other party in a process of its own."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from radio.compute_gate import BURST_S, Bursts, Gate, Lock, is_shared

HOLDS = """
import sys
from pathlib import Path
from radio.compute_gate import Lock
lock = Lock(Path(sys.argv[1]))
assert lock.take()
print("held", flush=True)
sys.stdin.read()
"""
WRITES = """
import sys, time
from pathlib import Path
from radio.compute_gate import Bursts, Gate
gate = Gate(Path(sys.argv[1]), who="llm", patience_s=60)
bursts = Bursts(gate)
print("held", flush=True)
while True:
    bursts.step(0.02)
    time.sleep(0.02)
"""


@contextmanager
def process(code: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        try:
            yield child
        finally:
            child.kill()


def test_a_lock_is_held_by_one_and_free_when_left(tmp_path: Path) -> None:
    one, other = Lock(tmp_path / "a"), Lock(tmp_path / "a")
    assert one.take()
    assert one.take()
    assert not other.take()
    assert not other.is_free
    assert one.is_free
    one.leave()
    assert other.is_free
    assert other.take()
    one.close()
    other.close()


def test_the_gate_dies_with_its_holder(tmp_path: Path) -> None:
    gate = Gate(tmp_path, who="llm", patience_s=60)
    with process(HOLDS, tmp_path / "device") as child:
        assert not Lock(tmp_path / "device").take()
        child.kill()
        child.wait()
        gate.enter_llm()
    assert gate.without == 0
    gate.close()


def test_who_waited_long_goes_on_without_it_and_that_is_logged_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gate = Gate(tmp_path, who="llm", patience_s=0.2)
    with process(HOLDS, tmp_path / "device"):
        begun = time.monotonic()
        gate.enter_llm()
        gate.leave()
        gate.enter_llm()
        assert time.monotonic() - begun >= 0.4
    assert gate.without == 2
    told = [record for record in caplog.records if getattr(record, "action", "") == "gate.without"]
    assert [(record.__dict__["who"], record.__dict__["times"]) for record in told] == [("llm", 1)]
    gate.leave()
    gate.enter_llm()
    assert gate.without == 2
    gate.close()


async def test_a_voice_that_waited_long_speaks_all_the_same(tmp_path: Path) -> None:
    gate = Gate(tmp_path, who="voice", patience_s=0.2)
    with process(HOLDS, tmp_path / "device"):
        async with gate.speaking():
            assert gate.without == 1
    async with gate.speaking():
        assert gate.without == 1
    gate.close()


def test_while_the_voice_goes_first_no_llm_begins_a_burst(tmp_path: Path) -> None:
    llm, voice = Gate(tmp_path, who="llm", patience_s=0.2), Gate(tmp_path, who="voice")
    voice.put_voice_first(True)
    llm.enter_llm()
    assert llm.without == 1
    voice.put_voice_first(False)
    llm.enter_llm()
    assert llm.without == 1
    llm.close()
    voice.close()


async def test_a_voice_comes_in_between_the_bursts_of_an_llm_that_never_rests(tmp_path: Path) -> None:
    gate = Gate(tmp_path, who="voice", patience_s=30)
    with process(WRITES, tmp_path):
        for _ in range(5):
            async with gate.speaking():
                assert not Lock(tmp_path / "device").take()
    assert gate.without == 0
    gate.close()


async def test_an_llm_comes_in_between_the_sentences_of_a_voice_that_never_rests(tmp_path: Path) -> None:
    voice, llm = Gate(tmp_path, who="voice", patience_s=30), Gate(tmp_path, who="llm", patience_s=30)
    is_over = asyncio.Event()

    async def speak() -> None:
        while not is_over.is_set():
            async with voice.speaking():
                await asyncio.sleep(0.02)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(speak())
        for _ in range(5):
            await asyncio.to_thread(llm.enter_llm)
            llm.leave()
        is_over.set()
    assert (llm.without, voice.without) == (0, 0)
    voice.close()
    llm.close()


async def test_a_voice_that_is_told_to_stop_lets_go(tmp_path: Path) -> None:
    gate, other = Gate(tmp_path, who="voice"), Lock(tmp_path / "device")
    inside = asyncio.Event()

    async def speak() -> None:
        async with gate.speaking():
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.get_running_loop().create_task(speak())
    await inside.wait()
    assert not other.take()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert other.take()
    gate.close()
    other.close()


def test_a_burst_takes_in_what_fits_and_lets_go_before_what_does_not(tmp_path: Path) -> None:
    now = 100.0
    gate, other = Gate(tmp_path, who="llm"), Lock(tmp_path / "device")
    bursts = Bursts(gate, lambda: now)
    bursts.step(0.1)
    assert not other.take()
    now += 0.1
    assert not bursts.is_spent(0.1)
    bursts.step(0.1)
    now += 0.1
    assert bursts.is_spent(0.1)
    bursts.step(0.1)
    now += BURST_S - 0.11
    assert not bursts.is_spent(0.1)
    bursts.end()
    assert other.take()
    gate.close()
    other.close()


def test_a_step_longer_than_a_burst_has_one_of_its_own() -> None:
    bursts = Bursts(None, lambda: 100.0)
    bursts.step(1.0)
    assert bursts.is_spent(1.0)
    assert not bursts.is_spent(0.0)


@pytest.mark.parametrize(
    ("setting", "cores", "threads", "on_gpu", "shared"),
    [
        ("on", 16, 5, False, True),
        ("off", 1, 5, True, False),
        ("auto", 2, 3, False, True),
        ("auto", 8, 5, False, False),
        ("auto", 8, 5, True, True),
    ],
)
def test_the_device_is_shared_where_the_operator_says_so_or_threads_outnumber_cores(
    setting: str, cores: int, threads: int, on_gpu: bool, shared: bool
) -> None:
    assert is_shared(setting, cores=cores, threads=threads, on_gpu=on_gpu) is shared
