"""Any sequence of calls gives the same on every store as on a simple model of one."""

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from radio.streams.contract import (
    Appendable,
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    Start,
    StoreError,
    StreamStore,
    Trim,
)
from tests.contract.kit import Kit, MemoryKit, SqliteKit

NAMES = ["a", "a/b", "b"]
TOKENS = ["", "t", "u"]

Outcome = tuple[Any, ...]


@dataclass
class Entry:
    seq: int
    ts: int
    kind: str
    body: bytes


@dataclass
class Model:
    """A stream, as plainly as it can be said: a list and a few numbers."""

    entries: list[Entry] = field(default_factory=list)
    tail: int = 0
    last: int = 0
    point: int = 0
    fence: str = ""

    def append(self, batch: list[Appendable], now: int, match: int | None, token: str | None) -> Outcome:
        if token is not None and token != self.fence:
            return ("FenceMismatch", self.fence)
        if match is not None and match != self.tail:
            return ("SeqMismatch", self.tail)
        start = self.tail
        for item in batch:
            said = item.timestamp
            self.last = max(self.last, now if said is None else min(said, now))
            seq, self.tail = self.tail, self.tail + 1
            if isinstance(item, NewRecord):
                self.entries.append(Entry(seq, self.last, "data", item.body))
            elif isinstance(item, Fence):
                self.fence = item.token
                self.entries.append(Entry(seq, self.last, "fence", item.token.encode()))
            else:
                self.point = max(self.point, min(item.first_seq, seq + 1))
                self.entries.append(Entry(seq, self.last, "trim", item.first_seq.to_bytes(8, "big")))
        self.entries = [e for e in self.entries if e.seq >= self.point]
        return ("ack", start, self.tail, self.last)

    def read(self, start: Start, count: int, commands: bool) -> Outcome:
        if isinstance(start, FromTimestamp):
            found = [e for e in self.entries if e.ts >= start.ms]
            gap = False
        else:
            place = start.seq if isinstance(start, FromSeq) else max(self.tail - start.count, 0)
            if place > self.tail:
                return ("BeyondTail", self.tail)
            found = [e for e in self.entries if e.seq >= place]
            gap = place < self.point
        taken = found[:count]
        shown = [(e.seq, e.ts, e.kind, e.body) for e in taken if commands or e.kind == "data"]
        return ("read", shown, taken[-1].seq + 1 if taken else self.tail, gap)


times = st.none() | st.integers(1_799_999_990_000, 1_800_000_200_000)
records = st.builds(NewRecord, st.binary(max_size=6), st.just(()), times)
items = st.one_of(
    records,
    records,
    st.builds(Fence, st.sampled_from(TOKENS), times),
    st.builds(Trim, st.integers(0, 12), times),
)
starts = st.one_of(
    st.builds(FromSeq, st.integers(0, 14)),
    st.builds(FromTail, st.integers(0, 14)),
    st.builds(FromTimestamp, st.integers(1_799_999_990_000, 1_800_000_200_000)),
)


class Stores(RuleBasedStateMachine):
    """The model, the memory store and two handles on a SQLite store, told the same."""

    names = Bundle("names")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.models: dict[str, Model] = {}

    @initialize()
    def open(self) -> None:
        sqlite = SqliteKit(Path(self.folder.name))
        self.kits: list[Kit] = [
            self.loop.run(MemoryKit().open()),
            self.loop.run(sqlite.open()),
        ]
        self.second = self.loop.run(sqlite.another())

    def teardown(self) -> None:
        for kit in getattr(self, "kits", []):
            self.loop.run(kit.close())
        self.loop.close()
        self.folder.cleanup()

    def ask(self, call: Callable[[StreamStore], Coroutine[Any, Any, Outcome]]) -> list[Outcome]:
        """What each store answers."""

        async def answer(store: StreamStore) -> Outcome:
            try:
                return await call(store)
            except StoreError as e:
                actual = getattr(e, "actual", None)
                return (type(e).__name__, *([] if actual is None else [actual]))

        return [self.loop.run(answer(kit.store)) for kit in self.kits]

    @rule(
        name=st.sampled_from(NAMES),
        batch=st.lists(items, min_size=1, max_size=4),
        match=st.none() | st.integers(0, 8),
        token=st.none() | st.sampled_from(TOKENS),
    )
    def append(self, name: str, batch: list[Appendable], match: int | None, token: str | None) -> None:
        model = self.models.get(name, Model())
        expected = model.append(batch, self.kits[0].clock.now_ms(), match, token)
        if expected[0] == "ack":
            self.models[name] = model

        async def call(store: StreamStore) -> Outcome:
            ack = await store.append(name, batch, match_seq_num=match, fencing_token=token)
            return ("ack", ack.start.seq, ack.end.seq, ack.end.timestamp)

        assert self.ask(call) == [expected] * 2

    @rule(name=st.sampled_from(NAMES), point=st.integers(0, 20), token=st.none() | st.sampled_from(TOKENS))
    def trim(self, name: str, point: int, token: str | None) -> None:
        model = self.models.get(name)
        expected: Outcome = ("StreamNotFound",)
        if model is not None:
            expected = model.append([Trim(point)], self.kits[0].clock.now_ms(), None, token)

        async def call(store: StreamStore) -> Outcome:
            ack = await store.trim(name, point, fencing_token=token)
            return ("ack", ack.start.seq, ack.end.seq, ack.end.timestamp)

        assert self.ask(call) == [expected] * 2

    @rule(name=st.sampled_from(NAMES), start=starts, count=st.integers(1, 6), commands=st.booleans())
    def read(self, name: str, start: Start, count: int, commands: bool) -> None:
        model = self.models.get(name)
        expected = ("StreamNotFound",) if model is None else model.read(start, count, commands)

        async def call(store: StreamStore) -> Outcome:
            r = await store.read(name, start, max_records=count, include_commands=commands)
            return ("read", [(x.seq, x.timestamp, x.kind, x.body) for x in r.records], r.next_seq, r.gap)

        answers = self.ask(call)
        assert [a[: len(expected)] if a[0] == "BeyondTail" else a for a in answers] == [
            expected[:1] if expected[0] == "BeyondTail" else expected
        ] * 2

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        existed = self.models.pop(name, None) is not None

        async def call(store: StreamStore) -> Outcome:
            return ("deleted", await store.delete(name))

        assert self.ask(call) == [("deleted", existed)] * 2

    @rule(seconds=st.floats(0, 50), step=st.floats(-30, 30))
    def let_time_pass(self, seconds: float, step: float) -> None:
        for kit in self.kits:
            kit.clock.advance(seconds)
            kit.clock.step(step)

    @invariant()
    def all_agree_on_tails_and_fences(self) -> None:
        if not hasattr(self, "kits"):
            return
        for store in (*[kit.store for kit in self.kits], self.second):
            listed = [info.name for info in self.loop.run(store.list()).items]
            assert listed == sorted(self.models)
            for name, model in self.models.items():
                tail = self.loop.run(store.check_tail(name))
                assert (tail.seq, tail.timestamp) == (model.tail, model.last)
                assert self.loop.run(store.fencing_token(name)) == model.fence


Stores.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestStores = Stores.TestCase
