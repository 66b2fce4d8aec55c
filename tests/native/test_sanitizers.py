"""Real sentences and damaged files under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer.

python -m pytest -m soak -s tests/native/test_sanitizers.py
"""

import random
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from radio.models.graph_cut import Halves
from radio.speech.engines import native_library
from radio.speech.engines.native_library import Library
from tests.native.conftest import Features
from tests.native.measure import mel_distance_db
from tests.native.sentences import GREETING, LINE, LONG, SHORT
from tests.native.test_build import ROOT
from tests.native.test_weights_file import TABLES
from tests.native.weights_files import Entry, changed, hollow, table, write
from tests.need import need

pytestmark = [pytest.mark.model, pytest.mark.soak]

HERE = Path(__file__).parent
WATCHED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
FLAGS = ("-O1", "-g", "-std=c++17", "-pthread", "-Wall", "-Wextra", "-Werror")
EXTREMES = (0, 1, 3, 2**16, 2**31 - 1, 2**31, 2**32 - 1)
FAR = (*EXTREMES, 2**32, 2**62, 2**63, 2**64 - 4, 2**64 - 1)
DAMAGED = 150

OVERRUN = """
#include "{buffer}"
int main(int count, char**) {{
  Buffer<float> buffer;
  return buffer.get(10)[9 + count] != 0;
}}
"""


def run(command: Sequence[object]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=1500)


def linked(folder: Path, files: Sequence[Path], *flags: str) -> Path:
    """A program of these files, two of which are compiled at a time."""
    need("compiler")

    def compiled(source: Path) -> Path:
        made = folder / f"{source.stem}.o"
        done = run(["c++", *FLAGS, *flags, "-c", source, "-o", made])
        assert done.returncode == 0, done.stderr
        return made

    with ThreadPoolExecutor(2) as compilers:
        objects = list(compilers.map(compiled, files))
    done = run(["c++", "-pthread", *flags, *objects, "-o", folder / "program"])
    assert done.returncode == 0, done.stderr
    return folder / "program"


@pytest.fixture(scope="module")
def speak(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`speak.cpp` with the library, watched; with tiles in software where the rest of them can run."""
    tiles = ["-DKERNELS_EMULATED_TILES"] if "avx512" in native_library.instruction_sets() else []
    files = [*sorted((ROOT / "native").glob("*.cpp")), HERE / "speak.cpp"]
    return linked(tmp_path_factory.mktemp("watched"), files, *WATCHED, *tiles)


def test_an_overrun_of_a_buffer_by_one_element_is_found(tmp_path: Path) -> None:
    source = tmp_path / "overrun.cpp"
    source.write_text(OVERRUN.format(buffer=ROOT / "native" / "buffer.h"))
    done = run([linked(tmp_path, [source], *WATCHED)])
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr


def test_sentences_of_every_length_are_spoken_without_a_finding(
    speak: Path,
    tmp_path: Path,
    halves: Halves,
    library: Callable[[str], Library],
    features: Callable[[str, str], Features],
) -> None:
    fronts = [features(phonemes, "af_heart") for phonemes in (SHORT, LONG, LINE, GREETING)]
    inputs = [front.recorded(tmp_path / f"{number}.in") for number, front in enumerate(fronts)]
    for isa in run([speak, "none", halves.weights]).stdout.split():
        few = 4 if isa.startswith("avx") else 1  # the others are slow
        pairs = [(path, path.with_suffix(f".{isa}")) for path in inputs[-few:]]
        done = run([speak, isa, halves.weights, *(path for pair in pairs for path in pair)])
        assert (done.returncode, done.stderr) == (0, ""), isa
        for front, (_, sound) in zip(fronts[-few:], pairs, strict=True):
            audio = np.fromfile(sound, np.float32)
            distance = mel_distance_db(front.spoken(library("auto"), seed=0), audio)
            print(f"\n{isa}: {audio.size / 24_000:.1f} s, log-mel distance {distance:.4f} dB")
            assert distance < (0.5 if isa == "amx" else 0.1)


def test_damaged_files_are_refused_without_a_finding(speak: Path, tmp_path: Path, halves: Halves) -> None:
    entries, size = hollow(table(halves.weights))
    files = [(write(tmp_path / name, made), True) for name, (made, _) in TABLES.items()]
    dice = random.Random(1)
    for number in range(DAMAGED):
        path = write(tmp_path / str(number), damaged(entries, dice), size=size)
        files.append((path, False))
    refused = 0
    for path, must in files:
        done = run([speak, "base", path])
        assert done.returncode in ((1,) if must else (0, 1)), (path.name, done.stderr)
        assert len(done.stderr.splitlines()) == done.returncode, (path.name, done.stderr)
        refused += done.returncode
    print(f"\n{refused} of {len(files)} damaged files refused, the others opened")
    assert refused > DAMAGED / 2


def damaged(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """One to three fields of one tensor are what they should not be."""
    entry = dice.choice(entries)
    shape = [dice.choice(EXTREMES) if dice.random() < 0.5 else length for length in entry.shape]
    every = {
        "kind": dice.choice((0, 1, *EXTREMES)),
        "dimensions": dice.choice((0, 1, 2, 3, 4, 5, 2**32 - 1)),
        "shape": tuple(shape),
        "data": dice.choice(FAR),
        "scale": dice.choice(FAR),
        "zero": dice.choice(FAR),
    }
    fields = dice.sample(sorted(every), dice.randint(1, 3))
    return changed(entries, entry.name, **{name: every[name] for name in fields})


def test_the_pool_has_no_race(tmp_path: Path) -> None:
    done = run([linked(tmp_path, [HERE / "shares.cpp"], "-fsanitize=thread"), 5])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
