"""Fixtures: `lab` tries a rule in every store, `kit` in those whose clock we move, `sqlite` in that alone.

At its end a run says for each store how many rules its tests held.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import settings

from radio.streams.conformance import Lab
from tests.contract.counts import Counts, rule_of, store_of
from tests.contract.kit import CLOCKED_KITS, KITS, Kit, SqliteKit

settings.register_profile("unhurried", deadline=None)  # no test depends on speed
settings.load_profile("unhurried")


@pytest.fixture(params=list(KITS))
async def lab(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Lab]:
    opened = await KITS[request.param](tmp_path).open()
    yield opened.lab()
    await opened.close()


@pytest.fixture(params=list(CLOCKED_KITS))
async def kit(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Kit]:
    opened = await CLOCKED_KITS[request.param](tmp_path).open()
    yield opened
    await opened.close()


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteKit]:
    opened = await SqliteKit(tmp_path).open()
    yield opened
    await opened.close()


def pytest_itemcollected(item: pytest.Item) -> None:
    if isinstance(item, pytest.Function) and (rule := rule_of(item)):
        item.user_properties += [("rule", rule), ("store", store_of(item))]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts = Counts()
    for outcome in ("passed", "failed", "error", "skipped"):
        for report in terminalreporter.stats.get(outcome, ()):
            if outcome != "passed" or report.when == "call":
                counts.add(dict(report.user_properties), outcome)
    for line in counts.lines():
        terminalreporter.write_line(line)
