"""Whether a radio uses a store, told by its members alone."""

import asyncio
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.streams import names, records
from radio.streams.ownership.members import Member
from radio.streams.ownership.store_in_use import StillRunning, living, refuse_living
from radio.streams.stores.memory import MemoryStore

TTL_S = 3.0


async def test_a_member_that_lives_is_told_and_one_that_said_bye_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "radio.streams.ownership.members.BEAT_S", 0.05
    )  # so that no slow machine lets it fall silent
    clock = SystemClock()
    store = MemoryStore(clock)
    async with asyncio.timeout(60):
        async with Member(store, clock, role="narrator", data=tmp_path, ttl_s=60) as member:
            assert await living(store, clock, data=tmp_path, ttl_s=TTL_S) == [member.owner]
            with pytest.raises(StillRunning, match=member.owner) as refused:
                await refuse_living(store, clock, data=tmp_path, ttl_s=TTL_S)
            assert refused.value.hint
        assert await living(store, clock, data=tmp_path, ttl_s=60) == []


async def test_a_member_of_another_machine_that_is_silent_is_waited_for_and_then_dead(tmp_path: Path) -> None:
    clock = SystemClock()
    store = MemoryStore(clock)
    beat = records.encode(records.Heartbeat(role="narrator", host="elsewhere"))
    await store.append(names.member("aaaaaaaa"), [beat])
    begun = clock.monotonic()
    assert await living(store, clock, data=tmp_path, ttl_s=TTL_S) == []
    assert clock.monotonic() - begun >= TTL_S
    await refuse_living(MemoryStore(clock), clock, data=tmp_path, ttl_s=60)
