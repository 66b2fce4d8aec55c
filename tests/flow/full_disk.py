"""A radio whose disk fills up: `python -m tests.flow.full_disk DISK REST`, where DISK is a small file system.

Exits with 0 if its listener hears nothing of it, and nothing is lost.
"""

import asyncio
import dataclasses
import errno
import os
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from tests.flow.listener import account
from tests.flow.test_faults import on_air, on_air_and_heard, tone_radio
from tests.flow.test_kills import every_sentence_stands_once, grows
from tests.waiting import until


def fill(ballast: Path) -> None:
    """Take the last free block."""
    with ballast.open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12):
            with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
                write_on(file.fileno(), bytes(size))


def write_on(file: int, block: bytes) -> NoReturn:
    while True:
        os.write(file, block)


async def main(disk: Path, rest: Path) -> None:
    radio = tone_radio(rest, "--disk-floor=0")
    radio.data = disk / "data"
    radio.settings = dataclasses.replace(radio.settings, data=radio.data)
    with on_air(radio):
        async with radio.store() as store, on_air_and_heard(radio, store) as listener:
            await grows(store, 2)
            fill(disk / "ballast")
            await until(lambda: "full" in radio.log.read_text(), within_s=60)
            (disk / "ballast").unlink()
            await grows(store, 4)
            await listener.hears(12)
            heard = await account(listener, store)
            await every_sentence_stands_once(store)
        lost = radio.logged("lane.lost") + radio.logged("member.beat_failed")
        assert any("full" in event["message"] for event in lost), lost
        assert heard.sentences >= 3
        assert heard.dead_air_s == 0, heard
        assert not radio.logged("process.restarting")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
