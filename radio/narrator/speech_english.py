"""How English says what `speech_steps` finds: numbers, times, money, units, addresses. Pure."""

import re
from typing import Final

from radio.narrator import spoken_numbers as say
from radio.narrator.speech_tables import (
    ABBREVIATIONS,
    CURRENCIES,
    DEGREES,
    GREEK,
    MAGNITUDES,
    MAY_END,
    MONTH_OF,
    MONTHS,
    SYMBOLS,
    UNITS,
    VULGAR_FRACTIONS,
    WEEKDAYS,
)

Match = re.Match[str]


class English:
    """Words for one kind of English, each method for one kind of match.

    Args:
        british: "and" behind the hundreds; in 4/7 the day comes first.
    """

    def __init__(self, *, british: bool) -> None:
        self._british = british

    def number(self, text: str) -> str:
        return say.number(text, british=self._british)

    def email(self, found: Match) -> str:
        return _spelt_address(found[1]) + " at " + _spelt_address(found[2])

    def url(self, found: Match) -> str:
        host, path = found["host"], (found["path"] or "").rstrip("/")
        port = f" port {say.digits(found['port'])}" if found["port"] else ""
        return _spelt_address(host) + port + _spelt_address(path.partition("?")[0].partition("#")[0])

    def ip_address(self, found: Match) -> str:
        address = " dot ".join(say.digits(part) for part in found[1].split("."))
        return address + (f" port {say.digits(found[2])}" if found[2] else "")

    def iso_date(self, found: Match) -> str:
        return self._date(int(found[3]), MONTHS[int(found[2]) - 1], found[1])

    def slash_date(self, found: Match) -> str:
        first, second = int(found[1]), int(found[2])
        day, month = (first, second) if self._british or first > 12 else (second, first)
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return f"{say.cardinal(first)} {say.cardinal(second)} {say.number(found[3])}"
        return self._date(day, MONTHS[month - 1], found[3])

    def month_day(self, found: Match) -> str:
        return self._date(int(found[2]), MONTH_OF[found[1]], found[3])

    def day_month(self, found: Match) -> str:
        of = (
            f"the {say.ordinal(int(found[2]))}" if not found[1] else f"{found[1]}{say.ordinal(int(found[2]))}"
        )
        year = f" {say.year(int(found[4]))}" if found[4] else ""
        return f"{of} of {MONTH_OF[found[3]]}{year}"

    def _date(self, day: int, month: str, year: str | None) -> str:
        return f"{month} {say.ordinal(day)}" + (f", {say.year(int(year))}" if year else "")

    def month_year(self, found: Match) -> str:
        return f"{MONTH_OF[found[1]]} {say.year(int(found[2]))}"

    def weekdays(self, found: Match) -> str:
        return f"{WEEKDAYS[found[1]]} to {WEEKDAYS[found[2]]}"

    def time_range(self, found: Match) -> str:
        return f"{self._clock(found[1], found[2], '')} to {self._clock(found[3], found[4], found[5] or '')}"

    def time(self, found: Match) -> str:
        seconds = f" and {say.cardinal(int(found[3]))} seconds" if found[3] else ""
        return self._clock(found[1], found[2], found[4] or "") + seconds

    def hour(self, found: Match) -> str:
        return self._clock(found[1], None, found[2])

    def hour_range(self, found: Match) -> str:
        return f"{say.cardinal(int(found[1]))} to {self._clock(found[2], None, found[3])}"

    def _clock(self, hour: str, minute: str | None, half: str) -> str:
        said = say.cardinal(int(hour))
        half = " a.m." if half[:1] in "aA" and half else " p.m." if half else ""
        if minute is None or (minute == "00" and half):
            return said + half
        if minute == "00":
            return _on_the_hour(int(hour))
        return f"{said} {'oh ' if minute[0] == '0' else ''}{say.cardinal(int(minute))}{half}"

    def ratio(self, found: Match) -> str:
        return f"{self.number(found[1])} to {self.number(found[2])}"

    def phone(self, found: Match) -> str:
        groups = re.findall(r"\d+", found[0])
        plus = "plus " if found[0].startswith("+") else ""
        return plus + ", ".join(map(say.digits, groups))

    def money(self, found: Match) -> str:
        sign = "minus " if found["sign"] else ""
        until = f"{self.number(found['until'])} to " if found["until"] else ""
        return sign + until + self._amount(found["number"], found["size"], found["currency"])

    def money_behind(self, found: Match) -> str:
        return self._amount(found["number"], found["size"], found["currency"])

    def _amount(self, number: str, size: str | None, currency: str) -> str:
        one, many, cent, cents = CURRENCIES[currency]
        if size:
            return f"{self.number(number)} {MAGNITUDES[size]} {many}"
        whole, _, part = number.replace(",", "").partition(".")
        if len(part) != 2 or not cent:
            return f"{self.number(number)} {one if number == '1' else many}"
        units = f"{self.number(whole)} {one if int(whole) == 1 else many}"
        small = f"{say.cardinal(int(part))} {cent if int(part) == 1 else cents}"
        return units if not int(part) else small if not int(whole) else f"{units} and {small}"

    def cents(self, found: Match) -> str:
        return f"{self.number(found[1])} {'cent' if found[1] == '1' else 'cents'}"

    def degrees(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        unit = "degree" if found[2] == "1" else "degrees"
        return f"{until}{self.number(found[2])} {unit}{DEGREES[found[3] or '']}"

    def bare_degrees(self, found: Match) -> str:
        return f"{self.number(found[1])} degrees{DEGREES[found[2]]}"

    def percent(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        return f"{until}{self.number(found[2])} percent"

    def feet_and_inches(self, found: Match) -> str:
        return f"{say.cardinal(int(found[1]))} foot {say.cardinal(int(found[2]))}"

    def unit(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        return f"{until}{self.number(found[2])} {self._unit_name(found[3], found[2] == '1' and not until)}"

    def _unit_name(self, unit: str, single: bool) -> str:
        name = UNITS[unit][0 if single else 1]
        return re.sub(r"(met|lit)er", r"\1re", name) if self._british else name

    def size(self, found: Match) -> str:
        return f"{self.number(found[1])} by {self.number(found[2])}"

    def times(self, found: Match) -> str:
        return f"{self.number(found[1])} times"

    def version(self, found: Match) -> str:
        return f"{found[1] or 'version'} {_dotted(found[2])}"

    def dotted(self, found: Match) -> str:
        return _dotted(found[0])

    def decade(self, found: Match) -> str:
        return say.decade(int(found[1]))

    def ordinal(self, found: Match) -> str:
        return say.ordinal(int(found[1].replace(",", "")), british=self._british)

    def regnal(self, found: Match) -> str:
        value = say.roman(found[2])
        return f"{found[1]} the {say.ordinal(value)}" if value else found[0]

    def chapter(self, found: Match) -> str:
        value = say.roman(found[2])
        return f"{found[1]} {say.cardinal(value)}" if value else found[0]

    def magnitude(self, found: Match) -> str:
        return f"{self.number(found[1])} {MAGNITUDES[found[2]]}"

    def mixed_fraction(self, found: Match) -> str:
        part = say.fraction(int(found[2]), int(found[3]))
        part = "a half" if part == "one half" else "a quarter" if part == "one quarter" else part
        return f"{self.number(found[1])} and {part}"

    def fraction(self, found: Match) -> str:
        top, bottom = int(found[1]), int(found[2])
        if (top, bottom) == (24, 7):
            return "twenty-four seven"
        if not 2 <= bottom <= 20 or top > 20:
            return f"{say.cardinal(top)} over {say.cardinal(bottom)}"
        return say.fraction(top, bottom)

    def numbered(self, found: Match) -> str:
        return f"number {self.number(found[1])}"

    def range(self, found: Match) -> str:
        return f"{self._plain(found[1])} to {self._plain(found[2])}"

    def plain(self, found: Match) -> str:
        return self._plain(found[0])

    def _plain(self, text: str) -> str:
        if re.fullmatch(r"1[1-9]\d\d|20\d\d", text):
            return say.year(int(text))
        return self.number(text)

    def beside_letters(self, found: Match) -> str:
        return f" {self.number(found[0])} "

    def abbreviation(self, found: Match) -> str:
        said = ABBREVIATIONS[found[0]]
        ends = found[0] in MAY_END and not found.string[found.end() :].strip(" \"')")
        return said + "." if ends else said

    def saint_or_street(self, found: Match) -> str:
        return "Saint" if found[1] else "Street"

    def fullname_of_month(self, found: Match) -> str:
        return MONTH_OF[found[1]]

    def greek(self, found: Match) -> str:
        return f" {GREEK[found[0].lower()]} "

    def vulgar(self, found: Match) -> str:
        return (f"{found[1]} " if found[1] else "") + VULGAR_FRACTIONS[found[2]]

    def symbol(self, found: Match) -> str:
        return SYMBOLS[found[0]]


def _on_the_hour(hour: int) -> str:
    if hour == 0:
        return "midnight"
    return f"{say.cardinal(hour)} o'clock" if hour <= 12 else f"{say.cardinal(hour)} hundred"


def _dotted(text: str) -> str:
    return " point ".join(say.whole_number(part) for part in text.split("."))


_ADDRESS_WORDS: Final = {
    ".": " dot ",
    "/": " slash ",
    "-": " dash ",
    "_": " underscore ",
    "@": " at ",
    ":": " colon ",
}


def _spelt_address(address: str) -> str:
    spelt = re.sub(r"[./_@:-]", lambda found: _ADDRESS_WORDS[found[0]], address.removeprefix("www."))
    return re.sub(r"\d+", lambda found: f" {say.digits(found[0])} ", spelt)
