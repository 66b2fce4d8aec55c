"""What goes and what stays in a file and over years: X2, X7, D3."""

from radio.streams.contract import Trim
from tests.contract.kit import Kit, SqliteKit
from tests.waiting import until


async def test_X2_the_rows_of_trimmed_and_deleted_records_leave_the_file(sqlite: SqliteKit) -> None:
    for name in ("a", "b"):
        for _ in range(30):
            await sqlite.put(name, *[bytes(2000)] * 20)
    await sqlite.store.trim("a", 590)
    await sqlite.store.delete("b")
    other = await sqlite.another()

    async def is_swept() -> bool:
        await sqlite.store.check_tail("a")
        return _count_rows(sqlite) == 11

    await until(is_swept)
    assert (await other.check_tail("a")).seq == 601


def _count_rows(kit: SqliteKit) -> int:
    import sqlite3

    db = sqlite3.connect(f"file:{kit.path}?mode=ro", uri=True)
    try:
        (count,) = db.execute("SELECT count(*) FROM record").fetchone()
    finally:
        db.close()
    return int(count)


async def test_X7_nothing_goes_by_itself(kit: Kit) -> None:
    await kit.put("a", b"x")
    kit.clock.advance(10 * 365 * 86400)
    await kit.put("b", b"y")
    assert await kit.bodies("a") == [b"x"]


async def test_D3_list_shows_empty_streams_and_when_each_began(kit: Kit) -> None:
    began = kit.clock.now_ms()
    await kit.store.append("a", [Trim(9)])
    kit.clock.advance(60)
    await kit.put("a", b"x")
    await kit.store.trim("a", 99)
    assert [(i.name, i.created_ms) for i in (await kit.store.list()).items] == [("a", began)]
