"""The engine `torch` for tests: it runs as a child process, in an environment of its own."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from radio.settings import cache_dir
from tests.need import need

ROOT = Path(__file__).parents[1]
Sound = NDArray[np.float32]


@dataclass(frozen=True)
class Said:
    """One sentence by torch."""

    sound: Sound
    durations: NDArray[np.int64]
    """Frames of each token, both pads included."""


def said_by_torch(
    sentences: Sequence[tuple[str, str]],
    folder: Path,
    *,
    device: str = "cpu",
    checkpoint: Path | None = None,
    excitations: Sequence[Sound] | None = None,
    precision: str = "float32",
    way: str = "alone",
) -> list[Said]:
    """The (phonemes, voice) sentences as torch says them; `folder` takes the files in between.

    Args:
        way: `alone`, `together` in one batch, `resourced`: together, but each with the source that it has
            alone; or `original`: by kokoro's own forward.
    """
    need("torch", "voice")
    task, result, given = folder / "task.json", folder / "said.npz", folder / "excitations.npz"
    if excitations is not None:
        np.savez(given, **{str(i): array for i, array in enumerate(excitations)})  # type: ignore[arg-type]
    options = {
        "sentences": list(sentences),
        "device": device,
        "checkpoint": str(checkpoint) if checkpoint else None,
        "excitations": str(given) if excitations is not None else None,
        "precision": precision,
        "way": way,
    }
    task.write_text(json.dumps(options))
    run_torch("-m", "tests.torch_child", str(task), str(result))
    with np.load(result) as arrays:
        return [Said(arrays[f"sound{i}"], arrays[f"durations{i}"]) for i in range(len(sentences))]


def run_torch(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Python of the environment with torch, in the project's folder."""
    python = cache_dir() / "torch" / "bin" / "python"
    done = subprocess.run(
        [str(python), *arguments], cwd=ROOT, capture_output=True, text=True, timeout=3600, check=False
    )
    assert done.returncode == 0 or not check, done.stderr
    return done
