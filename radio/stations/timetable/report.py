"""What an editor sees before a file goes on air: all faults, or what will be heard in the next days."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from radio.errors import RadioError
from radio.log import log_event
from radio.stations.definition import loading
from radio.stations.definition.station import Station
from radio.stations.timetable import timetable
from radio.stations.timetable.outlook import ClockChange, Outlook, outlook, total
from radio.stations.timetable.timetable import Period

log = logging.getLogger(__name__)

Weigh = Callable[[str], int]
"""Bytes of a model's weights on this machine, by its name. Raises `RadioError` if it is not here."""
_DAY_MS = 86_400_000
MOST_LINES = 100
"""Of a station's coming days: more than a week of a dozen shows a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StationReport:
    """The outcome of a check; it is good if there are no faults.

    Attributes:
        weights: bytes of each model that is needed; of one that is not here, why.
    """

    faults: tuple[loading.Fault, ...]
    outlooks: tuple[Outlook, ...]
    weights: dict[str, int | str] = field(default_factory=dict)


def check(
    paths: Iterable[Path],
    now: int,
    *,
    days: int = 7,
    weigh: Weigh | None = None,
    is_spoken: Callable[[str], bool] = lambda language: True,
    probe: loading.Probe | None = None,
) -> StationReport:
    """Read these station files and look `days` ahead from `now` (epoch ms).

    Args:
        is_spoken: whether this radio can speak a voice's language.
        probe: looks into what a right station names.
    """
    loaded = loading.load(paths, timetable.today(now), probe)
    faults, outlooks = list(loaded.faults), []
    for file, station in loaded.stations.items():
        try:
            outlooks.append(outlook(station, now, days, is_spoken))
        except Exception as e:
            log.exception("no outlook", extra=log_event("stations.not_checked", file=file.name))
            faults.append(loading.Fault(file, 0, 0, f"cannot be planned: {type(e).__name__}: {e}"))
    models = {model for one in outlooks for model in one.models}
    weights = {model: _weight(model, weigh) for model in sorted(models)} if weigh else {}
    return StationReport(faults=tuple(sorted(faults)), outlooks=tuple(outlooks), weights=weights)


def _weight(model: str, weigh: Weigh) -> int | str:
    if model.startswith(("http://", "https://")):
        return 0
    try:
        return weigh(model)
    except RadioError as e:
        return f"{e}; {e.hint}" if e.hint else str(e)


def lines(report: StationReport, days: int | None = None) -> Iterator[str]:
    """The report as a person reads it: the faults, then each right station and its coming days.

    Args:
        days: of these, so many; None: all that was looked at.
    """
    yield from map(str, report.faults)
    for one in report.outlooks:
        yield _summary(one, report)
        yield from (f"  {text}" for text in _warnings(one, report))
        until = one.until if days is None else one.since + days * _DAY_MS
        yield from _first(_coming(one, until), one.station)
    if len(report.outlooks) > 1:
        size, models = total(report.outlooks)
        yield f"all {len(report.outlooks)} stations: " + _costs(size, models, report)


def _summary(one: Outlook, report: StationReport) -> str:
    station = one.station
    shows = "1 show" if len(station.shows) == 1 else f"{len(station.shows)} shows"
    said = f"{station.station}: right, {shows}, " + _costs(one.bytes_per_day, one.models, report)
    if station.keep is None:
        return said
    days = station.keep.total_seconds() / 86_400
    return f"{said}, {_size(one.bytes_per_day * days)} for {days:g} {'day' if days == 1 else 'days'}"


def _costs(bytes_per_day: float, models: Sequence[str], report: StationReport) -> str:
    said = f"{_size(bytes_per_day)} a day"
    if not models:
        return said
    runs = "1 LLM" if len(models) == 1 else f"{len(models)} LLMs at once"
    weights = [weight for model in models if isinstance(weight := report.weights.get(model), int)]
    return f"{said}, {runs}" + (f" ({_size(sum(weights))} of weights)" if sum(weights) else "")


def _size(size: float) -> str:
    return f"{size / 1e6:.0f} MB"


def _warnings(one: Outlook, report: StationReport) -> Iterator[str]:
    for language in one.unspoken:
        yield f"warning: this radio cannot speak {language}"
    for model in dict.fromkeys(one.models):
        if isinstance(why := report.weights.get(model), str):
            yield f"warning: model {model}: {why}"


def _coming(one: Outlook, end: int) -> list[Period | ClockChange]:
    """What begins before `end` (epoch ms), and between it the changes of the clocks."""
    told: list[Period | ClockChange] = [*one.clock_changes, *one.periods]  # changes first, as of one instant
    return sorted((entry for entry in told if entry.at < end), key=lambda entry: entry.at)


def _first(coming: Sequence[Period | ClockChange], station: Station) -> Iterator[str]:
    """As much of it as a person reads."""
    for entry in coming[:MOST_LINES]:
        yield "  " + (_period(station, entry) if isinstance(entry, Period) else _change(station, entry))
    if len(coming) > MOST_LINES:
        yield f"  and {len(coming) - MOST_LINES} more: radio timetable {station.station}"


def _change(station: Station, change: ClockChange) -> str:
    way = "forward" if change.shift.total_seconds() > 0 else "back"
    hours = abs(change.shift.total_seconds()) / 3600
    return f"{_clock(station, change.at)} the clocks go {way} by {hours:g} h"


def _period(station: Station, period: Period) -> str:
    begin, end = (timetable.local_time(ms, station.zone) for ms in (period.at, period.until))
    until = f"{end:%H:%M %z}" if begin.date() == end.date() else f"{end:%a %d %b %H:%M %z}"
    return f"{_clock(station, period.at)} to {until}  {_what(station, period)}"


def _what(station: Station, period: Period) -> str:
    slot = period.slot
    if slot is None:
        kind = station.fallback.producer
        return "off" if kind == "off" else f"fallback ({kind})"
    place = f", instead of {slot.instead_of}" if slot.instead_of else ""
    return f"{slot.show.title} ({slot.show.options.producer}{place})"


def _clock(station: Station, ms: int) -> str:
    return f"{timetable.local_time(ms, station.zone):%a %d %b %H:%M %z}"
