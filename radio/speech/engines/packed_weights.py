"""The library's weights, packed for its instruction set: stored beside the model, packed again if damaged."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from radio.log import log_event
from radio.models.derived_files import DerivedKind, made
from radio.models.graph_cut import Halves
from radio.speech.engines import native_library
from radio.speech.engines.native_library import Library, LibraryFailed

log = logging.getLogger(__name__)

_VERSION: Final = 1
"""`FORMAT` of `native/packed.cpp`; files of another format are deleted, of every instruction set."""


def open_library(export: Path, halves: Halves, isa: str, threads: int) -> Library:
    """The library with its weights mapped from the model's folder, where they are packed first if necessary.

    If they cannot be stored, they are packed in memory, and a warning says so.

    Args:
        export: the file that `halves` were cut from.
        halves: the parts that it was cut into.
        isa: see `Library`.
        threads: see `Library`.

    Raises:
        Unsupported, LibraryFailed: as `Library`.
    """
    path = _kept(export, halves, isa)
    library = Library(halves.weights, isa=isa, threads=threads, packed=path)
    if path is None or not library.packed_fault:
        return library
    log.warning(
        "the voice's packed weights are packed anew",
        extra=log_event("voice.weights_repacked", file=path.name, reason=library.packed_fault),
    )
    library.close()
    path = _kept(export, halves, isa, unfit=path)
    return Library(halves.weights, isa=isa, threads=threads, packed=path)


def _kept(export: Path, halves: Halves, isa: str, *, unfit: Path | None = None) -> Path | None:
    """The packed weights, made first if they are missing or `unfit`; None if they cannot be stored."""
    sets = native_library.instruction_sets()
    name = sets[0] if isa == "auto" else isa
    if name not in sets:
        return None  # the library says what is wrong
    kind = DerivedKind("kokoro-packed", _VERSION, (".bin",), name)

    def make(parts: Sequence[Path]) -> None:
        log.info("packing the voice's weights", extra=log_event("voice.packing_weights", isa=name))
        native_library.pack(halves.weights, name, parts[0])

    try:
        if unfit is not None:
            unfit.unlink(missing_ok=True)
        return made(kind, export, halves.weights.parent, make)[0]
    except (OSError, LibraryFailed) as failed:
        log.warning(
            "the voice's packed weights cannot be kept; they are packed in memory at every start",
            extra=log_event("voice.weights_not_kept", reason=str(failed)),
        )
        return None
