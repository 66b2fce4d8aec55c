"""What must hold between the values of a station file. Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from datetime import date, timedelta
from typing import Any

from radio import producer_kinds
from radio.stations.definition.show import Show
from radio.stations.definition.station import Off, Station
from radio.stations.definition.validation import ValidationProblem
from radio.stations.definition.values import did_you_mean
from radio.stations.timetable.overlaps import LONGEST, overlaps

_QUOTED = re.compile(r"'(\w+)'")
_MINUTE = timedelta(minutes=1)
_Found = Iterator[tuple[str, str]]
"""Keys of a show, each with what is wrong about it."""


def problems(station: Station, since: date, others: Collection[str] = ()) -> list[ValidationProblem]:
    """All that is wrong. Overlaps are looked for only where all else is right.

    Args:
        others: ids of further shows of the file, which are not right.
    """
    found = [*_station_problems(station, others), *_same_ids(station.shows)]
    for n, show in enumerate(station.shows):
        found += [
            ValidationProblem(("shows", n, key), f"{show.id}: {text}")
            for key, text in _show_problems(show, station, others)
        ]
    return found or [
        ValidationProblem(("shows", _last_of(station.shows, clash.first, clash.second)), str(clash))
        for clash in overlaps(station.shows, since)
    ]


def _last_of(shows: Sequence[Show], *some: Show) -> int:
    return max(shows.index(show) for show in some)


def _station_problems(station: Station, others: Collection[str]) -> Iterator[ValidationProblem]:
    if station.lead.target < station.lead.guard:
        yield ValidationProblem(("lead",), "lead: target is below guard")
    if text := _unspeakable(station.language, station.voice, station):
        yield ValidationProblem(("language",), text)
    if not isinstance(station.fallback, Off):
        known = {*others, *(show.id for show in station.shows)}
        for key, text in _option_problems(station.fallback, known):
            yield ValidationProblem(("fallback", key), f"fallback: {text}")


def _same_ids(shows: Sequence[Show]) -> Iterator[ValidationProblem]:
    seen: set[str] = set()
    for n, show in enumerate(shows):
        if show.id in seen:
            yield ValidationProblem(("shows", n, "id"), f"there are two shows {show.id!r}")
        seen.add(show.id)


def _show_problems(show: Show, station: Station, others: Collection[str]) -> _Found:
    if not others:
        yield from _use_problems(show, station.shows)
    yield from _start_problems(show)
    yield from _length_problems(show)
    known = {*others, *(other.id for other in station.shows)}
    yield from _exception_problems(show, known)
    yield from _option_problems(show.options, known)
    voice = show.voice or station.voice
    if text := _unspeakable(show.language, voice, station):
        yield "language", text


def _use_problems(show: Show, shows: Sequence[Show]) -> _Found:
    if show.has_time:
        return
    if not any(show.id in other.instead.values() for other in shows):
        yield "id", "say when it starts: by 'at', by 'hours' (with 'every'), or by 'cron'"
        return
    for key in ("days", "date", "skip", "instead", "length"):
        if getattr(show, key):
            yield key, f"{key!r} is of no use to a show that airs only instead of others"


def _start_problems(show: Show) -> _Found:
    ways = [bool(show.at), show.hours is not None or show.every is not None, show.cron is not None]
    if sum(ways) > 1:
        yield "id", "say once when it starts: by 'at', by 'hours' (with 'every'), or by 'cron'"
    if show.every is not None and (show.every < _MINUTE or show.every % _MINUTE):
        yield "every", "'every' must be whole minutes"
    for key in ("days", "date"):
        if show.cron is not None and getattr(show, key):
            yield key, f"the cron line names the days already, leave out {key!r}"
    if show.date and show.days is not None:
        yield "days", "'date' names the days already, leave out 'days'"


def _length_problems(show: Show) -> _Found:
    is_by_hours = show.hours is not None and show.every is None
    if show.length is None and show.has_time and not is_by_hours:
        yield "id", "'length' is missing"
    if show.length is not None and is_by_hours:
        yield "length", "'hours' give the length already"
    if show.length is not None and not _MINUTE <= show.length <= LONGEST:
        yield "length", "'length' must be from 1m to 7d"


def _exception_problems(show: Show, known: set[str]) -> _Found:
    for other in sorted(set(show.instead.values())):
        if other == show.id:
            yield "instead", "it cannot air instead of itself"
        elif other not in known:
            yield "instead", f"there is no show {other!r}" + did_you_mean(other, known)
    named = frozenset((*show.skip, *show.instead))
    for day in sorted(set(show.skip) & set(show.instead)):
        yield "skip", f"{day} is also in 'instead'"
    if not show.has_time or not named:
        return
    usual = frozenset(show.start_days(min(named), max(named)))
    for day in sorted(named - usual):
        yield "skip" if day in show.skip else "instead", f"it does not start on {day} anyway"


def _option_problems(options: producer_kinds.Options, shows: Collection[str]) -> _Found:
    wrong = getattr(options, "problem", "")
    if wrong:
        yield (_QUOTED.findall(wrong) or ["producer"])[0], wrong
    else:
        yield from ((key, f"{key!r} names none") for key in _empty_lists(options))
    if isinstance(options, producer_kinds.Rerun):
        for show in options.shows:
            if show not in shows:
                yield "shows", f"there is no show {show!r}" + did_you_mean(show, set(shows))


def _empty_lists(options: Any) -> Iterator[str]:
    """Lists that must be written and name nothing."""
    for field in fields(options):
        if getattr(options, field.name) == () and field.default != ():
            yield field.name


def _unspeakable(language: str | None, voice: str, station: Station) -> str:
    """What is wrong if a voice does not speak the language of the words."""
    spoken = station.language_of(voice)
    if language is None or language.partition("-")[0] == spoken.partition("-")[0]:
        return ""
    return f"the voice {voice} speaks {spoken}, not {language}; `radio voices` lists the others"
