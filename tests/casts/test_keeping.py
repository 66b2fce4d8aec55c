"""How long a cast is kept: of two who submit the same, the longer counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio import casts
from radio.casts.keeping import kept_until, outlasts
from radio.clock import ManualClock
from radio.streams import names, records
from radio.streams.contract import FromSeq
from radio.streams.memory import MemoryStore

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
