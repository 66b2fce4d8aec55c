"""Radios on a real S2 Lite: one that `radio up` runs, or one that stands by itself, behind a proxy."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil

from radio.app import ports, readiness
from radio.app.s2_lite import local_server
from tests.flow.running import ROOT, Radio

START_WITHIN_S = 60.0


def store_at(port: int) -> Mapping[str, Any]:
    """The settings of a store on the S2 Lite at that port of this machine."""
    return {"store": f"s2://{local_server.BASIN}", "s2_endpoint": f"http://{local_server.HOST}:{port}"}


def options_for(store: Mapping[str, Any]) -> tuple[str, ...]:
    return (f"--store={store['store']}", f"--s2-endpoint={store['s2_endpoint']}")


def lite_options(port: int) -> tuple[str, ...]:
    """An S2 Lite of the radio's own. The machines of tests are no place to keep anything in."""
    return ("--s2-lite", "--s2-lite-exposed", f"--s2-lite-port={port}")


def free_port() -> int:
    found = ports.try_port(local_server.ALL_HOSTS, 0)
    assert found is not None
    return found


def servers(radio: Radio) -> list[psutil.Process]:
    """The S2 Lite that runs under a radio: the server itself, not the process that minds it."""
    found = []
    for process in radio.family():
        try:
            if process.cmdline()[1:2] == ["lite"]:
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


@asynccontextmanager
async def standing_alone(folder: Path) -> AsyncIterator[int]:
    """An S2 Lite that no `radio up` minds; its port. It is killed at the end."""
    port = free_port()
    argv = (sys.executable, "-m", "radio.cli", "s2-lite", "--data", str(folder), *lite_options(port)[1:])
    with (folder / "s2-lite.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(*argv, cwd=ROOT, stderr=log, process_group=0)
    try:
        async with asyncio.timeout(START_WITHIN_S):
            await readiness.until_healthy(local_server.HOST, port, "/health")
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()
