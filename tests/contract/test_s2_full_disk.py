"""S2 Lite on a real file system with no room left, mounted for one process alone."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.contract.test_full_disk import run
from tests.need import need

MOUNTED = 'mount -t tmpfs -o size=24m none "$1" && exec "$2" -m tests.contract.full_disk_s2 "$1"'


async def test_on_a_full_disk_the_server_waits_for_room_and_nothing_is_lost_or_twice(tmp_path: Path) -> None:
    need("s2")
    if shutil.which("unshare") is None or (await run("unshare", "-rm", "true"))[0] != 0:
        pytest.skip("no mount of one's own here")
    status, said = await run("unshare", "-rm", "sh", "-c", MOUNTED, "sh", str(tmp_path), sys.executable)
    assert status == 0, said
