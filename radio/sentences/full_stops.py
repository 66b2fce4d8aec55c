"""Whether a full stop after a word ends a sentence, if a capital, a digit or the like follows. Pure.

None means that more text is needed to decide.
"""

import re
from dataclasses import dataclass

from radio.sentences.abbreviations import AFTER_HOURS, HOURS, NUMBERED_BY_I, Abbreviations
from radio.sentences.stop_patterns import AROUND_WORD

_WORD = re.compile(r"[^\W\d_]+")
_DEVANAGARI = re.compile(r"[\u0900-\u0963\u0970-\u097f]+")
_ROMAN = re.compile(r"[IVXLC]+\b")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,2}")
_OPENING_HOUR = re.compile(
    r"(?:at|by|around|about|since|until|till|after|before|from)\s[\w:]{1,5}\s?[ap]\.m", re.IGNORECASE
)
_LONGEST_WORD = 14
"""Maximum number of letters of the next word that are examined."""
_TOKEN = 24
"""Number of characters examined for the word before a stop."""


@dataclass(frozen=True, slots=True)
class FullStops:
    """Those of one text. `is_all`: no more text comes."""

    text: str
    known: Abbreviations
    is_all: bool

    def ends(self, start: int, stop: int, at: int) -> bool | None:
        """Whether the stop at `stop` ends the sentence from `start` on, where `at` is the next letter or
        digit."""
        before = self.text[max(start, stop - _TOKEN) : stop].split()
        word = before[-1].strip(AROUND_WORD) if before else ""
        if not word:
            return True
        key = word.lower()
        if key in HOURS:
            return self._ends_hour(start, stop, at)
        return self._ends_with(_bare(word), before[-2] if len(before) > 1 else "", at)

    def _ends_hour(self, start: int, stop: int, at: int) -> bool | None:
        if _OPENING_HOUR.fullmatch(self.text, start, stop):
            return False
        belongs = self._word_in(AFTER_HOURS, at)
        return None if belongs is None else not belongs

    def _ends_with(self, word: str, before: str, at: int) -> bool | None:
        key, next_is_digit = word.lower(), self.text[at].isdigit()
        if key in self.known.titles and (len(key) > 1 or word.isupper()):
            return False
        if key in self.known.numbered:
            return not (next_is_digit or _ROMAN.match(self.text, at))
        if key in self.known.dates and word[0].isupper():
            return not next_is_digit
        if key in self.known.named or _is_initial(word, before) or _DOTTED.fullmatch(word):
            return self._word_in(self.known.starters, at)
        return True

    def _word_in(self, words: frozenset[str], at: int) -> bool | None:
        """Whether the word at `at` is one of these, and not an initial."""
        found = _DEVANAGARI.match(self.text, at) or _WORD.match(self.text, at)
        if found is None:
            return False
        if found.end() - at < _LONGEST_WORD and found.end() == len(self.text) and not self.is_all:
            return None
        is_initial = found.end() - at == 1 and self.text[found.end() : found.end() + 1] == "."
        return found.group().lower() in words and not is_initial


def _bare(word: str) -> str:
    """Without an article that is written together with it, as in `l'Ing`."""
    return re.split(r"['’]", word)[-1] or word


def _is_initial(word: str, before: str) -> bool:
    if len(word) != 1 or not word.isupper():
        return False
    is_named = before[:1].isupper() and before.lower() not in NUMBERED_BY_I
    return word != "I" or is_named
