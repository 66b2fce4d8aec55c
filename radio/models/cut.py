"""Cuts the voice's ONNX export in two for the native engine.

A front stays ONNX; the weights of all that is behind it go to a flat file. The halves lie in the models
folder under the export's SHA-256, so a changed export is cut anew.
"""

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Callable
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

    Idempotent, and safe beside others who do the same.

    Args:
        export: the official int8 export.
        folder: where the halves lie; the export's own folder by default.

    Raises:
        BadInput: the file is not the export that this module knows.
        OSError: the folder cannot be written.
    """
    folder = folder or export.parent
    digest = _digest(export, folder)
    stem = f"kokoro-cut{_VERSION}-{digest}"
    halves = Halves(front=folder / f"{stem}.front.onnx", weights=folder / f"{stem}.weights")
    if halves.front.exists() and halves.weights.exists():
        return halves
    log.info("cutting the voice model", extra={"action": "cut", "digest": digest})
    _make(export, halves)
    for old in folder.glob("kokoro-cut*"):
        if old not in (halves.front, halves.weights) and old.suffix != ".part":
            old.unlink(missing_ok=True)
    return halves


def _make(export: Path, halves: Halves) -> None:
    from radio.models import weights  # here, because `onnx` takes memory that a narrator rarely needs
    from radio.models.export import Graph, save_front

    graph = Graph(export)
    _replace(halves.weights, lambda path: weights.write(path, weights.tensors(graph)))
    _replace(halves.front, lambda path: save_front(graph, path))


def _digest(export: Path, folder: Path) -> str:
    """The first 16 hex digits of the export's SHA-256, remembered for its size and time of change."""
    status = export.stat()
    stamp: dict[str, object] = {"size": status.st_size, "mtime_ns": status.st_mtime_ns}
    note = folder / f"{export.name}.digest.json"
    known = _read(note)
    if known and all(known.get(key) == value for key, value in stamp.items()):
        return str(known["sha256"])[:16]
    with export.open("rb") as file:
        stamp["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
    _replace(note, lambda path: path.write_text(json.dumps(stamp)))
    return str(stamp["sha256"])[:16]


def _read(note: Path) -> dict[str, object]:
    """A digest's note; empty where there is none, or it is not one."""
    try:
        known = json.loads(note.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) and "sha256" in known else {}


def _replace(path: Path, fill: Callable[[Path], object]) -> None:
    """Writes a file beside `path` and puts it in place as a whole."""
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    beside = Path(name)
    try:
        fill(beside)
        beside.chmod(0o644)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
