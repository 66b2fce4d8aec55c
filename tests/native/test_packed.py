"""Packed weights on disk: made once, mapped and shared, made anew when they do not fit."""

import logging
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from radio.models import KokoroFiles
from radio.models.graph_cut import Halves
from radio.speech.engines import native_library, packed_weights
from radio.speech.engines.native_library import Library, LibraryFailed
from radio.speech.engines.packed_weights import open_library
from tests.native.conftest import Features
from tests.native.sentences import SHORT

pytestmark = pytest.mark.model

ISA_PLACE, VERSION_PLACE, SOURCE_PLACE = 8, 4, 24
"""In the file's header; see `native/packed.cpp`."""


@pytest.fixture(scope="module")
def kept(halves: Halves, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Packed weights for the fastest instruction set of this machine."""
    path = tmp_path_factory.mktemp("packed") / "packed.bin"
    native_library.pack(halves.weights, native_library.instruction_sets()[0], path)
    return path


@pytest.fixture
def model(tmp_path: Path, halves: Halves) -> Halves:
    """The halves in a folder of their own."""
    links = [tmp_path / path.name for path in (halves.front, halves.weights)]
    for link, path in zip(links, (halves.front, halves.weights), strict=True):
        link.symlink_to(path)
    return Halves(*links)


def opened(halves: Halves, path: Path) -> Library:
    return Library(halves.weights, isa="auto", threads=2, packed=path)


def change(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        (byte,) = file.read(1)
        file.seek(at)
        file.write(bytes([byte ^ 1]))


def lines_of(path: Path) -> list[str]:
    """What `/proc` says of the mappings of one file of this process."""
    text = Path("/proc/self/smaps").read_text()
    areas = re.split(r"^(?=[0-9a-f]+-[0-9a-f]+ )", text, flags=re.MULTILINE)
    return [area for area in areas if str(path) in area]


def test_mapped_weights_sound_as_those_packed_in_memory(
    halves: Halves, kept: Path, features: Callable[[str, str], Features]
) -> None:
    front, sounds = features(SHORT, "af_heart"), []
    for path in (None, kept):
        library = Library(halves.weights, isa="auto", threads=2, packed=path)
        assert library.packed_fault == ""
        sounds.append(front.spoken(library))
        library.close()
    assert np.array_equal(sounds[0], sounds[1])


def test_they_are_mapped_read_only_and_shared_and_let_go(
    halves: Halves, kept: Path, features: Callable[[str, str], Features]
) -> None:
    first, second = opened(halves, kept), opened(halves, kept)
    features(SHORT, "af_heart").spoken(first)
    areas = lines_of(kept)
    assert len(areas) == 2
    for area in areas:
        assert " r--s " in area
        assert re.search(r"^Anonymous: +0 kB", area, re.MULTILINE)
        assert re.search(r"^Rss: +[1-9]", area, re.MULTILINE)
    first.close()
    second.close()
    assert lines_of(kept) == []


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        (0, "no packed weights"),
        (VERSION_PLACE, "another version"),
        (ISA_PLACE, "another instruction set"),
        (SOURCE_PLACE, "other weights"),
        (-1, "damaged"),
    ],
)
def test_one_changed_bit_is_found(place: int, fault: str, halves: Halves, kept: Path) -> None:
    at = place % kept.stat().st_size
    change(kept, at)
    library = opened(halves, kept)
    change(kept, at)
    assert fault in library.packed_fault
    library.close()


@pytest.mark.parametrize("size", [100, 1 << 20])
def test_a_file_that_is_cut_short_is_found(size: int, halves: Halves, kept: Path, tmp_path: Path) -> None:
    short = tmp_path / "packed.bin"
    with kept.open("rb") as file:
        short.write_bytes(file.read(size))
    library = opened(halves, short)
    assert library.packed_fault
    library.close()


def test_weights_of_another_export_are_found(halves: Halves, kept: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.weights"
    other.write_bytes(halves.weights.read_bytes())
    change(other, other.stat().st_size - 1)
    library = Library(other, isa="auto", threads=1, packed=kept)
    assert "other weights" in library.packed_fault
    library.close()


def test_a_place_that_cannot_be_written_is_an_error(halves: Halves, tmp_path: Path) -> None:
    isa = native_library.instruction_sets()[0]
    with pytest.raises(LibraryFailed, match="No such file"):
        native_library.pack(halves.weights, isa, tmp_path / "absent" / "packed.bin")
    with pytest.raises(LibraryFailed, match="No space left"):
        native_library.pack(halves.weights, isa, Path("/dev/full"))


def test_an_engine_keeps_them_beside_the_model_and_makes_damaged_ones_anew(
    files: KokoroFiles, model: Halves, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    folder = model.weights.parent

    def start() -> list[str]:
        caplog.clear()
        library = open_library(files.onnx, model, "auto", 1)
        assert library.packed_fault == ""
        library.close()
        return [getattr(record, "action", "") for record in caplog.records]

    def packs() -> list[Path]:
        return sorted(folder.glob("kokoro-packed-*"))

    (folder / "kokoro-packed-base-0-0123456789abcdef.bin").write_bytes(b"of an older radio")
    assert start() == ["voice.packing_weights"]
    (path,) = packs()
    assert start() == []
    change(path, path.stat().st_size // 2)
    assert start() == ["voice.weights_repacked", "voice.packing_weights"]
    assert packs() == [path]
    assert start() == []


def test_damaged_ones_that_cannot_be_removed_are_packed_in_memory(
    files: KokoroFiles, model: Halves, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fixed(*_: object, **__: object) -> None:
        raise PermissionError(30, "Read-only file system")

    damaged = model.weights.parent / "packed.bin"
    damaged.write_bytes(b"damaged")
    monkeypatch.setattr(packed_weights, "made", lambda *_: [damaged])
    monkeypatch.setattr(Path, "unlink", fixed)
    open_library(files.onnx, model, "auto", 1).close()
    monkeypatch.undo()
    assert [getattr(record, "action", "") for record in caplog.records] == [
        "voice.weights_repacked",
        "voice.weights_not_kept",
    ]


def test_the_name_has_the_version_of_what_is_packed() -> None:
    source = (Path(__file__).parents[2] / "native/packed.cpp").read_text()
    assert f"constexpr uint32_t FORMAT = {packed_weights._VERSION};" in source


def test_two_who_pack_get_the_same(files: KokoroFiles, model: Halves) -> None:
    with ThreadPoolExecutor(2) as callers:
        for library in callers.map(lambda _: open_library(files.onnx, model, "auto", 1), range(2)):
            assert library.packed_fault == ""
            library.close()
    assert len(list(model.weights.parent.glob("kokoro-packed-*"))) == 1
    assert not list(model.weights.parent.glob("*.part"))


def test_where_they_cannot_be_kept_they_are_packed_in_memory(
    files: KokoroFiles, model: Halves, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(packed_weights, "made", full)
    open_library(files.onnx, model, "auto", 1).close()
    assert [getattr(record, "action", "") for record in caplog.records] == ["voice.weights_not_kept"]
