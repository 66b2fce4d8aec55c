"""Whether a sentence of the host may be said: not twice, not about itself, and nothing made up. Pure."""

import re
from collections import deque
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NAME = re.compile(r"(?<![.!?…:\"“]\s)(?<!^)(?<=\s)[A-ZÀ-Þ][\w'’-]*")
_MEMORY = 400
"""Sentences that are remembered: about an hour of talk."""
_NEAR = 0.7
"""Two sentences that share this part of their words are the same to a listener."""
_RUN = 7
"""So many words in a row that stood in an earlier sentence are a repetition."""
_FEWEST_WORDS = 3

_PREAMBLE = re.compile(
    r"^(sure|certainly|of course|absolutely|okay|ok|alright|great|got it|no problem|here(?:'s| is| are)|"
    r"i(?:'m| am) (?:sorry|glad|happy to help)|let me|i'?d be happy|thank you for|as (?:an|your) ai)\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(as an ai|language model|ai assistant|chatbot|the prompt|the user|"
    r"this (?:script|segment|essay|paragraph|article)|your (?:question|request)|word count|in conclusion|"
    r"in summary|hope this helps|i cannot|i can't assist|smollm|hugging face|openai|chatgpt)\b",
    re.IGNORECASE,
)
_STATION = re.compile(
    r"\b(?:[KW][A-Z]{2,3}\b|\d{2,3}\.\d\s*(?:FM|MHz)|Radio [A-Z]\w+|[A-Z]\w+ (?:FM|Radio)\b)"
)
_ALWAYS_KNOWN = frozenset(
    {
        *("i", "i'm", "i'll", "i'd", "i've", "god", "earth", "moon", "sun", "english", "monday", "tuesday"),
        *("wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april"),
        *("may", "june", "july", "august", "september", "october", "november", "december", "christmas"),
    }
)


def words_of(text: str) -> list[str]:
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]


class Guard:
    """Remembers what was said in a run.

    Args:
        station: names of stations other than this one are not said.
        language: of the host; talk in another script is not said.
    """

    def __init__(self, station: str, language: str = "en", said: Iterable[str] = ()) -> None:
        self._station = station.lower()
        self._is_latin = language[:2] not in ("ja", "zh", "hi")
        self._said: deque[tuple[str, ...]] = deque(maxlen=_MEMORY)
        self._runs: deque[frozenset[tuple[str, ...]]] = deque(maxlen=_MEMORY)
        for sentence in said:
            self.remember(sentence)

    def remember(self, sentence: str) -> None:
        """It was said."""
        words = tuple(words_of(sentence))
        self._said.append(words)
        self._runs.append(_runs(words))

    def fault_of(self, sentence: str, *, known: Iterable[str] = (), is_strict: bool = True) -> str | None:
        """Why it may not be said; None: it may.

        Args:
            known: words that the host was given.
            is_strict: names and figures must stand among them.
        """
        words = tuple(words_of(sentence))
        if len(words) < _FEWEST_WORDS:
            return "fragment"
        if _PREAMBLE.search(sentence):
            return "preamble"
        if _SELF.search(sentence):
            return "about itself"
        if any(match[0].lower() not in self._station for match in _STATION.finditer(sentence)):
            return "other station"
        if self._is_latin and not _is_latin(sentence):
            return "other script"
        if self._repeats(words):
            return "repeated"
        return _invention(sentence, known) if is_strict else None

    def _repeats(self, words: tuple[str, ...]) -> bool:
        runs, bag = _runs(words), frozenset(words)
        if any(runs & earlier for earlier in self._runs):
            return True
        if _stutters(words):
            return True
        return any(
            words == earlier or (len(words) > 4 and len(bag & set(earlier)) > _NEAR * len(bag | set(earlier)))
            for earlier in self._said
        )


def _runs(words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(words[n : n + _RUN] for n in range(len(words) - _RUN + 1))


def _stutters(words: tuple[str, ...]) -> bool:
    """The sentence turns in circles: four words in a row stand in it twice."""
    fours = [words[n : n + 4] for n in range(len(words) - 3)]
    return len(fours) != len(set(fours))


def _is_latin(sentence: str) -> bool:
    letters = [char for char in sentence if char.isalpha()]
    return sum(char < "ɐ" or "Ḁ" <= char <= "ỿ" for char in letters) >= 0.8 * len(letters)


def _invention(sentence: str, known: Iterable[str]) -> str | None:
    """A figure or a name that nobody gave to the host."""
    given = {form for word in known for form in words_of(word)} | _ALWAYS_KNOWN
    if any(any(map(str.isdigit, word)) and word not in given for word in words_of(sentence)):
        return "figure"
    names = (form for match in _NAME.finditer(sentence) for form in words_of(match[0]))
    if any(name.removesuffix("'s") not in given for name in names):
        return "name"
    return None
