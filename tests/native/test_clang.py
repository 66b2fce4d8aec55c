"""The library as clang builds it: all but the tiles, and the same sound.

apt-get install clang
python -m pytest -m soak -s tests/native/test_clang.py
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from radio.models.graph_cut import Halves
from radio.speech.engines import native_library
from radio.speech.engines.native_library import Library
from tests.native.conftest import Array, Features
from tests.native.measure import mel_distance_db
from tests.native.sentences import GREETING
from tests.native.test_build import build
from tests.need import need

pytestmark = [pytest.mark.model, pytest.mark.soak]


@pytest.fixture
def gcc_says(
    halves: Halves, library: Callable[[str], Library], features: Callable[[str, str], Features]
) -> Mapping[str, Array]:
    """The greeting, by the instruction sets of this machine that clang builds too."""
    names = [name for name in native_library.instruction_sets() if not name.startswith("amx")]
    return {name: features(GREETING, "af_heart").spoken(library(name), seed=0) for name in names}


@pytest.fixture
def by_clang(gcc_says: Mapping[str, Array], tmp_path: Path) -> Iterator[Path]:
    """Clang's library, which from here on is the one that is opened."""
    need("clang")
    done = build(tmp_path, CC="clang", CXX="clang++")
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    (built,) = tmp_path.glob("out/**/*.so")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(native_library, "path", lambda: built)
        native_library._load.cache_clear()
        yield built
    native_library._load.cache_clear()


def test_clang_builds_every_instruction_set_but_tiles_and_it_sounds_the_same(
    by_clang: Path,
    gcc_says: Mapping[str, Array],
    halves: Halves,
    features: Callable[[str, str], Features],
) -> None:
    assert native_library.instruction_sets() == list(gcc_says)
    assert str(by_clang) in Path("/proc/self/maps").read_text()
    for name, sound in gcc_says.items():
        library = Library(halves.weights, isa=name, threads=2)
        said = features(GREETING, "af_heart").spoken(library, seed=0)
        library.close()
        distance = mel_distance_db(sound, said)
        print(f"\n{name}: log-mel distance {distance:.5f} dB")
        assert distance < 0.1
