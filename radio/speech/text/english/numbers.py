"""Numbers in English words. Pure; every function takes text as it was matched, digits and signs."""

import re
from collections.abc import Iterator
from typing import Final

_SMALL_NAMES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
)
_TEN_NAMES: Final = "_ ten twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL: Final = _SMALL_NAMES.split(" ")
_TENS: Final = _TEN_NAMES.split(" ")
_GROUPS: Final = ("", "thousand", "million", "billion", "trillion", "quadrillion")
_LARGEST: Final = 10**18
_IRREGULAR: Final = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_FRACTIONS: Final = {
    2: ("half", "halves"),
    4: ("quarter", "quarters"),
    100: ("hundredth", "hundredths"),
    1000: ("thousandth", "thousandths"),
}
_ROMAN: Final = re.compile(r"M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
_ROMAN_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def cardinal(number: int, *, british: bool = False) -> str:
    """`3497` -> three thousand four hundred ninety-seven; British English puts "and" behind the hundreds.

    A number of more than 18 digits is read digit by digit.
    """
    if number < 0:
        return f"minus {cardinal(-number, british=british)}"
    if number >= _LARGEST:
        return digits(str(number))
    if number == 0:
        return _SMALL[0]
    return " ".join(_grouped(number, british))


def _grouped(number: int, british: bool) -> Iterator[str]:
    parts = []
    rest, group = number, 0
    while rest:
        rest, part = divmod(rest, 1000)
        if part:
            parts.append((part, _GROUPS[group]))
        group += 1
    for place, (part, name) in enumerate(reversed(parts)):
        lone = british and place and not name and part < 100
        yield ("and " if lone else "") + _below_thousand(part, british) + (f" {name}" if name else "")


def _below_thousand(number: int, british: bool) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _below_hundred(rest)
    head = f"{_SMALL[hundreds]} hundred"
    if not rest:
        return head
    return f"{head} {'and ' if british else ''}{_below_hundred(rest)}"


def _below_hundred(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] if not ones else f"{_TENS[tens]}-{_SMALL[ones]}"


def ordinal(number: int, *, british: bool = False) -> str:
    """`22` -> twenty-second."""
    words = cardinal(number, british=british)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    head, last = words[:cut], words[cut:]
    if last in _IRREGULAR:
        return head + _IRREGULAR[last]
    return f"{head}{last[:-1]}ieth" if last.endswith("y") else f"{head}{last}th"


def digits(text: str) -> str:
    """`007` -> zero zero seven; what is no digit is left out."""
    return " ".join(_SMALL[int(digit)] for digit in text if digit in "0123456789")


def year(number: int) -> str:
    """`1984` -> nineteen eighty-four; 1000 to 2999."""
    century, rest = divmod(number, 100)
    if number % 1000 < 10:
        return cardinal(number)
    if not rest:
        return f"{_below_hundred(century)} hundred"
    return f"{_below_hundred(century)} {'oh ' if rest < 10 else ''}{_below_hundred(rest)}"


def decade(number: int) -> str:
    """`1980` -> nineteen eighties; `80` -> eighties."""
    return _plural(year(number) if number >= 1000 else cardinal(number))


def plural(number: int) -> str:
    """`16` -> sixteens."""
    return _plural(cardinal(number))


def _plural(words: str) -> str:
    if words.endswith("y"):
        return f"{words[:-1]}ies"
    return f"{words}es" if words.endswith("x") else f"{words}s"


def number(text: str, *, british: bool = False) -> str:
    """`-1,234.50` -> minus one thousand two hundred thirty-four point five zero; `007` by its digits."""
    sign = "minus " if text.startswith(("-", "−")) else ""
    whole, point, fraction = text.lstrip("-−+").replace(",", "").partition(".")
    words = whole_number(whole, british=british) if whole else ""
    if point:
        words = f"{words} point {digits(fraction)}".strip()
    return sign + words


def whole_number(text: str, *, british: bool = False) -> str:
    """Digits as a cardinal; one that begins with zeros digit by digit."""
    if len(text) > 18 or (len(text) > 1 and text.startswith("0")):
        return digits(text)
    return cardinal(int(text), british=british)


def fraction(top: int, bottom: int) -> str:
    """`3, 4` -> three quarters."""
    if bottom in _FRACTIONS:
        return f"{cardinal(top)} {_FRACTIONS[bottom][top != 1]}"
    return f"{cardinal(top)} {ordinal(bottom)}{'' if top == 1 else 's'}"


def roman(text: str) -> int:
    """`XIV` -> 14; 0 if it is no Roman numeral from 1 to 3999."""
    if not text or not _ROMAN.fullmatch(text):
        return 0
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(
        -value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True)
    )
