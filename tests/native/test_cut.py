"""Cutting the export: once, whole, anew when it changes."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnx
import pytest

from radio.errors import BadInput
from radio.models.graph_cut import Halves, cut
from radio.speech.engines.native_library import Library
from tests.native.conftest import Features
from tests.native.sentences import SHORT

pytestmark = pytest.mark.model


def test_it_cuts_once(export: Path) -> None:
    halves = cut(export)
    times = [path.stat().st_mtime_ns for path in (halves.front, halves.weights)]
    assert cut(export) == halves
    assert [path.stat().st_mtime_ns for path in (halves.front, halves.weights)] == times


def test_a_touched_export_is_not_cut_again(export: Path) -> None:
    halves = cut(export)
    times = halves.weights.stat().st_mtime_ns
    os.utime(export, ns=(1, 1))
    assert cut(export) == halves
    assert halves.weights.stat().st_mtime_ns == times


def test_a_changed_export_is_cut_anew_and_the_old_halves_go(export: Path) -> None:
    old = cut(export)
    model = onnx.load(str(export))
    model.producer_name = "another"
    export.write_bytes(model.SerializeToString())
    new = cut(export)
    assert new != old
    assert {path.name for path in export.parent.glob("kokoro-cut*")} == {new.front.name, new.weights.name}


def test_a_missing_half_is_made_again(export: Path) -> None:
    halves = cut(export)
    whole = halves.weights.read_bytes()
    halves.weights.unlink()
    assert cut(export) == halves
    assert halves.weights.read_bytes() == whole


def test_a_damaged_note_is_written_anew(export: Path) -> None:
    halves = cut(export)
    (export.parent / f"{export.name}.digest.json").write_text("[]")
    assert cut(export) == halves


def test_two_who_cut_get_the_same(export: Path) -> None:
    with ThreadPoolExecutor(2) as callers:
        first, second = callers.map(cut, [export, export])
    assert first == second
    assert not list(export.parent.glob("*.part"))


def test_the_halves_may_lie_in_another_folder(export: Path, tmp_path: Path) -> None:
    folder = tmp_path / "halves"
    folder.mkdir()
    halves = cut(export, folder)
    assert halves.front.parent == halves.weights.parent == folder
    assert [path.name for path in export.parent.iterdir() if path.is_file()] == [export.name]


def test_what_is_not_the_export_is_refused_and_leaves_nothing(export: Path) -> None:
    for data in (b"no protobuf at all", onnx.ModelProto().SerializeToString()):
        export.write_bytes(data)
        with pytest.raises(BadInput):
            cut(export)
        assert not list(export.parent.glob("kokoro-cut*.weights"))
        assert not list(export.parent.glob("kokoro-cut*.onnx"))


def test_the_front_is_the_smaller_half_and_checks_as_onnx(halves: Halves) -> None:
    model = onnx.load(str(halves.front))
    assert [output.name for output in model.graph.output][2] == "/encoder/Clip_output_0"
    assert not [node.name for node in model.graph.node if node.name.startswith("/decoder/decoder/")]
    assert halves.front.stat().st_size < halves.weights.stat().st_size


def test_a_library_with_fresh_weights_speaks_as_before(
    export: Path, halves: Halves, features: Callable[[str, str], Features]
) -> None:
    sounds = []
    for weights in (halves.weights, cut(export).weights):
        library = Library(weights, isa="auto", threads=2)
        sounds.append(features(SHORT, "af_heart").spoken(library))
        library.close()
    assert np.array_equal(sounds[0], sounds[1])
