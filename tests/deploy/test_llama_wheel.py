"""`deploy/llama-wheel`, with a Python of the test's own: what is built when, and what is said."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "deploy" / "llama-wheel"
BUILDS = """
echo "  [1/2] Building CXX object src/llama-model.cpp"
echo "  Building wheel for llama-cpp-python: finished"
while [ $# -gt 1 ]; do [ "$1" = --wheel-dir ] && touch "$2/llama_cpp_python-0-py3-none-any.whl"; shift; done
"""
FAILS = "echo fatal error: no space; exit 1"


class Machine:
    def __init__(self, folder: Path) -> None:
        self.python, self.asked, self.cache = folder / "python", folder / "asked", folder / "cache"

    def pip(self, wheel: str) -> None:
        """What `pip wheel` does; all else is only noted."""
        self.python.write_text(
            f"#!/bin/bash\necho $3 with $SKBUILD_CMAKE_DEFINE >>{self.asked}\n"
            f"[ $3 = wheel ] || exit 0\n{wheel}\n"
        )
        self.python.chmod(0o755)

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if name != "CMAKE_ARGS"}
        return subprocess.run(
            [str(SCRIPT), str(self.python), *arguments],
            env={**kept, "XDG_CACHE_HOME": str(self.cache), **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def asked_for(self, command: str) -> list[str]:
        return [line for line in self.asked.read_text().splitlines() if line.startswith(command)]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_wheel_is_built_once_for_each_way_to_build_it(machine: Machine) -> None:
    machine.pip(BUILDS)
    first = machine.run()
    assert first.returncode == 0, first.stderr
    assert "radio: building llama.cpp [1/2] llama-model.cpp" in first.stdout
    assert machine.run("install").returncode == 0
    assert len(machine.asked_for("wheel")) == 1
    assert len(machine.asked_for("install")) == 2
    assert machine.run(CMAKE_ARGS="-DGGML_CUDA=on").returncode == 0
    assert len(machine.asked_for("wheel")) == 2


def test_the_build_reads_what_it_is_to_leave_out(machine: Machine) -> None:
    machine.pip(BUILDS)
    machine.run()
    (line,) = machine.asked_for("wheel")
    name, _, path = line.removeprefix("wheel with ").partition("=")
    assert name == "CMAKE_PROJECT_llama.cpp_INCLUDE"
    assert "LLAMA_BUILD_COMMON OFF" in Path(path).read_text()


def test_a_build_that_fails_shows_why_and_leaves_nothing(machine: Machine) -> None:
    machine.pip(FAILS)
    said = machine.run("install")
    assert said.returncode == 1
    assert "fatal error: no space" in said.stderr
    assert "could not be built" in said.stderr
    assert machine.asked_for("install") == []
    assert [path for path in machine.cache.rglob("*") if path.is_file()] == []


def test_it_knows_no_other_words(machine: Machine) -> None:
    machine.pip(BUILDS)
    assert machine.run("remove").returncode == 2
