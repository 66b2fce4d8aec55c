"""Caption text to speech text: what a voice should say for the written text. Pure, and linear in time.

Here is what holds for every language; `english.rule_order` puts numbers, units and abbreviations of
English in words, `other_languages` numbers and symbols of the others.
"""

import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from radio.pronunciation import FIRST_MARK, LAST_MARK, NONE, Given, Pronunciations
from radio.speech.text import other_languages
from radio.speech.text.english.rule_order import in_words
from radio.speech.text.writing_systems import readable

_QUOTES: Final = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "´": "'"}
_DOUBLE: Final = dict.fromkeys("“”„‟″«»", '"')
_DASHES: Final = {"‐": "-", "‑": "-", "‒": "–", "―": "—", "−": "-", "⸺": "—"}
_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_INVISIBLE: Final = dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u200e\u200f\u20e3", "")
_FULL_WIDTH: Final = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_LOWERED: Final = {chr(0x2080 + digit): str(digit) for digit in range(10)}
_PLAIN: Final = str.maketrans(
    {
        **_QUOTES,
        **_DOUBLE,
        **_DASHES,
        **_LIGATURES,
        **_INVISIBLE,
        **_FULL_WIDTH,
        **_LOWERED,
        "￥": "¥",
        "￡": "£",
        "…": "...",
        "•": ",",
        "·": ",",
    }
)

_SPOKEN_MARKS: Final = frozenset("…—–¿¡、。，．！？：；「」『』《》（）【】・।")
_TIDY: Final[Mapping[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = {
    re.compile(r"\s+"): " ",
    re.compile(r"\.{2,}"): "…",
    re.compile(r" ([,.;:!?…)])"): r"\1",
    re.compile(r"([,;:]){2,}"): r"\1",
    re.compile(r"[!?]++"): lambda run: "?" if "?" in run[0] else "!",
    re.compile(r"(?<![,;:—–-])[,;:—–-]++(?=[.!?…])"): "",
    re.compile(r"^[\s,.;:!?…—–)\]-]+"): "",
}
_LONGEST_WORD: Final = re.compile(r"(\S{60})(?=\S)")
_THIN_GROUPS: Final = re.compile(r"(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))")
_WIDE_COMMA: Final = re.compile(r"(?<=[0-9])，(?=[0-9])")
"""Between two numbers, not within one."""
_LINK: Final = re.compile(r"!?\[([^\[\]]{1,500})\]\([^()\s]{0,2000}\)")
_PRIVATE: Final = re.compile(f"[{FIRST_MARK}-{LAST_MARK}]")
_DIGITS: Final = re.compile(r"\d")


def speech_text(text: str, language: str) -> str:
    """`text` as it should be spoken; empty if there is nothing to say.

    Args:
        text: one sentence, as its caption shows it.
        language: as of a voice.
    """
    return spelt(text, language, NONE)[0]


def spelt(text: str, language: str, pronounce: Pronunciations) -> tuple[str, Mapping[str, Given]]:
    """`text` as it should be spoken, and the words with listed phonemes, by the marks in their place.

    Args:
        pronounce: the station's own list; it has priority over every rule.
    """
    plain, given = pronounce.applied(_plain(text))
    if language in ("en-us", "en-gb"):
        said = in_words(plain, british=language == "en-gb")
    else:
        said = other_languages.in_words(_DIGITS.sub(_ascii_digit, plain), language)
    spoken = "".join(letter if letter in given else _spoken(letter) for letter in readable(said))
    return _tidy(spoken), given


def _plain(text: str) -> str:
    """One spelling for what has several: entities, quotes, dashes, spaces, ligatures, full width, links."""
    text = _WIDE_COMMA.sub(", ", _PRIVATE.sub(" ", text))
    composed = _THIN_GROUPS.sub("", unicodedata.normalize("NFC", html.unescape(text))).translate(_PLAIN)
    return _LINK.sub(r"\1", " ".join(composed.split()))


def _ascii_digit(found: re.Match[str]) -> str:
    return str(unicodedata.digit(found[0]))


def _spoken(letter: str) -> str:
    """`letter`, or a space for characters without sound: emoji, drawings, controls."""
    if letter.isascii():
        return " " if letter in "*_`~#|^<>\\{}[]" or letter < " " else letter
    kind = unicodedata.category(letter)
    return letter if kind[0] in "LM" or letter in _SPOKEN_MARKS else " "


def _tidy(text: str) -> str:
    for pattern, instead in _TIDY.items():
        text = pattern.sub(instead, text)
    return _LONGEST_WORD.sub(r"\1 ", text).strip()
