"""What `radio check` opens of all that a station file names: as its producer would, and nothing remote.

The scheduler does not: it reads station files again and again, and a show that cannot air has a fallback.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from radio import models, producer_kinds
from radio.errors import RadioError
from radio.mp3.sound_file import open_sound
from radio.producers.texts import books
from radio.settings import Settings
from radio.stations.definition.station import Station
from radio.stations.definition.validation import ValidationProblem

BOOKS: Final = (".txt", ".md", ".markdown", ".epub")
"""Endings of names of files that `text` reads."""
_SIGNATURES: Final = (b"ID3", b"RIFF", b"OggS", b"fLaC", b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff")


def problems(station: Station, folder: Path, settings: Settings) -> list[ValidationProblem]:
    """What its shows and its fallback could not air, each with its place in the file.

    Args:
        station: with its files found.
        folder: of the station file.
    """
    told: list[tuple[tuple[str | int, ...], str, Any, str | None]] = [
        (("shows", n), show.id, show.options, show.model or station.model)
        for n, show in enumerate(station.shows)
    ]
    told.append((("fallback",), "fallback", station.fallback, station.model))
    return [
        ValidationProblem((*path, key), f"{name}: {text}")
        for path, name, options, model in told
        for key, text in _of(options, model or "default", folder, settings)
    ]


def _of(options: Any, model: str, folder: Path, settings: Settings) -> Iterator[tuple[str, str]]:
    match options:
        case producer_kinds.Exec():
            yield from (("exec", text) for text in _program(options.exec[0], folder))
        case producer_kinds.AudioFiles():
            yield from (("files", text) for name in options.files for text in _sound(Path(name)))
        case producer_kinds.TextFiles():
            yield from (("files", text) for name in options.files for text in _book(Path(name)))
        case producer_kinds.Llm():
            yield from (("model", text) for text in _model(model, settings))
        case producer_kinds.Feed(tell="llm"):
            yield from (("model", text) for text in _model(model, settings))


def _program(name: str, folder: Path) -> Iterator[str]:
    if "/" not in name:
        if shutil.which(name) is None:
            yield f"there is no program {name} in PATH; a path has a / in it"
        return
    path = folder / name
    if not path.is_file():
        yield f"there is no program {path}"
    elif not os.access(path, os.X_OK):
        yield f"{path} has no run bit; chmod +x {path}"


def _sound(path: Path) -> Iterator[str]:
    try:
        with closing(open_sound(path)) as file:
            if not file.frames:
                yield f"{path} has no sound in it"
    except RadioError as e:
        yield _with_hint(e)


def _book(path: Path) -> Iterator[str]:
    if path.suffix.lower() not in BOOKS:
        yield f"{path} is no book: `text` reads {', '.join(BOOKS)}"
        return
    try:
        with path.open("rb") as file:
            if path.suffix.lower() != ".epub" and file.read(8).startswith(_SIGNATURES):
                yield f"{path} is no text, whatever its name says"
                return
        if not books.read(path):
            yield f"{path} has nothing to read"
    except RadioError as e:
        yield _with_hint(e)
    except OSError as e:
        yield f"{path} cannot be read: {e.strerror}"


def _model(name: str, settings: Settings) -> Iterator[str]:
    """One that is named by path; of a listed one that is not here yet the outlook warns."""
    if "://" in name or not ("/" in name or name.endswith(".gguf") or ":" in name):
        return
    if ":" in name:
        yield f"{name} is the address of no server; write http://{name}"
        return
    try:
        path = models.llm(settings, name)
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                yield f"{path} is no GGUF"
    except RadioError as e:
        yield _with_hint(e)
    except OSError as e:
        yield f"{name} cannot be read: {e.strerror}"


def _with_hint(error: RadioError) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)
