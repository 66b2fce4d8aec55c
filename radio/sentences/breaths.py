"""Where a sentence that is too long is cut: in balance, at the best place near by. Pure."""

import re
import unicodedata
from collections.abc import Sequence

from radio.sentences.abbreviations import JOINERS

CLOSERS = "\"'”’»)]}」』）】》〉"
_BREATH = re.compile(r"(?P<space>\s+)|[、，；：](?![、，；：\s])|—(?![—\s])")
_WORD = re.compile(r"[^\W\d_]+")


def breath(text: str, sums: Sequence[int], total: int, limit: int) -> int:
    """The end of the first piece.

    Args:
        text: begins with the sentence.
        sums: its weight up to and with each character, for twice the limit at least.
        total: the sentence's weight; any number above twice the limit if it is longer than that.
    """
    if total <= 2 * limit:
        low, goal = total - limit, total / 2
    else:
        low, goal = limit // 2, limit * 0.8
    places = [
        (_cost(text, found) * limit + abs(sums[k - 1] - goal), k)
        for found in _BREATH.finditer(text)
        if (k := found.start() if found["space"] else found.end()) and low <= sums[k - 1] <= limit
    ]
    return min(places)[1] if places else _anywhere(text, sums, limit)


def _cost(text: str, found: re.Match[str]) -> float:
    """How unwelcome a breath is there, as a share of the limit."""
    if not found["space"]:
        return 0.1
    before = text[: found.start()].rstrip(CLOSERS)[-1:]
    if before in ";:!?—–。！？；：" or "\n" in found.group():
        return 0.0
    if before in ",、，" or text[found.start() - 1] == ")":
        return 0.05
    word = _WORD.match(text, found.end())
    if word and word.group() in JOINERS:
        return 0.25
    return 0.8 if before == "." else 0.5


def _anywhere(text: str, sums: Sequence[int], limit: int) -> int:
    """The last white space within the limit, or as many characters as fit, with their marks if they fit."""
    fits = next(k for k, total in enumerate(sums) if total > limit)
    spaces = [k for k in range(1, fits + 1) if text[k].isspace() and not text[k - 1].isspace()]
    if spaces:
        return spaces[-1]
    whole = fits
    while whole > fits // 2 and _clings(text[whole]):
        whole -= 1
    return whole if whole > fits // 2 else fits


def _clings(char: str) -> bool:
    """Combining marks, variation selectors and joiners belong to the character before them."""
    return char == "\u200d" or 0xFE00 <= ord(char) <= 0xFE0F or unicodedata.combining(char) != 0
