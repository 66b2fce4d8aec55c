"""How English says quantities: money, units, degrees, ratios. Pure."""

import re
from typing import Final

from radio.speech.text.english import numbers as say
from radio.speech.text.english.symbols_and_currencies import CURRENCIES, MAGNITUDES, VULGAR_FRACTIONS
from radio.speech.text.english.units import DEGREES, UNITS

Match = re.Match[str]

_COMMA_CENTS: Final = re.compile(r"\d+,\d{1,2}")
_CENTS: Final = re.compile(r"[\d,]+\.\d\d")
_NOUN: Final = re.compile(
    r" (?!(?:to|of|in|on|for|per|an?|each|more|less|and|or|at|by|from|is|was|a)\b)[a-z]{3}"
)
_ARTICLE: Final = re.compile(r"\b[Aa]n? $")
"""Comes before a quantity used as an adjective, which has no plural."""


def behind_article(found: Match) -> bool:
    return _ARTICLE.search(found.string, max(0, found.start() - 4), found.start()) is not None


class Numbers:
    """Numbers in one kind of English.

    Args:
        british: "and" behind the hundreds; in 4/7 the day comes first.
    """

    def __init__(self, *, british: bool) -> None:
        self.is_british = british

    def number(self, text: str) -> str:
        return say.number(text, british=self.is_british)


class Quantities(Numbers):
    """Each method says one kind of match."""

    def grouped(self, found: Match) -> str:
        """Thousands that spaces or stops set apart."""
        return self.number(re.sub(r"\D", "", found[0]))

    def ratio(self, found: Match) -> str:
        return f"{self.number(found[1])} to {self.number(found[2])}"

    def money(self, found: Match) -> str:
        sign = "minus " if found["sign"] or found["inner"] else ""
        until = self._until(found)
        before_noun = behind_article(found) and _NOUN.match(found.string, found.end()) is not None
        is_many = found["noun"] is None and not before_noun
        amount = self._amount(found["number"], found["size"], found["currency"].strip(), is_many=is_many)
        return sign + until + amount + (f" {found['noun']}" if found["noun"] else "")

    def _until(self, found: Match) -> str:
        """The part before the dash of `$5-10`, `$1.35-$1.40`, `$900k-$1M`."""
        if not found["until"]:
            return ""
        if _CENTS.fullmatch(found["until"]):
            return f"{self._amount(found['until'], None, found['currency'].strip())} to "
        size = found["until_size"] if found["until_size"] != found["size"] else None
        return self.number(found["until"]) + (f" {MAGNITUDES[size]}" if size else "") + " to "

    def money_behind(self, found: Match) -> str:
        return self._amount(found["number"], found["size"], found["currency"])

    def _amount(self, number: str, size: str | None, currency: str, *, is_many: bool = True) -> str:
        one, many, cent, cents = CURRENCIES[currency]
        many = many if is_many else one
        if _COMMA_CENTS.fullmatch(number):
            number = number.replace(",", ".")
        if size:
            return f"{self.number(number)} {MAGNITUDES[size]} {many}"
        whole, _, part = number.replace(",", "").partition(".")
        if len(part) != 2 or not cent:
            return f"{self.number(number)} {one if number == '1' else many}"
        units = f"{self.number(whole)} {one if int(whole) == 1 else many}"
        small = f"{say.cardinal(int(part))} {cent if int(part) == 1 or not is_many else cents}"
        return units if not int(part) else small if not int(whole) else f"{units} and {small}"

    def money_glued(self, found: Match) -> str:
        """`$100x`: what follows is no size."""
        return f"{self._amount(found[2], None, found[1])} "

    def cents(self, found: Match) -> str:
        return f"{self.number(found[1])} {'cent' if found[1] == '1' else 'cents'}"

    def degrees(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        unit = "degree" if found[2] == "1" else "degrees"
        return f"{until}{self.number(found[2])} {unit}{DEGREES[found[3] or '']}"

    def bare_degree_range(self, found: Match) -> str:
        """`180-200C`."""
        return f"{self.number(found[1])} to {self.number(found[2])} degrees{DEGREES[found[3]]}"

    def bare_degrees(self, found: Match) -> str:
        number, scale = (part for part in found.groups() if part)
        degrees = "degree" if number.lstrip("-") == "1" else "degrees"
        return f"{self.number(number)} {degrees}{DEGREES[scale]}"

    def percent(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        return f"{until}{self.number(found[2])} percent"

    def feet_and_inches(self, found: Match) -> str:
        return f"{say.cardinal(int(found[1]))} foot {say.cardinal(int(found[2]))}"

    def feet_then_inches(self, found: Match) -> str:
        feet, inches = int(found[1]), int(found[2])
        small = f"{say.cardinal(inches)} {'inch' if inches == 1 else 'inches'}"
        return f"{say.cardinal(feet)} {'foot' if feet == 1 else 'feet'} {small}"

    def unit(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        single = (found[2] == "1" and not until) or behind_article(found)
        return f"{until}{self.number(found[2])} {self._unit_name(found[3], single)}"

    def joined_unit(self, found: Match) -> str:
        """`a 10-km run`; the number itself is read later."""
        return f"{found[1]} {self._unit_name(found[2], single=True)}"

    def per_unit(self, found: Match) -> str:
        """`$2/kg`; the number itself is read later."""
        return f" per {self._unit_name(found[1], single=True)}"

    def unit_per_unit(self, found: Match) -> str:
        """`2.5 mm/h`, but `20 km/h` is a unit of its own."""
        if f"{found[2]}/{found[3]}" in UNITS:
            return found[0]
        return f"{found[1]}{found[2]} per {self._unit_name(found[3], single=True)}"

    def part_of_unit(self, found: Match) -> str:
        """`1 1/2 km`; the fraction itself is read later."""
        top, _, bottom = found[1].partition("/")
        single = " " not in top and int(top) < int(bottom)
        return f"{found[1]} {self._unit_name(found[2], single=single)}"

    def unit_alone(self, found: Match) -> str:
        return self._unit_name(found[0], single=False)

    def _unit_name(self, unit: str, single: bool) -> str:
        name = UNITS[unit][0 if single else 1]
        return re.sub(r"(met|lit)er", r"\1re", name) if self.is_british else name

    def lines(self, found: Match) -> str:
        """`1080p`: ten eighty p."""
        head, tail = divmod(int(found[1]), 100)
        return f"{say.cardinal(head)} {say.cardinal(tail) if tail else 'hundred'} p"

    def size(self, found: Match) -> str:
        said = f"{self.number(found[1])} by {self.number(found[2])}"
        return f"{said} {self._unit_name(found[3], single=False)}" if found[3] else said

    def times(self, found: Match) -> str:
        until = f"{self.number(found[1])} to " if found[1] else ""
        return f"{until}{self.number(found[2])} times"

    def power(self, found: Match) -> str:
        """`1.5e10`."""
        return f"{self.number(found[1])} times ten to the power of {self.number(found[2].lstrip('+'))}"

    def magnitude(self, found: Match) -> str:
        return f"{self.number(found[1])} {MAGNITUDES[found[2]]}"

    def mixed_fraction(self, found: Match) -> str:
        part = say.fraction(int(found[2]), int(found[3]))
        part = "a half" if part == "one half" else "a quarter" if part == "one quarter" else part
        return f"{self.number(found[1])} and {part}"

    def vulgar(self, found: Match) -> str:
        return (f"{found[1]} " if found[1] else "") + VULGAR_FRACTIONS[found[2]]

    def numbered(self, found: Match) -> str:
        return f"number {self.number(found[1])}"

    def ordinal(self, found: Match) -> str:
        return say.ordinal(int(found[1].replace(",", "")), british=self.is_british)

    def plurals(self, found: Match) -> str:
        """`F-16s`."""
        return f" {say.plural(int(found[1]))}"

    def players(self, found: Match) -> str:
        """`49ers`."""
        return f"{say.cardinal(int(found[1])).removesuffix('e')}ers"

    def joined_numbers(self, found: Match) -> str:
        """`3-4-3`; groups of more than two digits, as of an ISBN, digit by digit."""
        groups = re.split("[-–]", found[0])
        is_code = any(len(group) > 2 for group in groups)
        return ", ".join(say.digits(group) if is_code else say.whole_number(group) for group in groups)

    def beside_letters(self, found: Match) -> str:
        before = " " if found.start() and found.string[found.start() - 1].isalnum() else ""
        after = "" if found.string.startswith("'", found.end()) else " "
        is_year = before and re.fullmatch(r"(?:19|20)\d\d", found[0])
        return before + (say.year(int(found[0])) if is_year else self.number(found[0])) + after
