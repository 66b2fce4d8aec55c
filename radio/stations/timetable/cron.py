"""Starts by a cron line. The only module that knows cronsim.

The library reads the line and knows the calendar. It is asked about naive local times only, so that its own
treatment of clock changes never applies: local times are resolved by the timetable, like all others.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property, lru_cache

from cronsim import CronSim, CronSimError

_SOME_MONDAY = datetime(2024, 1, 1)
_SECOND = timedelta(seconds=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Cron:
    """A line of five fields: minute, hour, day of month, month, weekday; as the editor wrote it."""

    line: str

    @cached_property
    def minutes(self) -> tuple[int, ...]:
        """The starts of each of its days, in minutes after midnight."""
        minute, hour, *_ = self.line.split()
        times = _matches(f"{minute} {hour} * * *", _SOME_MONDAY, _SOME_MONDAY + _DAY)
        return tuple(time.hour * 60 + time.minute for time in times)

    @cached_property
    def weekdays(self) -> frozenset[int] | None:
        """Its days, Monday is 0, if each week has the same; else None."""
        day, month, weekday = self.line.split()[2:]
        if (day, month) != ("*", "*") or any(sign in weekday.upper() for sign in "L#"):
            return None
        found = _matches(f"0 0 * * {weekday}", _SOME_MONDAY, _SOME_MONDAY + 7 * _DAY)
        return frozenset(time.weekday() for time in found)

    def days(self, first: date, last: date) -> Iterator[date]:
        """Its days from `first` to `last`, both inclusive."""
        return iter(_days(" ".join(self.line.split()[2:]), first, last))


def read_cron(value: object) -> Cron:
    """Raises `ValueError` if it is not a cron line of five fields, or no day matches it."""
    line = " ".join(str(value).split())
    if len(line.split()) != 5:
        raise ValueError(
            f"{value!r} is not a cron line; write minute, hour, day of month, month and weekday, "
            "such as '0 */2 * * mon-fri'"
        )
    try:
        next(CronSim(line, _SOME_MONDAY))
    except CronSimError as e:
        raise ValueError(f"{value!r} is not a cron line: {str(e).lower()}") from e
    except StopIteration:
        raise ValueError(f"{value!r} matches no day of the calendar") from None
    return Cron(line)


@lru_cache(maxsize=256)  # the same years are asked for whenever a file is read
def _days(fields: str, first: date, last: date) -> tuple[date, ...]:
    begin = datetime(first.year, first.month, first.day)
    end = datetime(last.year, last.month, last.day) + _DAY
    return tuple(time.date() for time in _matches(f"0 0 {fields}", begin, end))


def _matches(line: str, begin: datetime, end: datetime) -> Iterator[datetime]:
    """The naive local times that match, from `begin` to before `end`."""
    for time in CronSim(line, begin - _SECOND):
        if time >= end:
            return
        yield time
