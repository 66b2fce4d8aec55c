"""The noise of the source against the original model's, which torch makes from a seed of its own.

python -m pytest -m soak -s tests/native/test_noise.py
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest

from radio.models.graph_cut import Halves
from radio.speech.engines.native_library import NO_NOISE, Library
from radio.speech.engines.onnx_session import OnnxSession
from tests.native.conftest import Feed, features_of
from tests.native.measure import Array, mel_distance_db
from tests.native.reference import dequantise
from tests.native.sentences import LINE, LONG, MEDIUM, SHORT
from tests.torch_voice import said_by_torch

CASES = (
    (SHORT, "af_heart"),
    (LINE, "bm_george"),
    (MEDIUM, "ff_siwis"),
    (LONG, "am_michael@1.30"),
    (MEDIUM, "am_onyx"),
    (LINE, "hm_omega"),
    (MEDIUM, "zf_xiaobei"),
)


@pytest.mark.soak
@pytest.mark.model
def test_with_noise_it_is_as_near_to_torch_as_two_seeds_are_to_each_other(
    halves: Halves, library: Callable[[str], Library], feed: Callable[[str, str], Feed], tmp_path: Path
) -> None:
    model = onnx.load(str(halves.front))
    dequantise(model.graph, ("",))  # so that durations are torch's
    onnx.save(model, str(tmp_path / "front.onnx"))
    front = OnnxSession(tmp_path / "front.onnx", 2)
    rows = []
    for (phonemes, voice), wanted in zip(CASES, said_by_torch(CASES, tmp_path), strict=True):
        given = features_of(front, feed(phonemes, voice))
        assert given.durations.tolist() == wanted.durations.tolist()
        quiet, noisy, other = (given.spoken(library("auto"), seed=seed) for seed in (NO_NOISE, 0, 1))
        rows.append(
            (
                mel_distance_db(wanted.sound, quiet),
                mel_distance_db(wanted.sound, noisy),
                mel_distance_db(noisy, other),
                _level_db(quiet, wanted.sound),
                _level_db(noisy, wanted.sound),
            )
        )
    without, with_noise, seeds, quiet_level, noisy_level = np.mean(rows, axis=0)
    print(f"\nlog-mel distance to torch: {without:.2f} dB without noise, {with_noise:.2f} dB with it")
    print(f"two seeds: {seeds:.2f} dB; level {quiet_level:+.3f} dB without noise, {noisy_level:+.3f} with it")
    assert with_noise < 1.1 * seeds
    assert with_noise < without
    assert abs(noisy_level) < 0.05


def _level_db(got: Array, wanted: Array) -> float:
    return float(10 * np.log10(np.mean(got**2) / np.mean(wanted**2)))
