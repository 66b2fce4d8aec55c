"""Station files: YAML in, stations out, or every fault of every file with its line.

The only module that knows PyYAML. Scalars are read as YAML 1.2 reads them: `22:00` and `on` are text. What a
value must look like is `station.validate`'s business; here is what concerns several values or files.
"""

import os
import re
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import yaml

from radio import kinds
from radio.stations import timetable
from radio.stations.station import Problem, Show, Station, validate

_LONGEST = timedelta(days=7)
MAX_BYTES = 256 * 1024
"""Of a station file. YAML is read at some 100 KB a second."""
MAX_VALUES = 20_000
"""In a station file, however few characters spell them: a value may stand for others by alias."""

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """Something wrong in a file. `line` counts from 1; 0: the file as a whole."""

    file: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a set of files holds: the stations of those that are right, and what is wrong with the others."""

    stations: Mapping[Path, Station]
    faults: tuple[Fault, ...]


def find(folder: Path) -> list[Path]:
    """The station files of a folder."""
    return sorted(folder.glob("*.yaml"))


def load(paths: Iterable[Path]) -> Loaded:
    """Read station files; a file with a fault yields no station, and hinders no other."""
    stations: dict[Path, Station] = {}
    faults: list[Fault] = []
    for path in paths:
        station, wrong = _load_one(path)
        twin = next((p for p, s in stations.items() if station and s.station == station.station), None)
        if station is not None and twin is not None:
            wrong = [Fault(path, 0, f"station {station.station!r} is also in {twin}")]
        if wrong:
            faults += wrong
        elif station is not None:
            stations[path] = station
    return Loaded(stations, tuple(sorted(faults)))


def _load_one(path: Path) -> tuple[Station | None, list[Fault]]:
    try:
        wrong = _unreadable(path.stat())
        if wrong:
            return None, [Fault(path, 0, wrong)]
        raw, lines = read_yaml(path.read_text(encoding="utf-8"))
    except OSError as e:
        return None, [Fault(path, 0, f"cannot be read: {e.strerror}")]
    except UnicodeDecodeError:
        return None, [Fault(path, 0, "is not UTF-8")]
    except yaml.MarkedYAMLError as e:
        line = e.problem_mark.line + 1 if e.problem_mark else 0
        return None, [Fault(path, line, f"not YAML: {e.problem}")]
    except yaml.YAMLError as e:
        return None, [Fault(path, 0, f"not YAML: {e}")]
    except RecursionError:
        return None, [Fault(path, 0, "is nested too deeply")]
    checked = check_values(raw, path.parent)
    if isinstance(checked, Station):
        return checked, []
    return None, [Fault(path, _line(lines, p.path), p.message) for p in checked]


def _unreadable(found: os.stat_result) -> str:
    """Why a file is not even opened; a named pipe would keep its reader for ever."""
    if not stat.S_ISREG(found.st_mode):
        return "is not a file"
    if found.st_size > MAX_BYTES:
        return f"is too large: a station file has at most {MAX_BYTES // 1024} KiB"
    return ""


def check_values(raw: object, folder: Path) -> Station | list[Problem]:
    """A file's content as a station, its files found from `folder` on, or all that is wrong with it."""
    checked = validate(raw)
    if isinstance(checked, list):
        return checked
    station, problems = _resolve_files(checked, folder)
    problems += _problems(station)
    return problems or station


def _line(lines: Mapping[Path_, int], path: Path_) -> int:
    """The line of the value, or of the nearest thing around it that is in the file."""
    while path not in lines and path:
        path = path[:-1]
    return lines.get(path, 1)


# --- what concerns several values ---------------------------------------------------------------------------


def _problems(station: Station) -> list[Problem]:
    found = []
    if station.lead.target < station.lead.guard:
        found.append(Problem(("lead",), "lead: target is below guard"))
    seen: set[str] = set()
    for n, show in enumerate(station.shows):
        found += [Problem(("shows", n, key), f"{show.id}: {text}") for key, text in _show_problems(show)]
        if show.id in seen:
            found.append(Problem(("shows", n, "id"), f"there are two shows {show.id!r}"))
        seen.add(show.id)
    return found or [
        Problem(("shows", station.shows.index(clash.second)), _overlap_text(clash))
        for clash in timetable.overlaps(station.shows)
    ]


def _show_problems(show: Show) -> list[tuple[str, str]]:
    found = []
    if bool(show.at) == (show.hours is not None or show.every is not None):
        found.append(
            ("id", "say when it starts: by 'at', or by 'hours', with 'every' if it starts several times")
        )
    if show.every is not None and (show.every < timedelta(minutes=1) or show.every % timedelta(minutes=1)):
        found.append(("every", "'every' must be whole minutes"))
    if show.length is None and (show.hours is None or show.every is not None):
        found.append(("id", "'length' is missing"))
    if show.length is not None and show.hours is not None and show.every is None:
        found.append(("length", "'hours' give the length already"))
    if show.length is not None and not timedelta(minutes=1) <= show.length <= _LONGEST:
        found.append(("length", "'length' must be from 1m to 7d"))
    if isinstance(show.options, kinds.Llm) and not show.options.topics:
        found.append(("topics", "'topics' names none"))
    return found


def _overlap_text(clash: timetable.Overlap) -> str:
    if clash.first is clash.second:
        return f"{clash.first.id} is not over when it starts again ({clash.when})"
    return f"{clash.first.id} and {clash.second.id} overlap ({clash.when})"


def _resolve_files(station: Station, folder: Path) -> tuple[Station, list[Problem]]:
    """Patterns become the absolute paths of what they match now."""
    problems: list[Problem] = []
    shows = []
    for n, show in enumerate(station.shows):
        options, missing = _resolved(show.options, folder)
        shows.append(replace(show, options=options))
        problems += [Problem(("shows", n, "files"), f"{show.id}: no file {pattern}") for pattern in missing]
    fallback, missing = _resolved(station.fallback, folder)
    problems += [Problem(("fallback", "files"), f"fallback: no file {pattern}") for pattern in missing]
    return replace(station, shows=tuple(shows), fallback=fallback), problems


def _resolved(options: Any, folder: Path) -> tuple[Any, list[str]]:
    if not isinstance(options, kinds.TextFiles):
        return options, []
    found = {pattern: _matches(folder, pattern) for pattern in options.files}
    files = tuple(str(path) for paths in found.values() for path in paths)
    return replace(options, files=files), [pattern for pattern, paths in found.items() if not paths]


def _matches(folder: Path, pattern: str) -> list[Path]:
    path = Path(pattern)
    base = Path(path.anchor) if path.is_absolute() else folder
    relative = path.relative_to(path.anchor) if path.is_absolute() else path
    try:
        return sorted(p.resolve() for p in base.glob(str(relative)) if p.is_file())
    except (ValueError, IndexError):  # no pattern at all: it matches nothing
        return []


# --- YAML ---------------------------------------------------------------------------------------------------


class _Loader(yaml.SafeLoader):
    """Plain scalars as YAML 1.2's core schema reads them."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - as in the base


for _tag, _pattern, _firsts in (
    ("null", r"(?:~|null|Null|NULL|)\Z", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)\Z", list("tTfF")),
    ("int", r"[-+]?[0-9]+\Z", list("-+0123456789")),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]+)?\Z", list("-+.0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _firsts)


def read_yaml(text: str) -> tuple[object, Mapping[Path_, int]]:
    """A YAML document, and the line of each of its values by path.

    Raises:
        yaml.YAMLError: it is not one YAML document of texts, numbers, lists and mappings.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        lines: dict[Path_, int] = {(): 1}
        value = None if node is None else _value(loader, node, (), lines, ())
        return value, lines
    finally:
        loader.dispose()


def _value(
    loader: _Loader, node: yaml.Node, path: Path_, lines: dict[Path_, int], around: Sequence[yaml.Node]
) -> object:
    if node in around:
        raise _fault(node, "a value that contains itself")
    if len(lines) > MAX_VALUES:
        raise _fault(node, f"more than {MAX_VALUES} values")
    lines.setdefault(path, node.start_mark.line + 1)
    inside = (*around, node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(loader, item, (*path, n), lines, inside) for n, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _mapping(loader, node, path, lines, inside)
    try:
        if node.tag == "tag:yaml.org,2002:int":
            return int(node.value)
        return loader.construct_object(node)
    except ValueError as e:
        raise _fault(node, f"not a value: {e}") from e


def _mapping(
    loader: _Loader, node: yaml.MappingNode, path: Path_, lines: dict[Path_, int], inside: Sequence[yaml.Node]
) -> dict[str, object]:
    values: dict[str, object] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _fault(key_node, "a key that is not a word")
        key = str(key_node.value)
        if key in values:
            raise _fault(key_node, f"key {key!r} stands twice")
        lines[(*path, key)] = key_node.start_mark.line + 1
        values[key] = _value(loader, value_node, (*path, key), lines, inside)
    return values


def _fault(node: yaml.Node, text: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=text, problem_mark=node.start_mark)
