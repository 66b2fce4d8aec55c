"""The portable kernels on aarch64, where they are NEON: cross-compiled, and run by an emulator.

apt-get install qemu-user g++-aarch64-linux-gnu
python -m pytest -m soak -s tests/native/test_neon.py
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from radio.models.graph_cut import Halves
from radio.speech.engines.native_library import Library
from tests.native.conftest import Features
from tests.native.measure import mel_distance_db, snr_db
from tests.native.sentences import GREETING
from tests.need import need

pytestmark = [pytest.mark.model, pytest.mark.soak]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`speak.cpp` with the library, for aarch64."""
    need("aarch64")
    built = tmp_path_factory.mktemp("neon") / "speak"
    sources = map(str, [*sorted((ROOT / "native").glob("*.cpp")), ROOT / "tests/native/speak.cpp"])
    flags = ("-O2", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-static", "-pthread")
    subprocess.run(["aarch64-linux-gnu-g++", *flags, *sources, "-o", str(built)], check=True, timeout=900)
    return built


def test_it_multiplies_by_neon_instructions(program: Path) -> None:
    code = subprocess.run(
        ["aarch64-linux-gnu-objdump", "-d", str(program)], capture_output=True, text=True, check=True
    ).stdout
    assert code.count("fmla\tv") > 100


def test_neon_sounds_as_the_portable_kernels_here(
    program: Path,
    tmp_path: Path,
    halves: Halves,
    library: Callable[[str], Library],
    features: Callable[[str, str], Features],
) -> None:
    front = features(GREETING, "af_heart")
    given, audio = front.recorded(tmp_path / "inputs"), tmp_path / "audio"
    done = subprocess.run(
        ["qemu-aarch64", str(program), "base", str(halves.weights), str(given), str(audio)],
        capture_output=True,
        text=True,
        timeout=1500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["base"]
    here = front.spoken(library("base"), seed=0)
    there = np.fromfile(audio, np.float32)
    assert there.size == here.size
    signal, distance = snr_db(here, there), mel_distance_db(here, there)
    print(f"\nNEON against SSE2: signal to error {signal:.1f} dB, log-mel distance {distance:.4f} dB")
    assert distance < 0.1
    assert signal > 35  # sums and sines are rounded in another way, also in the phases of the excitation
