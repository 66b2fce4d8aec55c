"""The rules for English text, in their order. Pure; every pattern is linear.

Each step replaces all digits that it has read, so nothing is read twice.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from radio.speech.text.english import news_and_sport, notations, roman_numerals
from radio.speech.text.english.inch_marks import with_inches
from radio.speech.text.english.irregular_words import (
    ACRONYMS,
    AFTER_THE,
    BOOKS,
    COUNTED,
    FILE_ENDINGS,
    PRICED,
    REFERENCES,
    SOFTWARE,
)
from radio.speech.text.english.money_and_measures import Match
from radio.speech.text.english.names_and_addresses import English
from radio.speech.text.english.notations import to
from radio.speech.text.english.symbols_and_currencies import (
    ABBREVIATIONS,
    CURRENCIES,
    MONTH_OF,
    SYMBOLS,
    WEEKDAYS,
)
from radio.speech.text.english.units import JOINED, PER, UNITS

_NUMBER: Final = (
    r"(?:\d{1,3}(?:,\d{3}){1,5}(?!\d)|\d{1,2}(?:,\d\d){1,5},\d{3}(?![\d,])|\d{1,30})(?:\.\d{1,30})?"
)
_SIGNED: Final = rf"(?:(?<![\w.)])[-−])?{_NUMBER}"
_START: Final = r"(?<![\w.,])"
_DASH: Final = r"(?: ?[-–] ?|—)"
_MONTH: Final = r"\b(" + "|".join(sorted(MONTH_OF, key=len, reverse=True)) + r")\b\.?"
_MONTH_BEHIND: Final = _MONTH.removesuffix(r"\.?") + r"(?:(?<!\w{5})\.(?=[,;:]| [a-z\d]))?"
"""A stop that may also end the sentence stays."""
_DAY: Final = r"(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,? ((?:1[1-9]|20)\d\d))?(?!\w|[:,]\d)"


def _any_of(table: Mapping[str, object]) -> str:
    return "|".join(map(re.escape, sorted(table, key=len, reverse=True)))


def in_words(text: str, *, british: bool) -> str:
    """`text` without digits or symbols; spaces and punctuation may need tidying.

    Args:
        text: plain quotes, dashes and spaces.
        british: which English; in 4/7 its day comes first.
    """
    english = English(british=british)
    text = with_inches(text)
    for pattern, say in _STEPS:
        text = pattern.sub(lambda found, say=say: say(english, found), text)  # type: ignore[misc]
    return text


_TOP_LEVEL: Final = "com|org|net|edu|gov|io|dev|fm|radio|info|co|uk|de|fr|it|es|ca|eu|us|ai|app|tv|me"
_TIME: Final = r"([01]?\d|2[0-3]):([0-5]\d)"
_HALF: Final = r"([AaPp]\.?[Mm]\b\.?)"
_RATIO_WORDS: Final = r"(?= (?:ratio|screen|display|aspect|format|monitor|mix|win|lead|victory|odds|scale)\b)"
_AMOUNT: Final = rf"(?:\d{{1,12}},\d{{1,2}}(?![\d,])|{_NUMBER})"
_CODES: Final = "|".join(code for code in CURRENCIES if code.isalpha())
_SIGNS: Final = _any_of({sign: 0 for sign in CURRENCIES if not sign.isalpha()})
_MONEY_SIZE: Final = r"(?: ?(?P<size>hundred|thousand|million|billion|trillion|bn|mn|tn|[kKmMbBT])\b)?"
_DEGREES_BEHIND: Final = (
    r"(?<=\b(?:at|to|of|by) )|(?<=\b(?:near|over) )|(?<=\b(?:above|below|under) )|(?<=around )"
)
_NO_LABEL: Final = "".join(
    rf"(?<!\b{word} )"
    for word in (
        "Option",
        "Exhibit",
        "Section",
        "Room",
        "Seat",
        "Seats",
        "Row",
        "Group",
        "Gate",
        "Unit",
        "Flat",
    )
)
_UNTIL_SIZE: Final = _MONEY_SIZE.replace("<size>", "<until_size>")

_STEPS: Final[tuple[tuple[re.Pattern[str], Callable[[English, Match], str]], ...]] = (
    (re.compile(r"</?[A-Za-z][^<>]{0,200}>"), to(" ")),
    (re.compile(r"(?<!\S)(?:[:;=8][-o]?[()DPp/|]|<3)(?!\S)"), to(" ")),
    (re.compile(r"={3,}|~{3,}|_{3,}|(?<!\S)(?:-{3,}|`{3,}[a-z]{0,20})(?!\S)"), to(" ")),
    (
        re.compile(r"(?<![\w.+-])([\w.+-]{1,64})@((?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24})\b"),
        English.email,
    ),
    (
        re.compile(
            r"\b(?:https?|ftp)://(?P<host>[\w-]{1,63}(?:\.[\w-]{1,63}){0,8})(?::(?P<port>\d{1,5}))?"
            r"(?P<path>/[\w\-./~%?=&#+:@!]{0,2000}(?<![.,!?:]))?"
        ),
        English.url,
    ),
    (
        re.compile(
            rf"\b(?P<host>(?:(?:[A-Za-z0-9-]{{1,63}}\.){{1,8}}(?:{_TOP_LEVEL})|localhost(?=:\d)))\b(?!\.\w)"
            r"(?::(?P<port>\d{1,5}))?(?P<path>/[\w\-./~%?=&#+]{0,2000}(?<![.?]))?"
        ),
        English.url,
    ),
    (re.compile(rf"(?<![\w./])[\w-]{{1,100}}\.(?:{FILE_ENDINGS})(?![\w/])"), English.path),
    (re.compile(r"(?<![\w./])~?(?:/[\w.-]{1,100}){2,20}/?(?<!\.)"), English.path),
    (re.compile(r"\b((?:\d{1,3}\.){3}\d{1,3})(?::(\d{1,5}))?(?!\.?\d)"), English.ip_address),
    (re.compile(r"\b([Pp]ort) (\d{1,5})(?![\d,.]\d)\b"), English.digit_by_digit),
    (
        re.compile(r"\b([Cc]all|[Dd]ial|[Pp]hone|[Tt]ext) (\d{3}|\d{5,6})(?![\d:-]|[., ]\d)\b"),
        English.digit_by_digit,
    ),
    (re.compile(r"(?<![\d.,] )(?<![\w.,])\d{1,3}(?: \d{3}){2,5}(?![\w,]| \d)"), English.grouped),
    (re.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{3}){2,5}(?![\w,]|\.\d)"), English.grouped),
    *notations.STEPS,
    *news_and_sport.STEPS,
    (re.compile(rf"{_START}({_NUMBER})e([+-]?\d{{1,3}})(?![\w.])"), English.power),
    (
        re.compile(rf"(\d ?)({_any_of(UNITS)})/({PER})(?![\w/²³'])(?:\.(?= [a-z]|[,;)]))?"),
        English.unit_per_unit,
    ),
    (
        re.compile(
            rf"(?:(?<=\d)|(?<=\d[kKMBm])|(?<=\dbn)|(?<=illion)|(?<=thousand))/({PER})(?![\w/²³'])"
            r"(?:\.(?= [a-z]|[,;)]))?"
        ),
        English.per_unit,
    ),
    (
        re.compile(
            rf"(?<![\w.,])({_NUMBER})-({_any_of(dict.fromkeys(JOINED, 0))})"
            r"(?:\.(?= [a-z]|[,;)]))?(?![\w/²³'])"
        ),
        English.joined_unit,
    ),
    (re.compile(r"(?<=[A-Za-z])-(\d{1,3})s\b"), English.plurals),
    (re.compile(r"(?<![\w.,])(\d{1,3})ers\b"), English.players),
    (re.compile(r"(?<=[A-Za-z])(?<![\d ][ap]m)(?<![\d ][AP]M)-(?=\d)|(?<=\d)-(?=[A-Za-z])"), to(" ")),
    (re.compile(r"(\d)?([½⅓⅔¼¾⅕⅛⅜⅝⅞])"), English.vulgar),
    (
        re.compile(rf"{_START}([12]\d{{3}})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?![\d-])"),
        English.iso_date,
    ),
    (
        re.compile(rf"{_START}(\d{{1,2}})/(\d{{1,2}})/((?:1[1-9]|20)\d\d)\b(?!/)"),
        English.slash_date,
    ),
    (
        re.compile(rf"{_START}([12]\d{{3}})/(0[1-9]|1[0-2])/(0[1-9]|[12]\d|3[01])(?![\d/])"),
        English.iso_date,
    ),
    (re.compile(rf"{_START}(0\d|1[0-2])/([0-2]\d|3[01])/(\d\d)\b(?!/)"), English.slash_date),
    (re.compile(rf"{_START}(0[1-9])/(0[1-9]|[12]\d|3[01])(?![\w/])"), English.slash_day),
    (re.compile(rf"{_START}([12]\d|3[01])/(0[1-9])(?![\w/])"), English.slash_day),
    (re.compile(rf"{_START}(2[1-9]|3[01])/(1[0-2])(?![\w/])"), English.slash_day),
    (
        re.compile(rf"{_START}(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.((?:19|20)\d\d)(?!\w|\.\d)"),
        English.dotted_date,
    ),
    (re.compile(rf"{_MONTH} {_DAY}{_DASH}{_DAY}{_YEAR}"), English.days_of_month),
    (re.compile(rf"{_MONTH} {_DAY}{_DASH}{_MONTH} {_DAY}{_YEAR}"), English.day_to_day),
    (
        re.compile(rf"(?<!\b\d )(?<!\b\d\d )(?<!\b\d\d(?:th|st|nd|rd) ){_MONTH} {_DAY}{_YEAR}"),
        English.month_day,
    ),
    (re.compile(rf"{_START}([Tt]he )?{_DAY} (?:of )?{_MONTH_BEHIND}{_YEAR}"), English.day_month),
    (re.compile(rf"{_MONTH} ((?:1[1-9]|20)\d\d)\b"), English.month_year),
    (
        re.compile(r"\b(Jan|Feb|Aug|Sept|Oct|Nov|Dec)(?:\.(?= [a-z\d'])|(?=\.$))"),
        English.fullname_of_month,
    ),
    (re.compile(rf"\b({_any_of(WEEKDAYS)})\.(?=[,;:)]| [a-z\d])"), English.weekday),
    (
        re.compile(rf"\b((?:{BOOKS}) \d{{1,3}}):(\d{{1,3}})(?:[-–](\d{{1,3}}))?(?![:\d]| ?[AaPp]\.?[Mm]\b)"),
        English.verses,
    ),
    (re.compile(rf"{_START}({_NUMBER}):({_NUMBER})(?![:\d]){_RATIO_WORDS}"), English.ratio),
    (re.compile(rf"{_START}(\d{{1,2}}):([0-5]\d)(\.\d{{1,3}})(?![\w:])"), English.lap),
    (re.compile(r"(?<=\bat )([01]\d|2[0-3])00(?= hours\b)"), English.military),
    (
        re.compile(rf"{_START}{_TIME}(?: ?{_HALF})?{_DASH}{_TIME}(?: ?{_HALF})?(?![:\d])"),
        English.time_range,
    ),
    (re.compile(rf"{_START}{_TIME}(?::([0-5]\d))?(?: ?{_HALF}|h\b)?(?![:\d])"), English.time),
    (re.compile(rf"{_START}(24):(00)()()(?![:\d])"), English.time),
    (re.compile(rf"{_START}(1[0-2]|[1-9])\.([0-5]\d)() ?{_HALF}"), English.time),
    (
        re.compile(rf"{_START}(1[0-2]|[1-9])(?: ?{_HALF})?{_DASH}(1[0-2]|[1-9]) ?{_HALF}"),
        English.hour_range,
    ),
    (re.compile(rf"{_START}(1[0-2]|[1-9]) ?{_HALF}"), English.hour),
    (re.compile(rf"{_START}({_NUMBER}):({_NUMBER})(?![:\d])"), English.ratio),
    (
        re.compile(
            r"(?<![\w.-])(?:\+?\d{1,3}[ -])?(?:\(\d{3}\) ?|\d{3}[ -])?\d{3}-\d{4}(?![\w-])"
            r"|(?<!\w)\+\d{1,3}(?: \d{2,8}){1,5}\b|(?<![\w.-])\d{3}\.\d{3}\.\d{4}(?![\w.-])"
            r"|(?<![\w.,-])0\d{2,4}(?: \d{3,8}){1,3}(?![\w,.]\d)\b"
        ),
        English.phone,
    ),
    (
        re.compile(r"(?<![\w.,–-])\d{1,13}(?:[-–]\d{1,13}){2,6}(?![\w–-]|[.,]\d)"),
        English.joined_numbers,
    ),
    (
        re.compile(
            rf"(?:(?<![\w.])(?P<sign>[-−]))?(?<!\w)"
            rf"(?P<currency>{_SIGNS}|(?<!/)(?:{_CODES}) ) ?(?P<inner>[-−])?"
            rf"(?:(?P<until>{_NUMBER}){_UNTIL_SIZE}{_DASH}[$€£¥₹]?)?"
            rf"(?P<number>{_AMOUNT}){_MONEY_SIZE}(?!\w)(?: (?:dollars?|euros?|pounds?|yen|rupees?|bucks)\b)?"
            rf"(?:[ -](?P<noun>(?:{PRICED})s?)\b)?"
        ),
        English.money,
    ),
    (
        re.compile(rf"{_START}(?P<number>{_AMOUNT}){_MONEY_SIZE} ?(?P<currency>[€£₽₩₺₴]|{_CODES})(?!\w)"),
        English.money_behind,
    ),
    (re.compile(rf"(?<!\w)([$€£])({_NUMBER})(?=[A-Za-z])"), English.money_glued),
    (re.compile(rf"{_START}({_NUMBER}) ?¢"), English.cents),
    (re.compile(r"(?<![\w.,])(?<!' )'?((?:1[1-9]|20)\d0)'?s\b"), English.decade),
    (re.compile(r"(?<!\w)'([2-9]0)'?s\b"), English.decade),
    (re.compile(rf"{_START}(\d{{1,3}})(h)(\d\d)()(?!\w)"), English.lasting),
    (re.compile(rf"{_START}(\d{{1,3}})([hm]) ?(\d{{1,2}})([ms])(?!\w)"), English.lasting),
    (re.compile(rf"(?:({_SIGNED})°?{_DASH})?({_SIGNED}) ?°(?: ?([CFKNSEW])\b)?"), English.degrees),
    (re.compile(rf"(?:({_SIGNED})%?{_DASH})?({_SIGNED}) ?%"), English.percent),
    (re.compile(r"(?<![\w.,])(\d{1,2})'(\d{1,2})(?:\"|(?![\w\"']|\.\d))"), English.feet_and_inches),
    (
        re.compile(r"(?<![\w.,])(\d{1,2}) ?(?:ft\.?|') (\d{1,2}) ?(?:in\b\.?|\")"),
        English.feet_then_inches,
    ),
    (re.compile(rf"{_START}(\d{{1,3}}){_DASH}(\d{{1,3}}) ?([CF])\b"), English.bare_degree_range),
    (
        re.compile(rf"(?:{_DEGREES_BEHIND})(\d{{2,3}})([CF])\b|(?<![\w.])(-\d{{1,2}})([CF])\b"),
        English.bare_degrees,
    ),
    (re.compile(rf"{_START}({_NUMBER})(m)(?= (?:{COUNTED})\b)"), English.magnitude),
    (re.compile(rf"{_START}(-?\d{{1,3}})(?: degrees|º) ?([CF])\b"), English.bare_degrees),
    (
        re.compile(rf"{_START}{_NO_LABEL}(-\d{{1,3}}|\d{{2,3}}) ([CF])(?=[ .,!?;]|$)(?! ?[A-Z]\b)"),
        English.bare_degrees,
    ),
    (re.compile(r"(?<![\w.,])(\d{1,2})'(?= (?:tall|high|wide|long|deep)\b)"), to(r"\1 feet")),
    (
        re.compile(
            rf"(?<![\w./,])((?:\d{{1,3}} )?\d{{1,3}}/\d{{1,2}}) ?({_any_of(UNITS)})(?![\w/²³'])"
            r"(?:\.(?= [a-z]|[,;)]))?"
        ),
        English.part_of_unit,
    ),
    (
        re.compile(rf"{_START}({_NUMBER}) ?[x×] ?({_NUMBER})(?: ?({_any_of(UNITS)})(?![\w/²³']))?(?!\w| ?=)"),
        English.size,
    ),
    (
        re.compile(
            rf"(?:{_START}({_NUMBER}){_DASH})?(?<![\w.,])({_SIGNED}) ?(?!(?<=\d)B\b)({_any_of(UNITS)})"
            r"(?![\w²³']|/(?!\d|day|week|month|year|night|hour|minute|person)|\.[A-Z])"
            r"(?:(?:(?<=ft|lb|oz|mi|yd|hr|mo|yr|wk|qt)|(?<=lbs|hrs|min|sec|tsp|bsp))\.(?= [a-z]|[,;)]))?"
        ),
        English.unit,
    ),
    (re.compile(r"(?<=[ (])(?:km/h|mph|m/s|kWh|Mbps|rpm)(?![\w/²])"), English.unit_alone),
    (re.compile(r"(?<![\w.,])(\d{3,4})p(?!\w)"), English.lines),
    (
        re.compile(rf"(?:{_START}({_NUMBER}){_DASH})?(?<![\w.,])({_NUMBER})x(?!\w| ?[-+−=*^<>])"),
        English.times,
    ),
    (
        re.compile(rf"\b({SOFTWARE})[ -](\d{{1,4}}(?:\.\d{{1,4}}){{1,4}})(?!\w|\.\d)"),
        English.version,
    ),
    (
        re.compile(r"(?<!\w)(?:([Vv]ersion) [vV]?|[vV])(\d{1,9}(?:\.\d{1,9}){0,6})(?!\w)"),
        English.version,
    ),
    (re.compile(r"(?<![\w.])\d{1,9}(?:\.\d{1,9}){2,8}(?![\d_])"), English.dotted),
    (re.compile(r"(?<![\w.,])(\d?[02-9]|11)st\b"), to(r"\1 stone")),
    (
        re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3}){0,4}|\d{1,12})(?:st|nd|rd|th|ST|ND|RD|TH)\b"),
        English.ordinal,
    ),
    *roman_numerals.STEPS,
    (re.compile(r"(?<![\w.,])(\d{3,4}) (B\.?C\.?(?:E\.?)?|A\.?D\.?|CE)(?!\w)"), English.era),
    (
        re.compile(r"(?<![\w.,/-])((?:1[1-9]|20)\d\d)/((?:1[1-9]|20)?\d\d)(?![\w/])"),
        English.two_years,
    ),
    (re.compile(rf"{_START}({_NUMBER}) ?(k|bn|mn|M)(?![\w&])"), English.magnitude),
    (re.compile(rf"{_START}(\d{{1,6}}\.\d{{1,3}}) ?(B)(?!\w)"), English.magnitude),
    (re.compile(r"(?<![\w./])(\d{1,6}) (\d{1,2})/(\d{1,2})(?![\w/])"), English.mixed_fraction),
    (re.compile(r"(?<![\w./])(\d{1,4})/(\d{1,4})(?![\w/])"), English.fraction),
    (re.compile(r"(?<!\w)C\+\+(?!\w)"), to("C plus plus")),
    (re.compile(r"(?<=\b[A-F])\+(?!\w)"), to(" plus")),
    (re.compile(r"(?<![\w&])#([A-Za-z]\w{1,60})"), English.hashtag),
    (re.compile(r"(?:#|\b[Nn]o\. ?|(?<=[a-z] )No |№ ?|\bNr\. ?)(\d{1,9})\b"), English.numbered),
    (re.compile(r"\b[Pp]p\. (?=\d)"), to("pages ")),
    (re.compile(rf"\b({'|'.join(REFERENCES)})\. ?(?=\d)"), English.reference),
    (re.compile(rf"(?<![\w.,-])({_NUMBER}){_DASH}({_NUMBER})(?![\w-])"), English.range),
    (re.compile(r"(?<=[ap]\.m\.) ?[-–—] ?"), to(" to ")),
    (re.compile(r"(?<=\d) ?\+ ?(?=\d)"), to(" plus ")),
    (re.compile(r"(?<=\d) ?\* ?(?=\d)"), to(" times ")),
    (re.compile(r"(?<=\d)\+(?!\w)"), to(" plus")),
    (re.compile(r"(?<!\S)\+(?=\d)"), to("plus ")),
    (
        re.compile(rf"(?<![\w.,)-])[-−]?(?:{_NUMBER}|\.\d{{1,30}})(?!\w|[.,]\d{{1,9}}[a-z])"),
        English.plain,
    ),
    (
        re.compile(r"(?:\d{1,3}(?:,\d{3}){1,5}(?!\d)|\d{1,30})(?:\.\d{1,30})?"),
        English.beside_letters,
    ),
    (re.compile(r"(?<=[A-Za-z])\$(?=[A-Za-z])"), to("s")),
    (re.compile(r"\bSt\.(?: (?=[A-Z])()|)"), English.saint_or_street),
    (re.compile(r"\b([A-Z][a-z]{1,20}) Dr(?:\.(?= [a-z]|[,;)])|(?=\.$))"), to(r"\1 Drive")),
    (
        re.compile(rf"(?<![\w.])({_any_of({a: 0 for a in ACRONYMS if a not in AFTER_THE})})('?s)?(?![\w/])"),
        English.acronym,
    ),
    (
        re.compile(rf"(?<=\b[Tt]he )({_any_of(dict.fromkeys(AFTER_THE, 0))})('?s)?(?!\w)"),
        English.acronym,
    ),
    (re.compile(rf"(?<![\w.&])(?:{_any_of(ABBREVIATIONS)})(?!\w)"), English.abbreviation),
    (re.compile(r"(?<= )-{1,3}(?= )|--+"), to("—")),
    (re.compile(r"(?<=\w)–(?=\w)"), to("-")),
    (
        re.compile(
            r"/(?=(?:day|week|month|year|hour|minute|second|person|night|barrel|share|gallon|pound|ton|ounce)s?\b)"
        ),
        to(" per "),
    ),
    (re.compile(r"(?<![\u0370-\u03ff])[α-ωΑ-Ω](?![\u0370-\u03ff])"), English.greek),
    (re.compile(_any_of(SYMBOLS)), English.symbol),
    (re.compile(r"(?<=\w) {0,2}\+ ?(?=\w)"), to(" plus ")),
)
