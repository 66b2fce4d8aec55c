"""The engine `torch` against the export in float32, which is made of the same weights.

The short forms need no torch. The long ones run it in an environment of its own (`deploy/torch`).
"""

import dataclasses
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from radio import models, voices
from radio.errors import Unsupported
from radio.models import KokoroFiles
from radio.models.catalog import KOKORO_CHECKPOINT
from radio.settings import Settings
from radio.speech.engines import torch_engine
from radio.speech.engines.model_inputs import Inputs
from radio.speech.engines.onnx_engine import EXPORT_GAIN
from tests.native.measure import Array, mel_distance_db, snr_db
from tests.native.reference import Reference
from tests.native.sentences import GREETING, LINE, LONG, MEDIUM, SHORT
from tests.need import need
from tests.torch_voice import Said, run_torch, said_by_torch

CASES = (
    (SHORT, "af_heart"),
    (LINE, "bm_george"),
    (MEDIUM, "ff_siwis"),
    (LONG, "am_michael@1.30"),
    (LINE, "af_bella(2)+bf_emma@0.80"),
)
BATCH = (CASES[0], (GREETING, "am_michael@1.30"), (MEDIUM, "af_bella(2)+bf_emma@0.80"))
"""Of very different lengths, and by different voices."""
EDGE = 20
"""Samples at both ends, where the export divides by the sum of its windows."""


@dataclasses.dataclass(frozen=True)
class Plain:
    """What the export in float32 says: samples at the original's level, frames by token, excitation."""

    sound: Array
    durations: Array
    excitation: Array


# --- without torch


def test_without_torch_the_engine_says_what_to_install(files: KokoroFiles) -> None:
    if importlib.util.find_spec("torch"):
        pytest.skip("torch is installed here")
    assert not torch_engine.is_installed()
    assert not torch_engine.has_cuda()
    with pytest.raises(Unsupported, match="not installed") as raised:
        torch_engine.TorchEngine(files, 1)
    assert "[torch]" in raised.value.hint


def test_half_is_the_default_on_cuda_alone() -> None:
    for precision, device in (("auto", "cuda"), ("half", "cuda"), ("half", "cpu")):
        assert torch_engine.numbers_of(precision, device) == "bfloat16"
    for precision, device in (("auto", "cpu"), ("float32", "cpu"), ("float32", "cuda")):
        assert torch_engine.numbers_of(precision, device) == "float32"


def test_a_checkpoint_in_the_models_folder_is_taken(tmp_path: Path) -> None:
    settings = Settings(models=tmp_path)
    assert models.checkpoint(settings) is None
    (tmp_path / KOKORO_CHECKPOINT.path).write_bytes(b"weights")
    assert models.checkpoint(settings) == tmp_path / KOKORO_CHECKPOINT.path


# --- with torch


@pytest.fixture(scope="module")
def files() -> KokoroFiles:
    need("voice")
    return models.kokoro(Settings())


@pytest.fixture(scope="module")
def plain(files: KokoroFiles) -> list[Plain]:
    reference, inputs = Reference(files.onnx, whole=True), Inputs(files)
    said = []
    for phonemes, voice in CASES:
        blend = voices.parse(voice)
        tokens = inputs.tokens(phonemes)
        feed: dict[str, np.ndarray] = {
            "tokens": tokens,
            "style": inputs.style(blend, tokens.size - 2),
            "speed": np.array([blend.speed], np.float32),
        }
        sound, durations, excitation = reference.run(feed)
        said.append(Plain(sound * np.float32(EXPORT_GAIN), durations, excitation))
    return said


@pytest.fixture(scope="module")
def torch(tmp_path_factory: pytest.TempPathFactory) -> list[Said]:
    """The cases, and the first of them again."""
    return said_by_torch([*CASES, CASES[0]], tmp_path_factory.mktemp("torch"))


@pytest.mark.soak
@pytest.mark.model
def test_durations_are_those_of_the_same_weights_in_onnx(torch: list[Said], plain: list[Plain]) -> None:
    for said, wanted in zip(torch, plain, strict=False):
        assert said.durations.tolist() == wanted.durations.tolist()
        assert said.sound.size == wanted.sound.size == 600 * said.durations.sum()


@pytest.mark.soak
@pytest.mark.model
def test_the_spectrum_is_that_of_the_same_weights_in_onnx(torch: list[Said], plain: list[Plain]) -> None:
    distances = [
        mel_distance_db(said.sound[EDGE:-EDGE], wanted.sound[EDGE:-EDGE])
        for said, wanted in zip(torch, plain, strict=False)
    ]
    print(
        "\nlog-mel distance, torch's own noise:", " ".join(f"{distance:.2f}" for distance in distances), "dB"
    )
    assert max(distances) < 1.5


@pytest.mark.soak
@pytest.mark.model
def test_given_the_same_excitation_the_samples_are_the_same(plain: list[Plain], tmp_path: Path) -> None:
    given = said_by_torch(CASES, tmp_path, excitations=[one.excitation for one in plain])
    signals = [
        snr_db(one.sound[EDGE:-EDGE], said.sound[EDGE:-EDGE]) for said, one in zip(given, plain, strict=True)
    ]
    print("\nsignal to error, same excitation:", _listed(signals), "dB")
    assert min(signals) > 60


@pytest.mark.soak
@pytest.mark.model
def test_the_same_text_sounds_the_same_again(torch: list[Said]) -> None:
    assert np.array_equal(torch[0].sound, torch[-1].sound)


@pytest.mark.soak
@pytest.mark.model
def test_alone_a_sentence_is_kokoros_own_to_the_bit(torch: list[Said], tmp_path: Path) -> None:
    (original,) = said_by_torch(CASES[:1], tmp_path, way="original")
    assert np.array_equal(torch[0].sound, original.sound)


@pytest.mark.soak
@pytest.mark.model
def test_each_sentence_of_a_batch_sounds_as_it_does_alone(tmp_path: Path) -> None:
    """The same seed, so the same noise. Float error of the pitch adds up in the harmonics' phase; nobody
    hears it, but the samples show it unless the source is given."""
    original, together, resourced = (
        said_by_torch(BATCH, tmp_path, way=way) for way in ("original", "together", "resourced")
    )
    for said in (together, resourced):
        assert [one.durations.tolist() for one in said] == [one.durations.tolist() for one in original]
    pairs = list(zip(original, together, strict=True))
    distances = [mel_distance_db(wanted.sound, said.sound) for wanted, said in pairs]
    print("\nbatch against alone, log-mel distance:", _listed(distances), "dB")
    print("signal to error:", _listed([snr_db(wanted.sound, said.sound) for wanted, said in pairs]), "dB")
    given = [snr_db(w.sound, said.sound) for w, said in zip(original, resourced, strict=True)]
    print("signal to error, the same source:", _listed(given), "dB")
    assert max(distances) < 0.1
    assert min(given) > 60


@pytest.mark.soak
@pytest.mark.model
def test_half_precision_sounds_nearly_the_same(torch: list[Said], tmp_path: Path) -> None:
    """Given the same noise."""
    half = said_by_torch(CASES[:3], tmp_path, precision="half")
    assert [said.durations.tolist() for said in half] == [said.durations.tolist() for said in torch[:3]]
    distances = [mel_distance_db(w.sound, said.sound) for said, w in zip(half, torch, strict=False)]
    print("\nlog-mel distance of bfloat16 to float32:", _listed(distances), "dB")
    assert max(distances) < 0.2


CHECKPOINT = """
import sys
import numpy as np, torch
from radio import models
from radio.settings import Settings
folder = sys.argv[1]
export = models.kokoro(Settings()).onnx
(recovered,) = export.parent.glob("kokoro-plain*.npz")
whole = {"bert": {}, "bert_encoder": {}, "predictor": {}, "text_encoder": {}, "decoder": {}}
with np.load(recovered) as arrays:
    for name in arrays.files:
        part, _, rest = name.partition(".")
        if ".norm." not in name:
            whole[part]["module." + rest] = torch.from_numpy(arrays[name])
torch.save(whole, folder + "/whole.pth")
del whole["decoder"]["module.encode.conv1.bias"]
torch.save(whole, folder + "/torn.pth")
"""


@pytest.mark.soak
@pytest.mark.model
def test_a_checkpoint_of_the_hubs_form_sounds_the_same(torch: list[Said], tmp_path: Path) -> None:
    """As the hub has it: by parts, each name behind `module.`, without what AdaIN's norms do not have."""
    need("torch")
    run_torch("-c", CHECKPOINT, str(tmp_path))
    (said,) = said_by_torch(CASES[:1], tmp_path, checkpoint=tmp_path / "whole.pth")
    assert np.array_equal(said.sound, torch[0].sound)
    (tmp_path / "none.pth").write_bytes(b"no checkpoint")
    for name, message in (("torn.pth", "1 missing, 0 unknown"), ("none.pth", "cannot be loaded")):
        assert message in _failure(tmp_path, checkpoint=str(tmp_path / name))


@pytest.mark.soak
@pytest.mark.model
def test_cuda_that_is_not_there_is_an_error(torch: list[Said], tmp_path: Path) -> None:
    has = run_torch("-c", "import torch; print(torch.cuda.is_available())").stdout.split()[-1]
    if has == "True":
        pytest.skip("there is a CUDA device here")
    assert "torch sees no CUDA device" in _failure(tmp_path, device="cuda")


@pytest.mark.soak
@pytest.mark.model
def test_torch_keeps_few_kernels() -> None:
    """Before torch is imported; each new length of text would leave some behind."""
    need("torch")
    code = "import os; from radio.speech.engines.torch_engine import _torch; _torch(); print(os.environ)"
    environment = run_torch("-c", code).stdout
    assert "'ONEDNN_PRIMITIVE_CACHE_CAPACITY': '64'" in environment
    assert "'LRU_CACHE_CAPACITY'" in environment


def _listed(values: list[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)


def _failure(folder: Path, **options: str) -> str:
    task: dict[str, object] = {"sentences": [], "device": "cpu", "checkpoint": None, "excitations": None}
    task |= {"precision": "float32", "way": "alone"}
    (folder / "task.json").write_text(json.dumps({**task, **options}))
    done = run_torch(
        "-m", "tests.torch_child", str(folder / "task.json"), str(folder / "none.npz"), check=False
    )
    assert done.returncode
    return done.stderr
