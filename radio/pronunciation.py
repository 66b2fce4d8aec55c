"""A station's own pronunciation list: words that its voice does not pronounce by the rules. Pure.

An entry matches a whole word, not part of one. In small letters it matches any case; with a capital it
matches only as written. The word is replaced by the respelling, a text like any other, or spoken with the
phonemes between slashes: `/kjˈOTO/`.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from radio.errors import BadInput

SYMBOLS: Final = frozenset(
    ';:,.!?—…"()“” \u0303ʣʥʦʨᵝꭧAIOQSTWYᵊabcdefhijklmnopqrstuvwxyzɑɐɒæβɔɕçɖðʤəɚɛɜɟɡɥɨɪʝɯɰŋɳɲɴøɸθœɹɾɻʁɽʂʃʈʧʊʋʌ'
    "ɣɤχʎʒʔˈˌːʰʲ↓→↗↘ᵻ"
)
"""Those of the voice model."""
MOST_WORDS: Final = 500
LONGEST_WORD: Final = 64
LONGEST_SAID: Final = 200
FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
"""Private-use characters: one stands in speech text where phonemes are given."""

_QUOTES: Final = str.maketrans("’‘ʼ", "'''")


@dataclass(frozen=True, slots=True)
class Given:
    """Phonemes that a list gives for a word of the text."""

    word: str
    phonemes: str


def word(value: object) -> str:
    """A word of a list as it is kept. Raises `BadInput`."""
    text = " ".join(unicodedata.normalize("NFC", str(value)).translate(_QUOTES).split())
    if not any(map(str.isalnum, text)):
        raise BadInput(f"{str(value)!r} is no word; write at least one letter or digit")
    if len(text) > LONGEST_WORD:
        raise BadInput(f"a word has at most {LONGEST_WORD} letters")
    return text


def said(value: object) -> str:
    """How a word is said, as it is kept. Raises `BadInput`."""
    text = unicodedata.normalize("NFC", str(value)).strip()
    if len(text) > LONGEST_SAID:
        raise BadInput(f"a pronunciation has at most {LONGEST_SAID} letters")
    if text.startswith("/") or text.endswith("/"):
        return f"/{_phonemes(text)}/"
    if not any(map(str.isalnum, text)):
        raise BadInput(f"{str(value)!r} is no respelling; write it as it is read, or phonemes as /kjˈOTO/")
    if any(FIRST_MARK <= letter <= LAST_MARK for letter in text):
        raise BadInput("a respelling has no letters of private use")
    return text


def _phonemes(text: str) -> str:
    inner = text[1:-1].strip() if len(text) > 2 and text[0] == text[-1] == "/" else ""
    if not inner:
        raise BadInput(
            f"{text!r} is not how phonemes are written; write them between two slashes, as /kjˈOTO/"
        )
    inner = "".join(
        letter if letter in SYMBOLS else unicodedata.normalize("NFD", letter) for letter in inner
    ).replace("g", "ɡ")
    strange = sorted(set(inner) - SYMBOLS)
    if strange:
        raise BadInput(
            f"{' '.join(strange)} in {text!r} is no phoneme of the voice; docs/stations.md lists them"
        )
    if not any(letter.isalpha() and letter not in "ˈˌːʰʲ" for letter in inner):
        raise BadInput(f"{text!r} has no sound")
    return inner


@dataclass(frozen=True, slots=True)
class Pronunciations:
    """A list, ready to use.

    Attributes:
        entries: each word and its pronunciation, as `word` and `said` return them.
    """

    entries: tuple[tuple[str, str], ...] = ()
    _pattern: re.Pattern[str] | None = field(init=False, compare=False, repr=False, default=None)

    def __post_init__(self) -> None:
        if self.entries:
            words = sorted((entry[0] for entry in self.entries), key=len, reverse=True)
            object.__setattr__(self, "_pattern", re.compile("|".join(map(_alone, words))))

    def __bool__(self) -> bool:
        return bool(self.entries)

    def applied(self, text: str) -> tuple[str, Mapping[str, Given]]:
        """`text` with its words respelt, and marks where phonemes are given.

        Args:
            text: with plain quotes, composed; any such marks in it must be removed before.
        """
        if self._pattern is None:
            return text, {}
        said_as = dict(self.entries)
        given: dict[str, Given] = {}

        def instead(found: re.Match[str]) -> str:
            way = said_as[found[0]] if found[0] in said_as else said_as[found[0].lower()]
            mark = chr(ord(FIRST_MARK) + len(given))
            if not way.startswith("/") or mark > LAST_MARK:
                return way.strip("/")
            given[mark] = Given(found[0], way[1:-1])
            return mark

        return self._pattern.sub(instead, text), given


NONE: Final = Pronunciations()


def from_entries(entries: Mapping[str, str] | None) -> Pronunciations:
    """The list of a card. Raises `BadInput`."""
    return Pronunciations(tuple((word(key), said(way)) for key, way in (entries or {}).items()))


def _alone(entry: str) -> str:
    """A pattern that matches the word where no letter or digit of its script is next to it."""
    escaped = re.escape(entry)
    escaped = f"(?i:{escaped})" if entry == entry.lower() and entry != entry.upper() else escaped
    before = r"(?<!\w)" if _has_borders(entry[0]) else ""
    after = r"(?!\w)" if _has_borders(entry[-1]) else ""
    return before + escaped + after


def _has_borders(letter: str) -> bool:
    """Chinese and Japanese put no spaces between words."""
    return not ("\u3040" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff")
