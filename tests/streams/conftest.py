"""Fixtures: `store` runs a test with the memory and the SQLite store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import settings

from radio.clock import ManualClock
from radio.streams.contract import StreamStore
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore

settings.register_profile("unhurried", deadline=None)  # no test depends on speed
settings.load_profile("unhurried")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=["memory", "sqlite"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock
) -> AsyncIterator[StreamStore]:
    opened: StreamStore
    if request.param == "memory":
        opened = MemoryStore(clock)
    else:
        opened = await SqliteStore.open(tmp_path / "radio.sqlite3", clock)
    yield opened
    await opened.close()
