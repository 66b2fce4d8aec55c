"""Trying the rules in a store: what a fault of the store looks like, and that nothing of it stays."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from radio.clock import ManualClock
from radio.streams.conformance import RULES, Lab, Rule
from radio.streams.conformance.live_check import LEFT_MS, Outcome, try_rules
from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    NewRecord,
    ReadResult,
    Start,
    StreamStore,
    Unavailable,
)
from radio.streams.listing import every_name
from radio.streams.stores.memory import MemoryStore


class Forgetful(MemoryStore):
    """Never looks at a token."""

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        return await super().append(name, records, match_seq_num=match_seq_num)


class Crashing(MemoryStore):
    """Cannot read at all."""

    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        raise ZeroDivisionError("in the store")


class Gone(MemoryStore):
    """Stops answering."""

    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        raise Unavailable("the store does not answer")


class Shared:
    """A store of which every handle shows the same, as of a file; what lies below stays open."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.closed = 0

    async def open(self) -> StreamStore:
        return Handle(self)


class Handle(MemoryStore):
    def __init__(self, shared: Shared) -> None:
        super().__init__(ManualClock())
        self._streams = shared.store._streams
        self._id = shared.store._id
        self._hub = shared.store._hub
        self.shared = shared

    async def close(self) -> None:
        self.shared.closed += 1


def rules(*numbers: str) -> list[Rule]:
    return [rule for rule in RULES if rule.number in numbers]


def opener(kind: type[MemoryStore]) -> Callable[[], Awaitable[StreamStore]]:
    async def open_store() -> StreamStore:
        return kind(ManualClock())

    return open_store


async def outcomes(open_store: Callable[[], Awaitable[StreamStore]], *numbers: str) -> list[Outcome]:
    async with aclosing(try_rules(open_store, ManualClock(), rules(*numbers))) as trying:
        return [outcome async for outcome in trying]


async def test_a_store_that_holds_a_rule_breaks_nothing() -> None:
    assert [o.broken for o in await outcomes(opener(MemoryStore), "C4", "X1")] == ["", "", ""]


async def test_a_rule_that_is_broken_says_in_what() -> None:
    found = {o.rule.number: o.broken for o in await outcomes(opener(Forgetful), "C1", "C4")}
    assert found == {"C1": "", "C4": "Broken: expected FenceMismatch, but the call was accepted"}


async def test_a_fault_inside_a_store_is_a_broken_rule_and_the_next_is_tried() -> None:
    found = await outcomes(opener(Crashing), "C1", "R1", "C3")
    by_rule = {o.rule.name: o.broken for o in found}
    assert len(by_rule) == 5
    assert by_rule["R1_commands_are_hidden_unless_asked_for"] == "ZeroDivisionError: in the store"
    assert by_rule["C3_a_place_above_zero_in_a_missing_stream_is_refused"] == ""


async def test_a_store_that_does_not_answer_ends_the_check() -> None:
    with pytest.raises(Unavailable):
        await outcomes(opener(Gone), "R1")


async def test_nothing_of_a_check_stays_and_what_was_there_does() -> None:
    shared = Shared(MemoryStore(ManualClock()))
    await shared.store.append("jobs", [NewRecord(b"mine")])
    await outcomes(shared.open, "A1", "C4", "R1")
    assert await every_name(shared.store) == ["jobs"]
    assert (await shared.store.check_tail("jobs")).seq == 1


async def test_a_check_that_is_stopped_half_way_removes_its_streams() -> None:
    shared = Shared(MemoryStore(ManualClock()))
    begun = asyncio.Event()

    async def stand_still(lab: Lab) -> None:
        await lab.store.append(lab.name("a"), [Fence("t")])
        begun.set()
        await asyncio.Event().wait()

    async def run() -> None:
        stuck = [Rule("A1", "A1_stands_still", stand_still)]
        async with aclosing(try_rules(shared.open, ManualClock(), stuck)) as trying:
            async for _ in trying:
                pass

    task = asyncio.create_task(run())
    await begun.wait()
    assert len(await every_name(shared.store, "check/")) == 1
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert await every_name(shared.store) == []


async def test_what_a_killed_check_left_goes_with_the_next_and_what_is_new_stays() -> None:
    clock = ManualClock()
    shared = Shared(MemoryStore(clock))
    await shared.store.append("check/old/1/a", [NewRecord(b"x")])
    clock.advance(LEFT_MS / 1000 + 1)
    await shared.store.append("check/new/1/a", [NewRecord(b"x")])
    async with aclosing(try_rules(shared.open, clock, rules("A1"))) as trying:
        assert [o.broken async for o in trying] == [""]
    assert await every_name(shared.store) == ["check/new/1/a"]


async def test_every_handle_that_was_opened_is_closed() -> None:
    shared = Shared(MemoryStore(ManualClock()))
    opened = 0

    async def open_store() -> StreamStore:
        nonlocal opened
        opened += 1
        return await shared.open()

    await outcomes(open_store, "C2", "C8")
    assert opened == shared.closed > 4
