"""Fixtures: `lab` tries a rule in every store, `kit` in those whose clock we move, `shared` in those that
several processes use at once, `sqlite` and `s2` in one alone.

At its end a run says for each store how many rules its tests held.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from radio.streams.conformance import Lab
from tests.contract.counts import Counts, rule_of, store_of
from tests.contract.kit import CLOCKED_KITS, KITS, AnyKit, Kit, SharedKit, SqliteKit
from tests.contract.rules import STORES
from tests.contract.s2_kit import S2Kit
from tests.need import need
from tests.s2_server import S2Server

settings.register_profile("unhurried", deadline=None)  # no test depends on speed
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def s2_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S2Server]:
    """One S2 Lite for all tests that leave it running. It is stopped after their stores are closed."""
    need("s2")
    server = S2Server(tmp_path_factory.mktemp("s2"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=list(STORES))
async def lab(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Lab]:
    opened = await _kit(request, tmp_path).open()
    yield opened.lab()
    await opened.close()


def _kit(request: pytest.FixtureRequest, folder: Path) -> AnyKit:
    if request.param == "s2":
        return S2Kit(request.getfixturevalue("s2_server"))
    return KITS[request.param](folder)


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


@pytest.fixture(params=["sqlite", "s2"])
async def shared(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SharedKit]:
    opened = await _kit(request, tmp_path).open()
    assert isinstance(opened, SharedKit)
    yield opened
    await opened.close()


@pytest.fixture
async def s2(s2_server: S2Server) -> AsyncIterator[S2Kit]:
    opened = await S2Kit(s2_server).open()
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
