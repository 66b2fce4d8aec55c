"""`python -m tests [options of pytest]`: the suite in two parts, and at its end each failed test in a line.

First what bears other work beside it, on two processes; then, one after another, what runs whole radios,
other processes or a browser in real time. Where files or folders are named, only those, in one part.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.failures import FAILED_TO

ROOT: Final = Path(__file__).parents[1]
ALONE: Final = ("app", "browser", "contract", "flow", "native")
"""Folders of the second part."""
PROCESSES: Final = 2
NOTHING_FOUND: Final = 5
"""pytest's status where no test was chosen, as `-k` may have it."""
CI: Final = ("CI", "BUILD_NUMBER")
"""With these, pytest tells each difference at full length."""


def parts(options: Sequence[str], root: Path = ROOT) -> list[list[str]]:
    """The options of each call of pytest."""
    if any((root / option.partition("::")[0]).exists() for option in options if not option.startswith("-")):
        return [list(options)]
    folders = [f"tests/{name}" for name in ALONE]
    beside = [f"--ignore={folder}" for folder in folders]
    return [[*beside, f"--numprocesses={PROCESSES}", "--dist=loadfile", *options], [*options, *folders]]


def status(found: Sequence[int]) -> int:
    """Of the whole: the first that is bad; none of them found a test, or all is well."""
    if all(one == NOTHING_FOUND for one in found):
        return NOTHING_FOUND
    return next((one for one in found if one not in (0, NOTHING_FOUND)), 0)


def main(options: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs all parts, whatever the first ones find. Returns the exit status."""
    plain = {name: value for name, value in environment.items() if name not in CI}
    with tempfile.TemporaryDirectory() as folder:
        noted, found = Path(folder) / "failed", []
        noted.touch()
        for part in parts(options):
            command = [sys.executable, "-m", "pytest", "-p", "tests.failures", *part]
            told = {**plain, FAILED_TO: str(noted)}
            found.append(subprocess.run(command, cwd=ROOT, env=told, check=False).returncode)
        print(noted.read_text(encoding="utf-8"), end="", flush=True)
    return status(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
