"""How long a text is, as far as speaking it goes.

What a character weighs depends on those before it alone, so that a prefix weighs the same whatever follows.
"""

import re
from itertools import accumulate

MAX_CHARS = 200
"""About 180 phonemes, or 12 s at speed 1: a piece cannot be interrupted while it is made."""
MIN_CHARS = 12
"""What is shorter sounds odd alone and is spoken with its neighbour."""
DIGIT = 7
"""A digit takes about as long as this many letters: `1987` has 20 phonemes in English, 31 in Spanish."""

SPOKEN = re.compile(r"[^\W_]")
"""A character that is heard."""

_CONSONANT = "[BCDFGHJKLMNPQRSTVWXZ]"
_EXTRA: tuple[tuple[int, re.Pattern[str]], ...] = (
    (DIGIT - 1, re.compile(r"\d")),
    # a symbol that is spoken as a word, like a currency's or a Greek letter
    (8, re.compile(r"[$€£¥₹¢%‰°№™©®&@+=<>§¶±×÷√∞≈≠≤≥→½⅓⅔¼¾⅕⅛⅜⅝⅞\u0391-\u03c9]")),
    # a character of Japanese, Chinese or Korean
    (3, re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f\U00020000-\U0003ffff]")),
    # a consonant of Hindi has its vowel with it
    (1, re.compile(r"[\u0915-\u0939\u0958-\u095f]")),
    # capitals that are spelt
    (4, re.compile(rf"(?<![A-Z]{{5}})(?<=[A-Z])[A-Z]|(?<=[A-Z]\.)[A-Z]|(?<={_CONSONANT}{{5}}){_CONSONANT}")),
)
"""By what these weigh more than a letter."""


def weight(text: str) -> int:
    """Length of the text in letters, as far as speaking it goes."""
    return len(text) + sum(extra * len(pattern.findall(text)) for extra, pattern in _EXTRA)


def sums(text: str) -> list[int]:
    """The weight of the text up to and with each character."""
    weights = [1] * len(text)
    for extra, pattern in _EXTRA:
        for found in pattern.finditer(text):
            weights[found.start()] += extra
    return list(accumulate(weights))


def is_short(text: str) -> bool:
    """Not to be spoken alone, if there is a neighbour."""
    return weight(text.strip()) < MIN_CHARS or not SPOKEN.search(text)
