"""What is told wherever a station is described: that a machine writes and speaks it. No I/O here."""

from typing import Final

from radio.relay.http.header_text import MAX_HEADER, fold

MADE_BY_MACHINE: Final = "What you hear is written and spoken by a machine."
_CUT: Final = "..."


def about(description: str) -> str:
    """The description as a sentence, and who makes the programme."""
    return " ".join(filter(None, [sentence(description), MADE_BY_MACHINE]))


def about_header(description: str) -> str:
    """The same as an ICY header: folded, and cut so that who makes it is always told."""
    own = _cut(fold(sentence(description)), MAX_HEADER - len(MADE_BY_MACHINE) - 1)
    return " ".join(filter(None, [own, MADE_BY_MACHINE]))


def _cut(text: str, most: int) -> str:
    """At most so many characters, cut at a word's end; a header holds ASCII, so three dots tell of it."""
    if len(text) <= most:
        return text
    room = most - len(_CUT)
    whole = text[:room] if text[room] == " " else text[:room].rpartition(" ")[0] or text[:room]
    return whole.rstrip(" .,;:-") + _CUT


def sentence(text: str) -> str:
    """The text with a full stop, unless it ends as a sentence does."""
    bare = text.rstrip()
    return bare if not bare or bare.endswith((".", "!", "?", "…")) else f"{bare}."
