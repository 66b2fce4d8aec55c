"""How an editor spells lengths, times and days. Pure; what cannot be read is a `ValueError` that says so."""

import difflib
import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_WORDS = {"daily": range(7), "weekdays": range(5), "weekends": range(5, 7)}
_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_LONGEST_S = 100 * 366 * 86_400
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_LOOSE_TIME = re.compile(r"(\d{1,2})(?:[.:hH ]?([0-5]\d)|[hH:.])?")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MOST_DAYS = 366
_OTHER_WORDS = {
    "retention": "keep", "retain": "keep", "expire": "keep", "name": "title", "tz": "timezone",
    "zone": "timezone", "schedule": "shows", "programme": "shows", "program": "shows", "programs": "shows",
    "start": "at", "starts": "at", "time": "at", "duration": "length", "host": "persona",
    "character": "persona", "lang": "language", "repeat": "every", "interval": "every", "except": "skip",
    "type": "producer", "kind": "producer", "url": "feeds", "urls": "feeds", "path": "files",
    "file": "files", "command": "exec", "buffer": "lead", "pronunciation": "pronounce",
}  # fmt: skip
"""What editors call keys elsewhere, and the key here."""
FIRST_YEAR, LAST_YEAR = 2000, 2099
"""Of dates. Within them each date has each weekday once in 28 years."""


def duration(value: object) -> timedelta:
    """`30m`, `1h30m`, `14d`. Raises `ValueError`."""
    match = _DURATION.fullmatch(str(value))
    if not match or not str(value):
        raise ValueError(f"{value!r} is not a length of time; write 30m, 1h30m or 14d")
    seconds = sum(int(n) * unit for n, unit in zip(match.groups("0"), _UNITS.values(), strict=True))
    if seconds > _LONGEST_S:
        raise ValueError(f"{value!r} is longer than a century")
    return timedelta(seconds=seconds)


def time_of_day(value: object) -> int:
    """`07:00` in minutes of the day. Raises `ValueError`."""
    match = _TIME.fullmatch(str(value))
    if not match:
        meant = "00:00 for midnight" if str(value) == "24:00" else _meant(str(value))
        raise ValueError(f"{value!r} is not a time of day; write {meant}")
    return int(match[1]) * 60 + int(match[2])


def _meant(word: str) -> str:
    """The time that was meant by `07.30`, `7:30`, `0730` or `7h30`; else an example."""
    loose = _LOOSE_TIME.fullmatch(word.strip())
    strict = f"{int(loose[1]):02}:{loose[2] or '00'}" if loose else ""
    return strict if _TIME.fullmatch(strict) else "07:00"


def weekdays(value: object) -> frozenset[int]:
    """`daily`, `mon-fri`, `mon, wed, sat-sun`, or a list of such; Monday is 0. Raises `ValueError`."""
    words = value if isinstance(value, list | tuple) else str(value).split(",")
    days: set[int] = set()
    for word in words:
        days |= _day_word(str(word).strip().lower())
    if not days:
        raise ValueError("no day is named")
    return frozenset(days)


def _day_word(word: str) -> set[int]:
    if word in _DAY_WORDS:
        return set(_DAY_WORDS[word])
    ends = [part[:3] if part.endswith("day") else part for part in word.split("-")]
    if len(ends) > 2 or any(end not in DAYS for end in ends):
        raise ValueError(f"{word!r} is not a day; write daily, mon-fri or sat, sun")
    first, last = DAYS.index(ends[0]), DAYS.index(ends[-1])
    return {(first + n) % 7 for n in range((last - first) % 7 + 1)}


def times(value: object) -> tuple[int, ...]:
    """One time of day, or several as a list or after commas. Raises `ValueError`."""
    items = value if isinstance(value, list) else str(value).split(",")
    return tuple(sorted(time_of_day(str(item).strip()) for item in items))


def hours(value: object) -> tuple[int, int]:
    """`06:00-22:00`. Raises `ValueError`."""
    first, dash, last = str(value).partition("-")
    if not dash:
        raise ValueError(f"{value!r} is not a span of hours; write 06:00-22:00")
    return time_of_day(first.strip()), time_of_day(last.strip())


def dates(value: object) -> tuple[date, ...]:
    """`2026-12-24`, `2026-12-24..2027-01-01`, or several after commas or as a list. Raises `ValueError`."""
    items = value if isinstance(value, list | tuple) else str(value).split(",")
    found = sorted({day for item in items for day in _span(str(item).strip())})
    if not found:
        raise ValueError("no date is named")
    return tuple(found)


def shows_by_date(value: object) -> dict[date, str]:
    """`{2026-12-24: carols}`: the show of each date. Raises `ValueError`."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{value!r} does not say which show airs instead; write {{2026-12-24: show}}")
    found: dict[date, str] = {}
    for days, show in value.items():
        if not isinstance(show, str):
            raise ValueError(f"{show!r} is not the id of a show")
        for day in dates(days):
            if found.setdefault(day, show) != show:
                raise ValueError(f"two shows are to air instead on {day}")
    return found


def _span(word: str) -> list[date]:
    first, dots, last = word.partition("..")
    begin = _date(first.strip())
    end = _date(last.strip()) if dots else begin
    if end < begin:
        raise ValueError(f"{word!r} ends before it begins")
    if (end - begin).days >= _MOST_DAYS:
        raise ValueError(f"{word!r} is longer than a year")
    return [begin + timedelta(days=n) for n in range((end - begin).days + 1)]


def _date(word: str) -> date:
    match = _DATE.fullmatch(word)
    if not match or not FIRST_YEAR <= int(match[1]) <= LAST_YEAR:
        raise ValueError(f"{word!r} is not a date; write 2026-12-24")
    try:
        return date(*map(int, match.groups()))
    except ValueError:
        raise ValueError(f"there is no {word} in the calendar") from None


def did_you_mean(word: str, known: Sequence[str] | set[str]) -> str:
    """What is added to a complaint about an unknown word."""
    meant = _OTHER_WORDS.get(word.lower(), "")
    if meant in known:
        return f"; did you mean {meant}?"
    near = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}?" if near else ""
