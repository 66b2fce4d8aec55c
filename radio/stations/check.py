"""What an editor sees before a file goes on air: all faults, or what will be heard in the next days."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from radio.stations import files, timetable
from radio.stations.station import Station


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockChange:
    """The clocks of a station's zone change at `at` (epoch ms): by `shift`, forward if positive."""

    at: int
    shift: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What a station will air.

    Attributes:
        now: epoch ms.
        slots: what is on air and what starts within the days asked for.
        clock_changes: within the same days.
        bytes_per_day: of audio, by the hours on air.
    """

    station: Station
    now: int
    slots: tuple[timetable.Slot, ...]
    clock_changes: tuple[ClockChange, ...]
    bytes_per_day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The outcome of a check; it is good if there are no faults."""

    faults: tuple[files.Fault, ...]
    outlooks: tuple[Outlook, ...]


_BYTES_PER_MS = 8
_DAY_MS = 86_400_000


def check(paths: Iterable[Path], now: int, *, days: int = 7) -> Report:
    """Read these station files and look `days` ahead from `now` (epoch ms)."""
    loaded = files.load(paths)
    outlooks = tuple(_outlook(station, now, days) for station in loaded.stations.values())
    return Report(faults=loaded.faults, outlooks=outlooks)


def _outlook(station: Station, now: int, days: int) -> Outlook:
    slots = timetable.upcoming(station, now, days)
    until = now + days * _DAY_MS
    on_air = sum(min(slot.until, until) - max(slot.at, now) for slot in slots)
    return Outlook(
        station=station,
        now=now,
        slots=tuple(slots),
        clock_changes=tuple(_clock_changes(station, now, days)),
        bytes_per_day=on_air * _BYTES_PER_MS // days,
    )


def _clock_changes(station: Station, now: int, days: int) -> Iterable[ClockChange]:
    hours = [now + hour * 3_600_000 for hour in range(days * 24 + 1)]
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


def lines(report: Report) -> Iterator[str]:
    """The report as a person reads it: the faults, then each right station and its coming day."""
    yield from map(str, report.faults)
    for outlook in report.outlooks:
        yield _summary(outlook)
        for slot in outlook.slots:
            if slot.at < outlook.now + _DAY_MS:
                yield f"  {_clock(outlook, slot.at)} to {_clock(outlook, slot.until)}  {slot.show.title}"
        for change in outlook.clock_changes:
            hours = change.shift.total_seconds() / 3600
            yield f"  the clocks change {_clock(outlook, change.at)}: {hours:+g} h"


def _summary(outlook: Outlook) -> str:
    station = outlook.station
    shows = "1 show" if len(station.shows) == 1 else f"{len(station.shows)} shows"
    said = f"{station.station}: right, {shows}, {outlook.bytes_per_day / 1e6:.0f} MB a day"
    if station.keep is None:
        return said
    days = station.keep.total_seconds() / 86_400
    return (
        f"{said}, {outlook.bytes_per_day * days / 1e6:.0f} MB for {days:g} {'day' if days == 1 else 'days'}"
    )


def _clock(outlook: Outlook, ms: int) -> str:
    return f"{timetable.local_time(ms, outlook.station.zone):%a %d %b %H:%M %z}"
