"""How English says what is no quantity and no date: names, addresses, versions, abbreviations. Pure."""

import re
from typing import Final

from radio.speech.text.english import numbers as say
from radio.speech.text.english.dates_and_times import DatesAndTimes
from radio.speech.text.english.irregular_words import ACRONYMS, REFERENCES
from radio.speech.text.english.money_and_measures import Match, Quantities
from radio.speech.text.english.symbols_and_currencies import (
    ABBREVIATIONS,
    BEFORE_NAMES,
    GREEK,
    MAY_END,
    SYMBOLS,
)

_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)")


class English(DatesAndTimes, Quantities):
    """Words for one kind of English, each method for one kind of match."""

    def email(self, found: Match) -> str:
        return _spelt_address(found[1]) + " at " + _spelt_address(found[2])

    def url(self, found: Match) -> str:
        host, path = found["host"], (found["path"] or "").rstrip("/")
        port = f" port {say.digits(found['port'])}" if found["port"] else ""
        return _spelt_address(host) + port + _spelt_address(path.partition("?")[0].partition("#")[0])

    def path(self, found: Match) -> str:
        return _spelt_address(found[0])

    def ip_address(self, found: Match) -> str:
        address = " dot ".join(say.digits(part) for part in found[1].split("."))
        return address + (f" port {say.digits(found[2])}" if found[2] else "")

    def digit_by_digit(self, found: Match) -> str:
        return f"{found[1]} {say.digits(found[2])}"

    def phone(self, found: Match) -> str:
        groups = re.findall(r"\d+", found[0])
        plus = "plus " if found[0].startswith("+") else ""
        return plus + ", ".join(map(say.digits, groups))

    def version(self, found: Match) -> str:
        return f"{found[1] or 'version'} {_dotted(found[2])}"

    def dotted(self, found: Match) -> str:
        glued = found.string[found.end() : found.end() + 1].isalpha()
        return _dotted(found[0]) + (" " if glued else "")

    def regnal(self, found: Match) -> str:
        value = say.roman(found[2])
        return f"{found[1]} the {say.ordinal(value)}" if value else found[0]

    def chapter(self, found: Match) -> str:
        value = say.roman(found[2])
        return f"{found[1]} {say.cardinal(value)}" if value else found[0]

    def century(self, found: Match) -> str:
        value = say.roman(found[1])
        return f"{say.ordinal(value)} {found[2]}" if value else found[0]

    def world_war(self, found: Match) -> str:
        return f"World War {say.cardinal(say.roman(found[1]))}"

    def abbreviation(self, found: Match) -> str:
        said = ABBREVIATIONS[found[0]]
        behind = found.string[found.end() : found.end() + 8].lstrip(" \"')")
        if found[0] in BEFORE_NAMES and not behind[:1].isupper():
            return found[0]
        ends = found[0] in MAY_END and (not behind or (found[0] == "etc." and behind[0].isupper()))
        return said + "." if ends else said

    def reference(self, found: Match) -> str:
        return REFERENCES[found[1]] + " "

    def acronym(self, found: Match) -> str:
        return ACRONYMS[found[1]] + (found[2] or "")

    def saint_or_street(self, found: Match) -> str:
        if found[1] is not None:
            return "Saint "
        return "Street" if found.string[found.end() : found.end() + 8].strip(" \"')") else "Street."

    def greek(self, found: Match) -> str:
        return f" {GREEK[found[0].lower()]} "

    def symbol(self, found: Match) -> str:
        return SYMBOLS[found[0]]

    def hashtag(self, found: Match) -> str:
        return "hashtag " + _CAMEL.sub(" ", found[1])


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
