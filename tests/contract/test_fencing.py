"""Conditions and fencing: C1 to C11. Races of several processes are in `test_processes`."""

import asyncio

import pytest

from radio.streams.contract import (
    AppendConditionFailed,
    Fence,
    FenceMismatch,
    FromSeq,
    NewRecord,
    SeqMismatch,
    StreamNotFound,
    Trim,
)
from tests.contract.kit import Kit, SqliteKit, data


async def test_C1_an_append_at_another_place_than_the_next_is_refused(kit: Kit) -> None:
    await kit.put("a", b"0", b"1")
    for wrong in (0, 1, 3, 1000):
        with pytest.raises(SeqMismatch) as failed:
            await kit.store.append("a", data(b"x"), match_seq_num=wrong)
        assert failed.value.actual == 2
    ack = await kit.store.append("a", data(b"2"), match_seq_num=2)
    assert ack.start.seq == 2
    assert await kit.bodies("a") == [b"0", b"1", b"2"]


async def test_C2_of_many_claims_of_one_name_exactly_one_succeeds(kit: Kit) -> None:
    handles = [kit.store, await kit.another(), await kit.another()]

    async def claim(number: int) -> bool:
        try:
            await handles[number % 3].append("a", data(b"%d" % number), match_seq_num=0)
        except SeqMismatch as e:
            actual.append(e.actual)
            return False
        return True

    actual: list[int] = []
    won = await asyncio.gather(*map(claim, range(12)))
    assert sum(won) == 1
    assert len(actual) == 11
    assert min(actual) >= 1
    assert await kit.bodies("a") == [b"%d" % won.index(True)]


async def test_C3_a_place_above_zero_in_a_missing_stream_is_refused(kit: Kit) -> None:
    with pytest.raises(SeqMismatch) as failed:
        await kit.store.append("a", data(b"x"), match_seq_num=3)
    assert failed.value.actual == 0


async def test_C4_another_token_than_the_current_one_is_refused(kit: Kit) -> None:
    await kit.store.append("a", data(b"0"), fencing_token="")
    with pytest.raises(FenceMismatch) as failed:
        await kit.store.append("a", data(b"x"), fencing_token="t")
    assert failed.value.actual == ""
    await kit.store.append("a", [Fence("t")], fencing_token="")
    for wrong in ("", "T", "t "):
        with pytest.raises(FenceMismatch) as failed:
            await kit.store.append("a", data(b"x"), fencing_token=wrong)
        assert failed.value.actual == "t"
    await kit.store.append("a", data(b"1"), fencing_token="t")
    assert await kit.bodies("a") == [b"0", b"1"]


async def test_C5_if_both_conditions_fail_nothing_is_written(kit: Kit) -> None:
    await kit.store.append("a", [Fence("t")])
    with pytest.raises(AppendConditionFailed):
        await kit.store.append("a", data(b"x"), match_seq_num=7, fencing_token="other")
    with pytest.raises(SeqMismatch):
        await kit.store.append("a", data(b"x"), match_seq_num=7, fencing_token="t")
    with pytest.raises(FenceMismatch):
        await kit.store.append("a", data(b"x"), match_seq_num=1, fencing_token="other")
    assert (await kit.store.check_tail("a")).seq == 1


async def test_C6_an_append_without_token_is_always_allowed(kit: Kit) -> None:
    await kit.put("a", b"unfenced")
    await kit.store.append("a", [Fence("t")])
    await kit.put("a", b"fenced")
    assert await kit.bodies("a") == [b"unfenced", b"fenced"]


async def test_C7_a_fence_takes_effect_after_its_own_batch(kit: Kit) -> None:
    await kit.store.append("a", [Fence("old")])
    ack = await kit.store.append("a", [Fence("new"), NewRecord(b"marker")], fencing_token="old")
    assert ack.end.seq - ack.start.seq == 2
    with pytest.raises(FenceMismatch):
        await kit.store.append("a", data(b"late"), fencing_token="old")
    await kit.store.append("a", data(b"mine"), fencing_token="new")
    assert await kit.bodies("a") == [b"marker", b"mine"]


async def test_C7_the_last_of_several_fences_in_a_batch_counts(kit: Kit) -> None:
    await kit.store.append("a", [Fence("1"), NewRecord(b"x"), Fence("2"), Fence("3")])
    assert await kit.store.fencing_token("a") == "3"


async def test_C8_of_many_swaps_of_one_token_exactly_one_wins(kit: Kit) -> None:
    handles = [kit.store, await kit.another()]
    await kit.store.append("a", [Fence("old")])

    async def swap(number: int) -> bool:
        try:
            await handles[number % 2].append("a", [Fence(f"mine{number}")], fencing_token="old")
        except FenceMismatch:
            return False
        return True

    won = await asyncio.gather(*map(swap, range(10)))
    assert sum(won) == 1
    assert await kit.store.fencing_token("a") == f"mine{won.index(True)}"


async def test_C9_asking_for_the_token_changes_nothing(kit: Kit) -> None:
    with pytest.raises(StreamNotFound):
        await kit.store.fencing_token("a")
    assert (await kit.store.list()).items == ()
    await kit.store.append("a", [Fence("t")])
    tail = await kit.store.check_tail("a")
    assert await kit.store.fencing_token("a") == "t"
    assert await kit.store.check_tail("a") == tail


async def test_C10_the_fence_survives_trim_of_every_record_and_idle_time(kit: Kit) -> None:
    await kit.store.append("a", [Fence("t"), NewRecord(b"x")])
    await kit.store.append("a", [Trim(1000)])
    kit.clock.advance(400 * 86400)
    assert await kit.everything("a", include_commands=True) == []
    assert await kit.store.fencing_token("a") == "t"
    with pytest.raises(FenceMismatch):
        await kit.store.append("a", data(b"x"), fencing_token="")


async def test_C10_the_fence_survives_a_restart(sqlite: SqliteKit) -> None:
    await sqlite.store.append("a", [Fence("t"), Trim(1000)])
    await sqlite.reopen()
    assert await sqlite.store.fencing_token("a") == "t"
    assert (await sqlite.store.check_tail("a")).seq == 2


async def test_C11_a_token_tells_afterwards_whether_its_fence_landed(kit: Kit) -> None:
    await kit.store.append("a", [Fence("e1.aaaaaaaa")])
    task = asyncio.create_task(kit.store.append("a", [Fence("e2.bbbbbbbb")], fencing_token="e1.aaaaaaaa"))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    await kit.put("a", b"behind it, if it landed")
    token = await kit.store.fencing_token("a")
    stored = await kit.store.read("a", FromSeq(0), include_commands=True)
    fences = [r.body.decode() for r in stored.records if r.kind == "fence"]
    assert token == fences[-1]
