"""One voice engine in a process of its own, under whichever Python has it: `bench.voice` starts it.

A JSON line on standard input says which engine and where its files are; the answer tells its name and how
long it took to load. Each further line is a sentence (`phonemes`, the model's `tokens`, `style` of 256
numbers); the answer tells the seconds it took by the clock and of CPU, how many samples came, and the most
memory that the process ever held. The radio is imported for the radio's own engines only.
"""

import importlib.util
import io
import json
import os
import resource
import sys
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Sentence = dict[str, Any]
Speak = Callable[[Sentence], int]
"""Speaks a sentence; returns how many samples it has."""


def numbers(sentence: Sentence) -> dict[str, Any]:
    """What an ONNX graph takes."""
    return {
        "tokens": np.array([sentence["tokens"]], np.int64),
        "style": np.array([sentence["style"]], np.float32),
        "speed": np.ones(1, np.float32),
    }


def radio(setup: dict[str, Any]) -> tuple[str, Speak]:
    from radio import models, voices
    from radio.settings import Settings
    from radio.speech.engines import Engine
    from radio.speech.engines.native_engine import NativeEngine
    from radio.speech.engines.onnx_engine import OnnxEngine

    files, threads, blend = models.kokoro(Settings()), setup["threads"], voices.parse(setup["voice"])
    engine: Engine
    if setup["variant"] == "onnx":
        engine = OnnxEngine(files, threads)
    else:
        engine = NativeEngine(files, threads, setup["variant"])
    return f"radio: {engine.name}", lambda sentence: engine.synthesise(sentence["phonemes"], blend).size


def session(model: str, threads: int, library: str = "") -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    if library:
        options.register_custom_ops_library(library)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def kokoro_onnx(setup: dict[str, Any]) -> tuple[str, Speak]:
    import kokoro_onnx  # type: ignore[import-not-found, unused-ignore]

    model = setup[setup["variant"]]
    engine = kokoro_onnx.Kokoro.from_session(session(model, setup["threads"]), setup["voices"])

    def speak(sentence: Sentence) -> int:
        return len(engine.create(sentence["phonemes"], setup["voice"], is_phonemes=True, trim=False)[0])

    return f"kokoro-onnx, {setup['variant']}", speak


def fastkokoro(setup: dict[str, Any]) -> tuple[str, Speak]:
    os.environ.update(
        FASTKOKORO_MODEL_PATH=setup[setup["variant"]],
        FASTKOKORO_VOICES_PATH=setup["voices"],
        FASTKOKORO_CACHE_DIR=setup["cache"],
        FASTKOKORO_ONNX_INTRA_OP_NUM_THREADS=str(setup["threads"]),
        HF_HUB_OFFLINE="1",
    )
    from fastkokoro import FastKokoro  # type: ignore[import-not-found, unused-ignore]

    engine = FastKokoro()
    style = engine._voice_styles[setup["voice"]]

    def speak(sentence: Sentence) -> int:
        return len(
            engine._create_samples(
                sentence["phonemes"], voice=style, speed=1.0, lang="en-us", is_phonemes=True, trim=False
            )[0]
        )

    return f"fastkokoro, {setup['variant']}", speak


def kokoro_pi(setup: dict[str, Any]) -> tuple[str, Speak]:
    """Its float variant: our float32 weights through its graph rewrites, with its own operators."""
    import kokoro_pi  # type: ignore[import-not-found, unused-ignore]
    import onnx
    from kokoro_pi import graph  # type: ignore[import-not-found, unused-ignore]

    library = Path(kokoro_pi.__file__).parent / "_bundled" / "libkokoro_pi_ops.so"
    fused = Path(setup["cache"]) / "kokoro-pi.onnx"
    if not fused.exists():
        onnx.save(graph.optimise(onnx.load(setup["float32"]))[0], str(fused))
    loaded = session(str(fused), setup["threads"], str(library))
    return "kokoro-pi, float", lambda sentence: loaded.run(None, numbers(sentence))[0].size


def openvino(setup: dict[str, Any]) -> tuple[str, Speak]:
    import openvino  # type: ignore[import-not-found, unused-ignore]

    core = openvino.Core()
    model = core.read_model(setup["float32"])
    hints = {
        "INFERENCE_PRECISION_HINT": setup["variant"],
        "INFERENCE_NUM_THREADS": setup["threads"],
        "PERFORMANCE_HINT": "LATENCY",
    }
    request = core.compile_model(model, "CPU", hints).create_infer_request()

    def speak(sentence: Sentence) -> int:
        (audio,) = request.infer(numbers(sentence)).values()
        return int(audio.size)

    return f"OpenVINO {openvino.__version__.partition('-')[0]}, {setup['variant']}", speak


def torch(setup: dict[str, Any]) -> tuple[str, Speak]:
    """Weight norm merged. `bf16`: the generator's convolutions in bfloat16; `compiled`: its blocks, each."""
    torch = __import__("torch")
    torch.set_num_threads(setup["threads"])
    model = torch_model(setup["config"])
    weights = np.load(setup["weights"])
    model.load_state_dict({name: torch.from_numpy(weights[name]) for name in weights.files}, strict=True)
    for module in model.modules():
        if hasattr(module, "weight_g"):
            torch.nn.utils.remove_weight_norm(module)
    model.eval()
    blocks = [*model.decoder.generator.resblocks, *model.decoder.generator.noise_res]
    if "bf16" in setup["variant"]:
        for block in blocks:
            for convolution in (*block.convs1, *block.convs2):
                _in_bfloat16(torch, convolution)
    if "compiled" in setup["variant"]:
        torch._dynamo.config.cache_size_limit = 64
        for block in blocks:
            block.forward = torch.compile(block.forward, dynamic=True)

    def speak(sentence: Sentence) -> int:
        fed = numbers(sentence)
        with torch.inference_mode():
            audio, _ = model.forward_with_tokens(
                torch.from_numpy(fed["tokens"]), torch.from_numpy(fed["style"]), 1
            )
        return int(audio.numpy().size)

    return f"torch {torch.__version__.partition('+')[0]}, {setup['variant']}", speak


def torch_model(config: str) -> Any:
    """The original model without its package, which would import a G2P."""
    place = importlib.util.find_spec("kokoro")
    assert place is not None, "kokoro is not installed"
    package = types.ModuleType("kokoro")
    package.__path__ = list(place.submodule_search_locations or [])
    sys.modules["kokoro"] = package
    from kokoro.model import KModel  # type: ignore[import-not-found, unused-ignore]

    empty = io.BytesIO()  # without a checkpoint it would ask a hub for one
    __import__("torch").save({}, empty)
    empty.seek(0)
    return KModel(repo_id="hexgrad/Kokoro-82M", config=json.loads(Path(config).read_text()), model=empty)


def _in_bfloat16(torch: Any, convolution: Any) -> None:
    convolution.to(torch.bfloat16)
    forward = convolution.forward
    convolution.forward = lambda x: forward(x.to(torch.bfloat16)).float()


KINDS = {
    "radio": radio,
    "kokoro-onnx": kokoro_onnx,
    "fastkokoro": fastkokoro,
    "kokoro-pi": kokoro_pi,
    "openvino": openvino,
    "torch": torch,
}


def shapes(config: str) -> dict[str, list[int]]:
    """Name and shape of each tensor of the original model."""
    return {name: list(tensor.shape) for name, tensor in torch_model(config).state_dict().items()}


def serve() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the libraries print goes to standard error

    def answer(**values: Any) -> None:
        print(json.dumps(values), file=out, flush=True)

    setup = json.loads(sys.stdin.readline())
    begun = time.perf_counter()
    if setup["kind"] == "shapes":
        return answer(shapes=shapes(setup["config"]))
    name, speak = KINDS[setup["kind"]](setup)
    answer(name=name, load_s=time.perf_counter() - begun)
    for line in sys.stdin:
        sentence = json.loads(line)
        cpu, begun = time.process_time(), time.perf_counter()
        samples = speak(sentence)
        wall_s, cpu_s = time.perf_counter() - begun, time.process_time() - cpu
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        answer(wall_s=wall_s, cpu_s=cpu_s, samples=samples, peak_bytes=peak)
    return None


if __name__ == "__main__":
    serve()
