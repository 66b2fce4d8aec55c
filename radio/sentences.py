"""Cuts a stream of text into what is spoken in one breath: the unit of narration, captions and fairness.

The cut does not depend on how the text came in pieces, nor on anything before the sentence it looks at: who
begins anew at the end of any sentence goes on with the same ones. Nothing is dropped but the white space
between sentences.
`next_sentence` decides, as a pure function of the text that follows; `Splitter` feeds it.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

from radio.abbreviations import AFTER_HOURS, DATES, HOURS, JOINERS, NAMED, NUMBERED, STARTERS, TITLES

MAX_CHARS = 200
"""About 180 phonemes, or 12 s at speed 1: a piece cannot be interrupted while it is made."""
MIN_CHARS = 12
"""What is shorter sounds odd alone and is spoken with its neighbour."""
HEAVY = 4
"""A digit or a CJK character takes about as long to speak as this many letters."""

FAR = 1 << 60
"""The end of a sentence that lies out of reach."""

_HEAVY = re.compile(r"[0-9\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff10-\uff19]")
_SPOKEN = re.compile(r"[^\W_]")
_CLOSERS = r"\"'”’»)\]}」』）】》〉"
_OPENERS = r"\"'“‘«(\[{¿¡「『（【《〈*_\-–—•"
_STOP = re.compile(
    rf"(?P<wide>[。！？｡][。！？｡.!?…]*[{_CLOSERS}]*)|(?P<mark>[.!?…]+[{_CLOSERS}]*)|(?P<line>\n)"
)
_FULL_STOP = re.compile(r"\.[^.!?…]*")
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
_BREATH = re.compile(r"(?P<space>\s+)|[、，；：](?![、，；：\s])|—(?![—\s])")
_LONGEST_WORD = 14
"""Letters of the following word that are looked at, at most."""
_TOKEN = 24
"""Characters that are looked at for the word before a stop."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` as written, no white space around it; it ends after `end` UTF-8 bytes of all that was fed."""

    text: str
    end: int


def weight(text: str) -> int:
    """Length of the text in letters, as far as speaking it goes."""
    return len(text) + (HEAVY - 1) * len(_HEAVY.findall(text))


class Splitter:
    """Text in, in pieces of any size; sentences out, as soon as what follows cannot change them.

    Args:
        max_chars: the longest piece, in letters (`weight`).
        first_max: the same for the very first piece, to be heard sooner.
        language: decides which abbreviations are known.
    """

    def __init__(
        self, *, max_chars: int = MAX_CHARS, first_max: int | None = None, language: str = "en"
    ) -> None:
        self._max = max_chars
        self._limit = min(first_max or max_chars, max_chars)
        self._language = language
        self._text = ""
        self._end = 0

    def feed(self, text: str) -> list[Sentence]:
        """The sentences that this text completes."""
        self._text += text
        if weight(self._text) <= 2 * self._limit and not _STOP.search(self._text):
            return []
        return self._cut(is_all=False)

    def finish(self) -> list[Sentence]:
        """What is left, once no more text comes."""
        return self._cut(is_all=True)

    def _cut(self, *, is_all: bool) -> list[Sentence]:
        sentences, at = [], 0
        while (
            found := next_sentence(self._text, at, limit=self._limit, language=self._language, is_all=is_all)
        ) is not None:
            start, end = found
            self._end += len(self._text[at:end].encode())
            sentences.append(Sentence(self._text[start:end], self._end))
            at, self._limit = end, self._max
        self._text = self._text[at:]
        return sentences


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
        self.sums = _sums(text) if heavy else []
        self.reach = bisect_right(self.sums, 2 * limit) + 1 if heavy else len(text)

    def first_end(self) -> int | None:
        end = self._sentence_end()
        if end is None or (end != FAR and weight(self.text[:end]) <= self.limit):
            return end
        return self._breath(end)

    # --- whole sentences ---

    def _sentence_end(self) -> int | None:
        """The end of the first sentence, with the short ones beside it; FAR if it is over twice the limit."""
        border = self._border(0)
        while border is not None and border.end != FAR and _is_short(self.text[: border.end]):
            following = _TEXT.search(self.text, border.end)
            if following is None:
                return border.end if self.is_all else None
            border = self._border(following.start())
        if border is None or border.end == FAR or border.is_hard:
            return None if border is None else border.end
        return self._with_last(border.end)

    def _with_last(self, end: int) -> int | None:
        """A short sentence that is the last of its paragraph is spoken with the one before it."""
        following = _TEXT.search(self.text, end)
        if following is None:
            return end if self.is_all else None
        last = self._border(following.start())
        if last is None or last.end == FAR:
            return None if _is_short(self.text[following.start() :]) else end
        joins = last.is_hard and _is_short(self.text[following.start() : last.end])
        return last.end if joins and weight(self.text[: last.end]) <= self.limit else end

    def _border(self, start: int) -> _Border | None:
        """The first place after `start` where a sentence may end."""
        for stop in _STOP.finditer(self.text, start):
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
        if not _FULL_STOP.fullmatch(stop.group()):
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

    # --- pieces of a long sentence ---

    def _breath(self, end: int) -> int:
        """Where a sentence that is too long is cut: in balance, at the best place near by."""
        sums = self.sums or _sums(self.text)
        total = sums[end - 1] if end != FAR else FAR
        if total <= 2 * self.limit:
            low, goal = total - self.limit, total / 2
        else:
            low, goal = self.limit // 2, self.limit * 0.8
        places = [
            (self._cost(found) * self.limit + abs(sums[k - 1] - goal), k)
            for found in _BREATH.finditer(self.text)
            if (k := found.start() if found["space"] else found.end()) and low <= sums[k - 1] <= self.limit
        ]
        return min(places)[1] if places else self._anywhere(sums)

    def _cost(self, found: re.Match[str]) -> float:
        """How unwelcome a breath is there, as a share of the limit."""
        if not found["space"]:
            return 0.1
        before = self.text[: found.start()].rstrip(_CLOSERS.replace("\\", ""))[-1:]
        if before in ";:!?—–。！？；：" or "\n" in found.group():
            return 0.0
        if before in ",、，" or self.text[found.start() - 1] == ")":
            return 0.05
        word = _WORD.match(self.text, found.end())
        if word and word.group() in JOINERS:
            return 0.25
        return 0.8 if before == "." else 0.5

    def _anywhere(self, sums: list[int]) -> int:
        """The last white space within the limit, or as many characters as fit, with their marks."""
        fits = next(k for k, total in enumerate(sums) if total > self.limit)
        spaces = [k for k in range(1, fits + 1) if self.text[k].isspace() and not self.text[k - 1].isspace()]
        if spaces:
            return spaces[-1]
        while fits > 1 and _clings(self.text[fits]):
            fits -= 1
        return fits


def _sums(text: str) -> list[int]:
    """The weight of the text up to and with each character."""
    weights = [1] * len(text)
    for found in _HEAVY.finditer(text):
        weights[found.start()] = HEAVY
    return list(accumulate(weights))


def _is_short(text: str) -> bool:
    return weight(text.strip()) < MIN_CHARS or not _SPOKEN.search(text)


def _clings(char: str) -> bool:
    """Combining marks, variation selectors and joiners belong to the character before them."""
    return char == "\u200d" or 0xFE00 <= ord(char) <= 0xFE0F or unicodedata.combining(char) != 0


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer
