"""Shows that are on air at once, by the clock on the wall. Pure.

Clock changes keep the order of local times, so what is apart here is apart in fact. Where every week is like
every other, one week tells all; with cron lines that name days of the month, 28 years do, for then each date
has had each weekday. Dates that an editor names are looked at beside these.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from radio.stations.definition.show import Show
from radio.stations.definition.values import DAYS
from radio.stations.timetable.occurrences import Occurrence, occurrences

_DAY = timedelta(days=1)
_CYCLE_YEARS = 28
LONGEST = timedelta(days=7)
"""Of a show."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two shows, or one and itself, that are both on air from `when` on: naive local time.

    Attributes:
        is_weekly: it is so in every week, at this weekday and time.
    """

    first: Show
    second: Show
    when: datetime
    is_weekly: bool

    def __str__(self) -> str:
        when = f"{DAYS[self.when.weekday()]} {self.when:%H:%M}"
        when = when if self.is_weekly else f"{self.when:%Y-%m-%d}, {when}"
        if self.first is self.second:
            return f"{self.first.id} is not over when it starts again ({when})"
        return f"{self.first.id} and {self.second.id} overlap ({when})"


def overlaps(shows: Sequence[Show], since: date) -> list[Overlap]:
    """Pairs that are on air at once, each once with its first moment from `since` on, if any."""
    found: dict[frozenset[str], Overlap] = {}
    special = frozenset[date]().union(*(show.special_dates for show in shows))
    spans = _spans(shows, since, special)
    clashes = [clash for span in spans for clash in _clashes(occurrences(shows, *span), special)]
    for clash in sorted(clashes, key=lambda clash: (clash.when.date() < since, clash.when)):
        found.setdefault(frozenset((clash.first.id, clash.second.id)), clash)
    return list(found.values())


def _spans(shows: Sequence[Show], since: date, special: Iterable[date]) -> list[tuple[date, date]]:
    """Spans of dates that show every overlap there is, apart from each other."""
    reach = (max((show.lasts for show in shows), default=timedelta()).days + 2) * _DAY
    # a start of one day may lie in the night after it, and be on air for so long
    spans = [(since - reach, since + 7 * _DAY + reach)]
    spans += [(day - reach, day + reach) for day in {*special, *_unlike_days(shows, since, reach)}]
    joined: list[tuple[date, date]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], last)
        else:
            joined.append((first, last))
    return joined


def _unlike_days(shows: Sequence[Show], since: date, reach: timedelta) -> Iterable[date]:
    """Days of shows that differ from week to week: of days with the same around them the first."""
    irregular = [show for show in shows if show.cron is not None and show.weekdays is None]
    starting: dict[date, set[str]] = {}
    for show in irregular:
        for day in show.start_days(since - reach, since + _CYCLE_YEARS * 366 * _DAY):
            starting.setdefault(day, set()).add(show.id)
    alike: dict[object, date] = {}
    around = range(-reach.days, reach.days + 1)
    for day in sorted(starting):
        beside = ((n, starting.get(day + n * _DAY)) for n in around)
        alike.setdefault((day.weekday(), *((n, *sorted(ids)) for n, ids in beside if ids)), day)
    return alike.values()


def _clashes(started: Iterable[Occurrence], special: frozenset[date]) -> Iterable[Overlap]:
    latest: dict[str, Occurrence] = {}
    """Of each show the one that ends last so far."""
    for entry in sorted(started, key=lambda entry: (entry.start, entry.end)):
        for holder in latest.values():
            if entry.start < holder.end:
                is_weekly = all(e.show.weekdays is not None and e.day not in special for e in (holder, entry))
                yield Overlap(holder.show, entry.show, entry.start, is_weekly)
        last = latest.get(entry.show.id)
        if last is None or entry.end > last.end:
            latest[entry.show.id] = entry
