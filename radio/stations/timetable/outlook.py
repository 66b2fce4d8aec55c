"""What a station will air, and what that costs. Pure functions of the station and the time asked about."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Any

from radio import producer_kinds
from radio.stations.definition.station import Off, Station
from radio.stations.service.plan import AHEAD_MS
from radio.stations.timetable import timetable
from radio.stations.timetable.timetable import Period, Slot

BYTES_PER_MS = 8
"""Of sound, 64 kb/s."""
_DAY_MS = 86_400_000
_HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChange:
    """The clocks of a station's zone change at `at` (epoch ms): by `shift`, forward if positive."""

    at: int
    shift: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a station will air.

    Attributes:
        since, until: epoch ms.
        periods: all of that time, each moment once.
        clock_changes: within that time.
        bytes_per_day: of sound, by the hours on air.
        models: the LLM of each run that is at work at once with others, at the moment when most are.
        unspoken: languages of its voices that this radio cannot speak.
    """

    station: Station
    since: int
    until: int
    periods: tuple[Period, ...]
    clock_changes: tuple[ClockChange, ...]
    bytes_per_day: int
    models: tuple[str, ...]
    unspoken: tuple[str, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        return tuple(period.slot for period in self.periods if period.slot is not None)


def outlook(
    station: Station, since: int, days: int, is_spoken: Callable[[str], bool] = lambda language: True
) -> Outlook:
    """`days` from `since` (epoch ms) on.

    Args:
        is_spoken: whether this radio can speak a voice's language.
    """
    until = since + days * _DAY_MS
    periods = station.timetable.programme(since, until)
    slots = [period.slot for period in periods if period.slot is not None]
    on_air = [s for s in periods if s.slot is not None or not isinstance(station.fallback, Off)]
    voices = {station.voice, *(show.voice for show in station.shows if show.voice)}
    languages = {station.language_of(voice) for voice in voices}
    return Outlook(
        station=station,
        since=since,
        until=until,
        periods=tuple(periods),
        clock_changes=tuple(_clock_changes(station, since, days)),
        bytes_per_day=sum(s.until - s.at for s in on_air) * BYTES_PER_MS // days,
        models=tuple(most_at_once([(station, slots)])),
        unspoken=tuple(sorted(language for language in languages if not is_spoken(language))),
    )


def most_at_once(programmes: Iterable[tuple[Station, Iterable[Slot]]]) -> list[str]:
    """The LLMs at work at the moment at which most are; a run's is loaded ahead of its time.

    Args:
        programmes: stations, each with what it airs.
    """
    edges: list[tuple[int, int, str]] = []
    always: list[str] = []
    for station, slots in programmes:
        if uses_llm(station.fallback):
            always.append(station.model)
        for slot in slots:
            if uses_llm(slot.show.options):
                model = slot.show.model or station.model
                edges += [(slot.at - AHEAD_MS, 1, model), (slot.until, 0, model)]
    most: list[str] = []
    going: list[str] = []
    for _, begins, model in sorted(edges):
        if begins:
            going.append(model)
        else:
            going.remove(model)
        most = max(most, list(going), key=len)
    return [*always, *most]


def uses_llm(options: Any) -> bool:
    """Whether a producer with these options loads a model, or asks one."""
    return isinstance(options, producer_kinds.Llm) or getattr(options, "tell", "") == "llm"


def _clock_changes(station: Station, since: int, days: int) -> Iterator[ClockChange]:
    hours = [since + hour * _HOUR_MS for hour in range(days * 24 + 1)]
    for before, after in pairwise(hours):
        shift = _offset(station, after) - _offset(station, before)
        if shift:
            yield ClockChange(at=_change_between(station, before, after), shift=shift)


def _change_between(station: Station, before: int, after: int) -> int:
    offset = _offset(station, after)
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (before, middle) if _offset(station, middle) == offset else (middle, after)
    return after


def _offset(station: Station, ms: int) -> timedelta:
    return timetable.local_time(ms, station.zone).utcoffset() or timedelta()


def total(outlooks: Sequence[Outlook]) -> tuple[int, list[str]]:
    """Bytes of sound a day, and the LLMs at work at once, of several stations together."""
    models = most_at_once((one.station, one.slots) for one in outlooks)
    return sum(one.bytes_per_day for one in outlooks), models
