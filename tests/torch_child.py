"""Speaks by the engine `torch`: a program, run in the environment that `deploy/torch` makes.

    python -m tests.torch_child TASK RESULT

TASK is JSON: `sentences` [[phonemes, voice], ...], `device`, `checkpoint` (a path or null), `excitations` (an
`.npz` of arrays `0`, `1`, ... in place of the model's own source, or null), `precision`, and `way`: `alone`,
`together`, or `original`, which is kokoro's own `forward_with_tokens`. RESULT is an `.npz`: of each sentence
`sound<i>` and `durations<i>`, and the engine's `name`.
"""

import dataclasses
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from radio import models, voices
from radio.narrator.engines.torch_engine import TorchEngine
from radio.settings import Settings


def main(task_file: str, result: str) -> None:
    task = json.loads(Path(task_file).read_text())
    files = models.kokoro(Settings())
    checkpoint = Path(task["checkpoint"]) if task["checkpoint"] else None
    files = dataclasses.replace(files, checkpoint=checkpoint)
    engine = TorchEngine(files, 2, device=task["device"])
    excitations = np.load(task["excitations"]) if task["excitations"] else None
    arrays: dict[str, Any] = {"name": np.array(engine.name)}
    for number, (phonemes, voice) in enumerate(task["sentences"]):
        if excitations is not None:
            _excite(engine, excitations[str(number)])
        said = engine.spoken(phonemes, voices.parse(voice))
        arrays |= {f"sound{number}": said.sound, f"durations{number}": said.durations}
    np.savez(result, allow_pickle=False, **arrays)


def _excite(engine: TorchEngine, excitation: np.ndarray[Any, Any]) -> None:
    """The spectrum of the next sentence's source, float32 [22, rows]: magnitudes, then phases."""
    given = torch.from_numpy(excitation)[None]
    engine._model.decoder.generator.stft.transform = lambda _: given.chunk(2, 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
