"""Checks what a file holds against a dataclass. The only module that knows pydantic.

A value comes in as a YAML file holds it (texts, lists, mappings) and leaves as the dataclass, or as every
problem at once, each with the path of the value it concerns.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from radio import producer_kinds
from radio.stations.definition.values import did_you_mean

FORBID_UNKNOWN: Mapping[str, Any] = {"extra": "forbid"}
"""For `__pydantic_config__` of a class whose keys an editor writes."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ValidationProblem:
    """Something wrong with a file. `path` leads to the value, as far as it exists."""

    path: tuple[str | int, ...]
    message: str


def read_by(reader: Callable[[Any], object], written: object = None) -> Any:
    """Mark a field: `reader` turns what is written into its value, or raises `ValueError`.

    Args:
        written: the type of what an editor writes, for `json_schema`; None: that of the field.
    """
    if written is None:
        return BeforeValidator(reader)
    return BeforeValidator(reader, json_schema_input_type=written)


def told_apart_by(key: str) -> Any:
    """Mark a union: the value of `key` tells which of its classes is meant."""
    return Field(discriminator=key)


def text(*, pattern: str | None = None, least: int | None = None) -> Any:
    """Mark a text: it matches, and has at least so many characters."""
    return Field(pattern=pattern, min_length=least)


def checked(
    kind: type[T], raw: object, keys_beside: Callable[[Sequence[str | int]], Iterable[str]]
) -> T | list[ValidationProblem]:
    """`raw` as a `kind`, or all that is wrong with it.

    Args:
        keys_beside: the keys that may stand at a place; the path holds names of alternatives, too.
    """
    try:
        found: T = _adapter(cast(Hashable, kind)).validate_python(raw)
        return found
    except ValidationError as e:
        problems = [_problem(raw, error, keys_beside) for error in e.errors(include_url=False)]
        return _without_shadows(problems)


def json_schema(kind: Any) -> dict[str, Any]:
    """JSON schema of what an editor may write for a `kind`; named parts stand in `$defs`."""
    return _adapter(kind).json_schema(mode="validation")


@cache
def _adapter(kind: Hashable) -> TypeAdapter[Any]:
    checked_kind: Any = kind
    return TypeAdapter(checked_kind)


def _problem(
    raw: object, error: Any, keys_beside: Callable[[Sequence[str | int]], Iterable[str]]
) -> ValidationProblem:
    path = _real_path(raw, error["loc"])
    what, name = error["type"], str(error["loc"][-1] if error["loc"] else "")
    if what in ("extra_forbidden", "unexpected_keyword_argument"):
        return ValidationProblem(
            path, f"unknown key {name!r}" + did_you_mean(name, set(keys_beside(error["loc"])))
        )
    if what in ("missing", "missing_argument", "missing_keyword_only_argument"):
        return ValidationProblem(path, f"{name!r} is missing")
    if what == "union_tag_not_found":
        return ValidationProblem(path, "'producer' is missing; one of " + ", ".join(producer_kinds.KINDS))
    if what == "union_tag_invalid":
        given = str(error["ctx"]["tag"])
        known = did_you_mean(given, list(producer_kinds.KINDS)) or "; one of " + ", ".join(
            producer_kinds.KINDS
        )
        return ValidationProblem((*path, "producer"), f"there is no producer {given!r}" + known)
    if what == "dataclass_type":
        return ValidationProblem(path, _shape_wanted(path))
    if what == "string_type" and isinstance(error["input"], int | float) and path[-1:] == error["loc"][-1:]:
        return ValidationProblem(path, _not_in_quotes(path, error["input"]))
    message = error["msg"].removeprefix("Value error, ")
    return ValidationProblem(
        path, message if what == "value_error" else f"{name}: {message[0].lower()}{message[1:]}"
    )


def _not_in_quotes(path: Sequence[str | int], given: float) -> str:
    word = next(str(step) for step in reversed(path) if isinstance(step, str))
    shown = str(given).lower() if isinstance(given, bool) else str(given)
    return f'{word}: {shown} is no text; write "{shown}"'


def _shape_wanted(path: Sequence[str | int]) -> str:
    if not path:
        return "not a station: write station, title, timezone, fallback and shows"
    word = next(str(step) for step in reversed(path) if isinstance(step, str))
    return (
        f"{word}: write a text, or {{topic: …, facts: […]}}" if word == "topics" else f"{word}: write {{…}}"
    )


def _real_path(raw: object, loc: Sequence[str | int]) -> tuple[str | int, ...]:
    """The error's path without the steps that are not in the file (names of alternatives, `options`)."""
    path: list[str | int] = []
    for step in loc:
        inside = raw if isinstance(raw, Mapping) else dict(enumerate(raw)) if isinstance(raw, list) else {}
        if step in inside:
            raw = inside[step]
            path.append(step)
    return tuple(path)


def _without_shadows(problems: list[ValidationProblem]) -> list[ValidationProblem]:
    """Without "should be a text" where it was read as something else, and what is wrong in that is known."""

    def shadowed(p: ValidationProblem) -> bool:
        beneath = [q for q in problems if q is not p and q.path[: len(p.path)] == p.path]
        return "valid string" in p.message and bool(beneath)

    return [p for p in problems if not shadowed(p)]
