"""A show as its editor wrote it: what airs, and when it starts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Annotated, Any, ClassVar

from radio import producer_kinds, voices
from radio.errors import BadInput
from radio.stations.definition import values
from radio.stations.definition.validation import FORBID_UNKNOWN, read_by, text, told_apart_by
from radio.stations.timetable.cron import Cron, read_cron
from radio.streams import names

_DAY = timedelta(days=1)
Day = date
"""Where `date` is the name of a key."""


def identifier(value: object) -> str:
    """Raises `ValueError` if it is no id of a station or show."""
    if not isinstance(value, str) or not names.SHOW_ID.fullmatch(value):
        raise ValueError(f"{value!r} is not an id; use 1 to 32 of a-z, 0-9 and -")
    return value


def _show_id(value: object) -> str:
    if value == names.FALLBACK:
        raise ValueError(f"{value!r} is the name of runs that air when nothing else can")
    return identifier(value)


def _voice(value: object) -> str:
    try:
        return voices.canonical(str(value))
    except BadInput as e:
        raise ValueError(f"{e}; {e.hint}" if e.hint else str(e)) from e


def _language(value: object) -> str:
    word, known = str(value).lower(), {voice.language for voice in voices.VOICES.values()}
    if word not in known | {language.partition("-")[0] for language in known}:
        raise ValueError(f"no voice speaks {value!r}; one of " + ", ".join(sorted(known)))
    return word


_LENGTH = Annotated[str, text(pattern=r"^(\d+d)?(\d+h)?(\d+m)?(\d+s)?$")]
_TEXTS = str | list[str]
ID = Annotated[str, text(pattern=r"^[a-z0-9-]{1,32}$")]
"""Ids, as an editor writes them."""
Duration = Annotated[timedelta, read_by(values.duration, _LENGTH)]
Voice = Annotated[str, read_by(_voice, str)]
Language = Annotated[str, read_by(_language, str)]
Times = Annotated[tuple[int, ...], read_by(values.times, _TEXTS)]
Hours = Annotated[tuple[int, int], read_by(values.hours, str)]
CronLine = Annotated[Cron, read_by(read_cron, str)]
Days = Annotated[frozenset[int], read_by(values.weekdays, _TEXTS)]
Dates = Annotated[tuple[date, ...], read_by(values.dates, _TEXTS)]
Instead = Annotated[Mapping[date, str], read_by(values.shows_by_date, dict[str, ID])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """An entry of the timetable. Times are the station's local time.

    Attributes:
        at: starts, in minutes of the day.
        every: between the starts of a day, from the first hour of `hours` on; None: only at `at`.
        hours: two minutes of the day, half-open: with `every` the span of its starts, else the show.
        cron: its starts, instead of all these.
        days: of the start; Monday is 0; None: all, or those of `date`.
        date: the only dates on which it starts.
        length: until the end; None only where `hours` give it, or where it airs only instead of others.
        skip: dates on which it does not start.
        instead: the show that airs in its place, by date.
        options: what its producer is told.
        voice, persona, model, language: if not the station's.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = FORBID_UNKNOWN

    id: Annotated[str, read_by(_show_id, ID)]
    title: Annotated[str, text(least=1)]
    options: Annotated[producer_kinds.Options, told_apart_by("producer")]
    at: Times = ()
    hours: Hours | None = None
    every: Duration | None = None
    cron: CronLine | None = None
    days: Days | None = None
    date: Dates = ()
    length: Duration | None = None
    skip: Dates = ()
    instead: Instead = field(default_factory=dict, hash=False)
    voice: Voice | None = None
    persona: str | None = None
    model: str | None = None
    language: Language | None = None

    @property
    def has_time(self) -> bool:
        """Whether it starts by itself, rather than instead of others alone."""
        return bool(self.at or self.hours or self.every or self.cron)

    @property
    def starts(self) -> tuple[int, ...]:
        """Minutes after midnight at which it starts; from 1440 on, in the night after one of its days."""
        if self.cron is not None:
            return self.cron.minutes
        if self.every is None:
            return self.at or ((self.hours[0],) if self.hours else ())
        first, last = self.hours or (0, 1440)
        step = int(self.every.total_seconds()) // 60
        return tuple(range(first, last if last > first else last + 1440, step))

    @property
    def lasts(self) -> timedelta:
        """From a start to its end, by the clock on the wall; 0 if it has no time of its own."""
        if self.length is not None or self.hours is None:
            return self.length or timedelta()
        first, last = self.hours
        return timedelta(minutes=(last - first) % 1440 or 1440)

    @property
    def weekdays(self) -> frozenset[int] | None:
        """Its days, if each week has the same, exceptions aside; else None."""
        if self.date:
            return None
        if self.cron is not None:
            return self.cron.weekdays
        return frozenset(range(7)) if self.days is None else self.days

    def start_days(self, first: Day, last: Day) -> Iterator[Day]:
        """The dates of its starts from `first` to `last`, both inclusive, exceptions aside."""
        if self.date:
            return (day for day in self.date if first <= day <= last)
        weekdays = self.weekdays
        if weekdays is None:
            assert self.cron is not None, "only cron lines and dates differ from week to week"
            return self.cron.days(first, last)
        return (day for day in each_day(first, last) if day.weekday() in weekdays)

    @property
    def special_dates(self) -> frozenset[Day]:
        """Dates that are not like others of their weekday."""
        return frozenset((*self.date, *self.skip, *self.instead))


def each_day(first: date, last: date) -> Iterator[date]:
    """From `first` to `last`, both inclusive."""
    return (first + n * _DAY for n in range((last - first).days + 1))
