"""Files that a station file names by path or pattern, relative to its own folder.

Which keys of a producer hold such names is said by its kind, in `PATHS`; a URL may stand among them.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from radio import producer_kinds
from radio.stations.definition.station import Off, Station
from radio.stations.definition.validation import ValidationProblem

MOST_FILES = 20_000
"""That one name may match."""


@dataclass(frozen=True, slots=True)
class Match:
    """The files that a name matches now; `problem`: why it cannot be told, or ""."""

    files: tuple[Path, ...] = ()
    problem: str = ""


Matches = Mapping[str, Match]
"""What each name matches now."""
_Options = producer_kinds.Options | Off


def matches(station: Station, folder: Path) -> Matches:
    """What the names of a station file match now; the station is as `validate` gives it."""
    told = [*(show.options for show in station.shows), station.fallback]
    return {name: found(folder, name) for options in told for _, name in _names(options)}


def resolved(station: Station, there: Matches) -> tuple[Station, list[ValidationProblem]]:
    """The station with absolute paths for names, and a problem for each name that matches nothing."""
    problems: list[ValidationProblem] = []
    for n, show in enumerate(station.shows):
        problems += [
            ValidationProblem(("shows", n, key), f"{show.id}: {text}")
            for key, text in _missing(show.options, there)
        ]
    problems += [
        ValidationProblem(("fallback", key), f"fallback: {text}")
        for key, text in _missing(station.fallback, there)
    ]
    shows = tuple(replace(show, options=_with_files(show.options, there)) for show in station.shows)
    return replace(station, shows=shows, fallback=_with_files(station.fallback, there)), problems


def is_url(name: str) -> bool:
    return "://" in name


def _keys(options: _Options) -> tuple[str, ...]:
    return getattr(options, "PATHS", ())


def _names(options: _Options) -> Iterator[tuple[str, str]]:
    """Keys and the names that stand there, without URLs."""
    for key in _keys(options):
        yield from ((key, name) for name in getattr(options, key) if not is_url(name))


def _missing(options: _Options, there: Matches) -> Iterator[tuple[str, str]]:
    for key, name in _names(options):
        if there[name].problem:
            yield key, f"{name}: {there[name].problem}"
        elif not there[name].files:
            yield key, f"no file {name}"
        for path in there[name].files:
            if not is_utf8(path):
                yield key, f"the name of {os.fsencode(path)!r} is not UTF-8; rename the file"


def is_utf8(path: Path) -> bool:
    """Whether its name can be written; the system's names are bytes."""
    return not any("\ud800" <= character <= "\udfff" for character in str(path))


def _with_files(options: Any, there: Matches) -> Any:
    told: dict[str, tuple[str, ...]] = {}
    for key in _keys(options):
        parts = ((name,) if is_url(name) else map(str, there[name].files) for name in getattr(options, key))
        told[key] = tuple(path for part in parts for path in part)
    return replace(options, **told)


def found(folder: Path, name: str) -> Match:
    """The files that a name matches now, in the order of their paths, or what keeps them from being seen."""
    path = Path(name)
    base = Path(path.anchor) if path.is_absolute() else folder
    relative = path.relative_to(path.anchor) if path.is_absolute() else path
    there: list[Path] = []
    try:
        for match in base.glob(str(relative)):
            if match.is_file():
                there.append(match.resolve())
            if len(there) > MOST_FILES:
                return Match(problem=f"it matches more than {MOST_FILES} files; name a smaller folder")
    except (ValueError, IndexError):  # no pattern at all: it matches nothing
        return Match()
    except RuntimeError:  # Python's word for links that lead back to themselves
        return Match(problem="a link there leads back to itself")
    except OSError as refused:
        return Match(problem=f"{_shown(refused.filename)} cannot be looked at: {refused.strerror}")
    return Match(tuple(sorted(there)))


def _shown(path: object) -> str:
    return os.fsencode(str(path)).decode(errors="replace")
