"""A station as its editor wrote it, and the one check of such a file's values.

The only module that knows pydantic. A value comes in as a YAML file holds it (texts, lists, mappings) and
leaves as a `Station`, or as every problem at once, each with the path of the value it concerns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from radio import kinds, voices
from radio.errors import BadInput
from radio.stations import values
from radio.stations.values import did_you_mean
from radio.streams import names

FORBID_UNKNOWN: Mapping[str, Any] = {"extra": "forbid"}


def _identifier(value: object) -> str:
    if not isinstance(value, str) or not names.SHOW_ID.fullmatch(value):
        raise ValueError(f"{value!r} is not an id; use 1 to 32 of a-z, 0-9 and -")
    return value


def _show_id(value: object) -> str:
    if value == names.FALLBACK:
        raise ValueError(f"{value!r} is the name of runs that air when nothing else can")
    return _identifier(value)


def _zone(value: object) -> str:
    zones = available_timezones()
    if str(value) not in zones:
        raise ValueError(f"{value!r} is not a time zone" + did_you_mean(str(value), zones))
    return str(value)


def _voice(value: object) -> str:
    try:
        return voices.canonical(str(value))
    except BadInput as e:
        raise ValueError(f"{e}; {e.hint}" if e.hint else str(e)) from e


def _fallback(value: object) -> object:
    return {"producer": "off"} if value == "off" else value


Duration = Annotated[timedelta, BeforeValidator(values.duration)]
Voice = Annotated[str, BeforeValidator(_voice)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """How much audio is made ahead: up to `target`, and below `guard` the station goes before all else."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = FORBID_UNKNOWN

    target: Duration = timedelta(seconds=30)
    guard: Duration = timedelta(seconds=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Off:
    """Nothing airs when no show is due."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = FORBID_UNKNOWN

    producer: Literal["off"] = "off"


Options = Annotated[kinds.Llm | kinds.TextFiles, Field(discriminator="producer")]
Fallback = Annotated[kinds.Llm | kinds.TextFiles | Off, Field(discriminator="producer")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """An entry of the timetable. Times are the station's local time.

    Attributes:
        at: starts, in minutes of the day.
        every: between the starts of a day, from the first hour of `hours` on; None: only at `at`.
        hours: two minutes of the day, half-open: with `every` the span of its starts, else the show.
        days: of the start; Monday is 0.
        length: until the end; None only where `hours` give it.
        options: what its producer is told.
        voice, persona, model: if not the station's.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = FORBID_UNKNOWN

    id: Annotated[str, BeforeValidator(_show_id)]
    title: str
    options: Options
    at: Annotated[tuple[int, ...], BeforeValidator(values.times)] = ()
    every: Duration | None = None
    hours: Annotated[tuple[int, int], BeforeValidator(values.hours)] | None = None
    days: Annotated[frozenset[int], BeforeValidator(values.weekdays)] = frozenset(range(7))
    length: Duration | None = None
    voice: Voice | None = None
    persona: str | None = None
    model: str | None = None

    @property
    def starts(self) -> tuple[int, ...]:
        """Minutes after midnight at which it starts; from 1440 on, in the night after one of its days."""
        if self.every is None:
            return self.at or ((self.hours[0],) if self.hours else ())
        first, last = self.hours or (0, 1440)
        step = int(self.every.total_seconds()) // 60
        return tuple(range(first, last if last > first else last + 1440, step))

    @property
    def lasts(self) -> timedelta:
        """From a start to its end, by the clock on the wall."""
        if self.length is not None:
            return self.length
        assert self.hours is not None, "checked when the file was read"
        first, last = self.hours
        return timedelta(minutes=(last - first) % 1440 or 1440)


def _split_options(value: object) -> object:
    """A show's keys that are not a show's own are its producer's."""
    if not isinstance(value, Mapping):
        return value
    own = {f.name for f in fields(Show)} - {"options"}
    shown = {key: v for key, v in value.items() if key in own}
    return {**shown, "options": {key: v for key, v in value.items() if key not in own}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """A channel, as its editor wrote it.

    Attributes:
        station: its id.
        title, description: for listeners.
        timezone: IANA name; all times of the file are its local times.
        voice: in canonical form.
        persona, model: for the producers; never shown to listeners.
        keep: how long broadcasts are kept; None: no limit.
        fallback: what airs when nothing else can.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = FORBID_UNKNOWN

    station: Annotated[str, BeforeValidator(_identifier)]
    title: Annotated[str, Field(min_length=1)]
    timezone: Annotated[str, BeforeValidator(_zone)]
    fallback: Annotated[Fallback, BeforeValidator(_fallback)]
    shows: tuple[Annotated[Show, BeforeValidator(_split_options)], ...]
    description: str = ""
    voice: Voice = "af_heart"
    persona: str = ""
    model: str = "default"
    lead: Lead = field(default_factory=Lead)
    keep: Duration | None = None

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @staticmethod
    def language(voice: str) -> str:
        """The language that a voice speaks, `en-us`."""
        return voices.language(voice)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file. `path` leads to the value, as far as it exists."""

    path: tuple[str | int, ...]
    message: str


_ADAPTER = TypeAdapter(Station)


def validate(raw: object) -> Station | list[Problem]:
    """A file's content as a station, or all that is wrong with its values."""
    try:
        return _ADAPTER.validate_python(raw)
    except ValidationError as e:
        problems = [_problem(raw, error) for error in e.errors(include_url=False)]
        return _without_shadows(problems)


def _problem(raw: object, error: Any) -> Problem:
    path = _real_path(raw, error["loc"])
    kind, name = error["type"], str(error["loc"][-1] if error["loc"] else "")
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return Problem(path, f"unknown key {name!r}" + did_you_mean(name, _keys_beside(error["loc"])))
    if kind in ("missing", "missing_argument", "missing_keyword_only_argument"):
        return Problem(path, f"{name!r} is missing")
    if kind == "union_tag_not_found":
        return Problem(path, "'producer' is missing; one of " + ", ".join(kinds.KINDS))
    if kind == "union_tag_invalid":
        given = str(error["ctx"]["tag"])
        return Problem(
            (*path, "producer"),
            f"there is no producer {given!r}"
            + (did_you_mean(given, list(kinds.KINDS)) or "; one of " + ", ".join(kinds.KINDS)),
        )
    if kind == "dataclass_type":
        return Problem(path, _shape_wanted(path))
    message = error["msg"].removeprefix("Value error, ")
    return Problem(path, message if kind == "value_error" else f"{name}: {message[0].lower()}{message[1:]}")


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


def _keys_beside(loc: Sequence[str | int]) -> set[str]:
    """The keys that may stand where an unknown one was found."""
    inside = {str(step) for step in loc[:-1]}
    if "Topic" in inside:
        return {f.name for f in fields(kinds.Topic)}
    if "lead" in inside:
        return {f.name for f in fields(Lead)}
    options = {f.name for kind in inside & kinds.KINDS.keys() for f in fields(kinds.KINDS[kind])}
    if "shows" in inside:
        return options | {f.name for f in fields(Show)} - {"options"}
    return options or {f.name for f in fields(Station)}


def _without_shadows(problems: list[Problem]) -> list[Problem]:
    """Without "should be a text" where it was read as something else, and what is wrong in that is known."""

    def shadowed(p: Problem) -> bool:
        beneath = [q for q in problems if q is not p and q.path[: len(p.path)] == p.path]
        return "valid string" in p.message and bool(beneath)

    return [p for p in problems if not shadowed(p)]
