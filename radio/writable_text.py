"""Which characters a text may have: the one rule for every text that enters. Pure.

A text ends in UTF-8, JSON, XML, captions and the store, so it may hold what all of these carry: YAML's
printable characters. Two surrogate escapes that make one character, as JSON writes an emoji, become that
character. What is left of surrogates, control characters but tab and line ends, U+FFFE and U+FFFF are refused
where a person can mend them (`checked`), and left out where a machine wrote them (`cleaned`).
"""

import re
import unicodedata
from typing import Final

from radio.errors import BadInput

_UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_PAGE_BREAKS: Final = str.maketrans("\v\f", "\n\n")


class UnwritableText(BadInput):
    """A text has a character that nothing can write; `what` names it, `at` is its index in the text."""

    def __init__(self, character: str, at: int) -> None:
        super().__init__(
            f"character {at + 1} is {described(character)}, which cannot be written",
            hint="leave it out, and save or send the text as UTF-8",
        )
        self.what, self.at = described(character), at


def joined(text: str) -> str:
    """The text with each pair of surrogates as the one character that it means."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def checked(text: str) -> str:
    """A text from a person, pairs of surrogates joined. Raises `UnwritableText`."""
    text = joined(text)
    found = _UNWRITABLE.search(text)
    if found is not None:
        raise UnwritableText(found[0], found.start())
    return text


def pasted(text: str) -> str:
    """A text that a person submitted, maybe copied: page breaks become line ends, other control characters
    go.

    Raises:
        UnwritableText: it has half of a character, so it was not sent as UTF-8.
    """
    text = joined(text)
    found = _SURROGATES.search(text)
    if found is not None:
        raise UnwritableText(found[0], found.start())
    return cleaned(text)


def cleaned(text: str) -> str:
    """A text from a machine, without characters that cannot be written."""
    return _UNWRITABLE.sub("", joined(text).translate(_PAGE_BREAKS))


def described(character: str) -> str:
    """A character that cannot be shown, as a person looks it up: `U+0000 (a control character)`."""
    if _SURROGATES.match(character):
        kind = "half of a character"
    elif unicodedata.category(character) == "Cc":
        kind = "a control character"
    else:
        kind = "no character"
    return f"U+{ord(character):04X} ({kind})"
