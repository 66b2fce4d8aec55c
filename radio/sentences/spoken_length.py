"""How long a text is when it is spoken.

A character's weight depends only on those before it, so a prefix weighs the same whatever follows.
"""

import re
from itertools import accumulate

MAX_CHARS = 200
"""About 180 phonemes, or 12 s at speed 1: a piece cannot be interrupted while it is made."""
MIN_CHARS = 12
"""A shorter piece sounds odd alone, and is spoken with its neighbour."""
DIGIT = 7
"""A digit takes about as long as this many letters: `1987` has 20 phonemes in English, 31 in Spanish."""

SPOKEN = re.compile(r"[^\W_]")
"""An audible character."""

_CONSONANT = "[BCDFGHJKLMNPQRSTVWXZ]"
_EXTRA: tuple[tuple[int, re.Pattern[str]], ...] = (
    (DIGIT - 1, re.compile(r"\d")),
    # a symbol that is spoken as a word, such as a currency symbol or a Greek letter
    (8, re.compile(r"[$€£¥₹¢%‰°№™©®&@+=<>§¶±×÷√∞≈≠≤≥→½⅓⅔¼¾⅕⅛⅜⅝⅞\u0391-\u03c9]")),
    # a character of Japanese, Chinese or Korean
    (3, re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f\U00020000-\U0003ffff]")),
    # a Hindi consonant includes its vowel
    (1, re.compile(r"[\u0915-\u0939\u0958-\u095f]")),
    # capitals that are spelt out
    (4, re.compile(rf"(?<![A-Z]{{5}})(?<=[A-Z])[A-Z]|(?<=[A-Z]\.)[A-Z]|(?<={_CONSONANT}{{5}}){_CONSONANT}")),
)
"""How much more than a letter these weigh."""


def weight(text: str) -> int:
    """Length of the text in letters, as it is spoken."""
    return len(text) + sum(extra * len(pattern.findall(text)) for extra, pattern in _EXTRA)


def sums(text: str) -> list[int]:
    """The weight of the text up to and including each character."""
    weights = [1] * len(text)
    for extra, pattern in _EXTRA:
        for found in pattern.finditer(text):
            weights[found.start()] += extra
    return list(accumulate(weights))


def is_short(text: str) -> bool:
    """Whether it is too short to be spoken alone if it has a neighbour."""
    return weight(text.strip()) < MIN_CHARS or not SPOKEN.search(text)
