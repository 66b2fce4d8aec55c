"""Where a sentence that is too long is cut: near its middle, at the best nearby place. Pure."""

import re
import unicodedata
from collections.abc import Sequence

from radio.sentences.joiners import JOINERS
from radio.sentences.stop_patterns import CJK, CLOSERS, OPENERS

_WIDE = CJK.pattern
_BREATH = re.compile(
    r"(?P<space>\s++)(?![?!;:»›])|[、，；：](?![、，；：\s])|—(?![—\s])|[…‥⋯](?![…‥⋯\s])"
    rf"|(?P<wide>(?<={_WIDE})(?={_WIDE}))"
)
"""A space of French typography does not count: what follows it belongs to what precedes it."""
_NEVER_FIRST = frozenset("々〻ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶんン")
_ENDS_PHRASE = re.compile(r"[\u3041-\u3096的了着过地得][^\u3041-\u3096]")
"""Particles and endings of Japanese and Chinese after which a phrase usually ends."""
_WORD = re.compile(r"[^\W\d_]+|[\u0900-\u0963\u0970-\u097f]+")
_WHOLE_WORD = re.compile(r"[^\W\d_]{4,}\.\Z")
_VIRAMA = "\u094d"


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
        (cost * limit + abs(sums[k - 1] - goal), k)
        for found in _BREATH.finditer(text)
        if (k := found.end() if found.lastgroup is None else found.start())
        and low <= sums[k - 1] <= limit
        and (cost := _cost(text, found, k)) is not None
    ]
    return min(places)[1] if places else _anywhere(text, sums, total, limit)


def _cost(text: str, found: re.Match[str], k: int) -> float | None:
    """The cost of a cut at `k`, as a share of the limit; None if there can be no cut."""
    if text[k - 1] in OPENERS and text[k - 1] not in CLOSERS:
        return None
    if found["wide"] is not None:
        return _cost_in_wide(text, k)
    return _cost_of_space(text, found) if found["space"] else 0.1


def _cost_in_wide(text: str, k: int) -> float | None:
    """Between two characters of a script without spaces."""
    if text[k] in _NEVER_FIRST:
        return None
    return 0.6 if _ENDS_PHRASE.match(text, k - 1) else 0.95


def _cost_of_space(text: str, found: re.Match[str]) -> float:
    whole = text[max(0, found.start() - 40) : found.start()].rstrip(CLOSERS)
    before = whole[-1:]
    if before in ";:!?—–。！？；：।…" or "\n" in found.group():
        return 0.0
    if before in ",、，" or text[found.start() - 1] == ")":
        return 0.05
    word = _WORD.match(text, found.end())
    if word and word.group() in JOINERS:
        return 0.25
    if before == ".":
        return 0.3 if _WHOLE_WORD.search(whole) else 0.8
    return 0.5


def _anywhere(text: str, sums: Sequence[int], total: int, limit: int) -> int:
    """The last white space within the limit, or else as many characters as fit (at least one), with their
    marks.

    If two pieces hold the rest, it is halved.
    """
    fits = max(1, next(k for k, weight in enumerate(sums) if weight > limit))
    spaces = [k for k in range(1, fits + 1) if text[k].isspace() and not text[k - 1].isspace()]
    if spaces:
        return spaces[-1]
    if total <= 2 * limit:
        fits = max(1, next(k for k, weight in enumerate(sums) if weight > total / 2))
    whole = fits
    while whole > fits // 2 and _clings(text, whole):
        whole -= 1
    return whole if whole > fits // 2 else fits


def _clings(text: str, at: int) -> bool:
    """Marks, vowel signs, variation selectors and joiners belong to the character before them."""
    char = text[at]
    if char == "\u200d" or text[at - 1] in ("\u200d", _VIRAMA):
        return True
    return unicodedata.category(char)[0] == "M" or "\U0001f3fb" <= char <= "\U0001f3ff"
