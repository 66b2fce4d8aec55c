"""A station as its editor wrote it, and the check of such a file's values."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal
from zoneinfo import ZoneInfo, available_timezones

from radio import producer_kinds, pronunciation, voices
from radio.errors import BadInput
from radio.stations.definition.show import ID, Duration, Language, Show, Voice, identifier
from radio.stations.definition.validation import (
    FORBID_UNKNOWN,
    ValidationProblem,
    checked,
    read_by,
    text,
    told_apart_by,
)
from radio.stations.definition.values import did_you_mean
from radio.stations.timetable.timetable import Timetable


def _zone(value: object) -> str:
    zones = available_timezones()
    if str(value) not in zones:
        raise ValueError(f"{value!r} is not a time zone" + did_you_mean(str(value), zones))
    return str(value)


def _fallback(value: object) -> object:
    return {"producer": "off"} if value == "off" else value


def _split_options(value: object) -> object:
    """A show's keys that are not a show's own are its producer's."""
    if not isinstance(value, Mapping):
        return value
    own = {f.name for f in fields(Show)} - {"options"}
    shown = {key: v for key, v in value.items() if key in own}
    return {**shown, "options": {key: v for key, v in value.items() if key not in own}}


def _listed(value: object) -> object:
    if not isinstance(value, Mapping):
        raise ValueError("pronounce: write word: how it is said, or word: /phonemes/")
    if len(value) > pronunciation.MOST_WORDS:
        raise ValueError(f"a pronunciation list has at most {pronunciation.MOST_WORDS} words")
    return value


def _word(value: object) -> str:
    return _or_value_error(pronunciation.word, value)


def _said(value: object) -> str:
    return _or_value_error(pronunciation.said, value)


def _or_value_error(read: Callable[[object], str], value: object) -> str:
    if isinstance(value, Mapping | list):
        raise ValueError(f"{value!r} is no text")
    try:
        return read(value)
    except BadInput as e:
        raise ValueError(str(e)) from e


Pronounce = Annotated[
    Mapping[Annotated[str, read_by(_word, str)], Annotated[str, read_by(_said, str)]],
    read_by(_listed, dict[str, str]),
]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """A channel, as its editor wrote it.

    Attributes:
        station: its id.
        title, description: for listeners.
        timezone: IANA name; all times of the file are its local times.
        voice: in canonical form.
        persona, model: for the producers; never shown to listeners.
        language: of the words, as in `en-gb`; None: the voice's.
        pronounce: words that its voices say in another way than by the rules, each a respelling or phonemes.
        keep: how long broadcasts are kept; None: no limit.
        fallback: what airs when nothing else can.
        timetable: when its shows air; it follows from `shows` and `timezone`.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = FORBID_UNKNOWN

    station: Annotated[str, read_by(identifier, ID)]
    title: Annotated[str, text(least=1)]
    timezone: Annotated[str, read_by(_zone)]
    fallback: Annotated[producer_kinds.Options | Off, told_apart_by("producer"), read_by(_fallback)]
    shows: tuple[Annotated[Show, read_by(_split_options)], ...]
    description: str = ""
    voice: Voice = "af_heart"
    persona: str = ""
    model: str = "default"
    language: Language | None = None
    pronounce: Pronounce = field(default_factory=dict, hash=False)
    lead: Lead = field(default_factory=Lead)
    keep: Duration | None = None
    timetable: Timetable = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "timetable", Timetable(self.shows, self.zone))

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.timezone)

    @staticmethod
    def language_of(voice: str) -> str:
        """The language that a voice speaks, `en-us`."""
        return voices.language(voice)


def validate(raw: object) -> Station | list[ValidationProblem]:
    """A file's content as a station, or all that is wrong with its values."""
    return checked(Station, raw, _keys_beside)


def _keys_beside(loc: Sequence[str | int]) -> set[str]:
    """The keys that may stand where an unknown one was found."""
    inside = {str(step) for step in loc[:-1]}
    if "Topic" in inside:
        return {f.name for f in fields(producer_kinds.Topic)}
    if "lead" in inside:
        return {f.name for f in fields(Lead)}
    options = {
        f.name for kind in inside & producer_kinds.KINDS.keys() for f in fields(producer_kinds.KINDS[kind])
    }
    if "shows" in inside:
        return options | {f.name for f in fields(Show)} - {"options"}
    return options or {f.name for f in fields(Station) if f.init}
