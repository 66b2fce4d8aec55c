"""Fixtures: `kit` runs a test with every store, `sqlite` with the SQLite store alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.contract.kit import Kit, MemoryKit, SqliteKit

settings.register_profile("unhurried", deadline=None)  # no test depends on speed
settings.load_profile("unhurried")


@pytest.fixture(params=["memory", "sqlite"])
async def kit(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kit]:
    opened = await (MemoryKit().open() if request.param == "memory" else SqliteKit(tmp_path).open())
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteKit]:
    opened = await SqliteKit(tmp_path).open()
    yield opened
    await opened.close()
