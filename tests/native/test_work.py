"""The arithmetic of the voice's generator, as its benchmark counts it."""

from fractions import Fraction
from pathlib import Path

import pytest

from bench.voice_peak import compiled, schemes
from bench.voice_work import Scheme, convolutions, multiply_adds, shapes
from radio.models.graph_cut import Halves
from tests.need import need

SCHEMES = {3: Scheme(6, 3), 7: Scheme(4, 7), 11: Scheme(5, 6)}
LAYERS = [
    (channels, taps) for channels, of in ((256, (3, 7, 11, 7)), (128, (3, 7, 11, 11))) for taps in of * 6
]
"""Three residual blocks and one of the source in each stage, of six convolutions each."""


@pytest.mark.parametrize(
    ("taps", "products"), [(3, Fraction(8, 6)), (7, Fraction(10, 4)), (11, Fraction(19, 5))]
)
def test_a_scheme_costs_its_points_less_those_of_a_tap_that_is_zero(taps: int, products: Fraction) -> None:
    assert SCHEMES[taps].products(taps) == products


def test_a_second_of_audio_costs_what_its_layers_say() -> None:
    assert multiply_adds(LAYERS) == 800 * 256**2 * 6 * 28 + 4800 * 128**2 * 6 * 32
    assert multiply_adds(LAYERS, SCHEMES) / 1e9 == pytest.approx(8.58, abs=0.01)


def test_the_schemes_counted_are_those_of_the_library(tmp_path: Path) -> None:
    need("compiler")
    assert schemes(compiled(tmp_path)) == SCHEMES


@pytest.mark.model
def test_the_layers_counted_are_those_of_the_model(halves: Halves) -> None:
    assert sorted(convolutions(shapes(halves.weights))) == sorted(LAYERS)
