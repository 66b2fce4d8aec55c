"""A plugin of pytest for `python -m tests`: writes into files what failed, was skipped, took how long."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.need import PARTS

FAILED_TO: Final = "TESTS_FAILED_TO"
"""The variable with the file's path; lines are appended."""
TIMES_TO: Final = "TESTS_TIMES_TO"
"""As `FAILED_TO`, of lines `seconds nodeid`: a test with what was set up for it."""
SKIPPED_TO: Final = "TESTS_SKIPPED_TO"
"""As `FAILED_TO`: for each test that `tests.need` skipped, a line with the missing part and the reason."""
_SKIPPED: Final = "Skipped: "


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if hasattr(terminalreporter.config, "workerinput"):
        return  # a worker of xdist, whose reports the controller has too
    with Path(os.environ[FAILED_TO]).open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in failed(terminalreporter.stats))
    with Path(os.environ[TIMES_TO]).open("a", encoding="utf-8") as file:
        file.writelines(
            f"{seconds:.2f} {nodeid}\n" for nodeid, seconds in took(terminalreporter.stats).items()
        )
    with Path(os.environ[SKIPPED_TO]).open("a", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in skipped(terminalreporter.stats))


def skipped(stats: Mapping[str, Sequence[object]]) -> list[str]:
    """`part: reason` of each test that was skipped for want of a part."""
    places = (getattr(report, "longrepr", None) for report in stats.get("skipped", ()))
    reasons = (place[2].removeprefix(_SKIPPED) for place in places if isinstance(place, tuple))
    return [" ".join(reason.split()) for reason in reasons if reason.partition(":")[0] in PARTS]


def waiting(lines: str) -> str:
    """How many tests wait for which part, of what `SKIPPED_TO` holds, as text; empty if none does."""
    counted = Counter(lines.splitlines()).most_common()
    return "".join(f"{number} tests skipped, without {reason}\n" for reason, number in counted)


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
    each = dict.fromkeys(lines.splitlines())
    times = sorted((line.split(" ", 1) for line in each), key=lambda pair: -float(pair[0]))
    rows = [f"{float(seconds):8.1f} s  {nodeid}\n" for seconds, nodeid in times[:most]]
    return "".join([f"slowest {len(rows)} tests:\n", *rows]) if rows else ""


def failed(stats: Mapping[str, Sequence[object]]) -> list[str]:
    """What failed, and what could not even begin, by the reports of a run."""
    return [
        f"{word} {getattr(report, 'nodeid', report)}"
        for word, kind in (("FAILED", "failed"), ("ERROR", "error"))
        for report in stats.get(kind, ())
    ]
