"""The other engines that `bench.voice` compares with: an environment each, and the model as they take it.

    python -m bench.voice_peers [--only openvino --only torch ...]

All lies in ~/.cache/radio/peers, outside the checkout; torch alone takes 5 GB. What is there stays.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import onnx

from radio import models
from radio.models.float_weights import plain
from radio.settings import Settings
from radio.voices import VOICES
from tests.native.reference import dequantise

CACHE: Final = Path.home() / ".cache" / "radio" / "peers"
WORKER: Final = Path(__file__).with_name("voice_worker.py")
PINS: Final[Mapping[str, Sequence[str]]] = {
    "kokoro-onnx": ("kokoro-onnx==0.6.1",),
    "fastkokoro": ("fastkokoro[cpu]==0.7.0",),
    "kokoro-pi": ("kokoro-pi==1.2.0",),
    "openvino": ("openvino==2026.4.1", "numpy==2.4.6"),
    "torch": ("torch==2.15.0", "transformers==5.24.0", "loguru==0.7.3", "scipy==1.17.1", "attrs==26.1.0"),
}
WITHOUT_DEPENDENCIES: Final[Mapping[str, Sequence[str]]] = {"torch": ("kokoro==0.9.4",)}
"""Of `kokoro` only the model is wanted, not its G2P."""


def python(kind: str) -> Path:
    """The interpreter of one peer; ours for the radio itself."""
    return Path(sys.executable) if kind == "radio" else CACHE / kind / "bin" / "python"


def files() -> dict[str, str]:
    """The model in all forms, for a worker's set-up."""
    ours = models.kokoro(Settings())
    return {
        "int8": str(ours.onnx),
        "config": str(ours.config),
        "float32": str(CACHE / "kokoro-float32.onnx"),
        "voices": str(CACHE / "voices.npz"),
        "weights": next((str(path) for path in CACHE.glob("kokoro-plain*.npz")), ""),
        "cache": str(CACHE),
    }


def install(kind: str) -> None:
    """An environment with the pinned packages, unless it is there."""
    done = CACHE / kind / "installed"
    wanted = "\n".join((*PINS[kind], *WITHOUT_DEPENDENCIES.get(kind, ())))
    if done.exists() and done.read_text() == wanted:
        return
    print(f"installing {kind}", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(CACHE / kind)], check=True)
    pip = [str(python(kind)), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *PINS[kind]], check=True)
    for package in WITHOUT_DEPENDENCIES.get(kind, ()):
        subprocess.run([*pip, "--no-deps", package], check=True)
    done.write_text(wanted)


def write_files(kinds: Sequence[str]) -> None:
    found = files()
    if not Path(found["voices"]).exists():
        folder = models.kokoro(Settings()).voices_dir
        rows = {name: np.fromfile(folder / f"{name}.bin", "<f4").reshape(510, 1, 256) for name in VOICES}
        with Path(found["voices"]).open("wb") as file:
            np.savez(file, allow_pickle=False, **rows)
    if not Path(found["float32"]).exists():
        print("writing the model in float32", flush=True)
        onnx.save(float32(Path(found["int8"])), found["float32"])
    if "torch" in kinds and not found["weights"]:
        print("writing the weights for torch", flush=True)
        shapes = {name: tuple(shape) for name, shape in ask_shapes(found["config"]).items()}
        plain(Path(found["int8"]), shapes, CACHE)


def ask_shapes(config: str) -> Mapping[str, Sequence[int]]:
    setup = json.dumps({"kind": "shapes", "config": config})
    done = subprocess.run(
        [str(python("torch")), str(WORKER)], input=setup + "\n", capture_output=True, text=True, check=True
    )
    shapes: Mapping[str, Sequence[int]] = json.loads(done.stdout)["shapes"]
    return shapes


def float32(export: Path) -> onnx.ModelProto:
    """The export with every quantised weight as float32."""
    model = onnx.load(str(export))
    dequantise(model.graph, ("/",))
    _prune(model.graph)
    return model


def _prune(graph: onnx.GraphProto) -> None:
    """Removes what no output needs, and all but one of tensors that layers share."""
    needed = {output.name for output in graph.output}
    kept = []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(node.input)
    tensors = {tensor.name: tensor for tensor in graph.initializer if tensor.name in needed}
    del graph.node[:]
    graph.node.extend(reversed(kept))
    del graph.initializer[:]
    graph.initializer.extend(tensors.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", action="append", choices=PINS, help="repeat for more")
    kinds = parser.parse_args().only or list(PINS)
    CACHE.mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        install(kind)
    write_files(kinds)


if __name__ == "__main__":
    main()
