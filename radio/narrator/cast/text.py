"""The text of a cast, split into sentences one by one. Pure.

The captions of spoken sentences are matched with the text, so any narrator can continue a cast.
"""

from collections.abc import Sequence

from radio import voices
from radio.narrator.station.run_reader import longest
from radio.sentences import next_sentence

FIRST_CHARS = 80
"""Longest first sentence in characters: a short one is heard sooner."""


def place_after(text: str, captions: Sequence[str]) -> int | None:
    """Where the text continues after these sentences, in characters; None if it does not begin with them."""
    at = 0
    for caption in captions:
        at += len(text[at:]) - len(text[at:].lstrip())
        if not text.startswith(caption, at):
            return None
        at += len(caption)
    return at


class CastText:
    """The part of a text that is still to be spoken.

    Attributes:
        next: the next sentence; None after the last.
    """

    def __init__(self, text: str, voice: str, at: int = 0) -> None:
        self._text = text
        self._language = voices.language(voice)
        self._limit = longest(voice)
        self.next: str | None = None
        self._cut(at)

    def advance(self) -> None:
        """Go to the following sentence, after the next one was spoken or skipped."""
        self._cut(self._end)

    def _cut(self, at: int) -> None:
        limit = min(self._limit, FIRST_CHARS) if at == 0 else self._limit
        found = next_sentence(self._text, at, limit=limit, language=self._language, is_all=True)
        start, self._end = found or (at, at)
        self.next = self._text[start : self._end] if found else None
