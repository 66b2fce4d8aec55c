"""A plugin of pytest for `python -m tests`: which tests failed, and how long each took, in files."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

FAILED_TO: Final = "TESTS_FAILED_TO"
"""The variable with the file's path; lines are appended."""
TIMES_TO: Final = "TESTS_TIMES_TO"
"""As `FAILED_TO`, of lines `seconds nodeid`: a test with what was set up for it."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    with Path(os.environ[FAILED_TO]).open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in failed(terminalreporter.stats))
    with Path(os.environ[TIMES_TO]).open("a", encoding="utf-8") as file:
        file.writelines(
            f"{seconds:.2f} {nodeid}\n" for nodeid, seconds in took(terminalreporter.stats).items()
        )


def took(stats: Mapping[str, Sequence[object]]) -> dict[str, float]:
    """Seconds of each test, its set-up and end included."""
    times: dict[str, float] = {}
    for report in (report for kind in stats.values() for report in kind):
        nodeid, seconds = getattr(report, "nodeid", ""), getattr(report, "duration", None)
        if seconds is not None:
            times[nodeid] = times.get(nodeid, 0.0) + seconds
    return times


def slowest(lines: str, most: int) -> str:
    """The slowest tests of what `TIMES_TO` holds, as text; empty if there are none."""
    times = sorted((line.split(" ", 1) for line in lines.splitlines()), key=lambda pair: -float(pair[0]))
    rows = [f"{float(seconds):8.1f} s  {nodeid}\n" for seconds, nodeid in times[:most]]
    return "".join([f"slowest {len(rows)} tests:\n", *rows]) if rows else ""


def failed(stats: Mapping[str, Sequence[object]]) -> list[str]:
    """What failed, and what could not even begin, by the reports of a run."""
    return [
        f"{word} {getattr(report, 'nodeid', report)}"
        for word, kind in (("FAILED", "failed"), ("ERROR", "error"))
        for report in stats.get(kind, ())
    ]
