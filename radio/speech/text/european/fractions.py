"""Fractions of languages that espeak-ng speaks: medio litro, dos tercios de, 2 horas y media. Pure."""

import re
from collections.abc import Callable, Mapping
from typing import Final

Step = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_VULGAR: Final = {"1/2": "½", "1/4": "¼", "3/4": "¾"}
_HALF: Final[Mapping[str, tuple[str, str]]] = {
    "es": ("medio", "media"),
    "fr": ("un demi", "une demi"),
    "it": ("mezzo", "mezza"),
    "pt-br": ("meio", "meia"),
}
"""Before a masculine noun, and before a feminine one."""
_FRENCH_FEMININE: Final = (
    "heure journée page tasse douzaine bouteille livre cuillère pomme gousse part portion tranche saison "
    "année seconde minute tonne baguette mesure place semaine nuit boîte botte orange carotte banane dose"
)
_AND_HALF: Final = {
    "es": ("y medio", "y media"),
    "fr": ("et demi", "et demi"),
    "it": ("e mezzo", "e mezza"),
    "pt-br": ("e meio", "e meia"),
}
_QUARTERS: Final[Mapping[str, Mapping[str, str]]] = {
    "es": {"¼": "un cuarto", "¾": "tres cuartos"},
    "fr": {"¼": "un quart", "¾": "trois quarts"},
    "it": {"¼": "un quarto", "¾": "tre quarti"},
    "pt-br": {"¼": "um quarto", "¾": "três quartos"},
}
_AND: Final = {"es": "y", "fr": "et", "it": "e", "pt-br": "e"}
_DENOMINATORS: Final[Mapping[str, str]] = {
    "es": "tercio cuarto quinto sexto séptimo octavo noveno décimo",
    "fr": "tiers quart cinquième sixième septième huitième neuvième dixième",
    "it": "terz quart quint sest settim ottav non decim",
    "pt-br": "terço quarto quinto sexto sétimo oitavo nono décimo",
}
_ONE: Final = {"es": "un", "fr": "un", "it": "un", "pt-br": "um"}
_PARTITIVE: Final = {
    "es": "de|del",
    "fr": "de|des|du|d'",
    "it": "di|del|della|dello|dei|degli|delle|dell'",
    "pt-br": "de|do|da|dos|das",
}
_BEGIN: Final = r"(?<![\w/.,])"
_PART: Final = r"(1/2|1/4|3/4|[½¼¾])"


def steps(language: str, units: Mapping[str, str], form: Callable[[str, bool], str]) -> tuple[Step, ...]:
    """What goes before units.

    Args:
        units: of the language, by how they are written.
        form: of a unit's name: for one, or for more.
    """
    if language == "hi":
        return ((re.compile(r"(?<![\w/.,])(\d{1,3}) ?(?:(?<= )(1/2|1/4|3/4)|([½¼¾]))(?![\w/])"), _hindi),)
    if language not in _HALF:
        return ()
    unit = "|".join(map(re.escape, sorted(units, key=len, reverse=True)))

    def of_unit(found: re.Match[str]) -> str:
        return _of(language, found[1], form(units[found[2]], True), is_unit=True)

    def and_of_unit(found: re.Match[str]) -> str:
        return _and(language, found[1], found[2], form(units[found[3]], found[1] == "1"))

    def and_of_noun(found: re.Match[str]) -> str:
        return _and(language, found[1], found[2], found[3])

    def of_noun(found: re.Match[str]) -> str:
        return _of(language, found[1], found[2], is_unit=False)

    whole = rf"{_BEGIN}(\d{{1,3}}) ?(?:(?<= )(?=\d)|(?=[½¼¾])){_PART}"
    return (
        (re.compile(rf"{whole} ?({unit})(?![\w/²³])"), and_of_unit),
        (re.compile(rf"{_BEGIN}{_PART} ?({unit})(?![\w/²³])"), of_unit),
        (re.compile(rf"{whole} ([^\W\d_]{{4,20}})\b"), and_of_noun),
        (re.compile(rf"{_BEGIN}(1/2|½) ([^\W\d_]{{3,20}})\b"), of_noun),
        (
            re.compile(rf"{_BEGIN}(1?\d)/(10|[3-9])(?= (?:{_PARTITIVE[language]})(?:(?<=')|\b(?! \d)))"),
            lambda found: _fraction(language, int(found[1]), int(found[2])) or found[0],
        ),
    )


def _is_feminine(noun: str, language: str) -> bool:
    first = noun.partition(" ")[0]
    if language == "fr":
        return first.removesuffix("s") in _FRENCH_FEMININE.split()
    return first.endswith(("a", "as")) and not first.endswith(("grama", "gramas", "día", "dia"))


def _of(language: str, part: str, noun: str, *, is_unit: bool) -> str:
    sign = _VULGAR.get(part, part)
    if sign == "½":
        return f"{_HALF[language][_is_feminine(noun, language)]} {noun}"
    of = (
        ("d'" if noun[0] in "aeiouéh" else "de ")
        if language == "fr"
        else "di "
        if language == "it"
        else "de "
    )
    return f"{_QUARTERS[language][sign]} {of if is_unit else ''}{noun}"


def _and(language: str, whole: str, part: str, noun: str) -> str:
    sign = _VULGAR.get(part, part)
    if whole == "1" and noun.endswith(("as", "os")):
        noun = noun[:-1]
    if sign == "½":
        return f"{whole} {noun} {_AND_HALF[language][_is_feminine(noun, language)]}"
    return f"{whole} {noun} {_AND[language]} {_QUARTERS[language][sign]}"


def _fraction(language: str, top: int, bottom: int) -> str:
    if not 0 < top < bottom:
        return ""
    name = _DENOMINATORS[language].split()[bottom - 3]
    if language == "it":
        name += "o" if top == 1 else "i"
    elif top > 1 and not name.endswith("s"):
        name += "s"
    return f"{_ONE[language] if top == 1 else top} {name}"


def _hindi(found: re.Match[str]) -> str:
    number, sign = int(found[1]), found[3] or _VULGAR[found[2]]
    if sign == "½":
        return {1: "डेढ़", 2: "ढाई"}.get(number) or f"साढ़े {number}"
    return f"सवा {number}" if sign == "¼" else f"पौने {number + 1}"
