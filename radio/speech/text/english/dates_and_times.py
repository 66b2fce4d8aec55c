"""How English says dates, years and times. Pure."""

import re
from typing import Final

from radio.speech.text.english import numbers as say
from radio.speech.text.english.money_and_measures import Match, Numbers
from radio.speech.text.english.symbols_and_currencies import MONTH_OF, MONTHS, WEEKDAYS

_NAMED_FRACTIONS: Final = {
    (24, 7): "twenty-four seven",
    (9, 11): "nine eleven",
    (50, 50): "fifty-fifty",
    (20, 20): "twenty twenty",
}
_PLURAL: Final = re.compile(
    r" (?:people|men|women|children|persons|feet|mice|sheep|fish|more|other|"
    r"(?![a-z]{1,20}(?:us|ss|is|ics)\b)(?!(?:was|is|has|as|its|this|does|olympics|always|perhaps|plus|versus|across|towards|besides|sales|elections|series)\b)[a-z]{2,30}s)\b"
)
"""Words after four digits that make them a quantity."""
_OF_YEARS: Final = re.compile(
    r"\b(?:in|since|until|till|during|year|circa|summer|spring|winter|autumn) $", re.I
)
"""Words before four digits that make them a year, whatever follows."""


class DatesAndTimes(Numbers):
    """Dates, years, times."""

    def iso_date(self, found: Match) -> str:
        return self._date(int(found[3]), MONTHS[int(found[2]) - 1], found[1])

    def slash_date(self, found: Match) -> str:
        first, second = int(found[1]), int(found[2])
        day, month = (first, second) if self.is_british or first > 12 else (second, first)
        year = found[3] if len(found[3]) == 4 else f"{'20' if int(found[3]) < 50 else '19'}{found[3]}"
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return f"{say.cardinal(first)} {say.cardinal(second)} {say.number(found[3])}"
        return self._date(day, MONTHS[month - 1], year)

    def slash_day(self, found: Match) -> str:
        """Day and month, if one begins with a zero or they are not a likely fraction."""
        return self.day_and_month(int(found[1]), int(found[2]))

    def day_and_month(self, first: int, second: int) -> str:
        """In this variety's order, where both orders are possible."""
        day, month = (first, second) if first > 12 or (self.is_british and second <= 12) else (second, first)
        return self._date(day, MONTHS[month - 1], None)

    def dotted_date(self, found: Match) -> str:
        return self._date(int(found[1]), MONTHS[int(found[2]) - 1], found[3])

    def days_of_month(self, found: Match) -> str:
        until = f"{say.ordinal(int(found[2]))} to {say.ordinal(int(found[3]))}"
        return f"{MONTH_OF[found[1]]} {until}" + (f", {say.year(int(found[4]))}" if found[4] else "")

    def day_to_day(self, found: Match) -> str:
        return (
            f"{self._date(int(found[2]), MONTH_OF[found[1]], None)} to "
            f"{self._date(int(found[4]), MONTH_OF[found[3]], found[5])}"
        )

    def month_day(self, found: Match) -> str:
        return self._date(int(found[2]), MONTH_OF[found[1]], found[3])

    def day_month(self, found: Match) -> str:
        the = found[1] or "the "
        year = f" {say.year(int(found[4]))}" if found[4] else ""
        return f"{the}{say.ordinal(int(found[2]))} of {MONTH_OF[found[3]]}{year}"

    def _date(self, day: int, month: str, year: str | None) -> str:
        return f"{month} {say.ordinal(day)}" + (f", {say.year(int(year))}" if year else "")

    def month_year(self, found: Match) -> str:
        return f"{MONTH_OF[found[1]]} {say.year(int(found[2]))}"

    def fullname_of_month(self, found: Match) -> str:
        return MONTH_OF[found[1]]

    def weekday(self, found: Match) -> str:
        return WEEKDAYS[found[1]]

    def weekdays(self, found: Match) -> str:
        return f"{WEEKDAYS[found[1]]} to {WEEKDAYS[found[2]]}"

    def era(self, found: Match) -> str:
        return f"{self.year(found[1])} {found[2]}"

    def two_years(self, found: Match) -> str:
        return f"{say.year(int(found[1]))} {self.year(found[2])}"

    def year(self, digits: str) -> str:
        number = int(digits)
        if 100 <= number < 1000 and number % 100:
            rest = f"oh {say.cardinal(number % 100)}" if number % 100 < 10 else say.cardinal(number % 100)
            return f"{say.cardinal(number // 100)} {rest}"
        return say.year(number) if 1000 <= number < 3000 else say.whole_number(digits)

    def decade(self, found: Match) -> str:
        return say.decade(int(found[1]))

    def plain(self, found: Match) -> str:
        text, end = found[0], found.end()
        before = found.string[max(0, found.start() - 12) : found.start()]
        if _OF_YEARS.search(before) and re.fullmatch(r"1\d\d\d|20\d\d", text):
            return say.year(int(text))
        if _PLURAL.match(found.string, end, end + 40):
            return self.number(text)
        return self.maybe_year(text)

    def maybe_year(self, text: str) -> str:
        """A number that would be a year, as a year."""
        return say.year(int(text)) if re.fullmatch(r"1[1-9]\d\d|20\d\d", text) else self.number(text)

    def range(self, found: Match) -> str:
        if found[1] == found[2] == "50":
            return _NAMED_FRACTIONS[50, 50]
        return f"{self.maybe_year(found[1])} to {self.maybe_year(found[2])}"

    def fraction(self, found: Match) -> str:
        top, bottom = int(found[1]), int(found[2])
        if named := _NAMED_FRACTIONS.get((top, bottom)):
            return named
        if top > 20 or not (2 <= bottom <= 20 or bottom in (100, 1000)):
            return f"{say.cardinal(top)} over {say.cardinal(bottom)}"
        return say.fraction(top, bottom)

    def lap(self, found: Match) -> str:
        """`1:45.32`."""
        return f"{say.cardinal(int(found[1]))} {self._minutes(found[2])} {say.number(found[3])}"

    def verses(self, found: Match) -> str:
        """`John 3:16-18`."""
        until = f" to {say.cardinal(int(found[3]))}" if found[3] else ""
        return f"{found[1]}, {say.cardinal(int(found[2]))}{until}"

    def military(self, found: Match) -> str:
        """`at 1500 hours`."""
        return f"{'zero ' if found[1][0] == '0' else ''}{say.cardinal(int(found[1]))} hundred"

    def time_range(self, found: Match) -> str:
        begin = self._clock(found[1], found[2], found[3] or "")
        return f"{begin} to {self._clock(found[4], found[5], found[6] or '')}"

    def time(self, found: Match) -> str:
        seconds = f" and {say.cardinal(int(found[3]))} seconds" if found[3] else ""
        return self._clock(found[1], found[2], found[4] or "") + seconds

    def hour(self, found: Match) -> str:
        return self._clock(found[1], None, found[2])

    def hour_range(self, found: Match) -> str:
        begin = self._clock(found[1], None, found[2] or "")
        return f"{begin} to {self._clock(found[3], None, found[4])}"

    def _clock(self, hour: str, minute: str | None, half: str) -> str:
        said = say.cardinal(int(hour))
        half = " a.m." if half[:1] in "aA" and half else " p.m." if half else ""
        if minute is None or (minute == "00" and half):
            return said + half
        if minute == "00":
            return _on_the_hour(int(hour))
        return f"{said} {self._minutes(minute)}{half}"

    def _minutes(self, digits: str) -> str:
        return f"{'oh ' if digits[0] == '0' else ''}{say.cardinal(int(digits))}"

    def lasting(self, found: Match) -> str:
        """`1h30`, `5m 30s`."""
        names = {"h": ("hour", "hours"), "m": ("minute", "minutes"), "s": ("second", "seconds")}
        one, many = names[found[2]]
        first = f"{self.number(found[1])} {one if found[1] == '1' else many}"
        if not found[4]:
            return f"{first} {self.number(found[3])}"
        one, many = names[found[4]]
        return f"{first} {self.number(found[3])} {one if found[3] == '1' else many}"


def _on_the_hour(hour: int) -> str:
    if hour in (0, 24):
        return "midnight"
    return f"{say.cardinal(hour)} o'clock" if hour <= 12 else f"{say.cardinal(hour)} hundred"
