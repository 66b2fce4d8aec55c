"""Fencing over time and restarts: C10."""

import pytest

from radio.streams.contract import Fence, FenceMismatch, NewRecord, Trim
from tests.contract.kit import Kit, SqliteKit, data


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
