"""A trim at the operator's word: what goes is said before, and no living owner's stream is touched."""

from pathlib import Path
from typing import Any

import pytest

from radio.clock import ManualClock, SystemClock
from radio.streams import names
from radio.streams.admin.trimming import Doomed, doomed, trim
from radio.streams.contract import (
    AppendAck,
    Fence,
    FromSeq,
    InvalidRequest,
    StreamNotFound,
    Unavailable,
)
from radio.streams.ownership.members import Member
from radio.streams.ownership.store_in_use import StillRunning
from radio.streams.ownership.stream_owner import token
from radio.streams.stores.memory import MemoryStore
from tests.contract.kit import data

AIR = names.broadcast("harbor")


async def test_what_would_go_is_told_with_its_times(tmp_path: Path) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    begun = clock.now_ms()
    for _ in range(5):
        await store.append("jobs", data(bytes(92)))
        clock.advance(60)
    assert await doomed(store, "jobs", 3) == Doomed("jobs", 0, 3, 300, False, begun, begun + 120_000, 2)
    assert await doomed(store, "jobs", 99) == Doomed("jobs", 0, 5, 500, False, begun, begun + 240_000, 0)
    await store.trim("jobs", 3)
    nothing = await doomed(store, "jobs", 2)
    assert (nothing.records, nothing.size, nothing.stays) == (0, 0, 3)
    with pytest.raises(StreamNotFound):
        await doomed(store, "no", 1)
    with pytest.raises(InvalidRequest):
        await doomed(store, "no name", 1)


async def test_a_stream_whose_owner_is_dead_is_trimmed_with_its_own_token(tmp_path: Path) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    await store.append(AIR, [Fence("e1.aaaaaaaa"), *data(b"1", b"2")])
    seen: list[str | None] = []
    plain = store.trim

    async def watched(name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        seen.append(fencing_token)
        return await plain(name, first_seq, fencing_token=fencing_token)

    store.trim = watched  # type: ignore[method-assign]
    await trim(store, clock, AIR, 2, data=tmp_path, ttl_s=6)
    assert seen == ["e1.aaaaaaaa"]
    assert [r.body for r in (await store.read(AIR, FromSeq(0))).records] == [b"2"]
    assert await store.fencing_token(AIR) == "e1.aaaaaaaa"


async def test_a_stream_whose_owner_lives_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "radio.streams.ownership.members.BEAT_S", 0.05
    )  # so that no slow machine lets it fall silent
    clock = SystemClock()
    store = MemoryStore(clock)
    async with Member(store, clock, role="narrator", data=tmp_path) as member:
        await store.append(AIR, [Fence(token(1, member.owner)), *data(b"1")])
        with pytest.raises(StillRunning, match=member.owner) as refused:
            await trim(store, clock, AIR, 1, data=tmp_path, ttl_s=2)
    assert refused.value.hint
    assert (await store.check_tail(AIR)).seq == 2


async def test_one_that_is_taken_at_that_moment_is_looked_at_anew(tmp_path: Path) -> None:
    clock = ManualClock()

    class Taken(MemoryStore):
        takes = 1

        async def trim(self, name: str, first_seq: int, **how: Any) -> AppendAck:
            if self.takes:
                self.takes -= 1
                await self.append(name, [Fence(f"free.{self.takes + 5}")])
            return await super().trim(name, first_seq, **how)

    store = Taken(clock)
    await store.append(AIR, data(b"0", b"1"))
    await trim(store, clock, AIR, 1, data=tmp_path, ttl_s=6)
    assert [r.body for r in (await store.read(AIR, FromSeq(0))).records] == [b"1"]
    store.takes = 1000
    with pytest.raises(Unavailable):
        await trim(store, clock, AIR, 2, data=tmp_path, ttl_s=6)
