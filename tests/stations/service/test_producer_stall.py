"""Whether a run's words are wanted, as the store tells it."""

from typing import Any

import pytest

from radio.clock import ManualClock
from radio.stations.service.producer_stall import StallWatch
from radio.streams import names
from radio.streams.records import Audio, ScriptPosition, ScriptStart, Skip, Text, encode
from radio.streams.stores.memory import MemoryStore

NOW = 1_800_000_000_000
RUN = "brief@20270115T0700"
WORDS = ("Words that were heard. " * 100).encode()
LOW_S = 40.0


@pytest.fixture
async def store() -> MemoryStore:
    """A script of several minutes."""
    made = MemoryStore(ManualClock(NOW))
    start = ScriptStart(attempt=1, keep=ScriptPosition(0, 0))
    await made.append(names.script("harbor", RUN), [encode(start), encode(Text(seg=0, body=WORDS))])
    return made


async def air(store: MemoryStore, run: str, src: ScriptPosition, *, at: int, size: int = 1) -> None:
    common: dict[str, Any] = {"i": 0, "d": 2400, "t": "Heard.", "pos": 0, "body": b"x" * size}
    await store.append(names.broadcast("harbor"), [encode(Audio(at=at, run=run, src=src, **common))])


async def is_wanted(store: MemoryStore) -> bool:
    return await StallWatch(store, "harbor").is_wanted(RUN, NOW, LOW_S)


async def test_what_is_not_spoken_is_in_hand(store: MemoryStore) -> None:
    assert not await is_wanted(store)
    await air(store, RUN, ScriptPosition(1, 100), at=NOW - 5000)
    assert not await is_wanted(store)


async def test_a_run_that_was_spoken_is_hungry_however_much_of_a_fallback_was_heard_since(
    store: MemoryStore,
) -> None:
    await air(store, RUN, ScriptPosition(1, len(WORDS)), at=NOW - 90_000)
    assert await is_wanted(store)
    for n in range(100):
        await air(store, "fallback@7", ScriptPosition(1, n), at=NOW - 80_000 + n * 800)
    assert await is_wanted(store)


async def test_a_sentence_that_was_skipped_is_not_in_hand(store: MemoryStore) -> None:
    src = ScriptPosition(1, len(WORDS))
    skip = Skip(i=1, t="", reason="silent", run=RUN, src=src)
    await store.append(names.broadcast("harbor"), [encode(skip)])
    assert await is_wanted(store)


async def test_sound_ahead_counts_however_heavy_the_records_before_it_are(store: MemoryStore) -> None:
    src = ScriptPosition(1, len(WORDS))
    for n in range(16):
        await air(store, RUN, src, at=NOW - 160_000 + n * 10_000, size=96_000)
    await air(store, RUN, src, at=NOW + 50_000)
    assert not await is_wanted(store)
