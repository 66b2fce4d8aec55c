"""How long a cast is kept: of two who submit the same, the longer counts."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio import casts
from radio.casts.retention import kept_until, outlasts
from radio.clock import ManualClock
from radio.errors import NotFound
from radio.streams import names, records
from radio.streams.contract import Appendable, AppendAck, FromSeq, Position
from radio.streams.stores.memory import MemoryStore

HOUR = 3_600_000
keeps = st.none() | st.integers(0, 1 << 40)
recipes = st.builds(
    records.Recipe,
    text=st.just("x"),
    voice=st.just("af_heart"),
    title=st.just("x"),
    created=st.integers(0, 1 << 41),
    token=st.just(""),
    asked=st.none() | st.integers(0, 1 << 41),
    keep_ms=keeps,
)


@given(recipes, recipes, keeps)
def test_no_limit_outlasts_every_limit_and_nothing_outlasts_itself(
    one: records.Recipe, other: records.Recipe, usual_ms: int | None
) -> None:
    until, others = kept_until(one, usual_ms), kept_until(other, usual_ms)
    assert outlasts(one, other, usual_ms) == (
        (float("inf") if until is None else until) > (float("inf") if others is None else others)
    )
    assert not outlasts(one, one, usual_ms)


@pytest.mark.parametrize(
    ("first", "second", "usual", "kept_hours"),
    [
        (HOUR, 2 * HOUR, None, 3),  # of two hours from the second submission on
        (2 * HOUR, HOUR, None, 2),
        (HOUR, None, None, None),  # the operator keeps casts without limit
        (None, HOUR, None, None),
        (HOUR, None, 24 * HOUR, 25),
        (None, HOUR, 24 * HOUR, 24),
        (None, None, 24 * HOUR, 25),  # wanted again an hour later
    ],
)
async def test_of_two_submissions_the_longer_counts(
    first: int | None, second: int | None, usual: int | None, kept_hours: int | None
) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    begun = clock.now_ms()
    one = await casts.submit(store, clock, text="Hi.", voice="af_heart", keep_ms=first, usual_ms=usual)
    clock.advance(3600)
    other = await casts.submit(store, clock, text="Hi.", voice="af_heart", keep_ms=second, usual_ms=usual)
    assert (one.cast, other.created) == (other.cast, False)
    kept = await casts.recipe(store, one.cast)
    assert kept is not None
    assert kept_until(kept, usual) == (None if kept_hours is None else begun + kept_hours * HOUR)
    assert (kept.created, kept.text) == (begun, "Hi.")
    assert len((await store.read(names.catalog(one.cast), FromSeq(0))).records) == 1
    assert await casts.remove(store, one.cast, one.token) == 0  # it still belongs to the first


class Interrupted(MemoryStore):
    """Something else happens just before a call: `before` is told its name and stream."""

    before: Callable[[str, str], Awaitable[None]] | None = None

    async def _happen(self, call: str, name: str) -> None:
        if (happens := self.before) is not None:
            await happens(call, name)

    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        await self._happen("append", name)
        return await super().append(name, records, **how)

    async def check_tail(self, name: str) -> Position:
        await self._happen("check_tail", name)
        return await super().check_tail(name)

    async def trim(self, name: str, first_seq: int, **how: Any) -> AppendAck:
        await self._happen("trim", name)
        return await super().trim(name, first_seq, **how)


async def want(store: MemoryStore, clock: ManualClock, keep_ms: int | None) -> casts.Submission:
    return await casts.submit(store, clock, text="Hi.", voice="af_heart", keep_ms=keep_ms)


async def erase(store: MemoryStore, cast: str) -> None:
    at = await casts.look(store, cast)
    end = records.CastEnd(reason="removed", job=0)
    await casts.erase(store, cast, fence=at.fence, next_seq=at.next_seq, end=end, then="free.9")


async def test_a_removed_cast_that_someone_wants_longer_at_that_moment_leaves_no_recipe() -> None:
    clock = ManualClock()
    store = Interrupted(clock)
    made = await want(store, clock, HOUR)
    clock.advance(60)
    came: list[str] = []

    async def want_longer(call: str, name: str) -> None:
        if call == "append" and name == names.cast(made.cast) and not came:
            came.append(call)
            await want(store, clock, 2 * HOUR)
        elif call == "trim" and len(came) == 1:  # one whose append was under way all the time
            came.append(call)
            kept = await casts.recipe(store, made.cast)
            assert kept is not None
            await store.append(names.catalog(made.cast), [records.encode(replace(kept, keep_ms=3 * HOUR))])

    store.before = want_longer
    await erase(store, made.cast)
    assert came == ["append", "trim"]
    assert (await store.read(names.catalog(made.cast), FromSeq(0))).records == ()
    assert (await want(store, clock, None)).created


@pytest.mark.parametrize("is_anew", [False, True])
async def test_who_wants_a_cast_longer_that_was_just_removed_changes_nothing(is_anew: bool) -> None:
    clock = ManualClock()
    store = Interrupted(clock)
    made = await want(store, clock, HOUR)
    clock.advance(60)

    looked: list[str] = []

    async def remove(called: str, name: str) -> None:
        if (called, name) == ("check_tail", names.catalog(made.cast)):
            looked.append(name)
        if len(looked) == 2:  # the second look is before the longer time is written
            store.before = None
            await erase(store, made.cast)
            if is_anew:
                assert (await want(store, clock, HOUR)).created

    store.before = remove
    if is_anew:
        await want(store, clock, 2 * HOUR)
    else:
        with pytest.raises(NotFound):
            await want(store, clock, 2 * HOUR)
    assert store.before is None
    kept = await casts.recipe(store, made.cast)
    assert (kept is not None) == is_anew
    assert kept is None or kept.keep_ms == HOUR, "the recipe of the one who submitted it anew"
