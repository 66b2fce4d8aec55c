"""Looks at the text from the begin of a sentence on, and says where the sentence ends. Pure."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from radio.sentences.abbreviations import AFTER_HOURS, DATES, HOURS, NAMED, NUMBERED, STARTERS, TITLES
from radio.sentences.breaths import CLOSERS, breath
from radio.sentences.lengths import MAX_CHARS, SPOKEN, is_short, sums, weight

FAR = 1 << 60
"""The end of a sentence that lies out of reach."""

_CLOSE = re.escape(CLOSERS)
_OPENERS = r"\"'“‘«(\[{¿¡「『（【《〈*_\-–—•"
STOP = re.compile(rf"(?P<wide>[。！？｡][。！？｡.!?…]*[{_CLOSE}]*)|(?P<mark>[.!?…]+[{_CLOSE}]*)|(?P<line>\n)")
_FULLSTOP = re.compile(r"\.[^.!?…]*")
_TEXT = re.compile(r"\S")
_SPACE = re.compile(r"\s*")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_AHEAD = re.compile(rf"[\s{_OPENERS}]*")
_MARKER = re.compile(r"(?:[-*•–—]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s")
_MARKER_BEGUN = re.compile(r"(?:[-*•–—]|\(?(?:\d{1,3}|[A-Za-z])?[.)]?)\Z")
_BARE_MARKER = re.compile(r"[-*•–—\s]*\(?(?:\d{1,3}|[A-Za-z])")
_WORD = re.compile(r"[^\W\d_]+")
_ROMAN = re.compile(r"[IVXLC]+\b")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_LONGEST_WORD = 14
"""Letters of the following word that are looked at, at most."""
_TOKEN = 24
"""Characters that are looked at for the word before a stop."""


def next_sentence(
    text: str, at: int, *, limit: int = MAX_CHARS, language: str = "en", is_all: bool = False
) -> tuple[int, int] | None:
    """Start and end of the next sentence from `at` on; None if there is none, or more text may change it.

    Args:
        limit: its longest length in letters (`weight`).
        is_all: no more text comes.
    """
    head = _TEXT.search(text, at)
    window = limit + _TOKEN  # what is looked at grows only as needed, which keeps the work linear
    while head is not None:
        start = head.start()
        has_rest = start + window >= len(text)
        look = _Look(text[start : start + window], limit, language, is_all and has_rest)
        end = look.first_end()
        if end is not None:
            return start, start + end
        if has_rest:
            break
        window *= 2
    return None


@dataclass(frozen=True, slots=True)
class _Border:
    """A sentence may end before `end`; `is_hard`: a blank line or nothing at all follows."""

    end: int
    is_hard: bool = False


class _Look:
    """One look at the text from the begin of a sentence on. None means: what follows is needed to say."""

    def __init__(self, text: str, limit: int, language: str, is_all: bool) -> None:
        self.text = text
        self.limit = limit
        self.is_all = is_all
        self.titles = TITLES.get(language[:2].lower(), TITLES["en"])
        heavy = weight(text) > 2 * limit
        self.sums = sums(text) if heavy else []
        self.reach = bisect_right(self.sums, 2 * limit) + 1 if heavy else len(text)

    def first_end(self) -> int | None:
        end = self._sentence_end()
        if end is None or (end != FAR and weight(self.text[:end]) <= self.limit):
            return end
        return breath(
            self.text,
            self.sums or sums(self.text),
            self._total(end),
            self.limit,
        )

    def _total(self, end: int) -> int:
        return FAR if end == FAR else weight(self.text[:end])

    # --- whole sentences ---

    def _sentence_end(self) -> int | None:
        """The end of the first sentence, with the short ones beside it; FAR if it is over twice the limit."""
        heard = SPOKEN.search(self.text, 0, self.reach)
        if heard is None:
            return self._end_of_silence()
        border = self._border(0, heard.start())
        while border is not None and border.end != FAR and is_short(self.text[: border.end]):
            following = _TEXT.search(self.text, border.end)
            if following is None:
                return border.end if self.is_all else None
            border = self._border(following.start(), following.start())
        if border is None or border.end == FAR or border.is_hard:
            return None if border is None else border.end
        return self._with_last(border.end)

    def _with_last(self, end: int) -> int | None:
        """A short sentence that is the last of its paragraph is spoken with the one before it."""
        following = _TEXT.search(self.text, end)
        if following is None:
            return end if self.is_all else None
        last = self._border(following.start(), following.start())
        if last is None:
            return None if is_short(self.text[following.start() :]) else end
        if last.end == FAR:
            return end
        joins = last.is_hard and is_short(self.text[following.start() : last.end])
        return last.end if joins and weight(self.text[: last.end]) <= self.limit else end

    def _end_of_silence(self) -> int | None:
        """Where nothing is heard within reach, no stop ends a sentence."""
        if self.is_all and len(self.text) <= self.reach:
            return len(self.text.rstrip())
        return FAR if len(self.text) > self.reach else None

    def _border(self, start: int, after: int) -> _Border | None:
        """The first place beyond `after` where a sentence may end that begins at `start`."""
        for stop in STOP.finditer(self.text, after):
            if stop.end() > self.reach:
                return _Border(FAR)
            ends = self._ends_line(stop) if stop["line"] else self._ends_sentence(start, stop)
            if ends is None:
                return None
            if ends:
                end = stop.start() if stop["line"] else stop.end()
                return _Border(len(self.text[:end].rstrip()), self._is_hard(end))
        if self.is_all:
            return _Border(len(self.text.rstrip()), True)
        return _Border(FAR) if len(self.text) > self.reach else None

    def _is_hard(self, end: int) -> bool:
        space = _SPACE.match(self.text, end)
        after = space.end() if space else end
        return after == len(self.text) or bool(_BLANK_LINE.search(self.text, end, after))

    def _unless_all(self) -> bool | None:
        """The answer where the text ends: a border if that is all of it."""
        return True if self.is_all else None

    def _ends_line(self, stop: re.Match[str]) -> bool | None:
        """A line ends a sentence before a blank one and before an item of a list."""
        if _BLANK_LINE.match(self.text, stop.start()):
            return True
        following = _TEXT.search(self.text, stop.end())
        if following is None:
            return self._unless_all()
        if not self.is_all and _MARKER_BEGUN.match(self.text, following.start()):
            return None
        return bool(_MARKER.match(self.text, following.start()))

    def _ends_sentence(self, start: int, stop: re.Match[str]) -> bool | None:
        end = stop.end()
        following = _TEXT.search(self.text, end)
        if following is not None and following.start() == end:
            return bool(stop["wide"])
        if following is None:
            is_blank = bool(_BLANK_LINE.search(self.text, end))
            return True if is_blank else self._unless_all()
        if stop["wide"] or _BLANK_LINE.search(self.text, end, following.start()):
            return True
        return self._begins_sentence(start, stop, following.start())

    def _begins_sentence(self, start: int, stop: re.Match[str], following: int) -> bool | None:
        """Does a sentence begin at `following`, after a stop of Latin script and white space?"""
        ahead = _AHEAD.match(self.text, following)
        at = ahead.end() if ahead else following
        if at == len(self.text):
            return self._unless_all()
        if self.text[at].islower():
            return False
        if not _FULLSTOP.fullmatch(stop.group()):
            return True
        if _BARE_MARKER.fullmatch(self.text, start, stop.start()):
            return False
        before = self.text[max(start, stop.start() - _TOKEN) : stop.start()].split()
        return self._ends_with_word(before[-1].lstrip(_OPENERS), at) if before else True

    def _ends_with_word(self, word: str, at: int) -> bool | None:
        """Does the full stop after `word` end a sentence, with a capital or a digit at `at`?"""
        key = word.lower()
        if key in self.titles:
            return False
        if key in NUMBERED:
            return not (self.text[at].isdigit() or _ROMAN.match(self.text, at))
        if key in DATES and word[0].isupper():
            return not self.text[at].isdigit()
        if key in HOURS:
            return _not(self._word_in(AFTER_HOURS, at))
        is_initial = len(word) == 1 and word.isupper() and word != "I"
        if key in NAMED or is_initial or _DOTTED.fullmatch(word):
            return self._word_in(STARTERS, at)
        return True

    def _word_in(self, words: frozenset[str], at: int) -> bool | None:
        """Is the word at `at` one of these, and not an initial?"""
        found = _WORD.match(self.text, at)
        if found is None:
            return False
        if found.end() - at < _LONGEST_WORD and found.end() == len(self.text) and not self.is_all:
            return None
        is_initial = found.end() - at == 1 and self.text[found.end() : found.end() + 1] == "."
        return found.group().lower() in words and not is_initial


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer
