"""What was said, and whether a sentence would say it again. Pure."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NEAR_MEMORY = 400
"""Sentences to which a new one may not be alike: about half an hour of talk."""
_NEAR = 0.7
"""Two sentences that share this part of their words are the same to a listener."""
_RUN = 7
"""So many words in a row that stood in a sentence of about the last hour are a repetition."""
_HOUR = 800
"""Sentences of about an hour of talk."""
_PHRASE = 5
_PHRASE_MEMORY = 40
"""So many words in a row do not come twice within so many sentences."""
_FEWEST_ALIKE = 5
"""Words of a sentence that can be alike to another: short ones are only compared word for word."""

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """In small letters, without marks."""
    return tuple(word.lower().replace("’", "'") for word in _WORD.findall(text))


@dataclass(frozen=True, slots=True)
class _Saying:
    """A sentence that was said: its words in order, as a bag, and every `_RUN` of them in a row."""

    words: Words
    bag: frozenset[str]
    runs: frozenset[Words]


class SaidSentences:
    """Sentences that were said, in order; the newest can be forgotten again."""

    def __init__(self, said: Iterable[str] = ()) -> None:
        self._said: list[_Saying] = []
        self._exact: Counter[Words] = Counter()
        for sentence in said:
            self.remember(sentence)

    def remember(self, sentence: str) -> None:
        words = words_of(sentence)
        self._said.append(_Saying(words, frozenset(words), _runs(words)))
        self._exact[words] += 1

    def __len__(self) -> int:
        return len(self._said)

    def rewind(self, count: int) -> None:
        """Forget all but the first `count` sentences."""
        self._exact -= Counter(said.words for said in self._said[count:])
        del self._said[count:]

    def repeats(self, words: Words, *, begun: Words = ()) -> bool:
        """Whether they were said word for word, or lately in part or in much the same words.

        Args:
            begun: their begin, if that may come again.
        """
        if words in self._exact:
            return True
        own = words[len(begun) :]
        runs, bag = _runs(own), frozenset(own)
        if any(not runs.isdisjoint(said.runs) for said in self._said[-_HOUR:]):
            return True
        return len(own) >= _FEWEST_ALIKE and any(
            len(bag & said.bag) > _NEAR * len(bag | said.bag) for said in self._said[-_NEAR_MEMORY:]
        )

    def said_lately(self, words: Words) -> bool:
        """Whether they are among the sentences of about the last hour, word for word."""
        return words in self._exact and any(words == said.words for said in self._said[-_HOUR:])

    def repeats_phrase(self, words: Words, *, begun: Words = ()) -> bool:
        """Whether a phrase of them was said lately."""
        phrases = _runs(words[len(begun) :], _PHRASE)
        return any(phrases & _runs(said.words, _PHRASE) for said in self._said[-_PHRASE_MEMORY:])


def stutters(words: Words) -> bool:
    """It turns in circles: four words in a row stand in it twice, or one word three times in a row."""
    fours = [words[n : n + 4] for n in range(len(words) - 3)]
    triples = (words[n : n + 3] for n in range(len(words) - 2))
    return len(fours) != len(set(fours)) or any(len(set(triple)) == 1 for triple in triples)


def _runs(words: Words, length: int = _RUN) -> frozenset[Words]:
    return frozenset(words[n : n + length] for n in range(len(words) - length + 1))
