"""`python -m tests [options of pytest]`: the suite in three parts; then what was slow, skipped, failed.

First what needs little but the processor, on two processes; then what waits for other processes or a browser
in real time, on three, since it mostly waits; then, one after another, what speaks with the real voice. Where
files or folders are named, only those, in one part.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.failures import FAILED_TO, SKIPPED_TO, TIMES_TO, slowest, waiting

ROOT: Final = Path(__file__).parents[1]
WAITING: Final = ("app", "browser", "contract", "flow", "native")
"""Folders whose tests run whole radios, other processes or a browser."""
PROCESSES: Final = 2
WAITING_PROCESSES: Final = 3
VOICED: Final = "model"
"""The marker of tests that need a real model: in the folders above they run alone."""
SLOWEST: Final = 20
"""So many are named at the end, of all parts together."""
NOTHING_FOUND: Final = 5
"""pytest's status where no test was chosen, as `-k` may have it."""
CI: Final = ("CI", "BUILD_NUMBER")
"""With these, pytest tells each difference at full length."""


def parts(options: Sequence[str], root: Path = ROOT) -> list[list[str]]:
    """The options of each call of pytest."""
    if any((root / option.partition("::")[0]).exists() for option in options if not option.startswith("-")):
        return [list(options)]
    marked, rest = taken_out(options)
    folders = [f"tests/{name}" for name in WAITING]
    beside = [f"--ignore={folder}" for folder in folders]
    return [
        [*beside, *on(PROCESSES), *rest, *chosen(marked)],
        [*on(WAITING_PROCESSES), *rest, *chosen(marked, f"not {VOICED}"), *folders],
        [*rest, *chosen(marked, VOICED), *folders],
    ]


def on(processes: int) -> list[str]:
    """A file's tests stay on one process: they share what is slow to start."""
    return [f"--numprocesses={processes}", "--dist=loadfile"]


def taken_out(options: Sequence[str]) -> tuple[list[str], list[str]]:
    """The expressions of `-m`, and all other options."""
    marked, rest, left = list[str](), list[str](), iter(options)
    for option in left:
        if option == "-m":
            marked.append(next(left, ""))
        else:
            rest.append(option)
    return marked, rest


def chosen(marked: Sequence[str], more: str = "") -> list[str]:
    """`-m` for tests that all these expressions choose."""
    both = [expression for expression in (*marked[-1:], more) if expression]
    return ["-m", " and ".join(f"({expression})" for expression in both)] if both else []


def status(found: Sequence[int]) -> int:
    """Of the whole: the first that is bad; none of them found a test, or all is well."""
    if all(one == NOTHING_FOUND for one in found):
        return NOTHING_FOUND
    return next((one for one in found if one not in (0, NOTHING_FOUND)), 0)


def main(options: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs all parts, whatever the first ones find. Returns the exit status."""
    plain = {name: value for name, value in environment.items() if name not in CI}
    with tempfile.TemporaryDirectory() as folder:
        files = {variable: Path(folder) / variable for variable in (FAILED_TO, SKIPPED_TO, TIMES_TO)}
        for file in files.values():
            file.touch()
        found = []
        for part in parts(options):
            command = [sys.executable, "-m", "pytest", "-p", "tests.failures", *part]
            told = {**plain, **{variable: str(file) for variable, file in files.items()}}
            found.append(subprocess.run(command, cwd=ROOT, env=told, check=False).returncode)
        wrote = {variable: file.read_text(encoding="utf-8") for variable, file in files.items()}
        print(
            slowest(wrote[TIMES_TO], SLOWEST),
            waiting(wrote[SKIPPED_TO]),
            wrote[FAILED_TO],
            sep="",
            end="",
            flush=True,
        )
    return status(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
