"""A plugin of pytest for `python -m tests`: names each test that failed, a line each, in a file."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

FAILED_TO: Final = "TESTS_FAILED_TO"
"""The variable with the file's path; lines are appended."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    with Path(os.environ[FAILED_TO]).open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in failed(terminalreporter.stats))


def failed(stats: Mapping[str, Sequence[object]]) -> list[str]:
    """What failed, and what could not even begin, by the reports of a run."""
    return [
        f"{word} {getattr(report, 'nodeid', report)}"
        for word, kind in (("FAILED", "failed"), ("ERROR", "error"))
        for report in stats.get(kind, ())
    ]
