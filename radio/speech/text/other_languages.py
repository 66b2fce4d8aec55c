"""Numbers and symbols of languages other than English as they are spoken. Pure, and linear in time.

Whole numbers stay digits where espeak-ng reads them in its language; Chinese and Japanese ones are put in
words.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from radio.speech.text.east_asian import rules
from radio.speech.text.english.irregular_words import SOFTWARE
from radio.speech.text.european import fractions, numeral_agreement, short_forms
from radio.speech.text.european.money_and_measures import MoneyAndMeasures, form_of
from radio.speech.text.european.short_forms import Step

_POINT: Final = r"(?:\d{1,3}(?:,\d{2,3}){1,6}(?!\d)|\d{1,30})(?:\.\d{1,30})?"
_COMMA: Final = r"(?:\d{1,3}(?:\.\d{3}){1,6}(?!\d)|\d{1,3}(?: \d{3}){1,6}(?!\d)|\d{1,30})(?:,\d{1,30})?"
_POINT_IN_COMMA: Final = r"(?:0\.\d{1,30}|\d{1,30}\.(?:\d{1,2}|\d{4,30})|\d{4,30}\.\d{1,30})(?!\d|[.,]\d)"
"""A decimal point where a comma is usual, but no group of three digits."""
_START: Final = r"(?<![\w.,])"
_LETTERS: Final = "A-Za-z0-9_\u00c0-\u024f\u0900-\u097f"
"""Between these and Chinese or Japanese ones a word may begin."""
_ADDRESS: Final = re.compile(
    rf"(?:https?://|(?<![.+-])(?<![{_LETTERS}])[A-Za-z0-9_.+-]{{1,64}}@|(?<![{_LETTERS}]))"
    r"(?:[A-Za-z0-9-]{1,63}\.){1,8}"
    r"(?:com|org|net|edu|gov|io|dev|fm|radio|info|tv|app|es|fr|it|br|in|pt|mx|ar|cl|co|ca|ch|cn|jp|eu|uk|de)"
    rf"(?![{_LETTERS}]|\.[A-Za-z0-9])(?:/[A-Za-z0-9_\-./~%]{{0,2000}}(?<!\.))?"
)


def in_words(text: str, language: str) -> str:
    """`text` with its symbols, money, units, times and dates in words of its language."""
    for pattern, say in _steps(language):
        text = pattern.sub(say, text)
    return text


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


@cache
def _steps(language: str) -> tuple[Step, ...]:
    say = MoneyAndMeasures(language)
    words = say.words
    number = _COMMA if words.comma == "," else _POINT
    if words.comma == ",":
        number = rf"(?:{_POINT_IN_COMMA}|{number})"
    start = _START if words.glue else r"(?<!\d)(?<!\d[.,])"
    end = r"(?![\w])" if words.glue else r"(?!\d)"
    close = r"(?![\w/²³])" if words.glue else r"(?![A-Za-z/²³])"
    free = r"(?<!\w)" if words.glue else r"(?<![A-Za-z0-9])"
    sign, span = rf"(?:{free}(?P<sign>[-−]))?{start}", rf"(?:(?P<from>{number})(?:%|°C?|℃)? ?[-–—~〜] ?)?"
    size = rf"(?: ?(?P<size>{_any_of(words.magnitudes)}))?"
    money = (
        rf"(?: ?(?P<size>{_any_of([*words.magnitudes, *words.short_sizes])})(?!\w))?"
        if words.short_sizes
        else size
    )
    per = r"(?:/(?P<per>[A-Za-zÀ-ÿ²³\u0900-\u0963]{1,12}))?" if words.per else r"(?P<per>(?!))?"
    currency = f"(?P<currency>{_any_of(words.currencies)})"
    return (
        (_ADDRESS, say.address),
        *_dates(say, language, start),
        *short_forms.steps(language),
        *_versions(say),
        *_times(say, language, start),
        *rules.steps(language),
        *fractions.steps(language, say.units, lambda name, is_one: form_of(name, is_one=is_one)),
        *_products(say, language),
        (
            re.compile(
                rf"(?:{free}(?P<sign>[-−]))?(?<![A-Za-z\d]){currency} ?(?P<number>{number}){money}{per}{end}"
            ),
            say.money,
        ),
        (re.compile(rf"{sign}(?P<number>{number}){money} ?{currency}{per}{close}"), say.money),
        *_short_sizes(say, rf"{start}({number})"),
        (re.compile(rf"{sign}{span}(?P<number>{number}) ?(?P<mark>[%‰])"), say.percent),
        (
            re.compile(rf"{sign}{span}(?P<number>{number}){size} ?(?P<unit>{_any_of(say.units)}){close}"),
            say.unit,
        ),
        (re.compile(r"(?<![\w/.,])(1/2|1/4|3/4)(?![\w/])" if words.glue else r"(?!)"), say.part),
        (re.compile(r"(?<![\w/.,])(50|24)/(50|7)(?![\w/])"), lambda found: f"{found[1]} {found[2]}"),
        (re.compile(r"(?<![\w/.,])((?:19|20)\d\d)/(\d\d)(?![\w/])"), lambda found: f"{found[1]} {found[2]}"),
        (re.compile(r"(\d{0,6})([½¼¾])"), say.half),
        *numeral_agreement.quantities(language),
        (re.compile(rf"{start}({number}) ?[-–—~〜] ?({number}){end}(?!-)"), say.range),
        (re.compile(rf"{sign}(?P<number>{number}){end}(?![.,]\d)"), say.plain),
        *_numbers_beside_letters(say, language),
        *numeral_agreement.steps(language),
        *_compared(language),
        (re.compile(r"(?<!\w)#(?=[^\W\d])"), lambda _: ""),
        (re.compile(_any_of(name for name in words.currencies if not name.isalpha())), say.lone_currency),
        (re.compile(_any_of(words.symbols)), say.symbol),
    )


def _dates(say: MoneyAndMeasures, language: str, start: str) -> tuple[Step, ...]:
    day, month = r"(0?[1-9]|[12]\d|3[01])", r"(0?[1-9]|1[0-2])"
    without_year: tuple[Step, ...] = ()
    if say.words.glue:  # a fraction has no leading zeros, and no such numbers
        without_year = (
            (re.compile(rf"{start}(0?[1-9]|[12]\d|3[01])/(0[1-9])(?![\w/]|[.,]\d)"), say.day_and_month),
            (re.compile(rf"{start}(0[1-9]|1[3-9]|2\d|3[01])/(1[0-2])(?![\w/]|[.,]\d)"), say.day_and_month),
            (
                re.compile(rf"{start}(0?[1-9]|[12]\d|3[01])/(0?[1-9]|1[0-2])/([23]\d)(?![\w/]|[.,]\d)"),
                say.day_first,
            ),
        )
    elif language == "ja":
        without_year = ((re.compile(rf"{start}{month}/{day}(?=\([月火水木金土日])"), say.month_and_day),)
    return (
        (re.compile(rf"{start}([12]\d{{3}})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\d-])"), say.year_first),
        (
            re.compile(rf"{start}([12]\d{{3}})/(0?[1-9]|1[0-2])/(0?[1-9]|[12]\d|3[01])(?![\d/])"),
            say.year_first,
        ),
        (re.compile(rf"{start}{day}([-./]){month}\2((?:1[1-9]|20)\d\d)(?![\d/.-]\d|\w)"), say.day_first_of),
        *without_year,
    )


def _times(say: MoneyAndMeasures, language: str, start: str) -> tuple[Step, ...]:
    halves = say.words.day_halves
    of_day: tuple[Step, ...] = ()
    if halves:
        hour = (
            rf"{start}(1[0-2]|0?[1-9])(?:[:.]([0-5]\d))? ?([AaPp])\.? ?[Mm](?:\.(?=[,;:)]| ?[a-zà-ÿ\d(])|\b)"
        )
        of_day = ((re.compile(hour), say.time_of_half),)
    return (
        *of_day,
        (
            re.compile(rf"{start}{_clock(language)} ?[-–—~〜] ?{_clock(language, is_last=True)}"),
            say.time_range,
        ),
        (re.compile(rf"{start}{_clock(language)}"), say.time),
    )


def _versions(say: MoneyAndMeasures) -> tuple[Step, ...]:
    """Numbers with two or more stops, and those after a program's name."""
    if not say.words.glue:
        return ()
    dotted = r"(?!\d{1,3}(?:\.\d{3}){1,6}(?![.\d]))(\d{1,5}(?:\.\d{1,5}){2,5})(?!\.?\d|\w)"
    named = (
        rf"\b({SOFTWARE}|[vV]ersi[oó]ne?|[vV]ersão|[vV])[ .]?(\d{{1,5}}(?:\.\d{{1,5}}){{1,4}})(?!\.?\d|\w)"
    )
    return (
        (re.compile(rf"(?<![\w.,]){dotted}"), lambda found: say.dotted(found[1])),
        (re.compile(named), lambda found: f"{found[1]} {say.dotted(found[2])}"),
    )


def _products(say: MoneyAndMeasures, language: str) -> tuple[Step, ...]:
    """`2 x 3`: a product, a size, or in Brazil a result."""
    if not say.words.glue:
        return ()
    number = r"(?<![\w.,])(\d{1,4}(?:,\d{1,2})?) ?[xX] ?(\d{1,4}(?:,\d{1,2})?)(?![.,]?\w)"
    if language == "fr":
        number = number.replace(" ?[xX] ?", " [xX] ")
    by = {"fr": "sur", "hi": ""}.get(language, say.words.per)
    metres = re.compile(rf"{number}(?= ?(?:[cmk]?m|px)\b)")
    times = f" {say.words.symbols['×']} "
    product = (re.compile(rf"{number}(?= ?=)"), lambda found: f"{found[1]}{times}{found[2]}")
    between = {"pt-br": " a ", "hi": " "}.get(language, times)
    return (
        (metres, lambda found: f"{found[1]} {by} {found[2]}"),
        product,
        (re.compile(number), lambda found: f"{found[1]}{between}{found[2]}"),
    )


_COMPARED: Final = {
    "es": ("menos de ", "más de "),
    "fr": ("moins de ", "plus de "),
    "it": ("meno di ", "più di "),
    "pt-br": ("menos de ", "mais de "),
    "zh": ("小于", "大于"),
}


_IS_COMPARED: Final = {
    "es": ("es menor que", "es mayor que"),
    "fr": ("est inférieur à", "est supérieur à"),
    "it": ("è minore di", "è maggiore di"),
    "pt-br": ("é menor que", "é maior que"),
}
_OR_EQUAL: Final = {
    "es": (" menor o igual que ", " mayor o igual que "),
    "fr": (" inférieur ou égal à ", " supérieur ou égal à "),
    "it": (" minore o uguale a ", " maggiore o uguale a "),
    "pt-br": (" menor ou igual a ", " maior ou igual a "),
    "zh": ("小于等于", "大于等于"),
}


def _compared(language: str) -> tuple[Step, ...]:
    """`3 < 5`, `x > 2`; and `< 5`, `> 30 %` if nothing stands before the sign."""
    if language not in _COMPARED:
        return ()
    less, more = _COMPARED[language]
    number = r" ?(?=(?:menos |moins |meno )?\d|[零一二三四五六七八九十两负百])"
    begin = r"(?<![<>=-])(?<![A-Za-z0-9]{2})" if language == "zh" else r"(?<![\w<>=-])"
    signs = zip(("<=|≤", ">=|≥"), _OR_EQUAL[language], strict=True)
    alone = (
        *((re.compile(rf" ?(?<![<>=-])(?:{sign}){number}"), _always(words)) for sign, words in signs),
        (re.compile(rf"{begin}<(?!3\W{{0,3}}$){number}"), _always(less)),
        (re.compile(rf"{begin}>{number}"), _always(more)),
    )
    if language not in _IS_COMPARED:
        return alone
    left, right = r"(?:(?<=\d)|(?<=\b[b-df-hj-np-xz]))", r"(?=\d|[b-df-hj-np-xz]\b)"
    two_signs = zip("<>", _IS_COMPARED[language], strict=True)
    two = tuple((re.compile(rf"{left} ?{sign} ?{right}"), _always(f" {words} ")) for sign, words in two_signs)
    return two + alone


def _always(words: str) -> Callable[[re.Match[str]], str]:
    return lambda _: words


def _short_sizes(say: MoneyAndMeasures, number: str) -> tuple[Step, ...]:
    """Magnitudes before a currency that is a word."""
    if not say.words.short_sizes:
        return ()
    return (
        (re.compile(rf"{number} ?({_any_of(say.words.short_sizes)})(?= (?:d[ei] |d'|euro))"), say.short_size),
    )


def _numbers_beside_letters(say: MoneyAndMeasures, language: str) -> tuple[Step, ...]:
    """Where no G2P reads digits, none may be left."""
    if language not in ("zh", "ja"):
        return ()
    return ((re.compile(r"\d{1,30}"), lambda found: say.whole(found[0])),)


def _clock(language: str, *, is_last: bool = False) -> str:
    hour, minute = r"([01]?\d|2[0-3])", r"([0-5]\d)"
    if language in ("fr", "pt-br"):
        mark = r"(?: ?h|(?=:))(?:(?<=h)|:)(?:(?<=h) (?=[0-5]\d\b))?"
        return rf"{hour}{mark}{minute}?(?![:\d])(?: ?min\b|\b(?: ?h\b)?)"
    behind = " ?बजे|" if language == "hi" else ""
    if language == "zh":
        behind = "整|"
    mark = {"es": r"(?::|h(?=\d\d(?!\w)))", "hi": r"(?::|\.(?=[0-5]\d ?बजे))"}.get(language, ":")
    clock = rf"{hour}{mark}{minute}(?![:\d])(?:{behind} ?h\b)?"
    if language == "it":
        if is_last:
            return rf"{hour}[.:]{minute}(?![:\d]|\.\d)(?: ?h\b)?"
        return rf"(?:(?<=\b[oO]re )|(?<=lle )|(?=\d?\d:)){hour}[.:]{minute}(?![:\d]|\.\d)(?: ?h\b)?"
    return clock
