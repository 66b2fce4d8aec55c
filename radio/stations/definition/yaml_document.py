"""YAML as YAML 1.2 reads it, and where in the text each value stands. The only module that knows PyYAML."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import yaml

from radio import writable_text
from radio.stations.definition.yaml_faults import YamlFault, in_words, is_told_of_its_opening
from radio.writable_text import UnwritableText

_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
MAX_VALUES = 20_000
"""In a document, however few characters spell them: a value may stand for others by alias."""

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, order=True)
class YamlPosition:
    """Line and column in a text, both from 1; 0: unknown."""

    line: int = 0
    column: int = 0


class NotYaml(ValueError):
    """It is not one YAML document of texts, numbers, lists and mappings."""

    def __init__(self, message: str, place: YamlPosition) -> None:
        super().__init__(message)
        self.place = place


class WrittenInt(int):
    """A whole number that shows as it was written: `0730`."""

    spelling: str

    def __str__(self) -> str:
        return self.spelling


class WrittenFloat(float):
    """A number that shows as it was written: `07.30`."""

    spelling: str

    def __str__(self) -> str:
        return self.spelling


_Number = TypeVar("_Number", WrittenInt, WrittenFloat)


def _spelt(number: _Number, spelling: str) -> _Number:
    number.spelling = spelling
    return number


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


def read_yaml(text: str) -> tuple[object, Mapping[Path_, YamlPosition]]:
    """A YAML document, and the place of each value by path; in a mapping, the place of its key.

    Raises:
        NotYaml
    """
    try:
        text = writable_text.checked(text)
    except UnwritableText as e:
        raise NotYaml(f"{e.what} cannot be written; leave it out", _position(text, e.at)) from e
    try:
        return _read(text)
    except yaml.MarkedYAMLError as e:
        raise _not_yaml(e, text) from e
    except yaml.YAMLError as e:
        raise NotYaml(str(e), YamlPosition()) from e
    except RecursionError:
        raise NotYaml("nested too deeply", YamlPosition()) from None


def _not_yaml(error: yaml.MarkedYAMLError, text: str) -> NotYaml:
    lines = [*_LINE_END.split(text), ""]
    at = error.problem_mark
    if at is None or error.problem is None:
        return NotYaml(str(error), YamlPosition())
    opening = error.context_mark or at
    fault = YamlFault(error.problem, lines[at.line], at.column, lines[opening.line])
    place = opening if is_told_of_its_opening(error.problem) else at
    return NotYaml(in_words(fault), _place(place))


def _read(text: str) -> tuple[object, Mapping[Path_, YamlPosition]]:
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        places: dict[Path_, YamlPosition] = {(): YamlPosition(1, 1)}
        value = None if node is None else _value(loader, node, (), places, ())
        return value, places
    finally:
        loader.dispose()


def _place(mark: yaml.Mark | None) -> YamlPosition:
    return YamlPosition() if mark is None else YamlPosition(mark.line + 1, mark.column + 1)


def _position(text: str, at: int) -> YamlPosition:
    before = text[:at]
    return YamlPosition(before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1)


def _value(
    loader: _Loader,
    node: yaml.Node,
    path: Path_,
    places: dict[Path_, YamlPosition],
    around: Sequence[yaml.Node],
) -> object:
    if node in around:
        raise _fault(node, "a value that contains itself")
    if len(places) > MAX_VALUES:
        raise _fault(node, f"more than {MAX_VALUES} values")
    places.setdefault(path, _place(node.start_mark))
    inside = (*around, node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(loader, item, (*path, n), places, inside) for n, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _mapping(loader, node, path, places, inside)
    try:
        if node.tag == "tag:yaml.org,2002:int":
            return _spelt(WrittenInt(node.value), node.value)
        if node.tag == "tag:yaml.org,2002:float":
            return _spelt(WrittenFloat(node.value), node.value)
        value = loader.construct_object(node)
        return _written(node, value) if isinstance(value, str) else value
    except ValueError as e:
        raise _fault(node, f"not a value: {e}") from e


def _mapping(
    loader: _Loader,
    node: yaml.MappingNode,
    path: Path_,
    places: dict[Path_, YamlPosition],
    inside: Sequence[yaml.Node],
) -> dict[str, object]:
    values: dict[str, object] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _fault(key_node, "a key that is not a word")
        key = _written(key_node, str(key_node.value))
        if key in values:
            raise _fault(key_node, f"key {key!r} stands twice")
        places[(*path, key)] = _place(key_node.start_mark)
        values[key] = _value(loader, value_node, (*path, key), places, inside)
    return values


def _written(node: yaml.Node, text: str) -> str:
    """A text as its escapes make it: two surrogates are one character; what cannot be written is a fault."""
    try:
        return writable_text.checked(text)
    except UnwritableText as e:
        raise _fault(node, f"{e.what} cannot be written; leave it out") from e


def _fault(node: yaml.Node, text: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=text, problem_mark=node.start_mark)
