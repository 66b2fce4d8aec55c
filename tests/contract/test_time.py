"""A clock that is set back: T2."""

from radio.streams.contract import FromTimestamp
from tests.contract.kit import Kit, SqliteKit, data


async def test_T2_a_clock_set_back_never_makes_timestamps_go_down(kit: Kit) -> None:
    before = kit.clock.now_ms()
    await kit.put("a", b"x")
    kit.clock.step(-3600)
    ack = await kit.put("a", b"y")
    await kit.put("other", b"z")
    assert ack.start.timestamp == before
    assert [r.timestamp for r in await kit.everything("a")] == [before, before]
    assert (await kit.store.check_tail("other")).timestamp == before - 3_600_000
    assert (await kit.store.read("a", FromTimestamp(before))).records[0].seq == 0


async def test_T2_a_restart_under_a_clock_set_back_keeps_timestamps_up(sqlite: SqliteKit) -> None:
    before = sqlite.clock.now_ms()
    await sqlite.put("a", b"x")
    sqlite.clock.step(-3600)
    await sqlite.reopen()
    await sqlite.store.append("a", data(b"y"))
    assert [r.timestamp for r in await sqlite.everything("a")] == [before, before]
