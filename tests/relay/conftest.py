from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.streams.contract import StreamStore
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore
from tests.relay.airing import Air

NOW = 1_800_000_000_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def air(store: MemoryStore, clock: ManualClock) -> Air:
    return Air(store, clock)


@pytest.fixture(params=["memory", "sqlite"])
async def any_store(
    request: pytest.FixtureRequest, clock: ManualClock, tmp_path: Path
) -> AsyncIterator[StreamStore]:
    """Each kind of store, for what reads it in many ways."""
    store: StreamStore = MemoryStore(clock)
    if request.param == "sqlite":
        store = await SqliteStore.open(tmp_path / "radio.sqlite3", clock)
    yield store
    await store.close()
