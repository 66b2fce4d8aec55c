"""Saving the SQLite store while others write, and putting it back."""

import asyncio
import os
import shutil
import sqlite3
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.errors import BadInput, Unsupported
from radio.streams.contract import Fence, FromSeq, NewRecord, Record, StreamStore, Unavailable
from radio.streams.listing import every_name
from radio.streams.stores.sqlite.backup import look, put_back, save
from radio.streams.stores.sqlite.store import SqliteStore
from tests.contract.kit import data
from tests.waiting import until


def untold(done: int, total: int) -> None:
    """Nobody watches."""


def names_in(folder: Path, pattern: str) -> list[str]:
    return sorted(path.name for path in folder.glob(pattern))


async def opened(path: Path) -> SqliteStore:
    return await SqliteStore.open(path, SystemClock())


async def everything(store: StreamStore, name: str) -> list[Record]:
    found: list[Record] = []
    place = 0
    while True:
        page = await store.read(name, FromSeq(place), include_commands=True)
        found += page.records
        if page.next_seq == place:
            return found
        place = page.next_seq


async def test_what_was_acknowledged_before_is_in_the_backup_that_is_made_while_others_write(
    tmp_path: Path,
) -> None:
    path, file = tmp_path / "radio.sqlite3", tmp_path / "saved"
    store = await opened(path)
    acknowledged = 0
    is_over = False

    async def write() -> None:
        nonlocal acknowledged
        while not is_over:
            ack = await store.append("jobs", data(*[b"%d" % (acknowledged + k) for k in range(3)]))
            acknowledged = ack.end.seq

    try:
        await store.append("other", [Fence("e1.aaaaaaaa"), *data(*[bytes(50_000)] * 20)])
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(write())
            await until(lambda: acknowledged >= 30)
            before = acknowledged
            saved = await asyncio.to_thread(save, path, file, untold)
            await until(lambda: acknowledged > before)
            is_over = True
        after = acknowledged
        assert (await store.check_tail("jobs")).seq == after
    finally:
        await store.close()
    restored = tmp_path / "new" / "radio.sqlite3"
    put_back(file, restored, tmp_path / "aside")
    again = await opened(restored)
    try:
        assert await again.store_id() == saved.store_id
        stands = await everything(again, "jobs")
        assert before <= len(stands) <= after
        assert len(stands) % 3 == 0
        assert [r.body for r in stands] == [b"%d" % n for n in range(len(stands))]
        assert await again.fencing_token("other") == "e1.aaaaaaaa"
        assert saved.records == len(stands) + 21
        ack = await again.append("jobs", data(b"next"), match_seq_num=len(stands))
        assert ack.start.seq == len(stands)
    finally:
        await again.close()


async def test_a_restored_store_keeps_a_log_as_a_store_must(tmp_path: Path) -> None:
    """`VACUUM INTO` writes a file that keeps none; readers would then stop writers."""
    path = tmp_path / "radio.sqlite3"
    store = await opened(path)
    await store.append("jobs", data(b"x"))
    await store.close()
    save(path, tmp_path / "saved", untold)
    put_back(tmp_path / "saved", path, tmp_path / "aside")
    db = sqlite3.connect(path)
    try:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    finally:
        db.close()


async def test_the_store_that_was_there_is_put_aside_whole_and_its_log_with_it(tmp_path: Path) -> None:
    path = tmp_path / "radio.sqlite3"
    store = await opened(path)
    await store.append("old", data(b"x"))
    save(path, tmp_path / "saved", untold)
    await store.append("new", data(b"y"))
    killed = tmp_path / "killed"  # a store whose processes were killed: its log is not in its file yet
    killed.mkdir()
    for part in names_in(tmp_path, "radio.sqlite3*"):
        shutil.copyfile(tmp_path / part, killed / part)
    await store.close()
    put_back(tmp_path / "saved", killed / "radio.sqlite3", killed / "aside")
    restored, aside = await opened(killed / "radio.sqlite3"), await opened(killed / "aside" / "radio.sqlite3")
    try:
        assert await every_name(restored) == ["old"]
        assert await every_name(aside) == ["new", "old"]
    finally:
        await restored.close()
        await aside.close()


class Died(BaseException):
    """The process ended here."""


CALLS = ("link", "replace", "unlink", "fsync", "mkdir")


class Dying:
    """Dies before or after the call number `at` that changes files."""

    def __init__(self, at: int, *, after: bool) -> None:
        self.left = at
        self.after = after

    def around(self, call: Callable[..., object]) -> Callable[..., object]:
        def instead(*args: object, **how: object) -> object:
            self.left -= 1
            if self.left == -1 and not self.after:
                raise Died
            result = call(*args, **how)
            if self.left == -1:
                raise Died
            if self.left < -1:
                raise Died  # nor does a dead process tidy up
            return result

        return instead


async def killed_with(kind: str, tmp_path: Path) -> Path:
    """A store whose processes were killed: what is newest stands in its log alone; and a file `saved`."""
    path = tmp_path / "radio.sqlite3"
    store = await opened(path)
    await store.append("old", data(b"x"))
    save(path, tmp_path / "saved", untold)
    await store.append("new", data(b"y"))
    killed = tmp_path / "killed"
    killed.mkdir()
    for part in names_in(tmp_path, "radio.sqlite3*"):
        shutil.copyfile(tmp_path / part, killed / part)
    await store.close()
    if kind == "damaged":
        (killed / path.name).write_bytes(b"no database " * 1000)
        (killed / f"{path.name}-wal").write_bytes(b"no log " * 1000)
    return killed / path.name


async def names_of(path: Path) -> list[str]:
    store = await opened(path)
    try:
        return await every_name(store)
    finally:
        await store.close()


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("kind", ["whole", "damaged"])
async def test_wherever_putting_back_is_broken_off_one_store_is_there_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, after: bool
) -> None:
    step, is_over = 0, False
    seen: list[list[str]] = []
    while not is_over:
        folder = tmp_path / str(step)
        folder.mkdir()
        path = await killed_with(kind, folder)
        before = path.read_bytes()
        dying = Dying(step, after=after)
        with monkeypatch.context() as patch:
            for call in CALLS:
                patch.setattr(os, call, dying.around(getattr(os, call)))
            try:
                put_back(folder / "saved", path, folder / "aside")
                is_over = True
            except Died:
                step += 1
        if kind == "whole" or path.read_bytes() != before:
            seen.append(await names_of(path))
        if seen and seen[-1] == ["old"]:
            both = [folder / "aside" / name for name in (path.name, f"{path.name}.old")]
            [aside] = [name for name in both if name.exists()]
            if kind == "whole":
                assert await names_of(aside) == ["new", "old"]
            else:
                assert aside.read_bytes() == before
        put_back(folder / "saved", path, folder / "again")
        assert await names_of(path) == ["old"]
    assert step > 5
    assert all(found in (["new", "old"], ["old"]) for found in seen)
    assert seen == sorted(seen), "the old one first, then the new one"


async def test_what_was_left_by_one_that_was_broken_off_is_not_taken_for_the_new_ones(tmp_path: Path) -> None:
    path = await killed_with("whole", tmp_path)
    for end in ("-wal", "-shm"):
        shutil.copyfile(path.with_name(path.name + end), path.with_name(path.name + ".restored" + end))
    put_back(tmp_path / "saved", path, tmp_path / "aside")
    assert await names_of(path) == ["old"]
    assert names_in(path.parent, "*.restored*") == []


async def test_a_store_in_use_is_not_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "radio.sqlite3"
    store = await opened(path)
    await store.append("old", data(b"x"))
    save(path, tmp_path / "saved", untold)
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM record").fetchone()
    await store.append("new", data(b"y"))
    with pytest.raises(Unavailable, match="in use"):
        put_back(tmp_path / "saved", path, tmp_path / "aside")
    reader.close()
    assert await every_name(store) == ["new", "old"]
    await store.close()


async def test_where_no_link_can_be_made_the_old_store_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await killed_with("whole", tmp_path)

    def link(one: object, other: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    put_back(tmp_path / "saved", path, tmp_path / "aside")
    assert await names_of(path) == ["old"]
    assert await names_of(tmp_path / "aside" / path.name) == ["new", "old"]


async def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "radio.sqlite3"
    await (await opened(path)).close()
    (tmp_path / "mine").write_text("mine")
    with pytest.raises(BadInput, match="already"):
        save(path, tmp_path / "mine", untold)
    assert (tmp_path / "mine").read_text() == "mine"


async def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = tmp_path / "radio.sqlite3"
    await (await opened(path)).close()
    with pytest.raises(BadInput, match="no folder"):
        save(path, tmp_path / "none" / "saved", untold)


async def test_without_room_nothing_is_left_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "radio.sqlite3"
    await (await opened(path)).close()
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(100, 99, 1))
    with pytest.raises(Unavailable, match="needed") as refused:
        save(path, tmp_path / "saved", untold)
    assert refused.value.hint
    assert names_in(tmp_path, "saved*") == []


@pytest.mark.parametrize("kind", ["missing", "text", "foreign", "newer", "damaged"])
async def test_a_file_that_is_no_good_is_refused_and_the_store_stays(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "radio.sqlite3"
    store = await opened(path)
    for _ in range(30):
        await store.append("jobs", [NewRecord(bytes(20_000))])
    await store.close()
    bad = tmp_path / "bad"
    spoil(path, bad, kind)
    before = path.read_bytes()
    with pytest.raises((Unsupported, Unavailable)):
        put_back(bad, path, tmp_path / "aside")
    assert path.read_bytes() == before
    assert not (tmp_path / "aside").exists()
    assert names_in(tmp_path, "*.restored") == []


def spoil(path: Path, bad: Path, kind: str) -> None:
    """Make `bad` of that kind."""
    if kind == "text":
        bad.write_text("no database, but long enough to be read as one " * 30)
    elif kind == "foreign":
        db = sqlite3.connect(bad)
        db.execute("CREATE TABLE mine (x)")
        db.close()
    elif kind != "missing":
        save(path, bad, untold)
        if kind == "newer":
            db = sqlite3.connect(bad)
            db.execute("PRAGMA user_version=99")
            db.close()
        else:
            whole = bad.read_bytes()
            bad.write_bytes(whole[:8192] + b"\xa5" * 100_000 + whole[108_192:])


async def test_a_saved_file_tells_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "radio.sqlite3"
    store = await opened(path)
    await store.append("a", data(b"x", b"y"))
    await store.append("b", data(b"z"))
    told: list[tuple[int, int]] = []
    saved = save(path, tmp_path / "saved", lambda done, total: told.append((done, total)))
    assert (saved.store_id, saved.streams, saved.records) == (await store.store_id(), 2, 3)
    assert saved.size == (tmp_path / "saved").stat().st_size
    assert told[-1][0] == told[-1][1] > 0
    assert look(tmp_path / "saved") == saved
    await store.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can restore for another user")
async def test_what_root_restores_belongs_to_whoever_had_the_store(tmp_path: Path) -> None:
    """Else the radio's own user could not write the store that its operator put back."""
    user, data = 4242, tmp_path / "data"
    data.mkdir()
    path = data / "radio.sqlite3"
    store = await opened(path)
    await store.append("jobs", [NewRecord(b"1")])
    await asyncio.to_thread(save, path, tmp_path / "saved", untold)
    await store.close()
    for one in (data, *data.iterdir()):
        os.chown(one, user, user)
    path.chmod(0o640)
    put_back(tmp_path / "saved", path, data / "aside")
    put_back(tmp_path / "saved", tmp_path / "empty" / "radio.sqlite3", tmp_path / "empty" / "aside")
    assert {one.stat().st_uid for one in (*data.iterdir(), *(data / "aside").iterdir())} == {user}
    assert path.stat().st_mode & 0o777 == 0o640
    assert {one.stat().st_uid for one in (tmp_path / "empty").iterdir()} == {0}
