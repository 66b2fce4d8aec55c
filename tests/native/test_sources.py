"""What holds of the C++ sources as text and types, before anything is run."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.native.test_build import ROOT, build
from tests.need import need

FLAGS = ("-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror")
LONGEST_LINE = 110

TASK = """
#include "{pool}"
void f(Pool& pool, void (*act)(int){noexcept}) {{ pool.run([&](int i) {noexcept} {{ act(i); }}); }}
"""


def sources() -> list[Path]:
    folders = (ROOT / "native", ROOT / "tests" / "native")
    return sorted(
        path for folder in folders for ending in ("cpp", "h", "inc") for path in folder.glob(f"*.{ending}")
    )


def compilers() -> Iterator[str]:
    need("compiler")
    return filter(shutil.which, ("g++", "clang++"))


def test_no_line_is_longer_than_a_window_is_wide() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sources()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert len(sources()) > 20
    assert long == []


def test_a_task_of_the_pool_that_may_throw_does_not_compile(tmp_path: Path) -> None:
    source = tmp_path / "task.cpp"
    for compiler in compilers():
        command = [compiler, *FLAGS, str(source)]
        for noexcept, fits in ((" noexcept", True), ("", False)):
            source.write_text(TASK.format(pool=ROOT / "native" / "pool.h", noexcept=noexcept))
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
            assert (done.returncode == 0) is fits, done.stderr
            assert ("a task of the pool must be noexcept" in done.stderr) is not fits


@pytest.mark.soak
def test_a_build_with_all_optimisation_has_no_warning(tmp_path: Path) -> None:
    need("compiler")
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "-Wall -Wextra" in done.stdout
    assert "warning" not in done.stdout + done.stderr
