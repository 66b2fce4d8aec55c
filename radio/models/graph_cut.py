"""Cuts the voice's ONNX export in two for the native engine.

The front stays ONNX; the weights of everything behind it go into a flat file. Both are in the models folder
under the export's SHA-256, so a changed export is cut again.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from radio.log import log_event
from radio.models.derived_files import DerivedKind, made

log = logging.getLogger(__name__)

_KIND: Final = DerivedKind("kokoro-cut", 1, (".front.onnx", ".weights"))
"""A new version of what is cut, or of the weights file, cuts anew."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The two halves of one export."""

    front: Path
    """ONNX: `tokens` int64 [1, n], `style` float32 [1, 256], `speed` float32 [1] -> text features
    [1, 512, n], shared [1, frames, 512], durations [1, n] in frames of 25 ms."""
    weights: Path
    """See `radio.models.native_weights`."""


def cut(export: Path, folder: Path | None = None) -> Halves:
    """The halves of `export`, made first if they are missing.

    Idempotent. Of several callers one cuts and the others wait. Existing halves are not written again.

    Args:
        export: the official int8 export.
        folder: of the halves; the export's own folder by default.

    Raises:
        BadInput: the file is not the export that this module knows.
        OSError: the folder cannot be written.
    """
    return Halves(*made(_KIND, export, folder or export.parent, lambda parts: _cut(export, parts)))


def _cut(export: Path, parts: Sequence[Path]) -> None:
    from radio.models import native_weights  # imported here: `onnx` takes memory that a narrator rarely needs
    from radio.models.onnx_export import OnnxGraph, save_front

    log.info("cutting the voice model", extra=log_event("model.cutting", file=export.name))
    front, flat = parts
    graph = OnnxGraph(export)
    native_weights.write(flat, native_weights.tensors(graph))
    save_front(graph, front)
