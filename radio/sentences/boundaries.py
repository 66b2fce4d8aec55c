"""Where the sentence that begins at a position may end: the next stop, line or list item that ends it. Pure.

None means that more text is needed to decide. An answer never changes, whatever follows.
"""

import re
from dataclasses import dataclass

from radio.sentences import abbreviations
from radio.sentences.full_stops import FullStops
from radio.sentences.list_items import begins_item, is_bare, next_item
from radio.sentences.stop_patterns import (
    AHEAD,
    BLANK_LINE,
    CJK,
    DOTS,
    ELLIPSIS,
    FULL_STOP,
    GAP,
    GOES_ON,
    OMISSION,
    QUOTED,
    SAYS,
    SPACE,
    STOP,
    TEXT,
    TITLE_CLOSE,
    TITLE_OPEN,
    TITLE_REACH,
)

FAR = 1 << 60
"""The end of a sentence that is too far away to be seen."""
_I = re.compile(r"I\b")
_CASED = re.compile(r"[^\W\d_]{1,3}")


@dataclass(frozen=True, slots=True)
class Border:
    """A sentence may end before `end`.

    Attributes:
        is_hard: a blank line or the end of the text follows.
        is_gap: so much white space follows that nothing is joined across it.
    """

    end: int
    is_hard: bool = False
    is_gap: bool = False


class Borders:
    """The boundaries of one text up to `reach`; a stop beyond it is `FAR`. `is_all`: no more text comes."""

    def __init__(self, text: str, reach: int, language: str, *, is_all: bool) -> None:
        self.text = text
        self.reach = reach
        self.is_all = is_all
        self._is_japanese = language.startswith("ja")
        self._full_stops = FullStops(text, abbreviations.of(language), is_all)

    def first(self, start: int, after: int) -> Border | None:
        """The first boundary after `after` of the sentence that begins at `start`."""
        item = next_item(self.text, start, self.reach)
        for stop in STOP.finditer(self.text, after):
            if 0 <= item < stop.end():
                break
            if stop.end() > self.reach:
                return Border(FAR)
            ends = self._ends(start, stop)
            if ends is None:
                return None
            if ends:
                return self._at(stop.end() if stop["wide"] or stop["mark"] else stop.start())
        if item >= 0:
            return self._at(item)
        if self.is_all:
            return Border(len(self.text.rstrip()), True)
        return Border(FAR) if len(self.text) > self.reach else None

    def _at(self, end: int) -> Border:
        whole = len(self.text[:end].rstrip())
        space = SPACE.match(self.text, whole)
        after = space.end() if space else whole
        is_hard = after == len(self.text) or bool(BLANK_LINE.search(self.text, whole, after))
        return Border(whole, is_hard, after - whole >= GAP)

    def _unless_all(self) -> bool | None:
        """The answer at the end of the text: a boundary if the text is complete."""
        return True if self.is_all else None

    def _ends(self, start: int, stop: re.Match[str]) -> bool | None:
        if stop["gap"]:
            return True
        if stop["line"]:
            return self._ends_line(stop)
        return self._ends_sentence(start, stop)

    def _ends_line(self, stop: re.Match[str]) -> bool | None:
        """A line ends a sentence before a blank line and before a list item."""
        if BLANK_LINE.match(self.text, stop.start()):
            return True
        following = TEXT.search(self.text, stop.end())
        if following is None:
            return self._unless_all()
        return begins_item(self.text, following.start(), is_all=self.is_all)

    def _ends_sentence(self, start: int, stop: re.Match[str]) -> bool | None:
        end = stop.end()
        if stop["wide"] and (inside := self._in_title(start, end)) is not False:
            return None if inside is None else False
        following = TEXT.search(self.text, end)
        if following is not None and following.start() == end:
            return self._ends_at_once(start, stop)
        if BLANK_LINE.search(self.text, end, following.start() if following else len(self.text)):
            return True
        if following is None:
            return self._unless_all()
        return True if stop["wide"] else self._begins_sentence(start, stop, following.start())

    def _in_title(self, start: int, end: int) -> bool | None:
        """Whether the name of a work continues after a stop, as in 《Stop! Thief》."""
        if not TITLE_OPEN.search(self.text, max(start, end - TITLE_REACH), end):
            return False
        if TITLE_CLOSE.search(self.text, end, end + TITLE_REACH):
            return True
        return None if len(self.text) < end + TITLE_REACH and not self.is_all else False

    def _ends_at_once(self, start: int, stop: re.Match[str]) -> bool:
        """Whether a sentence ends at a stop that no white space follows."""
        end = stop.end()
        if not stop["wide"]:
            beside = (stop.start() - 1, end) if stop.start() > start else ()
            is_within = bool(beside) and all(CJK.match(self.text, at) for at in beside)
            return is_within and not DOTS.match(stop.group())
        if GOES_ON.match(self.text, end) or (stop.group()[-1] == "．" and self.text[end].isdigit()):
            return False
        return not (self._is_japanese and QUOTED.match(stop.group()) and SAYS.match(self.text, end))

    def _begins_sentence(self, start: int, stop: re.Match[str], following: int) -> bool | None:
        """Whether a sentence begins at `following`, after a stop of Latin script and white space."""
        ahead = AHEAD.match(self.text, following)
        at = ahead.end() if ahead else following
        if at == len(self.text):
            return self._unless_all()
        if OMISSION.match(self.text, stop.start() - 1) or self.text[at] in "/,;:)":
            return False
        if self.text[at].islower():
            return self._is_cased_within(at)
        if not FULL_STOP.fullmatch(stop.group()):
            return self._ends_with_marks(stop, at)
        if is_bare(self.text, start, stop.start()):
            return False
        return self._full_stops.ends(start, stop.start(), at)

    def _is_cased_within(self, at: int) -> bool | None:
        """Whether it is a name that begins with a small letter, such as `iPhone`."""
        found = _CASED.match(self.text, at)
        letters = found.group() if found else ""
        if len(letters) < 3 and at + len(letters) == len(self.text) and not self.is_all:
            return None
        return any(map(str.isupper, letters))

    def _ends_with_marks(self, stop: re.Match[str], at: int) -> bool | None:
        """`I` is always a capital: after an ellipsis it does not begin a sentence."""
        if not ELLIPSIS.match(stop.group()):
            return True
        if self.text[at] == "I" and at + 1 == len(self.text) and not self.is_all:
            return None
        return not _I.match(self.text, at)
