"""How the suite runs itself: its parts, its status, and what it says at the end."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import __main__ as running
from tests.failures import failed, skipped, slowest, took, waiting

ROOT = Path(__file__).parents[1]


def test_every_folder_that_waits_is_there() -> None:
    assert [name for name in running.WAITING if not (ROOT / "tests" / name).is_dir()] == []


def test_each_test_is_in_one_part() -> None:
    beside, waiting, voiced = running.parts(["-x", "-m", "not soak"])
    left_out = [option.partition("=")[2] for option in beside if option.startswith("--ignore=")]
    for part in (waiting, voiced):
        assert left_out == [option for option in part if option.startswith("tests/")]
    expressions = [part[part.index("-m") + 1] for part in (beside, waiting, voiced)]
    assert expressions == ["(not soak)", "(not soak) and (not model)", "(not soak) and (model)"]
    assert all("-x" in part for part in (beside, waiting, voiced))


def test_without_an_expression_the_voice_alone_tells_the_parts_apart() -> None:
    beside, waiting, voiced = running.parts([])
    assert "-m" not in beside
    assert [part[part.index("-m") + 1] for part in (waiting, voiced)] == ["(not model)", "(model)"]


def test_the_slowest_are_named_slowest_first() -> None:
    assert slowest("1.50 a\n12.00 b c\n0.10 d\n", 2) == ("slowest 2 tests:\n    12.0 s  b c\n     1.5 s  a\n")
    assert slowest("", 20) == ""
    report = SimpleNamespace(nodeid="a", duration=1.0)
    assert took({"passed": [report, report], "": [SimpleNamespace(nodeid="b")]}) == {"a": 2.0}


def test_a_line_says_how_many_tests_wait_for_a_part_that_is_missing() -> None:
    for_s2 = SimpleNamespace(longrepr=("a.py", 20, "Skipped: s2: there is no `s2`; make s2-lite"))
    other = SimpleNamespace(longrepr=("b.py", 3, "Skipped: only on Linux"))
    lines = skipped({"skipped": [for_s2, other, for_s2], "passed": [SimpleNamespace(longrepr=None)]})
    assert waiting("".join(f"{line}\n" for line in lines)) == (
        "2 tests skipped, without s2: there is no `s2`; make s2-lite\n"
    )
    assert waiting("") == ""


@pytest.mark.parametrize(
    "named", ["tests/mp3", "tests/test_compute_gate.py", "tests/test_compute_gate.py::test_one"]
)
def test_what_is_named_runs_in_one_part(named: str) -> None:
    assert running.parts(["-x", named]) == [["-x", named]]


@pytest.mark.parametrize(
    ("found", "whole"),
    [([0, 0], 0), ([1, 0], 1), ([0, 1], 1), ([0, 5], 0), ([5, 0], 0), ([5, 5], 5), ([2, 1], 2), ([5, 1], 1)],
)
def test_one_bad_part_makes_the_whole_bad(found: list[int], whole: int) -> None:
    assert running.status(found) == whole


def test_what_failed_and_what_could_not_begin_is_named_in_a_line_each() -> None:
    stats = {
        "passed": [SimpleNamespace(nodeid="tests/a.py::test_one")],
        "failed": [
            SimpleNamespace(nodeid="tests/a.py::test_two[x]"),
            SimpleNamespace(nodeid="b.py::t"),
        ],
        "error": [SimpleNamespace(nodeid="tests/c.py")],
    }
    assert failed(stats) == ["FAILED tests/a.py::test_two[x]", "FAILED b.py::t", "ERROR tests/c.py"]


def test_a_failed_test_is_the_last_that_a_run_says(tmp_path: Path) -> None:
    broken = tmp_path / "test_broken.py"
    broken.write_text("def test_one():\n    assert 'a' * 5000 == 'b'\n\ndef test_two():\n    pass\n")
    program = f"from tests import __main__ as m; raise SystemExit(m.main([{str(broken)!r}], m.os.environ))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].endswith("test_broken.py::test_one")
    assert done.stdout.splitlines()[-1].startswith("FAILED ")
