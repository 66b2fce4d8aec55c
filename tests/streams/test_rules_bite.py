"""Each rule can fail: stores with one fault each, and the rules that must find it."""

import dataclasses
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import pytest

from radio.clock import ManualClock
from radio.streams.conformance import RULES, expectations, follow, follow_helpers
from radio.streams.conformance.live_check import try_rules
from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    FromSeq,
    FromTimestamp,
    NewRecord,
    Page,
    Position,
    ReadResult,
    Record,
    Start,
    StreamNotFound,
    StreamStore,
    Trim,
)
from radio.streams.stores.memory import MemoryStore

SOON_S = 0.3
"""Instead of the rules' own patience: a store in memory that is right is so at once."""


class IgnoresPlace(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        return await super().append(name, records, fencing_token=how.get("fencing_token"))


class IgnoresToken(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        return await super().append(name, records, match_seq_num=how.get("match_seq_num"))


class TearsBatches(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        acks = [await super(TearsBatches, self).append(name, [one], **how) for one in records]
        return AppendAck(acks[0].start, acks[-1].end, acks[-1].tail)


class LosesHeaders(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        bare = [NewRecord(r.body, (), r.timestamp) if isinstance(r, NewRecord) else r for r in records]
        return await super().append(name, bare if records else records, **how)


class LosesTimes(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        return await super().append(name, [dataclasses.replace(r, timestamp=None) for r in records], **how)


class NeverTrims(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        return await super().append(name, [Trim(0) if isinstance(r, Trim) else r for r in records], **how)


class TrimsTheFence(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        loses = any(isinstance(r, Trim) and r.first_seq > 900 for r in records)
        return await super().append(name, [*records, Fence("")] if loses else records, **how)


class SaysAShorterAck(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        ack = await super().append(name, records, **how)
        return AppendAck(ack.start, ack.end, Position(ack.end.seq - 1, ack.end.timestamp))


class CreatesWhatIsAskedFor(MemoryStore):
    async def check_tail(self, name: str) -> Position:
        try:
            return await super().check_tail(name)
        except StreamNotFound:
            return (await self.append(name, [NewRecord()])).tail


class ReadsStale(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        result = await super().read(name, start, **how)
        if len(result.records) == 1 and result.records[0].body.isdigit():
            return ReadResult((), result.records[0].seq, None)
        return result


class ReadsTooMuch(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        return await super().read(name, start, **{**how, "max_bytes": 1 << 20})


class ShowsCommands(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        return await super().read(name, start, **{**how, "include_commands": True})


class HidesGaps(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        result = await super().read(name, start, **{**how, "on_gap": "skip"})
        return ReadResult(result.records, result.next_seq, result.tail)


class StartsLate(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        later = FromTimestamp(start.ms + 1) if isinstance(start, FromTimestamp) else start
        return await super().read(name, later, **how)


class GoesNowhere(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        result = await super().read(name, start, **how)
        asked = start.seq if isinstance(start, FromSeq) else result.next_seq
        shown = result.records[-1].seq + 1 if result.records else asked
        return ReadResult(result.records, shown, result.tail, result.gap)


class ClampsAlways(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        return await super().read(name, start, **{**how, "clamp": True})


class FollowsOnlyWhatStands(MemoryStore):
    def follow(self, name: str, start: Start, **how: Any) -> Any:
        tail = super().follow(name, start, **how)
        tail._hub = type(tail._hub)()  # told of nothing
        return tail


class NeverBeats(MemoryStore):
    def follow(self, name: str, start: Start, **how: Any) -> Any:
        return super().follow(name, start, **{**how, "heartbeat": 1e6})


class FollowsOverGaps(MemoryStore):
    def follow(self, name: str, start: Start, **how: Any) -> Any:
        return super().follow(name, start, **{**how, "on_gap": "skip"})


class FollowsFromTheBeginning(MemoryStore):
    def follow(self, name: str, start: Start, **how: Any) -> Any:
        return super().follow(name, FromSeq(0), **how)


class ForgetsToDelete(MemoryStore):
    async def delete(self, name: str, *, missing_ok: bool = True) -> bool:
        await self._turn()
        return name in self._streams


class ListsWithoutOrder(MemoryStore):
    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        page = await super().list(prefix, start_after=start_after, limit=limit)
        return Page(page.items[::-1], page.has_more)


class ListsWithoutEnd(MemoryStore):
    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        return Page((await super().list(prefix, start_after=start_after, limit=limit)).items, False)


class StaysOpen(MemoryStore):
    async def close(self) -> None:
        """Goes on."""


class ChangesItsId(MemoryStore):
    async def store_id(self) -> str:
        self._id = self._id[::-1]
        return await super().store_id()


class DoesMore(MemoryStore):
    async def rename(self, name: str) -> None:
        """What no store can."""


class TakesAnyName(MemoryStore):
    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        return await super().append(name.replace("//", "/"), records, **how)


class SpeaksOfTheFirst(MemoryStore):
    """A probe that writes."""

    async def fencing_token(self, name: str) -> str:
        token = await super().fencing_token(name)
        await self.append(name, [Fence(token)])
        return token


class RepeatsItself(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        result = await super().read(name, start, **how)
        twice: tuple[Record, ...] = tuple(r for record in result.records for r in (record, record))
        return ReadResult(twice, result.next_seq, result.tail, result.gap)


class TailBehind(MemoryStore):
    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        result = await super().read(name, start, **how)
        return ReadResult(result.records, result.next_seq, Position(0, 0), result.gap)


class TearsTrims(MemoryStore):
    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        return await super().trim(name, min(first_seq + 1, 400), fencing_token=fencing_token)


FAULTS: list[tuple[type[MemoryStore], set[str]]] = [
    (IgnoresPlace, {"A9", "C1", "C2", "C3", "C5"}),
    (IgnoresToken, {"C4", "C5", "C7", "C8", "C10"}),
    (TearsBatches, {"A3"}),
    (LosesHeaders, {"N2", "N4"}),
    (LosesTimes, {"A5", "R7", "T1"}),
    (NeverTrims, {"R6", "X1", "X2", "X4", "X5", "X6", "C10"}),
    (TrimsTheFence, {"C10"}),
    (SaysAShorterAck, {"A4"}),
    (CreatesWhatIsAskedFor, {"R11"}),
    (ReadsStale, {"A6", "R10"}),
    (ReadsTooMuch, {"R8"}),
    (ShowsCommands, {"R1"}),
    (HidesGaps, {"R6"}),
    (StartsLate, {"R7", "X6"}),
    (GoesNowhere, {"R1", "R2"}),
    (ClampsAlways, {"R4"}),
    (FollowsOnlyWhatStands, {"F2"}),
    (NeverBeats, {"F4", "F6", "F11"}),
    (FollowsOverGaps, {"F12"}),
    (FollowsFromTheBeginning, {"F2", "F9", "F11"}),
    (ForgetsToDelete, {"D1", "D2", "F7", "N6"}),
    (ListsWithoutOrder, {"D3"}),
    (ListsWithoutEnd, {"D3"}),
    (StaysOpen, {"M6"}),
    (ChangesItsId, {"M7"}),
    (DoesMore, {"D4"}),
    (TakesAnyName, {"N1"}),
    (SpeaksOfTheFirst, {"C9"}),
    (RepeatsItself, {"R2", "R1"}),
    (TailBehind, {"R9"}),
    (TearsTrims, {"X1", "R6"}),
]


@pytest.mark.parametrize(("kind", "expected"), FAULTS, ids=[kind.__name__ for kind, _ in FAULTS])
async def test_a_fault_is_found_by_the_rules_that_speak_of_it(
    kind: type[MemoryStore], expected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (expectations, follow, follow_helpers):
        monkeypatch.setattr(module, "WAIT_S", SOON_S)
    clock = ManualClock()

    async def open_store() -> StreamStore:
        return kind(clock)

    tried = [rule for rule in RULES if rule.number in expected]
    async with aclosing(try_rules(open_store, clock, tried)) as trying:
        broken = {outcome.rule.number async for outcome in trying if outcome.broken}
    assert broken == expected


def test_every_letter_of_the_contract_has_a_fault_that_its_rules_find() -> None:
    letters = {rule.number[0] for rule in RULES}
    assert {number[0] for _, numbers in FAULTS for number in numbers} == letters
