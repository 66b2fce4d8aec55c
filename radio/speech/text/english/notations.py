"""Notations quoted in English texts: music, chess, maps, powers, code, comparison. Pure; linear patterns.

They are applied before numbers and units, for which they leave the digits.
"""

import re
from collections.abc import Callable
from typing import Final

from radio.speech.text.english import numbers as say
from radio.speech.text.english.money_and_measures import Match
from radio.speech.text.english.names_and_addresses import English
from radio.speech.text.english.units import DEGREES

Step = tuple[re.Pattern[str], Callable[[English, Match], str]]

_PIECES: Final = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
_CHECKS: Final = {"+": " check", "#": " mate", "": ""}
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def to(instead: str) -> Callable[[English, Match], str]:
    return lambda _, found: found.expand(instead)


def _hexadecimal(_: English, found: Match) -> str:
    """`0xFF`: zero x F F."""
    return "zero x " + " ".join(say.digits(sign) or sign.upper() for sign in found[1])


def _chess_move(_: English, found: Match) -> str:
    """`Nbxd4+`: knight b takes d four check."""
    piece = _PIECES.get(found[1] or "", "")
    origin = " ".join(say.digits(sign) or sign for sign in found[2])
    words = (piece, origin, "takes" if found[3] else "", found[4], say.digits(found[5]))
    return " ".join(word for word in words if word) + _CHECKS[found[6]]


def _coordinate(_: English, found: Match) -> str:
    """`34°03'N`."""
    parts = zip((found[1], found[2], found[3]), ("degree", "minute", "second"), strict=True)
    said = (
        f"{say.number(_plain(part))} {unit}{'' if _plain(part) == '1' else 's'}"
        for part, unit in parts
        if part
    )
    return " ".join(said) + DEGREES[found[4]]


def _plain(digits: str) -> str:
    return digits[1:] if len(digits) > 1 and digits[0] == "0" and digits[1] != "." else digits


def _raised(_: English, found: Match) -> str:
    return "^" + found[0].translate(_RAISED)


STEPS: Final[tuple[Step, ...]] = (
    (re.compile(r"\b0x([0-9A-Fa-f]{1,32})\b"), _hexadecimal),
    (
        re.compile(r"(?<![\w-])(?!Be4 [a-z])([KQRBN])([a-h]?[1-8]?)(x?)([a-h])([1-8])([+#]?)(?![\w-])"),
        _chess_move,
    ),
    (re.compile(r"(?<![\w-])()([a-h])(x)([a-h])([1-8])([+#]?)(?![\w-])"), _chess_move),
    (re.compile(r"(?<=\b[A-G])(?: ?♭|b(?= (?:major|minor|clarinet|trumpet|scale|chord)\b))"), to(" flat")),
    (re.compile(r"(?<=\b[A-G]) ?♯|(?<=\b[ACDFG])#(?![A-Za-z_])"), to(" sharp ")),
    (re.compile(r"(?<=\b[ACDFG])#m(?=\d?\b)"), to(" sharp minor")),
    (re.compile(r"(?<=\b(?:in|of) A) (?=(?:major|flat|sharp)\b)"), to("-")),
    (re.compile(r"(?<!\S)\.(?=NET\b|[a-z]{2,5}\b(?!\.))"), to("dot ")),
    (
        re.compile(r"(?<![\w.,])(\d{1,3})°(\d{1,2})'(?:(\d{1,2}(?:\.\d{1,3})?)\")? ?([NSEW])\b"),
        _coordinate,
    ),
    (re.compile(r"(?:(?<=[\d)])|(?<=\b[A-Za-z]))(?:⁻?[⁰¹²³⁴-⁹]{2,4}|⁻[⁰¹²³⁴-⁹]|[⁰⁴-⁹])"), _raised),
    (re.compile(r"(?<=\d) ?[x×*] ?(?=10\^)"), to(" times ")),
    (re.compile(r"(?<=\d)(?=[a-z]\^)"), to(" ")),
    (re.compile(r"(?<=[\w)])\^2(?!\w)"), to(" squared")),
    (re.compile(r"(?<=[\w)])\^3(?!\w)"), to(" cubed")),
    (re.compile(r"(?<=[A-Za-z\d)])\^(?=-?\w)"), to(" to the power of ")),
    (re.compile(r" ?[!=]==? ?"), lambda _, found: " is not equal to " if "!" in found[0] else " equals "),
    (re.compile(r"(?<= )[-=]>(?= )"), to("to")),
    (re.compile(r"(?<= )&&(?= )"), to("and")),
    (re.compile(r"(?<= )\|\|(?= )"), to("or")),
    (re.compile(r"(?<=\d) ?- ?(?=\d{1,12}(?:\.\d{1,6})? ?=)"), to(" minus ")),
    (re.compile(r"(?<![\w.+])\+(?=\d{1,4}(?:\.\d{1,2})? ?[°%])"), to("plus ")),
    (re.compile(r"(?<![\w.,])~ ?(?=[$€£]?\d)"), to("about ")),
    (re.compile(r"(?<![\w<])<(?=[$€£]?\.?\d)"), to("less than ")),
    (re.compile(r"(?<![\w>=-])>(?=[$€£]?\.?\d)"), to("more than ")),
    (re.compile(r"(?:(?<=[\d)])|(?<=\b[A-Za-z])) ?< ?(?=\.?\d)"), to(" is less than ")),
    (re.compile(r"(?:(?<=[\d)])|(?<=\b[A-Za-z])) ?> ?(?=\.?\d)"), to(" is more than ")),
)
