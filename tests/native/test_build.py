"""The extension's build: optional, so that the radio installs where there is no compiler."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def build(folder: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`setup.py build_ext` in a copy of the sources, without the project's metadata."""
    pytest.importorskip("setuptools")
    shutil.copy2(ROOT / "setup.py", folder)
    shutil.copytree(ROOT / "native", folder / "native")
    command = [sys.executable, "-W", "ignore", "setup.py", "build_ext", "--build-lib", "out"]
    return subprocess.run(
        command,
        check=False,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=500,
    )


def said(done: "subprocess.CompletedProcess[str]") -> list[str]:
    return [line for line in done.stdout.splitlines() if line.startswith("radio: ")]


def test_without_a_compiler_the_build_goes_on_and_says_what_is_lost(tmp_path: Path) -> None:
    done = build(tmp_path, CC="/nonexistent/cc", CXX="/nonexistent/c++")
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.glob("out/**/*.so"))
    assert said(done)[-1] == (
        "radio: the native voice could not be built; ONNX Runtime speaks instead, two to ten times slower"
    )


def test_a_build_names_each_file_as_it_is_compiled(tmp_path: Path) -> None:
    quick = tmp_path / "quick-compiler"
    quick.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n: >"$2"\n')
    quick.chmod(0o755)
    done = build(tmp_path, CC=str(quick), CXX=str(quick))
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("out/**/*.so"))
    names = [path.name for path in sorted((ROOT / "native").glob("*.cpp"))]
    places, named = zip(*(line.rsplit(" ", 1) for line in said(done)), strict=True)
    assert list(places) == [
        f"radio: building the native voice [{number}/{len(names)}]" for number in range(1, len(names) + 1)
    ]
    assert sorted(named) == names  # threads begin the files, in about this order


def test_every_source_and_header_is_named_to_the_build() -> None:
    text = (ROOT / "setup.py").read_text()
    endings = {path.suffix for path in (ROOT / "native").iterdir() if path.name[0] != "."} - {".md"}
    assert endings == {".cpp", ".h", ".inc"}
    assert all(f"native/*{ending}" in text for ending in endings)


def test_the_build_reaches_into_no_private_parts_and_always_asks_for_warnings() -> None:
    text = (ROOT / "setup.py").read_text()
    assert re.findall(r"\b(?:self|ext|compiler)(?:\.\w+)*\._\w+|import .*\b_\w+", text) == []
    assert re.search(r'^FLAGS = ".* -Wall -Wextra"$', text, re.MULTILINE)
