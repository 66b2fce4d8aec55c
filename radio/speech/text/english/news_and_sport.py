"""Short forms in English listings, news and sport: days, decades, ratings, places. Pure; linear patterns.

They are applied before dates, money and numbers.
"""

import re
from typing import Final

from radio.speech.text.english import numbers as say
from radio.speech.text.english.irregular_words import REFERENCES, STATES
from radio.speech.text.english.money_and_measures import Match
from radio.speech.text.english.names_and_addresses import English
from radio.speech.text.english.notations import Step, to
from radio.speech.text.english.symbols_and_currencies import MONTH_OF, WEEKDAYS

_DAY_NAMES: Final = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_MONTH_NAMES: Final = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_LIVES: Final = {"b": "born ", "d": "died ", "r": "reigned ", "fl": "flourished "}
_WINDS: Final = {"N": "north", "S": "south", "E": "east", "W": "west"}
_SHORT_DAY: Final = (
    r"(?!9/11|24/7)(?:(1[0-2]|[1-9])/(3[01]|[12]\d|[1-9])|(3[01]|2\d|1[3-9])/(1[0-2]|[1-9]))(?![\w/])"
)
_FRACTION: Final = (
    r"(?:1/(?:[2-9]|10)|2/[35]|3/[458]|5/[68]|7/8)"
    r"(?! ?(?:[.,;:!?)@–-]|$|(?:at|from|and|or|to|in|through|for)\b))"
)
"""Before a noun these are no days."""
_OF_DECADES: Final = (
    "music|pop|rock|style|styled|fashion|night|disco|hits?|classics?|songs?|movies?|icons?|nostalgia|sitcoms?|kids?|"
    "vibes?|hair"
)
_SECONDS_LONG: Final = (
    "timers?|delays?|clips?|marks?|splits?|rests?|laps?|windows?|intervals?|holds?|sprints?|countdowns?|videos?|"
    "spots?|ads?|breaks?|pauses?|exposures?"
)
_DECADES: Final = re.compile(r"([2-9]0|1[0-2]0)(?:'?s)?")


def _weekday(_: English, found: Match) -> str:
    return WEEKDAYS[found[1]]


def _short_day(english: English, found: Match) -> str:
    """`6/15`: day and month after words that only a date follows."""
    return english.day_and_month(int(found[1] or found[3]), int(found[2] or found[4]))


def _decades(_: English, found: Match) -> str:
    """`the 20s and 30s`."""
    return f"{found[1]} " + _DECADES.sub(lambda decade: say.decade(int(decade[1])), found[2]).replace(
        "–", "-"
    )


def _rating(english: English, found: Match) -> str:
    """`7/10`."""
    return " out of ".join(english.number(part) for part in found[0].split("/"))


def _metre(_: English, found: Match) -> str:
    """`6/8 time`."""
    return f"{say.cardinal(int(found[1]))} {say.cardinal(int(found[2]))}"


def _odds(english: English, found: Match) -> str:
    return f"{english.number(found[1])} to {english.number(found[2])}"


def _parts(_: English, found: Match) -> str:
    """`1:2:3`."""
    return " to ".join(say.cardinal(int(part)) for part in found[0].split(":"))


def _long_lap(_: English, found: Match) -> str:
    """`1:59:40.2`."""
    minutes, seconds = (
        f"{'oh ' if part[0] == '0' else ''}{say.cardinal(int(part))}" for part in (found[2], found[3])
    )
    return f"{say.cardinal(int(found[1]))} {minutes} {seconds} {say.number(found[4])}"


def _aircraft(_: English, found: Match) -> str:
    """`747-400`: seven forty-seven, four hundred."""
    model, variant = found[1] or found[3] or found[5], found[2] or found[4]
    said = f"seven {'oh ' if model[0] == '0' else ''}{say.cardinal(int(model))}"
    return said + (f", {say.cardinal(int(variant))}" if variant else "")


def _postcode(_: English, found: Match) -> str:
    rest = f", {say.digits(found[3])}" if found[3] else ""
    return f"{found[1]} {say.digits(found[2])}{rest}"


def _wind(_: English, found: Match) -> str:
    """`NW`, `SSW`: the last two letters are a word."""
    names = [_WINDS[letter] for letter in found[0]]
    return "-".join([*names[:-2], "".join(names[-2:])])


def _reference(_: English, found: Match) -> str:
    value = say.roman(found[2])
    return f"{REFERENCES[found[1]]} {say.cardinal(value)}" if value else found[0]


def _first_day(_: English, found: Match) -> str:
    """`24–26 December`: the day before the dash."""
    return f"{found[1] or 'the '}{say.ordinal(int(found[2]))} to "


def _digits_many(_: English, found: Match) -> str:
    """`1s and 0s`."""
    return f"{say.plural(int(found[1]))} and {say.plural(int(found[2]))}"


def _chart_places(_: English, found: Match) -> str:
    """`No. 1s`."""
    return f"number {say.plural(int(found[1]))}"


def _episode(_: English, found: Match) -> str:
    """`S02E05`."""
    return f"season {say.cardinal(int(found[1]))} episode {say.cardinal(int(found[2]))}"


def _first_hour(_: English, found: Match) -> str:
    """`7-8:30pm`: the hour before the dash."""
    return f"{found[1]}{found[2]} to " if found[2] else f"{say.cardinal(int(found[1]))} to "


_HALF: Final = r"(?: ?[AaPp]\.?[Mm]\b\.?)"
_CLOCK: Final[tuple[Step, ...]] = (
    (re.compile(r"(?<=\d:\d\d)([ap])\b(?!\.)"), to(r" \1m")),
    (
        re.compile(rf"(?<=\d)(:[0-5]\d{_HALF}?) ?[-–—] ?(1[0-2]|[1-9])(?={_HALF})(?!:)"),
        to(r"\1-\2:00"),
    ),
    (
        re.compile(rf"(?<![\w:.,])(1[0-2]|[1-9])({_HALF}?) ?[-–—] ?(?=(?:1[0-2]|[1-9]):[0-5]\d{_HALF})"),
        _first_hour,
    ),
    (re.compile(r"\b([Nn]oon|[Mm]idnight) ?[-–] ?(?=\d)"), to(r"\1 to ")),
    (re.compile(r"(?<=\d:[0-5]\d) ?[-–] ?(?=(?:1[0-2]|[1-9])\b(?![:/.]\d))"), to(" to ")),
    (re.compile(r"(?<=\bUTC|\bGMT) ?-(?=\d)"), to(" minus ")),
    (
        re.compile(r"(?<![\w./])(1[0-2]|[1-9])/(3[01]|[12]\d|0?[1-9])/(\d\d)(?![\w/])"),
        English.slash_date,
    ),
    (
        re.compile(r"(?<![\w./])(3[01]|2\d|1[3-9])/(1[0-2]|0?[1-9])/(\d\d)(?![\w/])"),
        English.slash_date,
    ),
    (
        re.compile(
            rf"(?<![\w.,/-])([Tt]he )?(3[01]|[12]\d|[1-9])(?:st|nd|rd|th)? ?[-–] ?"
            rf"(?=(?:3[01]|[12]\d|[1-9])(?:st|nd|rd|th)? (?:of )?(?:{_MONTH_NAMES})\b)"
        ),
        _first_day,
    ),
    (re.compile(rf"(?<=\d(?:st|nd|rd|th) )({_DAY_NAMES})\b\.?(?!$)"), _weekday),
)

STEPS: Final[tuple[Step, ...]] = (
    *_CLOCK,
    (re.compile(r"(\d/\d{1,2}|[½⅓⅔¼¾⅛⅜⅝⅞]) ?%"), to(r"\1 percent")),
    (re.compile(r"\b401\(?k\)?s\b"), to("four oh one K's")),
    (re.compile(r"\b401\(?k\b\)?"), to("four oh one K")),
    (re.compile(r"\b([Ee]lev)\. ?(?=\d)"), to(r"\1ation ")),
    (re.compile(r"\bS(\d{1,2})E(\d{1,2})\b"), _episode),
    (re.compile(r"(?:#|\bNo\. )(\d{1,2})s\b"), _chart_places),
    (re.compile(r"\best\.(?! ?(?:in )?\d{4}\b)(?=[ ,;)])"), to("estimated")),
    (
        re.compile(rf"\b({_DAY_NAMES})\.? ?[-–—] ?({_DAY_NAMES})\b(?:\.(?=[,;:)]| [a-z\d]))?"),
        English.weekdays,
    ),
    (
        re.compile(
            rf"(?<![Tt]he )\b({_DAY_NAMES})\b\.?(?=,? (?:(?:{_MONTH_NAMES})\b"
            rf"|\d{{1,2}}(?: (?:{_MONTH_NAMES})\b|[.:]\d\d\b|/\d{{1,2}}\b|[-–]\d|(?:st|nd|rd|th)\b"
            r"| ?[ap]\.?m\b|,(?!\d))))"
        ),
        _weekday,
    ),
    (re.compile(rf"\b(Sat|Fri|Mon|Tue|Wed|Thu)(?= ?[&/] ?(?:{_DAY_NAMES})\b)"), _weekday),
    (
        re.compile(r"(?<=day & )(Sun|Sat|Fri|Mon|Tue|Wed|Thu)\b|(?<=day/)(Sun|Sat|Fri)\b"),
        lambda _, found: WEEKDAYS[found[0]],
    ),
    (
        re.compile(rf"(?<=\b[Oo]n )(?!{_FRACTION}){_SHORT_DAY}(?! (?:of|time|occasions|days|cases)\b)"),
        _short_day,
    ),
    (re.compile(rf"(?:(?<=day )|(?<=day, )|(?<=\b[Uu]ntil ))(?!{_FRACTION}){_SHORT_DAY}"), _short_day),
    (re.compile(r"(?<=\b[Bb]y )(1[0-2]|[1-9])/(3[01]|2\d|1[3-57-9])()()(?![\w/])"), _short_day),
    (
        re.compile(
            r"\b(the|his|her|their|my|our|your|early|mid|late|upper|lower|low|high|middle)[ -]"
            r"((?:(?:[2-9]|1[0-2])0(?:'?s)?(?:,? (?:and|or|to) (?:the )?|, ?|[-–/])){0,4}"
            r"(?:[2-9]|1[0-2])0'?s)\b"
            rf"(?! (?:{_SECONDS_LONG})\b)",
            re.IGNORECASE,
        ),
        _decades,
    ),
    (
        re.compile(
            r"(?<![\w./,])([2-9]|1\d)/(2|4|8|16)"
            r"(?= (?:time|meter|metre|signature|beat|rhythm|waltz|groove)\b)"
        ),
        _metre,
    ),
    (re.compile(r"(?<![\w./,])(\d{1,2})/(\d{1,2})(?= (?:right|correct)\b)"), _rating),
    (re.compile(r"(?<![\w./,])(\d{1,2})/(\1)(?= of\b)"), _rating),
    (re.compile(r"(?<![\w./,])(4)/(4)(?![\w/])"), _metre),
    (re.compile(r"(?<![\w./,])(\d{1,3})/(1)(?![\w/])"), _odds),
    (re.compile(r"(?<=\bodds of )(\d{1,3})/(\d{1,2})(?![\w/])"), _odds),
    (re.compile(r"(?<![\w:.,])\d{1,2}(?::\d(?!\d)){2,4}(?![\w:])"), _parts),
    (
        re.compile(
            r"(?<![\w./,])((?:[2-9]|10|\d\.\d)/10|(?:[1-5]\.\d|5)/5|(?:[2-9]|[1-9]\d|100)/100)"
            r"(?![\w/%]| ?(?:of|in|miles?|inch|inches|seconds?)\b)"
        ),
        _rating,
    ),
    (re.compile(r"(?<![\w./,])([1-5])/(5)(?= stars?\b)"), _rating),
    (re.compile(r"(?<![\w:.,])(\d{1,2}):([0-5]\d):([0-5]\d)(\.\d{1,3})(?![\w:])"), _long_lap),
    (
        re.compile(
            r"(?:(?<=Boeing )|(?<=Boeing's ))7(\d7)(?:-(\d{1,4}))?\b"
            r"|(?<!code )(?<!call )(?<!from )\b7([0-8]7)-([2-9]00)\b(?! people| [a-z]{1,20}s\b)"
            r"|\b7([0-8]7)(?= MAX\b)"
        ),
        _aircraft,
    ),
    (re.compile(rf"(?<=, )({STATES}) (\d{{5}})(?:-(\d{{4}}))?(?![\w-]|,\d| [a-z])"), _postcode),
    (re.compile(r"(D\.C\.|DC),? (\d{5})(?:-(\d{4}))?(?![\w-]|,\d| [a-z])"), _postcode),
    (
        re.compile(r"\b([Tt]ext [\"']?[A-Z]{2,12}[\"']? to) (\d{3}|\d{5,6})(?![\w-]|[.,:]\d)"),
        English.digit_by_digit,
    ),
    (re.compile(r"(?<!\w)\((0\d{2,4})\) ?\d{3,8}(?: \d{3,4})?(?![\w-])"), English.phone),
    (
        re.compile(
            r"(?:(?<=[Ww]inds )|(?<=[Ww]ind )|(?<=from the )|(?<=\bkm )|(?<=\bmi )|(?<=miles )"
            r"|(?<=to the )|(?<=meters )|(?<=metres ))"
            r"(?:[NS][EW]|NN[EW]|SS[EW]|E[NS]E|W[NS]W)\b|(?<=[Ww]inds )[NSEW](?= at\b| \d)"
            r"|(?<=Ave\. )[NS][EW]\b|(?<=St\. )[NS][EW]\b"
        ),
        _wind,
    ),
    (re.compile(r"\b(Vol|vol|Ch|ch|Pt|Fig|fig|Sec|Art|Op)\. ([IVXLC]{1,7})(?![\w'-])"), _reference),
    (re.compile(r"(?<![\w.,])([1-5]\d\d)(?=[CF](?:/| fan\b))|(?<=[CF]/)(\d{2,3})(?=[CF]\b)"), to(r"\1\2°")),
    (
        re.compile(
            r"(?:(?<=\d (?:hr|lb|ft))|(?<=\d (?:hrs|lbs|min)))\.(?= \d{1,2} ?(?:mins?|secs?|in|oz)\b)"
        ),
        to(""),
    ),
    (
        re.compile(r"(?<![\w.,:$€£¥₹])(?<![$€£¥₹] )(?<!ersion )(0[1-9])\.([0-5]\d)(?![\w%]|[.,]\d)"),
        to(r"\1:\2"),
    ),
    (re.compile(r"(?<=\d/)(\d{1,3})(?:th|rd|nd)s?\b"), to(r"\1")),
    (re.compile(r"(?<=[A-Z])(\d{1,4})s\b"), English.plurals),
    (re.compile(r"(?<![\w.,])([2-9]0)s(?=[ -](?:" + _OF_DECADES + r")\b)"), English.decade),
    (re.compile(r"(?<![\w.,])7([0-8]7)s\b"), lambda _, found: f"seven {say.plural(int(found[1]))}"),
    (re.compile(r"(?<![\w.,])(\d)s and (\d)s\b"), _digits_many),
    (re.compile(r"(?<=\biPhone )(\d)s\b"), to(r"\1 S")),
    (
        re.compile(r"\b(A\.?D\.?) (\d{3,4})(?![\w:]|[.,]\d)"),
        lambda english, found: f"{found[1]} {english.year(found[2])}",
    ),
    (re.compile(r"(?<=[A-Z]-)(\d{1,6})-(?=\d)|(?<=[A-Za-z]\d\d)-(?=\d)|(?<=[A-Za-z]\d)-(?=\d)"), to(r"\1 ")),
    (re.compile(r"(?<=\d BC|\d AD|\d CE) ?[-–] ?(?=\d|AD\b|CE\b)"), to(" to ")),
    (re.compile(r"(?<=[\d½⅓⅔¼¾⅛])[-–](?=\d?[½⅓⅔¼¾⅛])|(?<=[½⅓⅔¼¾⅛])[-–](?=\d)"), to(" to ")),
    (re.compile(r"(?<![\w./,-])(\d{1,2})-(?=\d/\d{1,2}(?![\w/]))"), to(r"\1 ")),
    (re.compile(r"(?<![\w./,-])(\d{1,2}/\d{1,2})[-–](?=\d{1,2}/\d)"), to(r"\1 to ")),
    (
        re.compile(r"(?:(?<=\()|(?<=[,;] ))(b|d|r|fl)\. (?=(?:c\. ?|ca\. ?|[A-Z][a-z]{2,8}\.? )?\d)"),
        lambda _, found: _LIVES[found[1]],
    ),
    (re.compile(r"(?<![\w.])c\. ?(?=\d{3,4}(?!\d))"), to("about ")),
    (re.compile(r"(?<=\d(?:st|nd|rd|th)[ -])c(?:\.(?= [a-z]|[,;)])|(?=\.$))"), to("century")),
    (re.compile(r"(?<=[\w&] )Co(?:\.(?= [a-z]|[,;)])|(?=\.$))"), to("Company")),
)
