"""The text of a cast as its sentences come. Pure.

What was spoken is found again in the text by its captions, so that a cast goes on where it stands, whoever
spoke it before.
"""

from collections.abc import Sequence

from radio import voices
from radio.narrator.station.run_reader import longest
from radio.sentences import next_sentence

FIRST_CHARS = 80
"""The first piece is short, to be heard sooner."""


def place_after(text: str, captions: Sequence[str]) -> int | None:
    """Where the text goes on after these sentences; None if it does not begin with them."""
    at = 0
    for caption in captions:
        at += len(text[at:]) - len(text[at:].lstrip())
        if not text.startswith(caption, at):
            return None
        at += len(caption)
    return at


class CastText:
    """What is still to be spoken of a text.

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
        """The next sentence is spoken or skipped."""
        self._cut(self._end)

    def _cut(self, at: int) -> None:
        limit = min(self._limit, FIRST_CHARS) if at == 0 else self._limit
        found = next_sentence(self._text, at, limit=limit, language=self._language, is_all=True)
        start, self._end = found or (at, at)
        self.next = self._text[start : self._end] if found else None
