"""What starts on which dates, by the clock on the wall: weekdays, cron lines, dates, and exceptions. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from radio.stations.definition.show import Show


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A show on one of its days, in naive local time.

    Attributes:
        day: to which it belongs; its start may lie in the night after it.
        instead_of: the id of the show whose place it takes.
    """

    show: Show
    day: date
    start: datetime
    lasts: timedelta
    instead_of: str | None = None

    @property
    def end(self) -> datetime:
        return self.start + self.lasts


def occurrences(shows: Sequence[Show], first: date, last: date) -> Iterator[Occurrence]:
    """All that starts on the dates from `first` to `last`, both inclusive; show by show."""
    by_id = {show.id: show for show in shows}
    for show in shows:
        if not show.has_time:
            continue
        minutes, lasts = show.starts, show.lasts
        for day in show.start_days(first, last):
            if day in show.skip:
                continue
            other = show.instead.get(day)
            midnight = datetime(day.year, day.month, day.day)
            for minute in minutes:
                yield Occurrence(
                    show=by_id[other] if other else show,
                    day=day,
                    start=midnight + timedelta(minutes=minute),
                    lasts=lasts,
                    instead_of=show.id if other else None,
                )


def next_day(shows: Sequence[Show], after: date, last: date) -> date | None:
    """The first date after `after`, and not after `last`, on which something starts."""
    later = after + timedelta(days=1)
    found = (_first_day(show, later, last) for show in shows if show.has_time)
    return min((day for day in found if day), default=None)


def _first_day(show: Show, first: date, last: date) -> date | None:
    return next((day for day in show.start_days(first, last) if day not in show.skip), None)
