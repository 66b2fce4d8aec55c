"""Trim, retention, delete, list: X1 to X7, D1 to D4."""

import inspect

import pytest

from radio.streams.contract import (
    Fence,
    FromSeq,
    FromTimestamp,
    InvalidRequest,
    NewRecord,
    StreamNotFound,
    StreamStore,
    Trim,
)
from tests.contract.kit import Kit, SqliteKit
from tests.waiting import until


async def test_X1_a_trim_takes_one_number_and_never_lowers_the_point(kit: Kit) -> None:
    await kit.put("a", *[b"%d" % n for n in range(6)])
    ack = await kit.store.trim("a", 4)
    assert (ack.start.seq, ack.end.seq) == (6, 7)
    await kit.store.trim("a", 2)
    assert await kit.bodies("a") == [b"4", b"5"]
    assert (await kit.store.check_tail("a")).seq == 8


async def test_X1_a_trim_in_a_batch_takes_what_stands_before_its_point(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    await kit.store.append("a", [NewRecord(b"last"), Trim(2), NewRecord(b"after")])
    assert await kit.bodies("a") == [b"last", b"after"]


async def test_X2_the_effect_of_a_trim_is_seen_by_every_handle(kit: Kit) -> None:
    other = await kit.another()
    await kit.put("a", *[b"%d" % n for n in range(6)])
    await kit.store.trim("a", 5)

    async def is_gone() -> bool:
        return (await other.read("a", FromSeq(0))).records[0].seq == 5

    await until(is_gone)


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


async def test_X3_numbers_go_on_after_a_trim(kit: Kit) -> None:
    await kit.store.append("a", [NewRecord(b"0"), Fence("t")])
    await kit.store.trim("a", 99)
    assert (await kit.store.check_tail("a")).seq == 3
    assert (await kit.put("a", b"3")).start.seq == 3
    assert await kit.store.fencing_token("a") == "t"


async def test_X4_a_trim_beyond_the_tail_takes_all_that_is_there_itself_included(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    await kit.store.trim("a", 1000)
    assert await kit.everything("a", include_commands=True) == []
    await kit.put("a", b"3")
    assert [r.seq for r in await kit.everything("a")] == [3]


async def test_X5_a_trim_done_twice_does_what_it_did_once(kit: Kit) -> None:
    await kit.put("a", b"0", b"1", b"2")
    for _ in range(3):
        await kit.store.trim("a", 2)
    assert await kit.bodies("a") == [b"2"]


async def test_X6_a_janitor_keeps_a_window_of_time(kit: Kit) -> None:
    for number in range(10):
        await kit.put("a", b"%d" % number)
        kit.clock.advance(3600)
    window = await kit.store.read("a", FromTimestamp(kit.clock.now_ms() - 3 * 3_600_000), max_records=1)
    await kit.store.trim("a", window.records[0].seq)
    assert await kit.bodies("a") == [b"7", b"8", b"9"]


async def test_X7_nothing_goes_by_itself(kit: Kit) -> None:
    await kit.put("a", b"x")
    kit.clock.advance(10 * 365 * 86400)
    await kit.put("b", b"y")
    assert await kit.bodies("a") == [b"x"]


async def test_D1_a_deleted_stream_is_gone_at_once(kit: Kit) -> None:
    other = await kit.another()
    await kit.put("a", b"x")
    assert await kit.store.delete("a") is True
    for store in (kit.store, other):
        with pytest.raises(StreamNotFound):
            await store.read("a", FromSeq(0))
        with pytest.raises(StreamNotFound):
            await store.check_tail("a")
        assert (await store.list()).items == ()


async def test_D2_delete_can_be_repeated(kit: Kit) -> None:
    assert await kit.store.delete("a") is False
    await kit.put("a", b"x")
    assert await kit.store.delete("a", missing_ok=False) is True
    assert await kit.store.delete("a") is False
    with pytest.raises(StreamNotFound):
        await kit.store.delete("a", missing_ok=False)


async def test_D3_list_gives_names_with_a_prefix_in_order_of_their_bytes(kit: Kit) -> None:
    names = ["a", "a-b", "a/1", "a/10", "a/2", "a/B", "a/b", "a0", "b/1", "~"]
    for name in reversed(names):
        await kit.put(name, b"x")
    assert [i.name for i in (await kit.store.list()).items] == sorted(names)
    assert [i.name for i in (await kit.store.list("a/")).items] == ["a/1", "a/10", "a/2", "a/B", "a/b"]
    assert [i.name for i in (await kit.store.list("a/1")).items] == ["a/1", "a/10"]
    assert (await kit.store.list("zz")).items == ()


async def test_D3_list_goes_on_after_a_name_and_says_whether_there_is_more(kit: Kit) -> None:
    names = [f"a/{n:02}" for n in range(7)]
    for name in names:
        await kit.put(name, b"x")
    found: list[str] = []
    more = True
    while more:
        page = await kit.store.list("a/", start_after=found[-1] if found else "", limit=3)
        found += [i.name for i in page.items]
        more = page.has_more
    assert found == names
    assert not (await kit.store.list("a/", limit=7)).has_more
    assert (await kit.store.list("a/", limit=6)).has_more
    assert [i.name for i in (await kit.store.list("a/", start_after="a/04x")).items] == ["a/05", "a/06"]


async def test_D3_list_shows_empty_streams_and_when_each_began(kit: Kit) -> None:
    began = kit.clock.now_ms()
    await kit.store.append("a", [Trim(9)])
    kit.clock.advance(60)
    await kit.put("a", b"x")
    await kit.store.trim("a", 99)
    assert [(i.name, i.created_ms) for i in (await kit.store.list()).items] == [("a", began)]


@pytest.mark.parametrize("limit", [0, 1001, -1])
async def test_D3_list_refuses_a_limit_outside_1_to_1000(kit: Kit, limit: int) -> None:
    with pytest.raises(InvalidRequest):
        await kit.store.list(limit=limit)


async def test_D4_a_store_can_do_what_the_contract_names_and_no_more(kit: Kit) -> None:
    contract = {n for n, m in vars(StreamStore).items() if inspect.isfunction(m) and not n.startswith("_")}
    methods = {n for n, _ in inspect.getmembers(kit.store, inspect.ismethod) if not n.startswith("_")}
    assert methods - {"open"} == contract
