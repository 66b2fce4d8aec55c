"""Faults under a radio on the embedded store: what a listener hears, what the log says, and what stands."""

import hashlib
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from radio.streams import records
from radio.streams.contract import StreamStore
from radio.streams.stores.open_store import SQLITE_FILE
from radio.streams.stores.sqlite.schema import SCHEMA_VERSION
from tests.contract.test_full_disk import run
from tests.flow import measure
from tests.flow.listener import STATION, Listener, account, listening
from tests.flow.running import Radio
from tests.flow.stations import READ_ALOUD, tale
from tests.flow.test_kills import every_sentence_stands_once, grows
from tests.waiting import until

pytestmark = pytest.mark.flow

CLOCKED = Path(__file__).parent / "clocked"
BACK_MS = -60_000


def tone_radio(folder: Path, *options: str, **given: Any) -> Radio:
    """Not started yet. It reads a long text, and its voice needs no model."""
    radio = Radio(folder, {STATION: READ_ALOUD}, "--engine=tone", "--log-format=json", *options, **given)
    (radio.schedules / "tales.txt").write_text(" ".join(tale(2000)), encoding="utf-8")
    return radio


@contextmanager
def on_air(radio: Radio) -> Iterator[Radio]:
    try:
        radio.start()
        yield radio
    finally:
        radio.end()


@asynccontextmanager
async def on_air_and_heard(radio: Radio, store: StreamStore) -> AsyncIterator[Listener]:
    """A listener of a station that speaks already, and has its lead."""
    await measure.has_lead(store, STATION)
    async with listening(radio) as listener:
        yield listener


def set_clock(file: Path, ms: int) -> None:
    """Every process reads either the old offset or the new one."""
    new = file.with_suffix(".new")
    new.write_text(str(ms))
    new.replace(file)


async def test_nobody_hears_that_the_wake_file_is_removed(tmp_path: Path) -> None:
    with on_air(tone_radio(tmp_path)) as radio:
        async with radio.store() as store, on_air_and_heard(radio, store) as listener:
            (radio.data / f"{SQLITE_FILE}-wake").unlink()
            await grows(store, 3)
            await listener.hears(15)
            heard = await account(listener, store)
            await every_sentence_stands_once(store)
        assert heard.sentences >= 2
        assert heard.dead_air_s == 0
        assert not radio.logged("process.restarting")
        radio.stop()


async def test_nobody_hears_that_the_clock_is_set_back(tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    set_clock(clock, 0)
    clocked = {"PYTHONPATH": str(CLOCKED), "TEST_CLOCK_FILE": str(clock)}
    with on_air(tone_radio(tmp_path, environment=clocked)) as radio:
        async with radio.store() as store, on_air_and_heard(radio, store) as listener:
            set_clock(clock, BACK_MS)
            await grows(store, 3)
            await listener.hears(25)
            heard = await account(listener, store)
            await every_sentence_stands_once(store)
            stream = await measure.broadcast(store, STATION)
        epochs = [entry.record.step for entry in stream if isinstance(entry.record, records.Epoch)]
        assert epochs == [BACK_MS]
        assert [event["step_ms"] for event in radio.logged("clock.step")] == [BACK_MS]
        assert heard.sentences >= 4
        assert heard.dead_air_s == 0


async def test_a_store_of_a_newer_radio_is_left_as_it_is_and_the_radio_says_why(tmp_path: Path) -> None:
    radio = tone_radio(tmp_path)
    with on_air(radio):
        async with radio.store() as store:
            await grows(store, 1)
        radio.stop()
    file = radio.data / SQLITE_FILE
    with sqlite3.connect(file) as db:
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    db.close()
    before = hashlib.sha256(file.read_bytes()).digest()
    said = radio.start_in_vain()
    assert "written by a newer radio" in said
    assert "--data" in said
    assert hashlib.sha256(file.read_bytes()).digest() == before


async def test_a_radio_whose_store_is_replaced_by_an_empty_one_goes_on_air_on_that(tmp_path: Path) -> None:
    with on_air(tone_radio(tmp_path)) as radio:
        async with radio.store() as store:
            await grows(store, 2)
            old = await store.store_id()
        before = {role: radio.pids(role) for role in ("relay", "scheduler", "narrator", "producer")}
        for file in radio.data.glob(f"{SQLITE_FILE}*"):
            file.unlink()
        await until(lambda: len(radio.logged("store.replaced")) >= len(before), within_s=120)
        await until((radio.data / SQLITE_FILE).exists, within_s=120)
        async with radio.store() as store:
            assert await store.store_id() != old
            await grows(store, 3)
            async with listening(radio) as listener:
                await listener.hears(12)
                heard = await account(listener, store)
            await every_sentence_stands_once(store)
        assert heard.sentences >= 1
        assert all(radio.pids(role).isdisjoint(pids) for role, pids in before.items())
        radio.stop()


MOUNTED = 'mount -t tmpfs -o size=12m none "$1" && exec "$2" -m tests.flow.full_disk "$1" "$3"'


async def test_a_full_disk_is_said_and_nothing_is_lost_and_nobody_hears_it_if_there_is_room_again_in_time(
    tmp_path: Path,
) -> None:
    disk, rest = tmp_path / "disk", tmp_path / "rest"
    disk.mkdir()
    if shutil.which("unshare") is None or (await run("unshare", "-rm", "true"))[0] != 0:
        pytest.skip("no mount of one's own here; the contract's M5 has the store's part of it")
    status, said = await run(
        "unshare", "-rm", "sh", "-c", MOUNTED, "sh", str(disk), sys.executable, str(rest)
    )
    assert status == 0, said
