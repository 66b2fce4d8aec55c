"""Words that were divided at the end of a line, put together again. Pure."""

import re

_LINE_END = re.compile(r"(?<=[^\W_])-[ \t]{0,20}\n[ \t]{0,80}(?=[^\W_])")
_HEAD = re.compile(r"[^\W_][\w'’-]*$")
_TAIL = re.compile(r"[\w'’]{1,40}")
_HYPHENATED = re.compile(r"(?<!\w)\w{1,40}-\w{1,40}")
_LONGEST = 40
"""Characters of a word's half that are looked at: time grows with the length of the text alone."""
_KEPT = frozenset({"all", "ex", "half", "non", "quasi", "self", "well"})
"""Before these the hyphen is nearly always the word's own."""
_SHARED = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o", "e", "en", "of"})
"""`Vor- und Nachteile`: the hyphen stands for a part of the second word."""


def rejoined(text: str) -> str:
    """`nega-⏎tive` is negative, `one-to-⏎one` one-to-one; other line ends stay.

    A hyphen stays where the word is written with it elsewhere in the text, where it has another one, and
    before capitals and figures.
    """
    ends = list(_LINE_END.finditer(text))
    if not ends:
        return text
    written = {word.lower() for word in _HYPHENATED.findall(text)}
    parts, at = [], 0
    for end in ends:
        head = _HEAD.search(text[max(end.start() - _LONGEST, at) : end.start()])
        tail = _TAIL.match(text, end.end())
        parts += [
            text[at : end.start()],
            _between(head[0] if head else "-", tail[0] if tail else "", written),
        ]
        at = end.end()
    return "".join([*parts, text[at:]])


def _between(head: str, tail: str, written: set[str]) -> str:
    """What stands between the halves of a word."""
    if tail.lower() in _SHARED and "-" not in head:
        return "- "
    is_own = "-" in head or head.lower() in _KEPT or f"{head}-{tail}".lower() in written
    return "" if not is_own and head[-1].isalpha() and tail[:1].islower() else "-"
