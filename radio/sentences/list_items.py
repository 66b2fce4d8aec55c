"""List items: how one begins on a line, and where the next one begins in running text. Pure."""

import re

_BULLETS = "•⁃‣◦▪"
_NUMERAL = "一二三四五六七八九十"
_BEGINS = re.compile(
    rf"[-*–—{_BULLETS}]\s"
    rf"|[{_BULLETS}]?\(?(?:\d{{1,3}}|[A-Za-z])[.)]{{1,2}}\s"
    rf"|(?:\d{{1,3}}|[{_NUMERAL}]{{1,3}})、"
    rf"|[（(](?:\d{{1,3}}|[{_NUMERAL}]{{1,3}})[)）]"
    r"|[①-⑳]"
)
_MAY_BEGIN = re.compile(
    rf"(?:[-*–—{_BULLETS}]?\(?(?:\d{{1,3}}|[A-Za-z])?[.)]{{0,2}}|[（(]?(?:\d{{0,3}}|[{_NUMERAL}]{{0,3}})[)）]?)\Z"
)
_BARE = re.compile(rf"[-*–—{_BULLETS}\s]{{0,6}}\(?(?:\d{{1,3}}|[A-Za-z])")
_FIRST = re.compile(
    rf"(?P<bullet>[{_BULLETS}])?\s?(?P<open>\(?)(?P<value>\d{{1,3}}|[A-Za-z])(?P<close>[.)]{{1,2}})\s"
)
_BULLET = re.compile(rf"[{_BULLETS}](?=\s)")


def begins_item(text: str, at: int, *, is_all: bool) -> bool | None:
    """Whether a list item begins at `at`, the first character of a line. None: more text is needed to
    decide."""
    if not is_all and _MAY_BEGIN.match(text, at):
        return None
    return bool(_BEGINS.match(text, at))


def is_bare(text: str, start: int, end: int) -> bool:
    """Whether the stop at `end` has only the number of a list item before it."""
    return bool(_BARE.fullmatch(text, start, end))


def next_item(text: str, start: int, reach: int) -> int:
    """Where the next item begins, after the item at `start`; -1 if none is seen up to `reach`.

    In running text an item is recognised by the next number after the last item's, written in the same way.
    """
    first = _FIRST.match(text, start)
    pattern = _following(first) if first else _following_bullet(text, start)
    found = re.compile(pattern).search(text, start + 1, reach) if pattern else None
    return found.start("item") if found else -1


def _following(first: re.Match[str]) -> str:
    value, close = first["value"], first["close"]
    if close == "." and value.isupper():  # an initial
        return ""
    after = str(int(value) + 1) if value.isdecimal() else chr(ord(value) + 1)
    bullet = rf"(?:{first['bullet']}\s?)" if first["bullet"] else ""
    begins = r"[^\W_a-z]" if close == "." else r"\S"
    return rf"\s(?P<item>{bullet}{re.escape(first['open'] + after + close)}\s+{begins})"


def _following_bullet(text: str, start: int) -> str:
    bullet = _BULLET.match(text, start)
    return rf"\s(?P<item>{bullet.group()}\s+\S)" if bullet else ""
