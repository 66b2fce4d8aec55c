"""An editor's program as a producer: its lines, its limits, and that nothing of it stays behind."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from radio import producer_kinds
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.producers.programs import program_source
from radio.producers.source import Brief, Over
from radio.settings import Settings
from tests.producers.samples import NOW, RUN, assignment
from tests.waiting import until


def brief(folder: Path, code: str, **more: Any) -> Brief:
    options = {key: more.pop(key) for key in ("format", "within") if key in more}
    return Brief(
        assignment=assignment(folder, producer="exec"),
        options=producer_kinds.Exec(exec=(sys.executable, "-c", code), **options),
        settings=Settings(schedules=folder),
        clock=ManualClock(NOW),
        next_seg=0,
        written="",
        heard_at=lambda: NOW,
        **more,
    )


async def said(given: Brief) -> tuple[list[tuple[int, str]], str]:
    """All it says, and how it ends."""
    found = []
    try:
        async for piece in program_source.open_source(given).pieces():
            found.append((piece.seg, piece.text.strip()))
    except Over as over:
        return found, over.reason
    return found, "done"


async def test_each_line_that_says_something_is_a_piece(tmp_path: Path) -> None:
    assert await said(brief(tmp_path, "print('One.\\n\\n  ***\\nTwo   words')")) == (
        [(0, "One."), (0, "Two words")],
        "done",
    )


async def test_json_lines_may_say_the_segment(tmp_path: Path) -> None:
    code = """print('{"text": "One.", "seg": 1}\\n\\n{"text": "Two."}\\n{"text": "Three.", "seg": 4}')"""
    assert await said(brief(tmp_path, code, format="json")) == (
        [(1, "One."), (1, "Two."), (4, "Three.")],
        "done",
    )


@pytest.mark.parametrize("line", ["no json", "[]", "{}", '{"text": 1}', '{"text": "x", "seg": -1}'])
async def test_other_lines_than_json_end_the_run(tmp_path: Path, line: str) -> None:
    assert await said(brief(tmp_path, f"print({line!r})", format="json")) == ([], "broken output")


async def test_bytes_that_are_no_text_are_taken_as_they_come(tmp_path: Path) -> None:
    code = r"import sys; sys.stdout.buffer.write(b'a\xff\xfeb\x00c\n')"
    assert (await said(brief(tmp_path, code)))[1] == "done"


async def test_an_exit_status_is_the_reason(tmp_path: Path) -> None:
    assert await said(brief(tmp_path, "print('One.', flush=True); raise SystemExit(3)")) == (
        [(0, "One.")],
        "exit 3",
    )
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert await said(brief(tmp_path, killed)) == ([], "exit 137")


async def test_a_program_that_says_nothing_is_ended(tmp_path: Path) -> None:
    assert await said(brief(tmp_path, "import time; time.sleep(600)", within=0.5)) == ([], "no line in 0.5 s")


async def test_a_line_without_end_and_output_without_end_are_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless_line = "import sys\nwhile True: sys.stdout.write('x' * 4096)"
    assert await said(brief(tmp_path, endless_line)) == ([], "too much output")
    monkeypatch.setattr(program_source, "MAX_BYTES", 10_000)
    lines, reason = await said(brief(tmp_path, "while True: print('word ' * 10)"))
    assert reason == "too much output"
    assert 100 < len(lines) < 300


async def test_lines_without_end_that_say_nothing_are_no_output(tmp_path: Path) -> None:
    given = brief(tmp_path, "print('One.')\nwhile True: print('\\n ...' * 1000)")
    assert await said(given) == ([(0, "One.")], "broken output")


async def test_a_program_is_not_run_twice_for_a_run(tmp_path: Path) -> None:
    code = "open('ran', 'w'); print('One.')"
    assert await said(brief(tmp_path, code, was_begun=True)) == ([], "interrupted")
    assert not (tmp_path / "ran").exists()


async def test_it_runs_in_the_folder_of_the_station_files_and_knows_its_run(tmp_path: Path) -> None:
    code = "import os; print(os.getcwd(), os.environ['RADIO_RUN'], os.environ['RADIO_STATION'])"
    assert await said(brief(tmp_path, code)) == ([(0, f"{tmp_path} {RUN} harbor")], "done")


async def test_it_is_not_told_the_radio_s_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADIO_MODEL_KEY", "secret")
    monkeypatch.setenv("S2_ACCESS_TOKEN", "secret")
    lines, _ = await said(brief(tmp_path, "import os; print(sorted(os.environ), list(os.environ.values()))"))
    assert "RADIO_UNTIL" in lines[0][1]
    assert "secret" not in lines[0][1]


async def test_what_it_complains_of_is_logged_within_bounds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code = "import sys\nfor n in range(1000): print('oops', n, file=sys.stderr)\nprint('One.')"
    assert (await said(brief(tmp_path, code)))[0] == [(0, "One.")]
    told = [r for r in caplog.records if getattr(r, "action", "") == "exec.stderr"]
    assert 0 < len(told) <= program_source.MAX_LOG_LINES


async def test_a_program_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    for name in ("no-such-program-anywhere", "./none.sh"):
        given = brief(tmp_path, "")
        object.__setattr__(given, "options", producer_kinds.Exec(exec=(name,)))
        with pytest.raises(BadInput, match="no program"):
            program_source.open_source(given)


async def test_one_that_cannot_be_started_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("no program")
    given = brief(tmp_path, "")
    object.__setattr__(given, "options", producer_kinds.Exec(exec=("./plain.txt",)))
    assert await said(given) == ([], "not started")


FORKING = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
time.sleep(600)
"""


async def test_all_it_started_ends_with_the_source(tmp_path: Path) -> None:
    stream = program_source.open_source(brief(tmp_path, FORKING)).pieces()
    pids = [int(word) for word in (await anext(stream)).text.split()]
    assert all(map(psutil.pid_exists, pids))
    await stream.aclose()
    await until(lambda: not any(map(_runs, pids)))


async def test_all_it_started_ends_when_the_producer_is_killed(tmp_path: Path) -> None:
    code = f"""
import asyncio
from pathlib import Path
from tests.producers.programs.test_program_source import brief
from radio.producers.programs import program_source
async def main():
    async for piece in program_source.open_source(brief(Path({str(tmp_path)!r}), {FORKING!r})).pieces():
        print(piece.text.strip(), flush=True)
asyncio.run(main())
"""
    producer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE, cwd=os.getcwd()
    )
    assert producer.stdout is not None
    pids = [int(word) for word in (await producer.stdout.readline()).split()]
    assert len(pids) == 2
    producer.kill()
    await producer.wait()
    await until(lambda: not any(map(_runs, pids)))


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="a subreaper is Linux's")
@pytest.mark.parametrize("is_closed", [True, False])
async def test_what_leaves_the_program_s_session_ends_with_the_run(tmp_path: Path, is_closed: bool) -> None:
    sleeper = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    code = (
        "import subprocess, sys, os, time\n"
        f"subprocess.Popen([sys.executable, '-c', {sleeper!r}], start_new_session=True)\n"
        "while not (os.path.exists('pid') and open('pid').read()): time.sleep(0.01)\n"
        "print('One.', flush=True)\n" + ("time.sleep(600)" if is_closed else "")
    )
    pieces = program_source.open_source(brief(tmp_path, code)).pieces()
    assert (await anext(pieces)).text.strip() == "One."
    pid = int((tmp_path / "pid").read_text())
    if is_closed:
        await pieces.aclose()
    else:
        with pytest.raises(StopAsyncIteration):
            await anext(pieces)
    await until(lambda: _is_gone(pid))


async def _is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid)
