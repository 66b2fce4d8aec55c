"""Cuts text that arrives in pieces into sentences, by `sentence_end`."""

from dataclasses import dataclass

from radio.sentences.sentence_end import next_sentence
from radio.sentences.spoken_length import MAX_CHARS, weight
from radio.sentences.stop_patterns import STOP


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` as written, without white space around it; it ends after `end` UTF-8 bytes of all that was
    fed."""

    text: str
    end: int


class Splitter:
    """Text in, in pieces of any size; sentences out, as soon as later text cannot change them.

    Args:
        max_chars: the longest piece, in letters (`weight`).
        first_max: the same for the very first piece, so that it can be heard sooner.
        language: decides which abbreviations apply.
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
        if weight(self._text) <= 2 * self._limit and not STOP.search(self._text):
            return []
        return self._cut(is_all=False)

    def finish(self) -> list[Sentence]:
        """The remaining sentences, once no more text comes."""
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
        self._pass_white_space()
        return sentences

    def _pass_white_space(self) -> None:
        """No sentence begins with it, so the held text stays small however much comes."""
        rest = self._text.lstrip()
        self._end += len(self._text[: len(self._text) - len(rest)].encode())
        self._text = rest
