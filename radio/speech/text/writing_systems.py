"""In which language the letters of a text are read: the voice's, or that of another script. Pure.

A voice's G2P reads its own script. Han and kana in a text of another language are read as Chinese or
Japanese, Devanagari as Hindi, Latin letters in a Chinese or Japanese text as English; letters of all other
scripts are written in Latin letters first.
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

from anyascii import anyascii

_OWN: Final = {"ja": ("HAN", "KANA"), "zh": ("HAN",), "hi": ("DEVANAGARI", "LATIN")}
_LATIN: Final = ("LATIN",)
_READ_AS: Final = {"KANA": "ja", "DEVANAGARI": "hi", "LATIN": "en-us"}
_BLOCKS: Final = (
    ("\u0041", "\u024f", "LATIN"),
    ("\u1e00", "\u1eff", "LATIN"),
    ("\u0900", "\u097f", "DEVANAGARI"),
    ("\u3005", "\u3007", "HAN"),
    ("\u3041", "\u30ff", "KANA"),
    ("\u3400", "\u4dbf", "HAN"),
    ("\u4e00", "\u9fff", "HAN"),
    ("\uf900", "\ufaff", "HAN"),
    ("\U00020000", "\U0003ffff", "HAN"),
)
_IN_WORDS: Final = " '-"


def script(letter: str) -> str:
    """LATIN, HAN, KANA or DEVANAGARI; "" for a character that is no letter, OTHER for a letter of another
    script."""
    if not (letter.isalpha() or letter in "\u3005\u30fc"):
        return ""
    for first, last, name in _BLOCKS:
        if first <= letter <= last:
            return name
    return "LATIN" if unicodedata.name(letter, "").startswith("LATIN") else "OTHER"


def readable(text: str) -> str:
    """`text` with letters of scripts that no G2P here reads replaced by Latin letters."""
    if text.isascii():
        return text
    return "".join(_latin(letter) if script(letter) == "OTHER" else letter for letter in text)


def _latin(letter: str) -> str:
    """Its sound; a space for a sign that has a number in a catalogue, and no sound."""
    spelt = "".join(sign for sign in anyascii(letter) if sign.isalpha() or sign in _IN_WORDS) or " "
    return spelt.lower() if letter == letter.lower() else spelt


def runs(text: str, language: str) -> Iterator[tuple[str, str]]:
    """Pieces of `text` in order, each with the language in which it is read; nothing is left out.

    A character that is no letter belongs to the piece before it.

    Args:
        language: as of a voice.
    """
    own = _OWN.get(language, _LATIN)
    has_kana = any(script(letter) == "KANA" for letter in text)
    current, begin = language, 0
    for at, letter in enumerate(text):
        kind = script(letter)
        if not kind:
            continue
        reads = _reader(kind, language, own, has_kana=has_kana)
        if reads != current:
            if text[begin:at].strip():
                yield current, text[begin:at]
                begin = at
            current = reads
    if text[begin:]:
        yield current, text[begin:]


def _reader(kind: str, language: str, own: tuple[str, ...], *, has_kana: bool) -> str:
    if kind in own:
        return language
    if kind == "HAN":
        return "ja" if has_kana else "zh"
    return _READ_AS.get(kind, language)
