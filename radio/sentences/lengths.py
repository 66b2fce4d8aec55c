"""How long a text is, as far as speaking it goes."""

import re
from itertools import accumulate

MAX_CHARS = 200
"""About 180 phonemes, or 12 s at speed 1: a piece cannot be interrupted while it is made."""
MIN_CHARS = 12
"""What is shorter sounds odd alone and is spoken with its neighbour."""
HEAVY = 4
"""A digit or a CJK character takes about as long to speak as this many letters."""
WORDY = 9
"""The same for a symbol that is spoken as a word, like a currency's or a Greek letter."""

SPOKEN = re.compile(r"[^\W_]")
"""A character that is heard."""
_HEAVY = re.compile(r"[0-9\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff10-\uff19]")
_WORDY = re.compile(r"[$€£¥₹¢%‰°№™©®&@+=<>§¶±×÷√∞≈≠≤≥→½⅓⅔¼¾⅕⅛⅜⅝⅞\u0391-\u03c9]")


def weight(text: str) -> int:
    """Length of the text in letters, as far as speaking it goes."""
    return len(text) + (HEAVY - 1) * len(_HEAVY.findall(text)) + (WORDY - 1) * len(_WORDY.findall(text))


def sums(text: str) -> list[int]:
    """The weight of the text up to and with each character."""
    weights = [1] * len(text)
    for found in _HEAVY.finditer(text):
        weights[found.start()] = HEAVY
    for found in _WORDY.finditer(text):
        weights[found.start()] = WORDY
    return list(accumulate(weights))


def is_short(text: str) -> bool:
    """Not to be spoken alone, if there is a neighbour."""
    return weight(text.strip()) < MIN_CHARS or not SPOKEN.search(text)
