"""M5 on a real file system with no room left, mounted for one process alone."""

import asyncio
import shutil
import sys
from pathlib import Path

import pytest

MOUNTED = 'mount -t tmpfs -o size=8m none "$1" && exec "$2" -m tests.contract.full_disk "$1"'


async def run(*command: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(120):
        said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_M5_holds_on_a_file_system_that_is_full(tmp_path: Path) -> None:
    if shutil.which("unshare") is None or (await run("unshare", "-rm", "true"))[0] != 0:
        pytest.skip("no mount of one's own here; test_faults has the rule with a limit on the file's size")
    status, said = await run("unshare", "-rm", "sh", "-c", MOUNTED, "sh", str(tmp_path), sys.executable)
    assert status == 0, said
