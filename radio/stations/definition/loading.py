"""Station files: YAML in, stations out, or every fault of every file with its line.

What a value must look like is `station.validate`'s business, what must hold between values that of `rules`.
"""

import logging
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from radio.log import log_event
from radio.stations.definition import file_patterns, rules
from radio.stations.definition.partial_validation import rest
from radio.stations.definition.station import Station, validate
from radio.stations.definition.validation import ValidationProblem
from radio.stations.definition.yaml_document import NotYaml, Path_, YamlPosition, read_yaml

log = logging.getLogger(__name__)

MAX_BYTES = 256 * 1024
"""Of a station file. YAML is read at some 100 KB a second."""
Probe = Callable[[Station, Path], Sequence[ValidationProblem]]
"""What is wrong with what a station in a folder names."""
SOME_DAY = date(2026, 1, 5)
"""From which overlaps are looked for, where it does not matter which moment is named."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """Something wrong in a file. Line and column count from 1; 0: the file as a whole."""

    file: Path
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        if not self.line:
            return f"{self.file}: {self.message}"
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """What a file's content comes to: a station, or all that is wrong; and the files that it names."""

    station: Station | None
    problems: tuple[ValidationProblem, ...]
    matches: file_patterns.Matches = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a set of files holds: the stations of those that are right, and what is wrong with the others.

    Attributes:
        matches: the files that each station file names by path or pattern, as far as it can be read.
    """

    stations: Mapping[Path, Station]
    faults: tuple[Fault, ...]
    matches: Mapping[Path, file_patterns.Matches] = field(default_factory=dict)


def find(folder: Path) -> list[Path]:
    """The station files of a folder."""
    return sorted(folder.glob("*.yaml"))


def load(files: Iterable[Path], since: date = SOME_DAY, probe: Probe | None = None) -> Loaded:
    """Read station files; a file with a fault yields no station, and hinders no other.

    Args:
        since: of overlaps, the first moment from about this day on is named.
        probe: looks into what a right station names.
    """
    stations: dict[Path, Station] = {}
    faults: list[Fault] = []
    matches: dict[Path, file_patterns.Matches] = {}
    for file in files:
        found, wrong = _load_one(file, since, probe)
        matches[file] = found.matches
        twin = next(
            (p for p, s in stations.items() if found.station and s.station == found.station.station), None
        )
        if twin is not None and found.station is not None:
            wrong = [Fault(file, 0, 0, f"station {found.station.station!r} is also in {twin}")]
        if wrong:
            faults += wrong
        elif found.station is not None:
            stations[file] = found.station
    return Loaded(stations, tuple(sorted(faults)), matches)


def _load_one(file: Path, since: date, probe: Probe | None) -> tuple[CheckedFile, list[Fault]]:
    nothing = CheckedFile(None, ())
    try:
        wrong = _unreadable(file.stat())
        if wrong:
            return nothing, [Fault(file, 0, 0, wrong)]
        raw, places = read_yaml(file.read_text(encoding="utf-8"))
    except OSError as e:
        return nothing, [Fault(file, 0, 0, f"cannot be read: {e.strerror}")]
    except UnicodeDecodeError:
        return nothing, [Fault(file, 0, 0, "is not UTF-8")]
    except NotYaml as e:
        return nothing, [Fault(file, e.place.line, e.place.column, f"not YAML: {e}")]
    try:
        checked = check_values(raw, file.parent, since)
        if probe is not None and checked.station is not None:
            checked = replace(checked, problems=tuple(probe(checked.station, file.parent)))
    except Exception as e:
        log.exception("station file not checked", extra=log_event("stations.not_checked", file=file.name))
        return nothing, [Fault(file, 0, 0, f"cannot be checked: {type(e).__name__}: {e}")]
    return checked, [_fault(file, _place(places, p.path), p.message) for p in checked.problems]


def _unreadable(found: os.stat_result) -> str:
    """Why a file is not even opened; a named pipe would keep its reader for ever."""
    if not stat.S_ISREG(found.st_mode):
        return "is not a file"
    if found.st_size > MAX_BYTES:
        return f"is too large: a station file has at most {MAX_BYTES // 1024} KiB"
    return ""


def check_values(raw: object, folder: Path, since: date = SOME_DAY) -> CheckedFile:
    """A file's content as a station, its files found from `folder` on, or all that is wrong with it."""
    valid = validate(raw)
    if isinstance(valid, Station):
        return _check_station(valid, folder, since, frozenset())
    left = rest(raw, valid)
    if left is None:
        return CheckedFile(None, tuple(valid))
    more = _check_station(left.station, folder, since, left.wrong_ids)
    return CheckedFile(None, (*valid, *map(left.in_file, more.problems)), more.matches)


def _check_station(station: Station, folder: Path, since: date, others: frozenset[str]) -> CheckedFile:
    """Args: others: ids of shows that are not looked at."""
    matches = file_patterns.matches(station, folder)
    with_files, missing = file_patterns.resolved(station, matches)
    wrong = (*missing, *rules.problems(station, since, others))
    return CheckedFile(None if wrong else with_files, wrong, matches)


def _fault(file: Path, place: YamlPosition, message: str) -> Fault:
    return Fault(file, place.line, place.column, message)


def _place(places: Mapping[Path_, YamlPosition], path: Path_) -> YamlPosition:
    """The place of the value, or of the nearest thing around it that is in the file."""
    while path not in places and path:
        path = path[:-1]
    return places.get(path, YamlPosition(1, 1))
