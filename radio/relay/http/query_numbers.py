"""Whole numbers as clients spell them. No I/O here."""

from typing import Final

MAX_SEQ: Final = (1 << 63) - 1
_MAX_DIGITS: Final = 19


def whole(text: str, *, most: int = MAX_SEQ) -> int | None:
    """The number that the text spells in ASCII digits; None if it spells none, or one above `most`."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        return None
    number = int(text)
    return number if number <= most else None
