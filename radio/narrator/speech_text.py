"""Caption text to speech text: what a voice should say of what was written. Pure, and linear in time.

Here is what holds for every language; `speech_steps` puts numbers, units and abbreviations of English in
words. In other languages espeak-ng reads numbers itself.
"""

import html
import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from radio.narrator.speech_steps import in_words

_QUOTES: Final = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "´": "'"}
_DOUBLE: Final = dict.fromkeys("“”„‟″«»", '"')
_DASHES: Final = {"‐": "-", "‑": "-", "‒": "–", "―": "—", "−": "-", "⸺": "—"}
_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_INVISIBLE: Final = dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0e\ufe0f\u200e\u200f\u20e3", "")
_FULL_WIDTH: Final = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_PLAIN: Final = str.maketrans(
    {
        **_QUOTES,
        **_DOUBLE,
        **_DASHES,
        **_LIGATURES,
        **_INVISIBLE,
        **_FULL_WIDTH,
        "…": "...",
        "•": ",",
        "·": ",",
    }
)

_KEPT_SYMBOLS: Final = frozenset("°©®™№$€£¥₹¢&@%‰=≈≠≤≥±×÷√∞§→+<>~|^¶Ω")
_TIDY: Final[Mapping[re.Pattern[str], str]] = {
    re.compile(r"\s+"): " ",
    re.compile(r"\.{2,}"): "…",
    re.compile(r" ([,.;:!?…])"): r"\1",
    re.compile(r"([,;:]){2,}"): r"\1",
    re.compile(r"[!?]*\?[!?]*"): "?",
    re.compile(r"!{2,}"): "!",
    re.compile(r"[,;:—–-]+(?=[.!?…])"): "",
    re.compile(r"^[\s,.;:!?…—–)\]-]+"): "",
}
_LONGEST_WORD: Final = re.compile(r"(\S{60})(?=\S)")
_LATIN_LANGUAGES: Final = ("en-us", "en-gb", "es", "fr", "it", "pt-br")


def speech_text(text: str, language: str) -> str:
    """`text` as it should be said; empty if there is nothing to say.

    Args:
        text: one sentence, as its caption shows it.
        language: as of a voice.
    """
    plain = _plain(text)
    if language in ("en-us", "en-gb"):
        plain = in_words(plain, british=language == "en-gb")
    spoken = "".join(_spoken(letter, latin=language in _LATIN_LANGUAGES) for letter in plain)
    return _tidy(spoken)


def _plain(text: str) -> str:
    """One spelling for what has many: entities, quotes, dashes, spaces, ligatures, full width."""
    composed = unicodedata.normalize("NFC", html.unescape(text)).translate(_PLAIN)
    return " ".join(composed.split())


def _spoken(letter: str, *, latin: bool) -> str:
    """`letter`, or a space for what has no sound: emoji, drawings, controls, letters of another script."""
    if letter.isascii():
        return " " if letter in "*_`~#|^<>\\{}[]" or letter < " " else letter
    kind = unicodedata.category(letter)
    if kind[0] == "L":
        return letter if not latin or "LATIN" in unicodedata.name(letter, "") else " "
    if kind[0] == "M" or letter in "…—–¿¡":
        return letter
    return letter if kind == "Nd" and not latin else " "


def _tidy(text: str) -> str:
    for pattern, instead in _TIDY.items():
        text = pattern.sub(instead, text)
    return _LONGEST_WORD.sub(r"\1 ", text).strip()
