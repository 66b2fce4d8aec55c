"""Roman numerals in English, after what they number: kings, chapters, wars, centuries. Pure."""

import re
from typing import Final

from radio.speech.text.english.irregular_words import KINGS, NUMBERED_BY_ROMANS, TITLES
from radio.speech.text.english.names_and_addresses import English
from radio.speech.text.english.notations import Step

_NUMERAL: Final = "II|III|IV|VI|VII|VIII|IX|XI|XII|XIII|XIV|XV|XVI|XVII|XVIII|XIX|XX"
"""Those that are neither a word nor another short form after a name."""
_IN_VEINS: Final = (
    "fluids?|drips?|lines?|therapy|antibiotics?|drugs?|poles?|bags?|access|infusions?|medications?|pushe?s?"
)
"""Words before which IV is not a numeral."""

STEPS: Final[tuple[Step, ...]] = (
    (
        re.compile(
            rf"\b({KINGS}) ([IVXL]{{2,7}}|V|X|"
            r"I(?=[.,;:!?)]|'s|$| (?:of|was|died|reigned|ruled|became|succeeded|married)\b))(?![\w-])"
        ),
        English.regnal,
    ),
    (re.compile(rf"\b((?:{TITLES}) [A-Z][a-z]{{2,20}}) ([IVXL]{{1,7}})(?![\w-])"), English.regnal),
    (
        re.compile(rf"\b({NUMBERED_BY_ROMANS}) ([IVX]|(?<=Bowl )L|[IVXLC]{{2,9}})(?![\w'-])"),
        English.chapter,
    ),
    (
        re.compile(rf"\b(?!The\b)([A-Z][A-Za-z]{{2,20}}) ({_NUMERAL})(?![\w'-]| (?:{_IN_VEINS})\b)"),
        English.chapter,
    ),
    (
        re.compile(r"\b([IVX]{1,6})(?:th)? ((?:century|centuries|dynasty|Olympiad)\b)"),
        English.century,
    ),
    (re.compile(r"\bWW(II?)\b"), English.world_war),
)
