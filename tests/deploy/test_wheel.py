"""A wheel built of the checkout, as `pip install .` makes one."""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
NO_COMPILER = {"CC": "false", "CXX": "false"}
"""The native voice is optional, and takes a minute to compile; tests/native builds it."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    tree.mkdir()
    for name in ("radio", "web", "native"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, tree / name)
    said = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=tree, env=NO_COMPILER, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    (made,) = folder.glob("radio-*.whl")
    with zipfile.ZipFile(made) as opened:
        yield opened


def files(folder: Path, pattern: str = "*") -> set[str]:
    """Relative to the checkout."""
    found = (path for path in folder.rglob(pattern) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(ROOT).as_posix() for path in found}


def test_a_wheel_holds_every_page(wheel: zipfile.ZipFile) -> None:
    pages = files(ROOT / "web")
    assert "web/index.html" in pages
    assert {f"radio/{page}" for page in pages} <= set(wheel.namelist())
    assert wheel.read("radio/web/index.html") == (ROOT / "web/index.html").read_bytes()


def test_a_wheel_holds_every_module_and_nothing_of_the_tests(wheel: zipfile.ZipFile) -> None:
    held = set(wheel.namelist())
    assert files(ROOT / "radio", "*.py") <= held
    assert {name.split("/")[0] for name in held} == {"radio", "radio-0.1.0.dist-info"}


def test_an_installed_relay_serves_the_pages_of_the_wheel(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    asked = "from radio.relay.web.pages import FOLDER; print(FOLDER)"
    said = subprocess.run(
        [sys.executable, "-c", asked], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    folder = Path(said.stdout.strip())
    assert folder == tmp_path / "radio" / "web"
    assert (folder / "index.html").is_file()
