"""The AMX kernels with their tile registers in software, where the processor has none."""

import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from radio.models.graph_cut import Halves
from radio.speech.engines import native_library
from radio.speech.engines.native_library import Library
from tests.native.conftest import Features, Truth
from tests.native.measure import mel_distance_db, snr_db
from tests.native.sentences import GREETING
from tests.need import need

pytestmark = pytest.mark.model

NATIVE = Path(__file__).parents[2] / "native"
UNUSED = ("kernels_avx2", "kernels_avx512", "kernels_base")
"""By what is tested here."""


def _built(folder: Path) -> Path:
    """The library with emulated tiles; two files are compiled at a time."""
    flags = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-fPIC", "-pthread", "-DKERNELS_EMULATED_TILES")

    def compiled(source: Path) -> str:
        made = folder / f"{source.stem}.o"
        level = "-O0" if source.stem in UNUSED else "-O1"
        subprocess.run(["c++", level, *flags, "-c", str(source), "-o", str(made)], check=True, timeout=500)
        return str(made)

    built = folder / "emulated.so"
    with ThreadPoolExecutor(2) as compilers:
        objects = list(compilers.map(compiled, sorted(NATIVE.glob("*.cpp"))))
    subprocess.run(["c++", "-shared", "-pthread", *objects, "-o", str(built)], check=True, timeout=500)
    return built


@pytest.fixture
def emulated(
    tmp_path: Path, halves: Halves, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Library]]:
    """The library with emulated tiles, by instruction set, two threads."""
    need("compiler")
    if "avx512" not in native_library.instruction_sets():
        pytest.skip("this processor has no AVX-512, which the code around the tiles needs")
    built = _built(tmp_path)
    monkeypatch.setattr(native_library, "path", lambda: built)
    native_library._load.cache_clear()
    yield lambda isa: Library(halves.weights, isa=isa, threads=2)
    native_library._load.cache_clear()


def test_tiles_sound_as_the_reference(
    emulated: Callable[[str], Library],
    truth: Callable[[str, str], Truth],
    features: Callable[[str, str], Features],
) -> None:
    audio, _, excitation = truth(GREETING, "af_heart")
    front = features(GREETING, "af_heart")
    library = emulated("amx")
    got = front.spoken(library, excitation)
    library.close()
    assert library.isa == "amx"
    inner = slice(20, -20)
    assert snr_db(audio[inner] / 1.5, got[inner]) > 30
    assert mel_distance_db(audio[inner] / 1.5, got[inner]) < 0.2
