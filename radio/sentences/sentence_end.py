"""Decides where the sentence at the beginning of a text ends. Pure."""

from bisect import bisect_right

from radio.sentences.boundaries import FAR, Borders
from radio.sentences.long_sentences import breath
from radio.sentences.spoken_length import MAX_CHARS, SPOKEN, is_short, sums, weight
from radio.sentences.stop_patterns import TEXT

_MARGIN = 24
"""Characters beyond the longest sentence that are examined first."""


def next_sentence(
    text: str, at: int, *, limit: int = MAX_CHARS, language: str = "en", is_all: bool = False
) -> tuple[int, int] | None:
    """Start and end of the next sentence from `at` on; None if there is none, or more text may change it.

    Args:
        limit: its longest length in letters (`weight`).
        language: of the voice; decides which abbreviations apply.
        is_all: no more text comes.
    """
    head = TEXT.search(text, at)
    window = limit + _MARGIN  # the examined part grows only as needed, which keeps the work linear
    while head is not None:
        start = head.start()
        has_rest = start + window >= len(text)
        look = _Look(text[start : start + window], limit, language, is_all=is_all and has_rest)
        end = look.first_end()
        if end is not None:
            return start, start + end
        if has_rest:
            break
        window *= 2
    return None


class _Look:
    """One examination of the text from the beginning of a sentence. None means that more text is needed."""

    def __init__(self, text: str, limit: int, language: str, *, is_all: bool) -> None:
        self.text = text
        self.limit = limit
        self.is_all = is_all
        heavy = weight(text) > 2 * limit
        self.sums = sums(text) if heavy else []
        self.reach = bisect_right(self.sums, 2 * limit) + 1 if heavy else len(text)
        self.borders = Borders(text, self.reach, language, is_all=is_all)

    def first_end(self) -> int | None:
        end = self._sentence_end()
        if end is None or end == 1 or self._total(end) <= self.limit:
            return end
        return breath(self.text, self.sums or sums(self.text), self._total(end), self.limit)

    def _total(self, end: int) -> int:
        return FAR if end == FAR else weight(self.text[:end])

    def _sentence_end(self) -> int | None:
        """The end of the first sentence, including short ones beside it; FAR if it is over twice the
        limit."""
        heard = SPOKEN.search(self.text, 0, self.reach)
        if heard is None:
            return self._end_of_silence()
        border = self.borders.first(0, heard.start())
        while border is not None and border.end != FAR and is_short(self.text[: border.end]):
            following = TEXT.search(self.text, border.end)
            if border.is_gap:
                return border.end
            if following is None:
                return border.end if self.is_all else None
            border = self.borders.first(following.start(), following.start())
        if border is None or border.end == FAR or border.is_hard:
            return None if border is None else border.end
        return self._with_last(border.end)

    def _with_last(self, end: int) -> int | None:
        """A short sentence that is the last of its paragraph is spoken with the one before it."""
        following = TEXT.search(self.text, end)
        if following is None:
            return end if self.is_all else None
        last = self.borders.first(following.start(), following.start())
        if last is None:
            return None if is_short(self.text[following.start() :]) else end
        if last.end == FAR:
            return end
        joins = last.is_hard and is_short(self.text[following.start() : last.end])
        return last.end if joins and weight(self.text[: last.end]) <= self.limit else end

    def _end_of_silence(self) -> int | None:
        """Where nothing is audible within reach, no stop ends a sentence."""
        if self.is_all and len(self.text) <= self.reach:
            return len(self.text.rstrip())
        return FAR if len(self.text) > self.reach else None
