"""What of a text goes out in captions, files, feeds, calendars and headers: one rule for all of them. Pure.

A control character ends a line or drives a terminal where none is meant, and a sign that turns the direction
of writing shows a name as another one. Records of older versions may hold such characters.
"""

import re
from typing import Final

_BREAKS: Final = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_NEVER: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"  # control characters but tab and LF
    "\u202a-\u202e\u2066-\u2069\u206a-\u206f"  # turn or embed a direction; marks of one letter stay
    "\ufff9-\ufffb\ufeff"
    "\ud800-\udfff\ufffe\uffff]"
)


def plain(text: str) -> str:
    """The text with LF as its only line end, and without what no reader should meet."""
    return _NEVER.sub("", _BREAKS.sub("\n", text))


def one_line(text: str) -> str:
    """As `plain`, on one line: any white space is one blank, none is at the edges."""
    return " ".join(plain(text).split())
