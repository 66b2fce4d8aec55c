"""Weights files that are damaged, cut short or made to harm: each is an error, none a crash."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from radio.models.graph_cut import Halves
from tests.native.weights_files import BYTES, HEADER, MAGIC, Entry, changed, hollow, table, write
from tests.need import need

OPEN = """
import json, sys
from pathlib import Path
from radio.speech.engines.native_library import Library, LibraryFailed
for path in sys.argv[1:]:
    try:
        Library(Path(path), isa="auto", threads=1).close()
        said = ""
    except LibraryFailed as failed:
        said = str(failed)
    print(json.dumps([Path(path).name, said]), flush=True)
"""

A = Entry(name=b"a")
HUGE = 2**64 - 4

TABLES: Mapping[str, tuple[Sequence[Entry], str]] = {
    "elements that wrap to none": (
        [replace(A, dimensions=4, shape=(2**16, 2**16, 2**16, 2**16))],
        "tensor 0, a",
    ),
    "bytes that wrap to none": (
        [replace(A, dimensions=2, shape=(2**31 - 1, 2**31 - 1, 1, 1))],
        "tensor 0, a",
    ),
    "elements times four that wrap": (
        [replace(A, dimensions=3, shape=(2**30, 2**30, 4, 1))],
        "tensor 0, a",
    ),
    "rows without elements": (
        [replace(A, kind=BYTES, dimensions=2, shape=(0, 3, 1, 1))],
        "tensor 0, a",
    ),
    "an axis without elements": ([replace(A, dimensions=2, shape=(3, 0, 1, 1))], "tensor 0, a"),
    "data behind the end": ([replace(A, data=4096)], "tensor 0, a"),
    "data at the end of all addresses": ([replace(A, data=HUGE)], "tensor 0, a"),
    "data that reach beyond the end": ([replace(A, shape=(1024, 1, 1, 1), data=4)], "tensor 0, a"),
    "scales behind the end": ([replace(A, kind=BYTES, scale=4093)], "tensor 0, a"),
    "zeros at the end of all addresses": ([replace(A, kind=BYTES, zero=HUGE)], "tensor 0, a"),
    "no axes": ([replace(A, dimensions=0)], "tensor 0, a"),
    "more axes than four": ([replace(A, dimensions=2**32 - 1)], "tensor 0, a"),
    "an axis that is not counted": ([replace(A, dimensions=1, shape=(1, 2, 1, 1))], "tensor 0, a"),
    "an unknown kind": ([A, replace(A, name=b"b", kind=2)], "tensor 1, b"),
    "a name of control characters": ([replace(A, name=b"\x1b[2J")], "tensor 0"),
    "no name": ([replace(A, name=b"")], "tensor 0"),
    "a name twice": ([A, A], "has twice tensor 1, a"),
}


def opened(*paths: Path) -> Mapping[str, str]:
    """What the library says of each file, empty where it opens it. Its process may crash without this one."""
    need("native")
    command = [sys.executable, "-c", OPEN, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    said = dict(map(json.loads, done.stdout.splitlines()))
    assert done.returncode == 0, f"ended by {done.returncode} after {list(said)}: {done.stderr}"
    return said


def test_tables_that_name_what_cannot_be_are_refused_with_the_tensor(tmp_path: Path) -> None:
    said = opened(*(write(tmp_path / name, entries) for name, (entries, _) in TABLES.items()))
    for name, (_, where) in TABLES.items():
        assert "damaged or cut short at" in said[name] or "has twice" in said[name], (name, said[name])
        assert said[name].endswith(where), (name, said[name])


def test_an_axis_beyond_an_int_is_refused(tmp_path: Path) -> None:
    entry = replace(A, kind=BYTES, shape=(2**31, 1, 1, 1))
    path = write(tmp_path / "wide", [entry], size=5 * 2**31)  # all of it holes
    assert opened(path)["wide"].endswith("damaged or cut short at tensor 0, a")


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "short").write_bytes(HEADER.pack(MAGIC, 1, 0, 0)[:-1])
    write(tmp_path / "magic", [A], magic=b"GGUF")
    write(tmp_path / "version", [A], version=2)
    write(tmp_path / "many", [A], tensors=2**32 - 1)
    said = opened(*(tmp_path / name for name in ("empty", "short", "magic", "version", "many")), tmp_path)
    assert said["empty"].endswith("/empty: is empty")
    for name in ("short", "magic", "version"):
        assert said[name] == "not a weights file of this version"
    assert said["many"] == "the weights file is cut short"
    assert said[tmp_path.name].endswith("cannot be mapped")


@pytest.mark.model
def test_tensors_of_other_shapes_than_the_models_are_refused(tmp_path: Path, halves: Halves) -> None:
    entries, size = hollow(table(halves.weights))
    wrong = {
        "more inputs than there is room for": changed(entries, b"F0.0.conv1.w", shape=(64, 8192, 3, 1)),
        "a bias that is too long": changed(entries, b"encode.conv1.b", shape=(4096, 1, 1, 1)),
        "fewer axes": changed(entries, b"ups.0.w", dimensions=2, shape=(512, 256, 1, 1)),
        "a norm of more channels": changed(entries, b"decode.0.norm1.b", shape=(8192, 1, 1, 1)),
        "fewer alphas": changed(entries, b"resblocks.5.alpha2.2", shape=(64, 1, 1, 1)),
        "no inverse transform": [entry for entry in entries if entry.name != b"istft"],
    }
    said = opened(
        *(write(tmp_path / name, made, size=size) for name, made in {**wrong, "right": entries}.items())
    )
    assert said == {
        "more inputs than there is room for": (
            "F0.0.conv1.w in the weights file is 64 x 8192 x 3, expected 512 x 512 x 3"
        ),
        "a bias that is too long": "encode.conv1.b in the weights file is 4096, expected 1024",
        "fewer axes": "ups.0.w in the weights file is 512 x 256, expected 512 x 256 x 20",
        "a norm of more channels": "decode.0.norm1.b in the weights file is 8192, expected 2180",
        "fewer alphas": "resblocks.5.alpha2.2 in the weights file is 64, expected 128",
        "no inverse transform": "the weights file has no tensor istft",
        "right": "",
    }


@pytest.mark.model
def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path, halves: Halves) -> None:
    whole = halves.weights.read_bytes()
    cuts = (HEADER.size, 1000, 40_000, 100_000, len(whole) // 2, len(whole) - 4096)
    for cut in cuts:
        (tmp_path / str(cut)).write_bytes(whole[:cut])
    said = opened(*(tmp_path / str(cut) for cut in cuts))
    assert all("cut short" in said[str(cut)] for cut in cuts), said
