"""Converts espeak-ng's IPA to the symbols that Kokoro was trained on. Pure.

Kokoro writes diphthongs and affricates as one symbol each and knows only some sounds; the mapping follows its
vocabulary and misaki's dictionaries.
"""

import re
from collections.abc import Mapping
from typing import Final

_ANY_LANGUAGE: Final = {
    "a^ɪ": "I",
    "a^ʊ": "W",
    "e^ɪ": "A",
    "o^ʊ": "O",
    "ə^ʊ": "Q",
    "ɔ^ɪ": "Y",
    "d^z": "ʣ",
    "d^ʒ": "ʤ",
    "t^s": "ʦ",
    "t^ʃ": "ʧ",
    "^": "",
    "-": "",
}
_ENGLISH: Final = {
    **_ANY_LANGUAGE,
    "ə^l": "ᵊl",
    "e": "A",
    "o": "ɔ",
    "r": "ɹ",
    "x": "k",
    "ç": "k",
    "ɐ": "ə",
    "ɬ": "l",
    "ɾ": "T",
    "ʔ": "t",
    "ɚ": "əɹ",
    "ʲo": "jo",
    "ʲə": "jə",
    "ʲ": "",
    "n\u0329": "ᵊn",
    "m\u0329": "ᵊm",
    "l\u0329": "ᵊl",
    "ʔn\u0329": "tᵊn",
    "\u0329": "",
    "\u0303": "",
}
_AMERICAN: Final = {
    **_ENGLISH,
    "ə^ʊ": "O",
    "ɜːɹ": "ɜɹ",
    "ɜː": "ɜɹ",
    "ɪə": "iə",
    "i^ə": "iə",
    "ː": "",
}
_BRITISH: Final = {
    **_ENGLISH,
    "o^ʊ": "Q",
    "e^ə": "ɛː",
    "iə": "ɪə",
    "i^ə": "ɪə",
    "ᵻ": "ɪ",
}
_LANGUAGE_SWITCH: Final = re.compile(r"\([\w^-]{1,24}\)")


def _pattern(table: Mapping[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(table, key=len, reverse=True))))


_TABLES: Final = {"en-us": _AMERICAN, "en-gb": _BRITISH}
_PATTERNS: Final = {language: _pattern(table) for language, table in _TABLES.items()}
_ANY_PATTERN: Final = _pattern(_ANY_LANGUAGE)


def to_kokoro(ipa: str, language: str) -> str:
    """Kokoro's symbols for `ipa`; symbols in no table stay as they are.

    Args:
        ipa: from espeak-ng, the letters of one sound joined by `^`.
        language: as of a voice.
    """
    table = _TABLES.get(language, _ANY_LANGUAGE)
    pattern = _PATTERNS.get(language, _ANY_PATTERN)
    plain = _LANGUAGE_SWITCH.sub(" ", ipa)
    return " ".join(pattern.sub(lambda found: table[found.group()], plain).split())
