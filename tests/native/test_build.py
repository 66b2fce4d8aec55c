"""The extension's build: optional, so that the radio installs where there is no compiler."""

import os
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


def test_without_a_compiler_the_build_goes_on_without_the_library(tmp_path: Path) -> None:
    done = build(tmp_path, CC="/nonexistent/cc", CXX="/nonexistent/c++")
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.glob("out/**/*.so"))


def test_every_source_and_header_is_named_to_the_build() -> None:
    text = (ROOT / "setup.py").read_text()
    endings = {path.suffix for path in (ROOT / "native").iterdir()} - {".md"}
    assert endings == {".cpp", ".h", ".inc"}
    assert all(f"native/*{ending}" in text for ending in endings)
