"""Speaks by the engine `torch`: a program, run in the environment that `deploy/torch` makes.

    python -m tests.torch_child TASK RESULT

TASK is JSON: `sentences` [[phonemes, voice], ...], `device`, `checkpoint` (a path or null), `excitations` (an
`.npz` of arrays `0`, `1`, ... in place of the model's own source, or null), `precision`, and `way`, one of
`WAYS`. RESULT is an `.npz`: of each sentence `sound<i>` and `durations<i>`, and the engine's `name`.
"""

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from radio import models, voices
from radio.settings import Settings
from radio.speech.engines import Voiced, torch_engine
from radio.speech.engines.torch_engine import TorchEngine
from radio.voices import Blend

Sentences = Sequence[tuple[str, Blend]]


def main(task_file: str, result: str) -> None:
    task = json.loads(Path(task_file).read_text())
    files = models.kokoro(Settings())
    checkpoint = Path(task["checkpoint"]) if task["checkpoint"] else None
    files = dataclasses.replace(files, checkpoint=checkpoint)
    engine = TorchEngine(files, 2, device=task["device"], precision=task["precision"])
    excitations = np.load(task["excitations"]) if task["excitations"] else None
    sentences = [(phonemes, voices.parse(voice)) for phonemes, voice in task["sentences"]]
    arrays: dict[str, Any] = {"name": np.array(engine.name)}
    for number, said in enumerate(WAYS[task["way"]](engine, sentences, excitations)):
        arrays |= {f"sound{number}": said.sound, f"durations{number}": said.durations}
    np.savez(result, allow_pickle=False, **arrays)


def _alone(engine: TorchEngine, sentences: Sentences, excitations: Any) -> Iterator[Voiced]:
    for number, sentence in enumerate(sentences):
        if excitations is not None:
            _excite(engine, excitations[str(number)])
        yield engine.spoken(*sentence)


def _together(engine: TorchEngine, sentences: Sentences, _: Any) -> Iterator[Voiced]:
    """All in one batch, not in groups of like length."""
    yield from engine._voiced([engine._inputs.line(*sentence) for sentence in sentences])


def _resourced(engine: TorchEngine, sentences: Sentences, _: Any) -> Iterator[Voiced]:
    """Together, each with the source that it has alone: its phase adds up the smallest error of the pitch."""
    stft = engine._model.decoder.generator.stft
    transform, heard = stft.transform, []

    def hears(wave: Any) -> Any:
        heard.append(transform(wave))
        return heard[-1]

    stft.transform = hears
    alone = [engine.spoken(*sentence) for sentence in sentences]
    longest = max(magnitude.shape[-1] for magnitude, _ in heard)
    padded = [
        [torch.nn.functional.pad(spectrum, (0, longest - spectrum.shape[-1])) for spectrum in spectra]
        for spectra in heard
    ]
    stft.transform = lambda _: [torch.cat(spectra) for spectra in zip(*padded, strict=True)]
    for before, said in zip(alone, _together(engine, sentences, None), strict=True):
        assert before.durations.tolist() == said.durations.tolist()
        yield said


def _original(engine: TorchEngine, sentences: Sentences, _: Any) -> Iterator[Voiced]:
    """By kokoro's layers as they are made, with the engine's weights."""
    model = torch_engine._model(torch, json.loads(models.kokoro(Settings()).config.read_text()))
    torch_engine._merge_norms(torch, model)
    model.load_state_dict(engine._model.state_dict())
    model.eval()
    for sentence in sentences:
        line = engine._inputs.line(*sentence)
        torch.manual_seed(torch_engine._SEED)
        sound, durations = model.forward_with_tokens(
            torch.from_numpy(line.tokens), torch.from_numpy(line.style), line.speed
        )
        yield Voiced(sound.numpy(), durations.numpy())


WAYS: Mapping[str, Callable[[TorchEngine, Sentences, Any], Iterator[Voiced]]] = {
    "alone": _alone,
    "together": _together,
    "resourced": _resourced,
    "original": _original,
}


def _excite(engine: TorchEngine, excitation: np.ndarray[Any, Any]) -> None:
    """The spectrum of the next sentence's source, float32 [22, rows]: magnitudes, then phases."""
    given = torch.from_numpy(excitation)[None]
    engine._model.decoder.generator.stft.transform = lambda _: given.chunk(2, 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
