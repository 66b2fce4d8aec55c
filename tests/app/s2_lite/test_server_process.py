import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from radio.app import ports, readiness
from radio.app.s2_lite import local_server
from radio.app.s2_lite import server_process as process
from radio.app.s2_lite.server_process import LogLine
from radio.settings import SECRETS, Settings
from tests.need import need
from tests.waiting import until

FAKE = """#!/bin/sh
echo '\033[2m2026-11-30T02:00:00.000000Z\033[0m \033[33m WARN\033[0m s2_lite: a cloud'
echo 'export S2_BASIN_ENDPOINT=http://localhost:1'
echo 'thread main panicked' >&2
printf '%0100000d\\n' 7
"""
WAITS = FAKE + "trap 'exit 0' TERM\nwhile :; do sleep 0.02; done\n"
DEAF = FAKE + "trap '' TERM\nwhile :; do sleep 0.02; done\n"


def program(folder: Path, text: str) -> Path:
    path = folder / "s2"
    path.write_text(text)
    path.chmod(0o755)
    return path


@asynccontextmanager
async def running(binary: Path, folder: Path, port: int = 0) -> AsyncIterator[asyncio.Event]:
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(process.run(binary, folder, port, stop))
        try:
            yield stop
        finally:
            stop.set()


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[int, str]]:
    return [(r.levelno, r.says) for r in caplog.records if getattr(r, "action", "") == "s2_lite.says"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            '2026-11-30T02:00:00.000000Z  INFO s2_lite::server: starting addr="0.0.0.0:4002"\n',
            LogLine(logging.INFO, 's2_lite::server: starting addr="0.0.0.0:4002"'),
        ),
        (
            "2026-11-30T02:00:00Z ERROR slatedb: no space left\n",
            LogLine(logging.ERROR, "slatedb: no space left"),
        ),
        ("\x1b[2m2026-11-30T02:00:00Z\x1b[0m \x1b[34mDEBUG\x1b[0m h2: x", LogLine(logging.DEBUG, "h2: x")),
        (
            "thread 'main' panicked at src/main.rs\n",
            LogLine(logging.WARNING, "thread 'main' panicked at src/main.rs"),
        ),
        ("\n", LogLine(logging.WARNING, "")),
    ],
)
def test_a_line_of_its_log_keeps_its_level(text: str, line: LogLine) -> None:
    assert process.read_line(text, otherwise=logging.WARNING) == line


def test_it_serves_no_page_and_no_other_origin(tmp_path: Path) -> None:
    argv = process.argv(Path("/bin/s2"), tmp_path, 4002)
    assert argv[:2] == ("/bin/s2", "lite")
    assert {"--no-cors", "--no-dashboard"} <= set(argv)
    assert argv[argv.index("--local-root") + 1] == str(tmp_path)


def test_what_it_logs_is_the_operators_choice() -> None:
    assert process.environment({})["RUST_LOG"] == process.QUIET
    assert process.environment({"RUST_LOG": "debug"})["RUST_LOG"] == "debug"


def test_it_is_told_no_token_of_the_radio() -> None:
    own = {name: "secret" for variables in SECRETS.values() for name in variables} | {"PATH": "/bin"}
    told = process.environment(own)
    assert told["PATH"] == "/bin"
    assert "secret" not in told.values()


async def test_its_lines_go_into_the_radios_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with running(program(tmp_path, WAITS), tmp_path):
            await until(lambda: any(text.endswith("7") for _, text in said(caplog)))
    lines = said(caplog)
    assert (logging.WARNING, "s2_lite: a cloud") in lines
    assert (logging.DEBUG, "export S2_BASIN_ENDPOINT=http://localhost:1") in lines
    assert (logging.WARNING, "thread main panicked") in lines
    assert sum(len(text) for _, text in lines if set(text) <= set("07")) == 100_000


async def test_when_it_ends_by_itself_its_process_fails(tmp_path: Path) -> None:
    with pytest.raises(process.S2LiteEnded) as ended:
        await process.run(program(tmp_path, FAKE + "exit 7\n"), tmp_path, 0, asyncio.Event())
    assert ended.value.status == 7


async def test_one_that_does_not_stop_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(process, "STOP_WITHIN_S", 0.1)
    with caplog.at_level(logging.DEBUG):
        async with running(program(tmp_path, DEAF), tmp_path):
            await until(lambda: len(said(caplog)) > 3)
    assert "s2_lite.killed" in [getattr(r, "action", "") for r in caplog.records]


async def test_cancelled_it_leaves_nothing_running(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    binary = program(tmp_path, f"#!/bin/sh\necho $$ > {pid_file}\nexec sleep 600\n")
    task = asyncio.ensure_future(process.run(binary, tmp_path, 0, asyncio.Event()))
    await until(lambda: pid_file.exists() and bool(pid_file.read_text().strip()))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


async def test_the_real_one_answers_keeps_its_streams_in_the_folder_and_stops_when_told(
    tmp_path: Path,
) -> None:
    need("s2")
    binary = await asyncio.to_thread(local_server.examine, Settings(s2_lite_exposed=True))
    port = await ports.free_port(local_server.ALL_HOSTS, 0, asyncio.Event())
    async with running(binary, tmp_path / "s2", port) as stop:
        async with asyncio.timeout(60):
            await readiness.until_healthy(local_server.HOST, port, "/health")
        assert await asyncio.to_thread(lambda: any((tmp_path / "s2").rglob("*.manifest")))
        stop.set()
    assert ports.try_port(local_server.ALL_HOSTS, port) == port
