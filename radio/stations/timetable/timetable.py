"""The timetable of a station: what airs when, as a function of its shows and the time asked about.

A show's start is local wall time, resolved for each date by itself: a time that does not exist is the first
instant that does, one that exists twice is the first of the two. Its end is the local start plus its length,
resolved in the same way. Intervals are half-open; the weekday is the start's; what would end no later than it
starts does not air. Since resolving keeps the order of local times, shows that do not overlap by the clock on
the wall never overlap in fact. Instants are epoch ms.

The slots of a date never change, so a `Timetable` keeps those of the dates it was asked about last.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache, partial
from itertools import accumulate
from zoneinfo import ZoneInfo

from radio.runs import run_id
from radio.stations.definition.show import Show
from radio.stations.timetable.occurrences import Occurrence, next_day, occurrences

_DAY = timedelta(days=1)
_DAY_MS = 86_400_000
_EPOCH = datetime(1970, 1, 1)
_MS = timedelta(milliseconds=1)
_NEAR_DAYS = 3
"""So many dates are looked at one by one for a boundary; after them only those on which something starts."""
_FAR_DAYS = 9 * 366
"""From one 29 February to the next may take eight years."""
_KEPT_DAYS = 16
"""All that one look touches, where a show lasts for a week. A date with a show every minute takes 0.4 MB."""
_LONG_MS = 2 * _DAY_MS
"""A longer span is asked about now and then, by cards and outlooks: its dates are not kept."""


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
    offset = zone.utcoffset(local)
    if offset is not None and offset == zone.utcoffset(local.replace(fold=1 - local.fold)):
        return (local - offset - _EPOCH) // _MS  # it exists once: the clocks do not change there
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


class Timetable:
    """What airs when, of these shows in this zone.

    Each answer depends on the shows, the zone and the arguments alone.
    """

    def __init__(self, shows: Sequence[Show], zone: ZoneInfo) -> None:
        self._shows = tuple(shows)
        self._zone = zone
        self._days_before = _days_before(self._shows)
        self._anew: Callable[[date], DaySlots] = partial(_day_slots, self._shows, zone)
        self._kept: Callable[[date], DaySlots] = lru_cache(maxsize=_KEPT_DAYS)(self._anew)

    def due(self, since: int, until: int) -> list[Slot]:
        """What starts from `since` on and before `until`, in order."""
        return _in_order(slot for day in self._days(since, until) for slot in day.starting(since, until))

    def show_at(self, now: int) -> Slot | None:
        """What is on air."""
        return next(iter(self._touching(now, now + 1)), None)

    def next_boundary(self, now: int) -> int | None:
        """The first start or end after `now`; None if none comes within nine years."""
        today = local_time(now, self._zone).date()
        near, last = today + _NEAR_DAYS * _DAY, today + _FAR_DAYS * _DAY
        day: date | None = today - self._days_before * _DAY
        found: int | None = None
        while day is not None and (found is None or start_of_day(day, self._zone) < found):
            edge = self._kept(day).edge_after(now)
            if edge is not None:
                found = edge if found is None else min(found, edge)
            day = day + _DAY if day < near else next_day(self._shows, day, last)
        return found

    def upcoming(self, now: int, days: float = 7) -> list[Slot]:
        """What is on air and what starts within so many days, in order."""
        return self._touching(now, now + round(days * _DAY_MS))

    def programme(self, since: int, until: int) -> list[Period]:
        """All of the time from `since` to before `until`, each moment in one period."""
        found: list[Period] = []
        at = since
        for slot in self._touching(since, until):
            if slot.at > at:
                found.append(Period(at=at, until=slot.at, slot=None))
            found.append(Period(at=max(slot.at, at), until=min(slot.until, until), slot=slot))
            at = found[-1].until
        return found if at >= until else [*found, Period(at=at, until=until, slot=None)]

    def _touching(self, since: int, until: int) -> list[Slot]:
        """What is on air at some moment from `since` on and before `until`, in order."""
        return _in_order(slot for day in self._days(since, until) for slot in day.touching(since, until))

    def _days(self, since: int, until: int) -> Iterator["DaySlots"]:
        """Of all dates whose shows may be on air within the span."""
        get = self._anew if until - since > _LONG_MS else self._kept
        day = local_time(since, self._zone).date() - self._days_before * _DAY
        while start_of_day(day, self._zone) < until:
            yield get(day)
            day += _DAY


@dataclass(frozen=True, slots=True)
class DaySlots:
    """What starts on one date, or in the night after it.

    Attributes:
        slots: ordered by `at`.
        starts: the `at` of each.
        ends: for each the latest `until` up to it, so that these ascend.
        edges: each `at` and `until`, ascending.
    """

    slots: tuple[Slot, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    edges: tuple[int, ...]

    def starting(self, since: int, until: int) -> tuple[Slot, ...]:
        """Those with `since <= at < until`."""
        return self.slots[bisect_left(self.starts, since) : bisect_left(self.starts, until)]

    def touching(self, since: int, until: int) -> Iterator[Slot]:
        """Those with `at < until` that are not over at `since`."""
        some = self.slots[bisect_right(self.ends, since) : bisect_left(self.starts, until)]
        return (slot for slot in some if slot.until > since)

    def edge_after(self, now: int) -> int | None:
        """The first start or end after `now`."""
        index = bisect_right(self.edges, now)
        return self.edges[index] if index < len(self.edges) else None


def _days_before(shows: Sequence[Show]) -> int:
    """How many dates back what is on air on a date may have begun."""
    ends = (timedelta(minutes=max(show.starts)) + show.lasts for show in shows if show.starts)
    return max((max(ends, default=_DAY) - timedelta.resolution) // _DAY, 0)


def _day_slots(shows: Sequence[Show], zone: ZoneInfo, day: date) -> DaySlots:
    found = [_slot(entry, zone) for entry in occurrences(shows, day, day)]
    slots = tuple(_in_order(slot for slot in found if slot.until > slot.at))
    return DaySlots(
        slots=slots,
        starts=tuple(slot.at for slot in slots),
        ends=tuple(accumulate((slot.until for slot in slots), max)),
        edges=tuple(sorted({edge for slot in slots for edge in (slot.at, slot.until)})),
    )


def _in_order(slots: Iterator[Slot]) -> list[Slot]:
    return sorted(slots, key=lambda slot: (slot.at, slot.until))


def _slot(entry: Occurrence, zone: ZoneInfo) -> Slot:
    return Slot(
        show=entry.show,
        local_start=entry.start,
        at=instant(entry.start, zone),
        until=instant(entry.end, zone),
        instead_of=entry.instead_of,
    )
