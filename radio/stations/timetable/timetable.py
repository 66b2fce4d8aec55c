"""The timetable of a station: pure functions of its shows and the time asked about.

A show's start is local wall time, resolved for each date by itself: a time that does not exist is the first
instant that does, one that exists twice is the first of the two. Its end is the local start plus its length,
resolved in the same way. Intervals are half-open; the weekday is the start's; what would end no later than it
starts does not air. Since resolving keeps the order of local times, shows that do not overlap by the clock on
the wall never overlap in fact. Instants are epoch ms.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from radio.runs import run_id
from radio.stations.definition.show import Show
from radio.stations.definition.station import Station
from radio.stations.timetable.occurrences import Occurrence, next_day, occurrences

_DAY = timedelta(days=1)
_NEAR_DAYS = 3
"""A boundary is first looked for within so many days."""
_FAR_DAYS = 9 * 366
"""From one 29 February to the next may take eight years."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One occurrence of a show, from `at` to before `until`.

    Attributes:
        instead_of: the id of the show whose place it takes.
    """

    show: Show
    local_start: datetime
    at: int
    until: int
    instead_of: str | None = None

    @property
    def run(self) -> str:
        return run_id(self.show.id, self.local_start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Time from `at` to before `until` (epoch ms), with the show on air; None: there is none."""

    at: int
    until: int
    slot: Slot | None


def instant(local: datetime, zone: ZoneInfo) -> int:
    """The instant of a naive local time, by the rule above."""
    early = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if early.astimezone(zone).replace(tzinfo=None) == local:
        return _ms(early)
    return _ms(_transition(local.replace(tzinfo=zone, fold=1).astimezone(UTC), early, zone))


def _transition(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The first instant of the offset that holds at `after`, which does not hold at `before` yet."""
    if before > after:
        before, after = after, before
    offset = after.astimezone(zone).utcoffset()
    low, high = int(before.timestamp()), int(after.timestamp())
    while high - low > 1:
        middle = (low + high) // 2
        holds = datetime.fromtimestamp(middle, UTC).astimezone(zone).utcoffset() == offset
        low, high = (low, middle) if holds else (middle, high)
    return datetime.fromtimestamp(high, UTC)


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def local_time(ms: int, zone: ZoneInfo) -> datetime:
    """An instant by the clock on the wall, with its offset."""
    return datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone)


def today(now: int) -> date:
    """The date in UTC, where no station's zone is asked about."""
    return datetime.fromtimestamp(now / 1000, UTC).date()


def start_of_day(day: date, zone: ZoneInfo, *, days_later: int = 0) -> int:
    """The first instant of a date, or of one some days later."""
    later = day + days_later * _DAY
    return instant(datetime(later.year, later.month, later.day), zone)


def due(station: Station, since: int, until: int) -> list[Slot]:
    """What starts from `since` on and before `until`, in order."""
    return [slot for slot in _slots(station, since, until) if since <= slot.at < until]


def show_at(station: Station, now: int) -> Slot | None:
    """What is on air."""
    return next((slot for slot in _slots(station, now, now + 1) if slot.at <= now < slot.until), None)


def next_boundary(station: Station, now: int) -> int | None:
    """The first instant after `now` at which a show starts or ends; None if none comes within nine years."""
    until = now + _NEAR_DAYS * 86_400_000
    found = _first_edge(station, now, until)
    day, last = _date(until, station.zone), _date(now, station.zone) + _FAR_DAYS * _DAY
    while found is None:
        following = next_day(station.shows, day, last)
        if following is None:
            return None
        day = following
        found = _first_edge(station, now, start_of_day(day, station.zone, days_later=1))
    return found


def _first_edge(station: Station, now: int, until: int) -> int | None:
    """The first start or end after `now`, if something starts or ends up to about `until`."""
    edges = (edge for slot in _slots(station, now, until) for edge in (slot.at, slot.until))
    return min((edge for edge in edges if edge > now), default=None)


def upcoming(station: Station, now: int, days: float = 7) -> list[Slot]:
    """What is on air and what starts within so many days, in order."""
    until = now + round(days * 86_400_000)
    return [slot for slot in _slots(station, now, until) if slot.until > now and slot.at < until]


def programme(station: Station, since: int, until: int) -> list[Period]:
    """All of the time from `since` to before `until`, each moment in one period."""
    found: list[Period] = []
    at = since
    for slot in upcoming(station, since, (until - since) / 86_400_000):
        if slot.at > at:
            found.append(Period(at=at, until=slot.at, slot=None))
        found.append(Period(at=max(slot.at, at), until=min(slot.until, until), slot=slot))
        at = found[-1].until
    return found if at >= until else [*found, Period(at=at, until=until, slot=None)]


def _slots(station: Station, since: int, until: int) -> list[Slot]:
    """All occurrences that touch the span, and some around it, in order."""
    zone = station.zone
    longest = max((show.lasts for show in station.shows), default=timedelta())
    first = _date(since, zone) - (longest.days + 3) * _DAY
    last = _date(until, zone) + 2 * _DAY
    found = (_slot(entry, zone) for entry in occurrences(station.shows, first, last))
    return sorted((slot for slot in found if slot.until > slot.at), key=lambda slot: (slot.at, slot.until))


def _date(ms: int, zone: ZoneInfo) -> date:
    return local_time(ms, zone).date()


def _slot(entry: Occurrence, zone: ZoneInfo) -> Slot:
    return Slot(
        show=entry.show,
        local_start=entry.start,
        at=instant(entry.start, zone),
        until=instant(entry.end, zone),
        instead_of=entry.instead_of,
    )
