"""Kokoro by PyTorch, on CUDA or a CPU: the only module that imports torch and kokoro.

Of `kokoro` only its layers are used. Its package would import a G2P that is not installed; so the package is
entered by its folder, and its own first module is not run.
"""

import importlib.util
import io
import json
import os
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from radio.errors import Unsupported
from radio.models import KokoroFiles
from radio.models.plain import plain
from radio.narrator.engines import EngineFailed
from radio.narrator.engines.inputs import Inputs
from radio.voices import Blend

_HINT: Final = "Run: radio models verify"
_INSTALL: Final = "Run: pip install '.[torch]'"
_SEED: Final = 0
_CACHES: Final = {"ONEDNN_PRIMITIVE_CACHE_CAPACITY": "64", "LRU_CACHE_CAPACITY": "64"}
"""Every new length makes new kernels, which oneDNN would keep by the thousand."""
_ABSENT: Final = (".norm.weight", ".norm.bias")
"""What a checkpoint may lack: AdaIN's inner norm has neither scale nor shift, so 1 and 0 as made."""
_PREFIX: Final = "module."


def is_installed() -> bool:
    """Whether the extra `torch` is here."""
    return all(importlib.util.find_spec(name) for name in ("torch", "kokoro", "transformers"))


def has_cuda() -> bool:
    """Whether the extra is here and sees a CUDA device. Takes seconds where torch is installed."""
    return is_installed() and bool(_torch().cuda.is_available())


class TorchEngine:
    """Kokoro by PyTorch. One call at a time; the same text sounds the same on one machine.

    Args:
        files: the voice model's; weights come from `files.checkpoint`, else out of the export.
        threads: at least 1; of the CPU.
        device: `cuda`, `cpu`, or `auto`: CUDA where there is one.

    Raises:
        Unsupported: the extra `torch` is missing, there is no such device, or the recovered weights cannot be
            written.
        BadInput, VoiceDamaged, EngineFailed: the model is not the one that this engine knows.
    """

    def __init__(self, files: KokoroFiles, threads: int, *, device: str = "auto") -> None:
        if not is_installed():
            raise Unsupported("the engine torch is not installed", hint=_INSTALL)
        self._torch = torch = _torch()
        self._device = _device(torch, device)
        torch.set_num_threads(threads)
        self._inputs = Inputs(files)
        model = _model(torch, json.loads(files.config.read_text()))
        _load(model, _weights(torch, files, model))
        _merge_norms(torch, model)
        self._model = model.eval().to(self._device)
        self.name = f"torch {torch.__version__}, {_described(torch, self._device, threads)}"

    def synthesise(self, phonemes: str, blend: Blend) -> NDArray[np.float32]:
        """See `Engine`."""
        return self.spoken(phonemes, blend)[0]

    def spoken(self, phonemes: str, blend: Blend) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Samples, and the frames of 25 ms of each token, both pads included. Raises as `synthesise`."""
        tokens = self._inputs.tokens(phonemes)
        style = self._inputs.style(blend, tokens.size - 2)
        torch = self._torch
        torch.manual_seed(_SEED)
        try:
            audio, durations = self._model.forward_with_tokens(
                torch.from_numpy(tokens).to(self._device),
                torch.from_numpy(style).to(self._device),
                blend.speed,
            )
            sound = audio.float().cpu().numpy().ravel()
        except RuntimeError as failed:  # of torch: no memory, or its device is gone
            raise EngineFailed(f"the voice model failed: {failed}") from failed
        return np.asarray(sound, np.float32), np.asarray(durations.cpu().numpy(), np.int64)


def _torch() -> Any:
    for name, value in _CACHES.items():
        os.environ.setdefault(name, value)
    import torch  # here: it takes seconds and gigabytes, and few installations have it

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
    """The model as it is made, its weights random."""
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
        assert spec is not None  # `is_installed` was asked
        package = types.ModuleType("kokoro")
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
    """Every tensor must be given, and none that the model does not know."""
    try:
        missing, strange = model.load_state_dict(dict(weights), strict=False)
    except RuntimeError as failed:
        raise EngineFailed(f"the voice's weights do not fit: {failed}", hint=_HINT) from failed
    missing = [name for name in missing if not name.endswith(_ABSENT)]
    if wrong := [*missing, *strange]:
        counts = f"{len(missing)} missing, {len(strange)} unknown"
        raise EngineFailed(f"the voice's weights do not fit: {counts}, {wrong[0]} first", hint=_HINT)


def _merge_norms(torch: Any, model: Any) -> None:
    """Convolutions keep their weights as a whole, not as length and direction: less work, the same sound."""
    for module in model.modules():
        if hasattr(module, "weight_g"):
            torch.nn.utils.remove_weight_norm(module)
