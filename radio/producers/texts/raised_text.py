"""Raised and lowered characters of HTML as characters of text: `10<sup>6</sup>` is 10⁶. Pure."""

import re

_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_EXPONENT = re.compile(r"[+\-−–]?\d{1,4}")
_POWER_BASE = re.compile(r"(?:[\d)\]]|(?<![^\W\d_])[^\W\d_]{1,3})$")
"""A figure, a bracket, or a letter or unit: what bears an exponent. One behind a word is a note's."""


def raised(text: str, before: str) -> str:
    """What a raised text is behind `before`: an exponent, nothing if it refers to a note, or itself (1st)."""
    mark = "".join(text.split())
    if _EXPONENT.fullmatch(mark):
        return mark.translate(_RAISED) if _POWER_BASE.search(before[-4:]) else ""
    return text if any(map(str.isalnum, mark)) else ""


def lowered(text: str) -> str:
    """The same of a lowered one: H₂O."""
    mark = "".join(text.split())
    return mark.translate(_LOWERED) if mark.isdecimal() and mark.isascii() else text
