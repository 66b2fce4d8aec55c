"""What goes wrong for real: lost replies, a full disk, a lost wake-up, bad files. A9, A10, M4, M5, M6, M8."""

import asyncio
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from radio.clock import ManualClock
from radio.errors import Unsupported
from radio.streams.contract import (
    AppendUncertain,
    Fence,
    FromSeq,
    NewRecord,
    SeqMismatch,
    StoreError,
    Unavailable,
)
from radio.streams.stores.sqlite import wakeup
from radio.streams.stores.sqlite.store import SqliteStore
from radio.streams.stores.sqlite.wakeup import WakeFile
from radio.streams.stores.sqlite.write_lock import file_system_magic, refuse_remote
from tests.contract.kit import Kit, MemoryKit, SqliteKit, data
from tests.waiting import until


class Faulty(sqlite3.Connection):
    """A connection whose next COMMITs fail: `lost` after they were done, `refused` before."""

    lost = 0
    refused = 0
    pages: int | None = None
    """Above this size of the file the disk is full."""

    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
        if sql == "BEGIN IMMEDIATE":
            limit = (1 << 31) if Faulty.pages is None else Faulty.pages
            super().execute(f"PRAGMA max_page_count={limit}")
        if sql == "COMMIT" and Faulty.refused:
            Faulty.refused -= 1
            raise io_error()
        done = super().execute(sql, *args)
        if sql == "COMMIT" and Faulty.lost:
            Faulty.lost -= 1
            raise io_error()
        return done


def io_error() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    return error


@pytest.fixture
async def faulty(tmp_path: Path) -> Any:
    Faulty.lost = Faulty.refused = 0
    Faulty.pages = None
    kit = await SqliteKit(tmp_path).open(Faulty)
    yield kit
    Faulty.lost = Faulty.refused = 0
    Faulty.pages = None
    await kit.close()


async def test_A9_an_append_whose_reply_was_lost_stands_once_with_the_right_ack(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0")
    Faulty.lost = 1
    ack = await faulty.store.append("a", data(b"1", b"2"), match_seq_num=1)
    assert (ack.start.seq, ack.end.seq) == (1, 3)
    assert Faulty.lost == 0
    assert await faulty.bodies("a") == [b"0", b"1", b"2"]


async def test_A9_an_append_whose_commit_failed_is_done_again(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0")
    Faulty.refused = 1
    ack = await faulty.store.append("a", data(b"1"), match_seq_num=1)
    assert (ack.start.seq, Faulty.refused) == (1, 0)
    assert await faulty.bodies("a") == [b"0", b"1"]


async def test_A9_an_append_that_meets_a_lost_reply_and_a_wrong_place_is_refused(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0")
    Faulty.lost = 1
    results = await asyncio.gather(
        faulty.store.append("a", data(b"1"), match_seq_num=1),
        faulty.store.append("a", data(b"other"), match_seq_num=1),
        return_exceptions=True,
    )
    assert [type(r).__name__ for r in results] == ["AppendAck", "SeqMismatch"]
    assert await faulty.bodies("a") == [b"0", b"1"]


async def test_A9_an_append_that_fails_twice_is_uncertain(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0")
    Faulty.refused = 2
    with pytest.raises(AppendUncertain):
        await faulty.store.append("a", data(b"1"), match_seq_num=1)
    await faulty.store.append("a", data(b"1"), match_seq_num=1)
    assert await faulty.bodies("a") == [b"0", b"1"]


async def test_A10_without_a_place_a_lost_reply_is_uncertain_and_never_repeated(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0")
    Faulty.lost = 1
    with pytest.raises(AppendUncertain):
        await faulty.put("a", b"1")
    assert await faulty.bodies("a") == [b"0", b"1"]
    Faulty.refused = 1
    with pytest.raises(AppendUncertain):
        await faulty.put("a", b"2")
    assert await faulty.bodies("a") == [b"0", b"1"]


async def test_C11_a_fence_whose_reply_was_lost_is_decided_by_the_token(faulty: SqliteKit) -> None:
    await faulty.store.append("a", [Fence("e1.aaaaaaaa")])
    Faulty.lost = 1
    with pytest.raises(AppendUncertain):
        await faulty.store.append("a", [Fence("e2.bbbbbbbb")], fencing_token="e1.aaaaaaaa")
    assert await faulty.store.fencing_token("a") == "e2.bbbbbbbb"


async def test_X5_and_D2_a_trim_and_a_delete_outlive_a_lost_reply(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0", b"1")
    Faulty.lost = 1
    await faulty.store.trim("a", 1)
    assert await faulty.bodies("a") == [b"1"]
    Faulty.lost = 1
    assert await faulty.store.delete("a") is True
    Faulty.refused = 1
    assert await faulty.store.delete("a") is False


async def test_M4_a_lost_wake_up_delays_a_follower_and_does_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rings: list[WakeFile] = []

    def stay_silent(wake: WakeFile) -> None:
        rings.append(wake)

    monkeypatch.setattr(WakeFile, "ring", stay_silent)
    kit = await SqliteKit(tmp_path).open()
    other = await kit.another()
    await kit.put("a", b"0")
    async with other.follow("a", FromSeq(0)) as tail, asyncio.timeout(60):
        for number in range(5):
            if number:
                await kit.put("a", b"%d" % number)
            assert [r.body for r in (await anext(tail)).records] == [b"%d" % number]
    assert len(rings) == 5
    assert wakeup.POLL_S <= 0.25
    await kit.close()


async def test_M4_a_deleted_wake_file_is_made_again_and_rings_again(sqlite: SqliteKit) -> None:
    wake = sqlite.path.with_name("radio.sqlite3-wake")
    other = await sqlite.another()
    await sqlite.put("a", b"0")
    async with other.follow("a", FromSeq(0)) as tail, asyncio.timeout(60):
        await anext(tail)
        wake.unlink()
        await sqlite.put("a", b"1")
        assert [r.body for r in (await anext(tail)).records] == [b"1"]
        await until(wake.exists)
        fresh = await sqlite.another()
        await fresh.append("a", data(b"2"))
        assert [r.body for r in (await anext(tail)).records] == [b"2"]


def put_a_folder_there(path: Path) -> None:
    """So that the file cannot be made again; someone may make it in between."""
    while not path.is_dir():
        path.unlink(missing_ok=True)
        with suppress(FileExistsError):
            path.mkdir()


async def test_M4_no_wake_file_at_all_is_no_reason_to_stop(sqlite: SqliteKit, tmp_path: Path) -> None:
    other = await sqlite.another()
    await sqlite.put("a", b"0")
    wake = sqlite.path.with_name("radio.sqlite3-wake")
    async with other.follow("a", FromSeq(0)) as tail, asyncio.timeout(60):
        await anext(tail)
        put_a_folder_there(wake)
        await sqlite.put("a", b"1")
        assert [r.body for r in (await anext(tail)).records] == [b"1"]


async def test_M5_on_a_full_disk_appends_fail_reads_go_on_and_room_mends_it(faulty: SqliteKit) -> None:
    await faulty.put("a", b"0")
    Faulty.pages = 20
    with pytest.raises(Unavailable) as failed:
        await fill(faulty)
    assert "full" in str(failed.value)
    assert failed.value.hint
    tail = (await faulty.store.check_tail("a")).seq
    assert (await faulty.bodies("a"))[0] == b"0"
    with pytest.raises(Unavailable):
        await faulty.store.append("a", data(bytes(200_000)), match_seq_num=tail)
    Faulty.pages = None
    ack = await faulty.store.append("a", data(bytes(200_000)), match_seq_num=tail)
    assert ack.start.seq == tail


async def fill(kit: SqliteKit) -> None:
    for _ in range(20):
        await kit.put("a", bytes(20_000))


async def test_M6_close_waits_for_the_append_in_flight(sqlite: SqliteKit) -> None:
    appends = [asyncio.create_task(sqlite.put("a", b"%d" % n)) for n in range(20)]
    reads = [asyncio.create_task(sqlite.store.list()) for _ in range(20)]
    await asyncio.sleep(0)
    await sqlite.store.close()
    async with asyncio.timeout(60):
        acks = await asyncio.gather(*appends)
        await asyncio.gather(*reads)
    assert [ack.start.seq for ack in acks] == list(range(20))
    await sqlite.open()
    assert len(await sqlite.bodies("a")) == 20


async def test_M7_a_store_keeps_its_random_id(sqlite: SqliteKit, tmp_path: Path) -> None:
    mine = await sqlite.store.store_id()
    assert len(mine) == 32
    assert await (await sqlite.another()).store_id() == mine
    await sqlite.reopen()
    assert await sqlite.store.store_id() == mine


async def test_M7_two_stores_have_two_ids(kit: Kit, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("second")
    second = await (MemoryKit().open() if isinstance(kit, MemoryKit) else SqliteKit(folder).open())
    assert await kit.store.store_id() != await second.store.store_id()
    await second.close()


async def test_M8_a_newer_schema_is_refused_and_left_as_it_is(sqlite: SqliteKit) -> None:
    await sqlite.put("a", b"x")
    await sqlite.close()
    db = sqlite3.connect(sqlite.path)
    db.execute("PRAGMA user_version=99")
    db.close()
    before = sqlite.path.read_bytes()
    with pytest.raises(Unsupported) as failed:
        await sqlite.another()
    assert "newer" in str(failed.value)
    assert failed.value.hint
    assert sqlite.path.read_bytes() == before


async def test_M8_a_file_that_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.sqlite3"
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE mine (x)")
    db.close()
    text = tmp_path / "text.sqlite3"
    text.write_text("not a database at all, but long enough to be read as one " * 20)
    for path in (foreign, text):
        before = path.read_bytes()
        with pytest.raises(Unsupported):
            await SqliteStore.open(path, ManualClock())
        assert path.read_bytes() == before


async def test_M9_two_files_are_two_stores(tmp_path: Path) -> None:
    one = await SqliteStore.open(tmp_path / "one.sqlite3", ManualClock())
    two = await SqliteStore.open(tmp_path / "two.sqlite3", ManualClock())
    await one.append("a", data(b"x"), match_seq_num=0)
    await two.append("a", data(b"y"), match_seq_num=0)
    assert [r.body for r in (await one.read("a", FromSeq(0))).records] == [b"x"]
    await one.delete("a")
    assert (await two.check_tail("a")).seq == 1
    await one.close()
    await two.close()


@pytest.mark.parametrize(("magic", "kind"), [(0x6969, "NFS"), (0xFF534D42, "CIFS"), (0x01021997, "9P")])
def test_M2_a_network_file_system_is_refused_by_name(tmp_path: Path, magic: int, kind: str) -> None:
    with pytest.raises(Unsupported, match=kind) as failed:
        refuse_remote(tmp_path, magic)
    assert failed.value.hint


def test_M2_a_local_file_system_is_known_by_its_magic_number(tmp_path: Path) -> None:
    refuse_remote(tmp_path)
    assert file_system_magic(Path("/proc")) == 0x9FA0
    with pytest.raises(FileNotFoundError):
        file_system_magic(tmp_path / "missing")


async def test_M1_each_store_says_what_an_acknowledged_append_survives(sqlite: SqliteKit) -> None:
    assert isinstance(sqlite.store, SqliteStore)
    assert sqlite.store.durability == "power"
    relaxed = await SqliteStore.open(sqlite.path, sqlite.clock, durability="process")
    assert relaxed.durability == "process"
    await relaxed.append("a", data(b"x"))
    await relaxed.close()
    assert await sqlite.bodies("a") == [b"x"]


async def test_M5_a_damaged_file_is_told_from_a_busy_one(sqlite: SqliteKit) -> None:
    for _ in range(20):
        await sqlite.put("a", bytes(20_000))
    await sqlite.close()
    whole = sqlite.path.read_bytes()
    sqlite.path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    with pytest.raises(StoreError, match="damaged") as failed:
        await sqlite.open()
    assert not isinstance(failed.value, Unavailable)


async def test_C1_a_refused_append_in_a_group_fails_alone(sqlite: SqliteKit) -> None:
    results = await asyncio.gather(
        *(sqlite.store.append("a", [NewRecord(b"%d" % n)], match_seq_num=n // 2) for n in range(10)),
        return_exceptions=True,
    )
    assert [isinstance(r, SeqMismatch) for r in results] == [False, True] * 5
    assert await sqlite.bodies("a") == [b"0", b"2", b"4", b"6", b"8"]
