"""The assignment for a producer that a person starts, instead of the scheduler."""

import difflib
from collections.abc import Iterable

from radio.errors import BadInput, NotFound
from radio.runs import Assignment
from radio.settings import Settings
from radio.stations.definition import loading
from radio.stations.definition.station import Station
from radio.stations.service import plan
from radio.stations.timetable.timetable import Slot
from radio.streams.records import Begin

_DAYS_AHEAD = 8
"""Long enough to find a show that airs once a week."""


def assignment(settings: Settings, station_id: str, show: str, run: str | None, now: int) -> Assignment:
    """A show's run: the one with that id, or else the one on air at `now` (epoch ms), or else the next.

    Raises:
        NotFound: no such station, show or run.
        BadInput: the station's file has errors.
    """
    station = station_of(settings, station_id)
    slot = _slot(station, show, run, now)
    begin = Begin(
        run=slot.run,
        show=slot.show.id,
        title=slot.show.title,
        voice=slot.show.voice or station.voice,
        producer=slot.show.options.producer,
        at=slot.at,
        until=slot.until,
    )
    told = plan.assignment(station, begin, attempt=1)
    assert told is not None, "the slot is of a show of this very station"
    return told


def station_of(settings: Settings, station_id: str) -> Station:
    """The station with that id. Raises `NotFound`, or `BadInput` if a file has errors."""
    loaded = loading.load(loading.find(settings.schedules))
    for station in loaded.stations.values():
        if station.station == station_id:
            return station
    if loaded.faults:
        raise BadInput(str(loaded.faults[0]), hint="`radio check` shows every fault")
    known = [station.station for station in loaded.stations.values()]
    raise NotFound(f"no station {station_id!r} in {settings.schedules}", hint=_nearest(station_id, known))


def _slot(station: Station, show: str, run: str | None, now: int) -> Slot:
    if show not in {entry.id for entry in station.shows}:
        raise NotFound(
            f"{station.station} has no show {show!r}",
            hint=_nearest(show, (entry.id for entry in station.shows)),
        )
    slots = [slot for slot in station.timetable.upcoming(now, days=_DAYS_AHEAD) if slot.show.id == show]
    for slot in slots:
        if run is None or slot.run == run:
            return slot
    runs = ", ".join(slot.run for slot in slots[:5])
    raise NotFound(
        f"{show} has no run {run}" if run else f"{show} does not air within {_DAYS_AHEAD} days",
        hint=f"its next runs: {runs}" if runs else "see the station's file",
    )


def _nearest(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else "there is " + (", ".join(names) or "none")
