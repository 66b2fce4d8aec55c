"""From a model's raw output to sentences that can be spoken: a pure streaming filter.

The order: tags and thoughts, then lines, then sentences, then what stands within one. The result depends on
the output alone, not on how it came in pieces.
"""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from radio.producers.host.model_tags import VOID, ModelTags
from radio.producers.texts.markup import MarkupLines, inline, is_open, is_speech
from radio.sentences import Splitter

_WHOLE = 4000
"""Sentences are not cut here for length: that is the narrator's business."""
_SHORT_REST = re.compile(r"(.*[.!?…][\"'”’)]*)\s+\S.{0,24}", re.DOTALL)
_ENDS = ".!?…。！？\"'”’»)]*"
_INTERJECTION = re.compile(
    r"(?:sure|certainly|of course|absolutely|okay|ok|alright|great|got it|no problem|hello|hi)(?: there)?[!.]"
    r"\s+(?=\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence that may be spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class Discarded:
    """A sentence that may not, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Voided:
    """All that came before in this segment proved to be thoughts."""


Outcome = Said | Discarded | Voided


class OutputCleaner:
    """Cleans one segment: feed it the output, then finish it.

    Args:
        discarded: what is taken out of sentences and between them is counted here; whole sentences that may
            not be said are outcomes.
        names: of the host, by which the model may label its talk.
    """

    def __init__(
        self,
        language: str = "en",
        *,
        discarded: Counter[str] | None = None,
        names: Collection[str] = (),
    ) -> None:
        self._language = language
        self._discarded = discarded if discarded is not None else Counter()
        self._tags = ModelTags(self._discarded)
        self._lines = MarkupLines(self._discarded, names)
        self._splitter = self._new_splitter()
        self._open = ""
        """Sentences within an aside that is not closed yet."""

    def feed(self, text: str) -> list[Outcome]:
        """What the text completes."""
        return self._take(self._lines.feed(self._tags.feed(text)))

    @property
    def is_in_thoughts(self) -> bool:
        """Thoughts were begun, and are not over."""
        return self._tags.is_in_thoughts

    def finish(self) -> list[Outcome]:
        """What is left; a last sentence without an end is none."""
        rest = self._lines.feed(self._tags.finish()) + self._lines.finish()
        outcomes = self._take(rest)
        last = self._splitter.finish()
        outcomes += self._judge_all([sentence.text for sentence in last[:-1]])
        if last:
            whole, is_cut = _whole_part(last[-1].text)
            outcomes += self._judge_all([whole]) if whole else []
            outcomes += [Discarded("unfinished")] if is_cut else []
        if self._open:
            outcomes.append(Discarded("unfinished"))
        return outcomes

    def _take(self, text: str) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for n, part in enumerate(text.split(VOID)):
            if n:
                self._splitter, self._open = self._new_splitter(), ""
                outcomes.append(Voided())
            outcomes += self._judge_all([sentence.text for sentence in self._splitter.feed(part)])
        return outcomes

    def _new_splitter(self) -> Splitter:
        return Splitter(max_chars=_WHOLE, language=self._language)

    def _judge_all(self, sentences: list[str]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for sentence in sentences:
            whole = f"{self._open} {sentence}".strip()
            self._open = whole if is_open(whole) else ""
            if not self._open:
                outcomes += self._judge(whole)
        return outcomes

    def _judge(self, sentence: str) -> list[Outcome]:
        talk = _INTERJECTION.match(sentence)
        self._discarded["preamble"] += talk is not None
        text, fault = inline(sentence[talk.end() :] if talk else sentence, self._discarded)
        if fault is not None:
            return [Discarded(fault)]
        if not text:
            return [Discarded("no speech")] if sentence else []
        return [Said(text if text[-1] in _ENDS else text.rstrip(" ,;:-–—") + ".")]


def _whole_part(text: str) -> tuple[str, bool]:
    """The last text without the begin of a sentence, and whether there was one.

    The splitter leaves a few letters with the sentence before them.
    """
    if text[-1] in _ENDS or not is_speech(text[-1]):
        return text, False
    whole = _SHORT_REST.match(text)
    return (whole[1] if whole else ""), True
