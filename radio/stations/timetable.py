"""The timetable of a station: pure functions of its shows and the time asked about.

A show's start is local wall time, resolved for each date by itself: a time that does not exist is the first
instant that does, one that exists twice is the first of the two. Its end is the local start plus its length,
resolved in the same way. Intervals are half-open; the weekday is the start's; what would end no later than it
starts does not air. Since resolving keeps the order of local times, shows that do not overlap by the clock on
the wall never overlap in fact. Instants are epoch ms.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from radio.runs import run_id
from radio.stations.station import Show, Station
from radio.stations.values import DAYS

_DAY = timedelta(days=1)
_WEEK = 7 * 1440
_HORIZON_DAYS = 16
"""A boundary of a weekly timetable comes within two weeks: one week may lose its start to a skipped day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One occurrence of a show, from `at` to before `until`."""

    show: Show
    local_start: datetime
    at: int
    until: int

    @property
    def run(self) -> str:
        return run_id(self.show.id, self.local_start)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two shows, or one and itself, that are both on air `when`: weekday and time."""

    first: Show
    second: Show
    when: str


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
    """The first instant after `now` at which a show starts or ends."""
    horizon = now + _HORIZON_DAYS * 86_400_000
    edges = (edge for slot in _slots(station, now, horizon) for edge in (slot.at, slot.until))
    return min((edge for edge in edges if edge > now), default=None)


def upcoming(station: Station, now: int, days: float = 7) -> list[Slot]:
    """What is on air and what starts within so many days, in order."""
    until = now + round(days * 86_400_000)
    return [slot for slot in _slots(station, now, until) if slot.until > now and slot.at < until]


def _slots(station: Station, since: int, until: int) -> list[Slot]:
    """All occurrences that touch the span, and some around it, in order."""
    zone = station.zone
    longest = max((show.lasts for show in station.shows), default=timedelta())
    first = _date(since, zone) - longest - 2 * _DAY
    last = _date(until, zone) + 2 * _DAY
    found = (
        _slot(show, start, zone)
        for show in station.shows
        for start in _local_starts(show, first.date(), last.date())
    )
    return sorted((slot for slot in found if slot.until > slot.at), key=lambda slot: (slot.at, slot.until))


def _date(ms: int, zone: ZoneInfo) -> datetime:
    return local_time(ms, zone).replace(tzinfo=None)


def _local_starts(show: Show, first: date, last: date) -> Iterator[datetime]:
    for n in range((last - first).days + 1):
        day = first + n * _DAY
        if day.weekday() in show.days:
            midnight = datetime(day.year, day.month, day.day)
            yield from (midnight + timedelta(minutes=m) for m in show.starts)


def _slot(show: Show, start: datetime, zone: ZoneInfo) -> Slot:
    return Slot(
        show=show, local_start=start, at=instant(start, zone), until=instant(start + show.lasts, zone)
    )


def overlaps(shows: Sequence[Show]) -> list[Overlap]:
    """Pairs that are on air at once in some week, by the clock on the wall; each pair once."""
    week = sorted(
        (
            ((day * 1440 + minute) % _WEEK, show.lasts.total_seconds() / 60, show)
            for show in shows
            for day in show.days
            for minute in show.starts
        ),
        key=lambda entry: entry[:2],
    )
    if not week:
        return []
    around = [*week, *((start + _WEEK, length, show) for start, length, show in week)]
    clashes: dict[tuple[str, str], Overlap] = {}
    open_until, holder = 0.0, week[0][2]
    for (start, length, show), (following, _, other) in pairwise(around):
        if start + length > open_until:
            open_until, holder = start + length, show
        if following < open_until:
            clashes.setdefault((holder.id, other.id), Overlap(holder, other, _when(following)))
    return list(clashes.values())


def _when(minute: int) -> str:
    day, minute = divmod(minute % _WEEK, 1440)
    return f"{DAYS[day]} {minute // 60:02}:{minute % 60:02}"
