"""Any sequence of calls gives on S2 what it gives on the model of `test_model`.

The clock is the server's, so records carry times that are past; a trim is seen in time, not at once, so
an answer is compared until it is as expected.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from radio.streams.contract import (
    Appendable,
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    Start,
    StoreError,
    StreamDeleting,
    Trim,
)
from tests.contract.s2_kit import S2Kit
from tests.contract.test_model import NAMES, TOKENS, Model, Outcome
from tests.s2_server import S2Server
from tests.waiting import until

PAST = 1_700_000_000_000
EXAMPLES = 10
STEPS = 20

times = st.integers(PAST, PAST + 1000)
items = st.one_of(
    st.builds(NewRecord, st.binary(max_size=6), st.just(()), times),
    st.builds(NewRecord, st.binary(max_size=6), st.just(((b"e", b"x"),)), times),
    st.builds(Fence, st.sampled_from(TOKENS), times),
    st.builds(Trim, st.integers(0, 12), times),
)
starts = st.one_of(
    st.builds(FromSeq, st.integers(0, 14)),
    st.builds(FromTail, st.integers(0, 14)),
    st.builds(FromTimestamp, st.integers(PAST - 5, PAST + 1005)),
)


class S2Machine(RuleBasedStateMachine):
    """The model and two handles on one basin, told the same."""

    def __init__(self, server: S2Server) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.kit = S2Kit(server)
        self.models: dict[str, Model] = {}

    @initialize()
    def open(self) -> None:
        self.loop.run(self.kit.open())
        self.second = self.loop.run(self.kit.another())

    def teardown(self) -> None:
        self.loop.run(self.kit.close())
        self.loop.close()

    def answer(self, call: Callable[[], Coroutine[Any, Any, Outcome]]) -> Outcome:
        async def ask() -> Outcome:
            try:
                return await call()
            except StoreError as e:
                actual = getattr(e, "actual", None)
                return (type(e).__name__, *([] if actual is None else [actual]))

        return self.loop.run(ask())

    def expect_in_time(self, call: Callable[[], Coroutine[Any, Any, Outcome]], expected: Outcome) -> None:
        answers: list[Outcome] = []

        async def is_as_expected() -> bool:
            try:
                answers.append(await call())
            except StoreError as e:
                answers.append((type(e).__name__,))
            return answers[-1] == expected

        try:
            self.loop.run(until(is_as_expected, within_s=90))
        except TimeoutError:
            assert answers[-1] == expected

    @rule(
        name=st.sampled_from(NAMES),
        batch=st.lists(items, min_size=1, max_size=3),
        match=st.none() | st.just("tail") | st.integers(0, 4),
        token=st.none() | st.just("fence") | st.sampled_from(TOKENS),
    )
    def append(self, name: str, batch: list[Appendable], match: int | str | None, token: str | None) -> None:
        model = self.models.setdefault(name, Model())  # S2 has the stream though the append was refused
        place = model.tail if match == "tail" else match
        assert not isinstance(place, str)
        owner = model.fence if token == "fence" else token
        expected = model.append(batch, PAST + 2000, place, owner)

        async def call() -> Outcome:
            ack = await self.kit.store.append(name, batch, match_seq_num=place, fencing_token=owner)
            return ("ack", ack.start.seq, ack.end.seq, ack.end.timestamp)

        answer = self.answer(call)
        while answer == (StreamDeleting.__name__,):  # of a large stream, for a while (N6)
            answer = self.answer(call)
        assert answer == expected

    @rule(name=st.sampled_from(NAMES), start=starts, count=st.integers(1, 6), commands=st.booleans())
    def read(self, name: str, start: Start, count: int, commands: bool) -> None:
        model = self.models.get(name)
        expected = ("StreamNotFound",) if model is None else model.read(start, count, commands)

        async def call() -> Outcome:
            r = await self.second.read(name, start, max_records=count, include_commands=commands)
            return ("read", [(x.seq, x.timestamp, x.kind, x.body) for x in r.records], r.next_seq, r.gap)

        self.expect_in_time(call, expected[:1] if expected[0] == "BeyondTail" else expected)

    @rule(name=st.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        existed = self.models.pop(name, None) is not None

        async def call() -> Outcome:
            return ("deleted", await self.kit.store.delete(name))

        assert self.answer(call) == ("deleted", existed)

    @rule(name=st.sampled_from(NAMES))
    def fence(self, name: str) -> None:
        model = self.models.get(name)

        async def call() -> Outcome:
            return ("fence", await self.second.fencing_token(name))

        assert self.answer(call) == (("StreamNotFound",) if model is None else ("fence", model.fence))

    @invariant()
    def both_handles_agree_on_names_and_tails(self) -> None:
        if not hasattr(self, "second"):
            return
        listed = [info.name for info in self.loop.run(self.second.list()).items]
        assert listed == sorted(self.models)
        for name, model in self.models.items():
            tail = self.loop.run(self.second.check_tail(name))
            assert (tail.seq, tail.timestamp) == (model.tail, model.last)


def test_any_sequence_of_calls_gives_what_the_model_says(s2_server: S2Server) -> None:
    run_state_machine_as_test(
        lambda: S2Machine(s2_server),  # type: ignore[arg-type]
        settings=settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None),
    )
