from datetime import date, timedelta

import pytest

from radio.stations.timetable.cron import read_cron


def days(line: str, first: str = "2026-11-01", last: str = "2026-11-30") -> list[int]:
    found = read_cron(line).days(date.fromisoformat(first), date.fromisoformat(last))
    return [day.day for day in found]


@pytest.mark.parametrize(
    ("line", "minutes"),
    [
        ("0 7 * * *", [420]),
        ("0 */8 * * *", [0, 480, 960]),
        ("15,45 6-7 * * *", [375, 405, 435, 465]),
        ("*/40 0 1 1 *", [0, 40]),
    ],
)
def test_minute_and_hour_are_the_starts_of_each_day(line: str, minutes: list[int]) -> None:
    assert list(read_cron(line).minutes) == minutes


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("0 7 * * 7", [1, 8, 15, 22, 29]),
        ("0 7 * * 0", [1, 8, 15, 22, 29]),
        ("0 7 * * sun", [1, 8, 15, 22, 29]),
        ("0 7 * * Sat-7", [1, 7, 8, 14, 15, 21, 22, 28, 29]),
        ("0 7 13 * *", [13]),
        ("0 7 * nov *", list(range(1, 31))),
        ("0 7 * dec *", []),
        ("0 7 L * *", [30]),
        ("0 7 * * mon#1", [2]),
        ("0 7 * * 5L", [27]),
    ],
)  # fmt: skip
def test_days_are_those_of_the_line(line: str, found: list[int]) -> None:
    assert days(line) == found


def test_of_day_and_weekday_either_is_enough_and_both_are_needed_beside_a_star() -> None:
    assert days("0 7 13 * mon") == [2, 9, 13, 16, 23, 30]
    assert days("0 7 */2 * mon") == [9, 23]


def test_weekdays_are_known_where_each_week_is_the_same() -> None:
    assert read_cron("0 7 * * mon,sun").weekdays == frozenset((0, 6))
    assert read_cron("0 7 * * *").weekdays == frozenset(range(7))
    assert read_cron("0 7 1 * *").weekdays is None
    assert read_cron("0 7 * 5 mon").weekdays is None
    assert read_cron("0 7 * * mon#2").weekdays is None


def test_days_of_a_weekly_line_are_its_weekdays() -> None:
    line, first = read_cron("0 7 * * tue-thu"), date(2026, 1, 1)
    found = set(line.days(first, first + timedelta(days=730)))
    assert found == {d for d in (first + timedelta(days=n) for n in range(731)) if d.weekday() in (1, 2, 3)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 7 * *", "is not a cron line; write minute, hour"),
        ("0 0 7 * * *", "is not a cron line; write minute, hour"),
        ("", "is not a cron line; write minute, hour"),
        ("61 7 * * *", "bad minute"),
        ("0 7 * * fri-mon", "bad day-of-week"),
        ("0 7 31 feb *", "bad day-of-month"),
        ("0 7 * * montag", "bad day-of-week"),
        ("*/0 7 * * *", "bad minute"),
    ],
)
def test_what_is_no_cron_line_is_told(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_cron(line)
