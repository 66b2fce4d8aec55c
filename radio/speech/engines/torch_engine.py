"""Kokoro with PyTorch, on CUDA or a CPU. Only this module and `torch_batch` import torch and kokoro.

Only the layers of `kokoro` are used. Importing the package would import a G2P that is not installed, so it is
loaded from its folder without running its own first module.
"""

import importlib.util
import io
import json
import os
import sys
import types
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from radio.errors import RadioError, Unsupported
from radio.models import KokoroFiles
from radio.models.float_weights import plain
from radio.speech.engines import EngineFailed, Voiced
from radio.speech.engines.batching import groups
from radio.speech.engines.edge_silence import quiet
from radio.speech.engines.model_inputs import Inputs, ModelInput
from radio.voices import Blend

_HINT: Final = "Run: radio models verify"
_INSTALL: Final = "Run: pip install '.[torch]'"
_SEED: Final = 0
_CACHES: Final = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "64"}
"""Every new length makes new kernels, and oneDNN would keep thousands of them."""
_ABSENT: Final = (".norm.weight", ".norm.bias")
"""Weights that a checkpoint may lack: AdaIN's inner norm has scale 1 and shift 0."""
_PREFIX: Final = "module."
_AT_ONCE: Final = 8
"""Sentences that CUDA takes at once; a CPU gains nothing by it."""
_ROOM: Final = 2048
"""Tokens of a group including padding: four sentences of maximum length, some gigabytes of memory."""


def is_installed() -> bool:
    """Whether the extra `torch` is installed."""
    return all(importlib.util.find_spec(name) for name in ("torch", "kokoro", "transformers"))


def has_cuda() -> bool:
    """Whether the extra is installed and sees a CUDA device. Takes seconds if torch is installed."""
    return is_installed() and bool(_torch().cuda.is_available())


class TorchEngine:
    """Kokoro by PyTorch. One call at a time; the same text sounds the same on one machine.

    Args:
        files: the voice model's; weights come from `files.checkpoint`, or else from the export.
        threads: at least 1; of the CPU.
        device: `cuda`, `cpu`, or `auto`: CUDA where there is one.
        precision: `float32`, `half` where it is safe, or `auto`: half on CUDA.

    Raises:
        Unsupported: the extra `torch` is missing, there is no such device, or the recovered weights cannot be
            written.
        BadInput, VoiceDamaged, EngineFailed: the model is not the one that this engine knows.
    """

    def __init__(
        self, files: KokoroFiles, threads: int, *, device: str = "auto", precision: str = "auto"
    ) -> None:
        if not is_installed():
            raise Unsupported("the engine torch is not installed", hint=_INSTALL)
        torch = _torch()
        from radio.speech.engines.torch_batch import Together  # here: it imports torch

        device = _device(torch, device)
        torch.set_num_threads(threads)
        self._inputs = Inputs(files)
        model = _model(torch, json.loads(files.config.read_text()))
        _load(model, _weights(torch, files, model))
        _merge_norms(torch, model)
        self._model = model.eval().to(device)
        numbers = numbers_of(precision, device)
        self._together = Together(self._model, device=device, seed=_SEED, numbers=numbers)
        self.at_once = _AT_ONCE if device == "cuda" else 1
        self.name = f"torch {torch.__version__}, {_described(torch, device, threads)}, {numbers}"

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        return _heard(self.spoken(phonemes, blend))

    def synthesise_together(
        self, sentences: Sequence[tuple[str, Blend]]
    ) -> list[NDArray[np.float32] | RadioError]:
        """See `ManyEngine`."""
        said = self.spoken_together(sentences)
        return [one if isinstance(one, RadioError) else _heard(one) for one in said]

    def spoken(self, phonemes: str, blend: Blend) -> Voiced:
        """The sound, and the frames of each token. Raises as `synthesise`."""
        return self._voiced([self._inputs.line(phonemes, blend)])[0]

    def spoken_together(self, sentences: Sequence[tuple[str, Blend]]) -> list[Voiced | RadioError]:
        """`spoken` of each, or the error."""
        said: dict[int, Voiced | RadioError] = {}
        lines: dict[int, ModelInput] = {}
        for place, sentence in enumerate(sentences):
            try:
                lines[place] = self._inputs.line(*sentence)
            except RadioError as refused:
                said[place] = refused
        places = list(lines)
        for group in groups([line.tokens.size for line in lines.values()], most=_AT_ONCE, room=_ROOM):
            said |= self._group({places[at]: lines[places[at]] for at in group})
        return [said[place] for place in range(len(sentences))]

    def _group(self, lines: Mapping[int, ModelInput]) -> Mapping[int, Voiced | RadioError]:
        try:
            return dict(zip(lines, self._voiced(list(lines.values())), strict=True))
        except EngineFailed as failed:  # which of them it was, they show alone
            return dict.fromkeys(lines, failed)

    def _voiced(self, lines: Sequence[ModelInput]) -> list[Voiced]:
        try:
            return self._together.speak(lines)
        except RuntimeError as failed:  # torch's own: out of memory, or the device is gone
            raise EngineFailed(f"the voice model failed: {failed}") from failed


def _heard(said: Voiced) -> NDArray[np.float32]:
    return quiet(said.sound, said.durations)


def numbers_of(precision: str, device: str) -> str:
    """What is computed in where float32 is not needed: itself, or `bfloat16`, which has its range."""
    is_half = precision == "half" or (precision == "auto" and device == "cuda")
    return "bfloat16" if is_half else "float32"


def _torch() -> Any:
    for name, value in _CACHES.items():
        os.environ.setdefault(name, value)
    import torch  # imported here: it takes seconds and gigabytes, and few installations have it

    return torch


def _device(torch: Any, wanted: str) -> str:
    has = bool(torch.cuda.is_available())
    if wanted == "cuda" and not has:
        raise Unsupported(
            "torch sees no CUDA device", hint="Set RADIO_TORCH_DEVICE=cpu, or install torch for this GPU."
        )
    return wanted if wanted != "auto" else "cuda" if has else "cpu"


def _described(torch: Any, device: str, threads: int) -> str:
    if device == "cuda":
        return f"CUDA ({torch.cuda.get_device_name()})"
    return f"CPU, {threads} thread{'s' if threads > 1 else ''}"


def _model(torch: Any, config: Mapping[str, Any]) -> Any:
    """The model as constructed, with random weights."""
    nothing = io.BytesIO()
    torch.save({}, nothing)
    nothing.seek(0)
    try:
        return _kokoro().KModel(repo_id="hexgrad/Kokoro-82M", config=config, model=nothing)
    except (KeyError, TypeError) as failed:
        raise EngineFailed(f"the voice's config describes no model: {failed}", hint=_HINT) from failed


def _kokoro() -> Any:
    if "kokoro" not in sys.modules:
        spec = importlib.util.find_spec("kokoro")
        assert spec is not None  # callers have asked `is_installed`
        package = types.ModuleType("kokoro")
        package.__spec__ = spec  # for whoever asks whether it is installed
        package.__path__ = list(spec.submodule_search_locations or [])
        sys.modules["kokoro"] = package
    import kokoro.model

    return kokoro.model


def _weights(torch: Any, files: KokoroFiles, model: Any) -> Mapping[str, Any]:
    if files.checkpoint is not None:
        return _checkpoint(torch, files.checkpoint)
    wanted = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    try:
        path = plain(files.onnx, wanted)
    except OSError as failed:
        raise Unsupported(
            f"the voice's weights cannot be kept in {files.onnx.parent}: {failed}",
            hint="Make the models folder writable.",
        ) from failed
    with np.load(path) as arrays:
        return {name: torch.from_numpy(arrays[name]) for name in arrays.files}


def _checkpoint(torch: Any, path: Path) -> Mapping[str, Any]:
    """Tensors of a hub checkpoint: {part: {name: tensor}}, each name perhaps behind `module.`."""
    try:
        parts = torch.load(path, map_location="cpu", weights_only=True)
        return {
            f"{part}.{name.removeprefix(_PREFIX)}": value
            for part, tensors in parts.items()
            for name, value in tensors.items()
        }
    except Exception as failed:  # torch raises whatever its unpickler and its archive raise
        raise EngineFailed(f"{path} cannot be loaded: {failed}", hint=_HINT) from failed


def _load(model: Any, weights: Mapping[str, Any]) -> None:
    """Every tensor must be given, and no unknown one."""
    try:
        missing, strange = model.load_state_dict(dict(weights), strict=False)
    except RuntimeError as failed:
        raise EngineFailed(f"the voice's weights do not fit: {failed}", hint=_HINT) from failed
    missing = [name for name in missing if not name.endswith(_ABSENT)]
    if wrong := [*missing, *strange]:
        counts = f"{len(missing)} missing, {len(strange)} unknown"
        raise EngineFailed(f"the voice's weights do not fit: {counts}, {wrong[0]} first", hint=_HINT)


def _merge_norms(torch: Any, model: Any) -> None:
    """Convolutions store their weights whole, not as length and direction: less work, the same sound."""
    for module in model.modules():
        if hasattr(module, "weight_g"):
            torch.nn.utils.remove_weight_norm(module)
