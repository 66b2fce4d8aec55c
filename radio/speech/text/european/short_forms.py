"""Short forms of languages other than English: abbreviations, ordinals, Roman numerals, phone numbers.
Pure."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from radio.speech.text.english.numbers import roman
from radio.speech.text.european.abbreviations import ABBREVIATIONS, BEFORE_NUMBERS, MAY_END

Step = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]

_LATIN_PLUS: Final = {"es": "más", "fr": "plus", "it": "più", "pt-br": "mais", "hi": "प्लस"}
_CENTURIES: Final = {
    "es": "[sS]iglos?|[cC]apítulo|[tT]omo|[aA]cto|[vV]olumen|[tT]ítulo",
    "fr": "[cC]hapitre|[tT]ome|[aA]cte|[vV]olume|[lL]ivre|[tT]itre|[aA]rticle",
    "it": "[cC]apitolo|[tT]omo|[aA]tto|[vV]olume|[tT]itolo|[aA]rticolo",
    "pt-br": "[sS]éculos?|[cC]apítulo|[tT]omo|[aA]to|[vV]olume|[tT]ítulo",
}
_KINGS: Final = {
    "es": "Carlos|Felipe|Alfonso|Isabel|Enrique|Juan|Fernando|Jaime|Francisco|Jorge|Pío|Pablo|Sancho",
    "fr": "Charles|Henri|Philippe|Jean|Louis|Guillaume|Georges|Jacques|Élisabeth|Napoléon|Pie|Paul|Robert",
    "it": "Carlo|Enrico|Filippo|Umberto|Ferdinando|Giacomo|Giorgio|Elisabetta|Guglielmo|Paolo|Pio|Francesco",
    "pt-br": "Carlos|Filipe|Afonso|Isabel|Henrique|João|Fernando|Jorge|Pio|Paulo|Pedro|Manuel",
}
"""Names whose numeral may be one letter."""
_THE: Final = {
    "es": ("[eE]l|[dD]el|[aA]l", "[lL]a"),
    "it": ("[iI]l|[dD]el|[aA]l|[nN]el|[dD]al", "[lL]a|[dD]?[nN]?[aA]?[eE]?lla"),
    "pt-br": ("[oO]|[dD]o|[nN]o|[aA]o", "[aA]|[dD]a|[nN]a|[àÀ]"),
}
_NAME: Final = r"\b([A-ZÁÂÉÍÓÔÚ][a-záâãçéêíñóôõúü]{1,20}) ([IVX]{2,6})\b"
_FRENCH_NAMES: Final = (
    "unième deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième "
    "douzième treizième quatorzième quinzième seizième dix-septième dix-huitième dix-neuvième"
)
_FRENCH_ORDINALS: Final = _FRENCH_NAMES.split(" ")
_FRENCH_TENS: Final = {2: "vingt", 3: "trent", 4: "quarant", 5: "cinquant", 6: "soixant", 8: "quatre-vingt"}
PHONE: Final = re.compile(
    r"(?<![A-Za-z0-9-])(?<!\d[., ])(?:\(\+\d{1,3}\) ?\d{1,5}(?:[ -]\d{2,5}){1,4}"
    r"|\+\d{1,3}(?:[ -]\d{1,10}){1,6}|\(\d{2,4}\) ?\d{3,5}-\d{4}"
    r"|\d{2,5}-\d{1,4}-\d{3,4}|\d{5}-\d{4}|0\d{2,4}-\d{6,8}|\d{5}-\d{5}|\+\d{8,14}"
    r"|0\d{1,4}(?: \d{2,8}){1,5})(?![A-Za-z0-9-]| ?\d)"
)
_CALLED: Final = re.compile(
    r"\b([tT]el[éeèê]\w{0,8}|[lL]lam\w{1,4}(?: al)?|WhatsApp|[nN]umero verde|[lL]igue(?: para)?|"
    r"[cC]hiama\w{0,4}(?: lo)?"
    r"|[aA]ppele\w{0,4}(?: le)?):? (\d{2,4}(?: \d{2,5}){2,4})\b(?! \d)"
)


def steps(language: str) -> tuple[Step, ...]:
    """What is to be put in words before all else, in this order."""
    if language not in ABBREVIATIONS:
        return ()
    before_numbers = BEFORE_NUMBERS.get(language, {}).items()
    return (
        *((re.compile(rf"(?<!\w){short} ?(?=\d)"), _to(f"{word} ")) for short, word in before_numbers),
        (re.compile(r"(?<=\d)( ?)º(?= ?[CF]\b)"), lambda found: f"{found[1]}°"),
        (re.compile(r"(?<=\d)° (?=[CF]\b)"), _to("°")),
        *_FIRST.get(language, ()),
        _abbreviations(language),
        *_OWN.get(language, ()),
        (_CALLED, lambda found: f"{found[1]} {_groups(found[2])}"),
        (PHONE, partial(_phone, _LATIN_PLUS[language])),
    )


def _abbreviations(language: str) -> Step:
    table = ABBREVIATIONS[language]
    words = "|".join(map(re.escape, sorted(table, key=len, reverse=True)))

    def say(found: re.Match[str]) -> str:
        ends = found[0] in MAY_END and not found.string[found.end() : found.end() + 8].strip(" \"')")
        return table[found[0]] + ("." if ends else "")

    return re.compile(rf"(?<![\w.])(?:{words})(?:(?<=\.)|(?!\w))(?!\.?\w\.)"), say


def _phone(plus: str, found: re.Match[str]) -> str:
    return (f"{plus} " if "+" in found[0][:2] else "") + _groups(found[0])


def _groups(number: str) -> str:
    """Groups of up to two digits are read as numbers, longer ones digit by digit."""
    groups = re.findall(r"\d+", number)
    return ", ".join(group if len(group) <= 2 else " ".join(group) for group in groups)


def _to(instead: str) -> Callable[[re.Match[str]], str]:
    return lambda _: instead


def _century(found: re.Match[str]) -> str:
    return f"{found[1]} {roman(found[2]) or found[2]}"


def _ruler(found: re.Match[str]) -> str:
    """`Felipe VI`: the sixth; from eleven on a plain number."""
    number = roman(found[2])
    return f"{found[1]} {f'{number}º' if number <= 10 else number}" if number else found[0]


def _french_number(found: re.Match[str]) -> str:
    """espeak-ng would add that the numeral is a Roman one."""
    return f"{found[1]} {roman(found[2]) or found[2]}"


def _french_ordinal(found: re.Match[str]) -> str:
    number = int(found[1]) if found[1].isdecimal() else roman(found[1])
    if not 2 <= number <= 99:
        return f"{number}ième" if number else found[0]
    tens, ones = divmod(number, 10)
    if tens in (7, 9):
        tens, ones = tens - 1, ones + 10
    if tens < 2:
        return _FRENCH_ORDINALS[number - 1]
    if not ones:
        return f"{_FRENCH_TENS[tens]}ième"
    end = "" if tens in (2, 8) else "e"
    joint = " et " if ones in (1, 11) and tens != 8 else "-"
    return f"{_FRENCH_TENS[tens]}{end}{joint}{_FRENCH_ORDINALS[ones - 1]}"


def _ordinals(language: str) -> tuple[Step, ...]:
    """`la II Guerra`, `el I Festival`: numerals between an article and a name; `3a edizione`."""
    masculine, feminine = _THE[language]
    noun = r"[A-ZÁÉÍÓÚ][a-zá-ÿ]{3,20}\b" if language != "it" else r"[A-Za-z][a-zá-ÿ]{3,20}\b"
    return (
        *(
            (re.compile(rf"\b({the}) ((?!X\b)[IVX]{{1,6}}) (?={noun})"), partial(_ordinal, sign))
            for the, sign in ((masculine, "º"), (feminine, "ª"))
        ),
        (re.compile(r"(?<![\w.,])(\d{1,2})a (?=[A-Za-zá-ÿ])"), lambda found: f"{found[1]}ª "),
    )


def _ordinal(sign: str, found: re.Match[str]) -> str:
    number = roman(found[2])
    if found[1].lower() in ("el", "del", "al") and sign == "º" and number in (1, 3):
        return f"{found[1]} {'primer' if number == 1 else 'tercer'} "
    return f"{found[1]} {number}{sign} " if number else found[0]


def _lone_numeral(language: str, found: re.Match[str]) -> str:
    """`Carlos V`, `Pedro I`."""
    number = roman(found[2])
    if language == "fr":
        return f"{found[1]} {'premier' if number == 1 else number}"
    return f"{found[1]} {number}º"


def _single(language: str) -> Step:
    after = r"(?!\w|[-'’]|\. ?[A-ZÁÉ]|\.[A-Z])"
    return re.compile(rf"\b({_KINGS[language]}) ([IVX]){after}"), partial(_lone_numeral, language)


def _kings(language: str) -> tuple[Step, ...]:
    return (
        _single(language),
        *_ordinals(language),
        (re.compile(r"(?<=\d0)'?s\b"), _to("")),
        (re.compile(rf"\b({_CENTURIES[language]}) ([IVX]{{1,6}})\b"), _century),
        (re.compile(_NAME), _ruler),
    )


_IL: Final = r"\b((?:[iI]l|[dD]el|[aA]l|[nN]el|[dD]al|[sS]ul|[uU]n|[lL]o|[cC]ol) |(?:[dD]el|[aA]l|[nN]el)?l')"
_ITALIAN_COUNTED: Final = (
    "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|posto|piano|"
    "classificato|turno|minuto|secolo|anniversario|giornata|trimestre|semestre"
)
"""Behind these a degree sign is an ordinal."""


def _italian_century(found: re.Match[str]) -> str:
    number = roman(found[1])
    return f"{number}º" if number else found[0]


_KINDS: Final = "grupo vitamina plan letra clase tipo serie división hepatitis zona bloque sector opción"
_NO_KIND: Final = "".join(f"(?<![{word[0]}{word[0].upper()}]{word[1:]} )" for word in _KINDS.split())
"""Behind these a letter tells one of a kind."""
_COMIC: Final = "la une cette les des de en ma sa"
_NO_COMIC: Final = "".join(rf"(?<!\b{word} )" for word in _COMIC.split())
_FIRST: Final[Mapping[str, tuple[Step, ...]]] = {
    "es": (
        (
            re.compile(r"(?<![\w.,:-])(?<!\d )(?:[89]\d \d{3}|[6-9]\d\d \d\d) \d\d \d\d(?! ?\d|[.,]\d|\w)"),
            lambda found: _groups(found[0]),
        ),
    ),
    "fr": (
        (
            re.compile(
                rf"(?:(?<=\b[lL]e )|(?<=\b[dD]u )|(?<=\b[aA]u ))bd\b\.?"
                rf"|{_NO_COMIC}\bbd\b\.?(?= (?:d(?:u|es|e(?: la)?) |d'|de l')?[A-ZÀ-Þ])"
            ),
            _to("boulevard"),
        ),
    ),
    "it": (
        (re.compile(r"(?<![\w.,])1 ?sec\.(?= \S)"), _to("1 secondo")),
        (re.compile(r"(?<=\d) ?sec\.(?= \S)"), _to(" secondi")),
        (re.compile(r"(?<=\d) ?sec(?!\w|\.\w)"), _to(" secondi")),
        (re.compile(r"(?<=\b[nNdD]ei )sec\.(?= [IVX])"), _to("secoli")),
    ),
}
"""What goes before the abbreviations."""
_OWN: Final[Mapping[str, tuple[Step, ...]]] = {
    "es": (
        (re.compile(r"(?<=\d)\.(?=[ºª])"), _to("")),
        (re.compile(r"\bs\. (?=[IVX]{1,6}\b)"), _to("siglo ")),
        (re.compile(r"\bss\. (?=[IVX]{1,6}\b)"), _to("siglos ")),
        (re.compile(rf"(?<!\. ){_NO_KIND}\bD\. (?=[A-ZÁÉÍÓÚ][a-zá-ÿ]{{2}})"), _to("don ")),
        (re.compile(r"\b([lL]os \d{1,3})'(?!\w)"), lambda found: f"{found[1]} minutos"),
        (re.compile(r"(?<=minuto )(\d{1,3})'"), lambda found: found[1]),
        (re.compile(r"\b1\.?er\b"), _to("primer")),
        (re.compile(r"\b3\.?er\b"), _to("tercer")),
        *_kings("es"),
    ),
    "pt-br": (
        (re.compile(r"\b(aos \d{1,3})'(?!\w)"), lambda found: f"{found[1]} minutos"),
        (re.compile(r"\bS\. (?=(?:Paulo|João|José|Pedro|Luís|Bernardo|Francisco|Jorge)\b)"), _to("São ")),
        (re.compile(r"\b([nN]a|[dD]a|[àÀ]|[aA]) R\. (?=[A-Z])"), lambda found: f"{found[1]} rua "),
        *_kings("pt-br"),
    ),
    "hi": (
        (re.compile(r"(?<![\w.,:-])(\d{1,3})-(\d{1,3})(?= से\s)"), lambda found: f"{found[1]} {found[2]}"),
        (re.compile(r"(?<![\w.,:-])50-50(?![\w-])"), _to("50 50")),
        (re.compile(r"(?<=\d)/-(?!\w)"), _to("")),
    ),
    "fr": (
        (re.compile(r"\b(\d{1,3}|[IVX]{1,6})(?:e|è|ème|ième)\b"), _french_ordinal),
        (re.compile(r"\b([A-ZÉÈ]?[a-zéèêîôû]{2,20}) ([IVX]{2,6})\b"), _french_number),
        (re.compile(rf"\b({_CENTURIES['fr']}) ([IVX])(?!\w|')"), _french_number),
        _single("fr"),
        (re.compile(r"\bMe (?=[A-ZÉ][a-zà-ÿ])"), _to("maître ")),
        (re.compile(r"(?<=\d0)'?s\b"), _to("")),
        (re.compile(r"\b1/2[ -]?(?=finales?\b)"), _to("demi-")),
        (
            re.compile(r"\b([48]) ?[xX×] ?(?=(?:50|[1248]00|1500) ?m(?:ètres)?\b)"),
            lambda found: f"{found[1]} fois ",
        ),
        (re.compile(r"\b24 ?h(?:eures)?/24\b"), _to("24 heures sur 24")),
        (re.compile(r"\b7 ?j(?:ours)?/7\b"), _to("7 jours sur 7")),
    ),
    "it": (
        (re.compile(rf"{_IL}(\d{{1,3}})°(?= [A-Za-z])"), lambda found: f"{found[1]}{found[2]}º"),
        (re.compile(rf"(?<![\w.,-])(\d{{1,2}})°(?= (?:{_ITALIAN_COUNTED})\b)"), lambda found: f"{found[1]}º"),
        (
            re.compile(r"\b([aA]l|[dD]al|[nN]el) (\d{1,3})'(?!\w)"),
            lambda found: f"{found[1]} {found[2]}º minuto",
        ),
        (
            re.compile(r"\bS\. (?=(?:Pietro|Paolo|Giovanni|Marco|Francesco|Siro|Carlo|Giuseppe)\b)"),
            _to("San "),
        ),
        (re.compile(r"\b([IVX]{1,6})(?= (?:secol[oi]|millennio)\b)"), _italian_century),
        (re.compile(rf"\b({_CENTURIES['it']}) ([IVX])(?!\w|')"), _century),
        _single("it"),
        *_ordinals("it"),
    ),
}
