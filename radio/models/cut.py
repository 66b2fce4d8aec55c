"""Cuts the voice's ONNX export in two for the native engine.

A front stays ONNX; the weights of all that is behind it go to a flat file. The halves lie in the models
folder under the export's SHA-256, so a changed export is cut anew.
"""

import fcntl
import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

_VERSION: Final = 1
"""Of what is cut and of the weights file; a new one cuts anew."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The two halves of one export."""

    front: Path
    """ONNX: `tokens` int64 [1, n], `style` float32 [1, 256], `speed` float32 [1] -> text features
    [1, 512, n], shared [1, frames, 512], durations [1, n] in frames of 25 ms."""
    weights: Path
    """See `radio.models.weights`."""


def cut(export: Path, folder: Path | None = None) -> Halves:
    """The halves of `export`, made first where they are missing.

    Idempotent. Of several callers one cuts and the others wait. What is there already is not written again.

    Args:
        export: the official int8 export.
        folder: where the halves lie; the export's own folder by default.

    Raises:
        BadInput: the file is not the export that this module knows.
        OSError: the folder cannot be written.
    """
    folder = folder or export.parent
    return _found(export, folder) or _made(export, folder)


def _found(export: Path, folder: Path) -> Halves | None:
    """The halves, if the export has not changed since its SHA-256 was noted."""
    noted = _noted(_note(export, folder))
    if any(noted.get(key) != value for key, value in _stamp(export).items()):
        return None
    halves = _halves(folder, str(noted["sha256"]))
    return halves if halves.front.exists() and halves.weights.exists() else None


def _made(export: Path, folder: Path) -> Halves:
    with _locked(folder):
        if found := _found(export, folder):
            return found
        stamp = _stamp(export)
        with export.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        halves = _halves(folder, sha256)
        if not (halves.front.exists() and halves.weights.exists()):
            _make(export, halves)
        note = json.dumps({**stamp, "sha256": sha256})
        _replace(_note(export, folder), lambda path: path.write_text(note))
        for old in folder.glob("kokoro-cut*"):
            if old not in (halves.front, halves.weights):
                old.unlink()
        return halves


def _make(export: Path, halves: Halves) -> None:
    from radio.models import weights  # here, because `onnx` takes memory that a narrator rarely needs
    from radio.models.export import Graph, save_front

    log.info("cutting the voice model", extra={"action": "cut", "file": halves.weights.name})
    graph = Graph(export)
    _replace(halves.weights, lambda path: weights.write(path, weights.tensors(graph)))
    _replace(halves.front, lambda path: save_front(graph, path))


def _halves(folder: Path, sha256: str) -> Halves:
    stem = f"kokoro-cut{_VERSION}-{sha256[:16]}"
    return Halves(front=folder / f"{stem}.front.onnx", weights=folder / f"{stem}.weights")


def _stamp(export: Path) -> dict[str, object]:
    status = export.stat()
    return {"size": status.st_size, "mtime_ns": status.st_mtime_ns}


def _note(export: Path, folder: Path) -> Path:
    return folder / f"{export.name}.digest.json"


def _noted(note: Path) -> dict[str, object]:
    """SHA-256 of an export and the stamp it had then; empty where there is no note, or it is damaged."""
    try:
        known = json.loads(note.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) and "sha256" in known else {}


def _replace(path: Path, fill: Callable[[Path], object]) -> None:
    """Writes a file beside `path` and puts it in place as a whole; only under the lock."""
    beside = path.with_name(f"{path.name}.part")
    fill(beside)
    beside.replace(path)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One cutter at a time; the lock dies with its holder."""
    with (folder / ".cut.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
