"""Files made of an export: which ones stay when new ones are made."""

import mmap
from collections.abc import Sequence
from pathlib import Path

import pytest

from radio.models.derived_files import DerivedKind, made

FAST = DerivedKind("packed", 2, (".bin",), "fast")
SLOW = DerivedKind("packed", 2, (".bin",), "slow")


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "voice.onnx"
    path.write_bytes(b"weights")
    return path


def make(kind: DerivedKind, export: Path) -> Path:
    (path,) = made(kind, export, export.parent, fill)
    return path


def fill(parts: Sequence[Path]) -> None:
    for part in parts:
        part.write_bytes(b"packed")


def kept(export: Path) -> set[Path]:
    return set(export.parent.glob("packed*"))


def test_variants_of_one_version_and_export_stay_beside_one_another(export: Path) -> None:
    fast, slow = make(FAST, export), make(SLOW, export)
    assert fast != slow
    assert kept(export) == {fast, slow}


@pytest.mark.parametrize("version", [1, 12, 22, 3])
def test_another_version_goes_whatever_its_variant(export: Path, version: int) -> None:
    for variant in ("fast", "slow"):
        make(DerivedKind("packed", version, (".bin",), variant), export)
    fast = make(FAST, export)
    assert kept(export) == {fast}


def test_what_was_made_of_another_export_goes_whatever_its_variant(export: Path) -> None:
    make(FAST, export)
    make(SLOW, export)
    export.write_bytes(b"other weights")
    slow = make(SLOW, export)
    assert kept(export) == {slow}


def test_what_a_killed_maker_left_goes(export: Path) -> None:
    (export.parent / "packed-slow-2-0123456789abcdef.bin.part").write_bytes(b"half")
    fast = make(FAST, export)
    assert kept(export) == {fast}


def test_what_is_found_is_not_made_and_removes_nothing(export: Path) -> None:
    fast = make(FAST, export)
    (export.parent / "packed-fast-1-0123456789abcdef.bin").write_bytes(b"old")
    before = kept(export)
    (path,) = made(FAST, export, export.parent, lambda _: pytest.fail("made again"))
    assert path == fast
    assert kept(export) == before


def test_a_kind_without_variants_leaves_other_kinds_alone(export: Path) -> None:
    fast = make(FAST, export)
    (cut,) = made(DerivedKind("cut", 1, (".bin",)), export, export.parent, fill)
    (again,) = made(DerivedKind("cut", 2, (".bin",)), export, export.parent, fill)
    assert not cut.exists()
    assert again.exists()
    assert kept(export) == {fast}


def test_who_has_an_old_one_mapped_keeps_what_is_mapped(export: Path) -> None:
    old = make(DerivedKind("packed", 1, (".bin",), "fast"), export)
    with old.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        make(FAST, export)
        assert not old.exists()
        assert mapped[:] == b"packed"
