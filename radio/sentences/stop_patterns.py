"""What the end of a sentence looks like in every script, with the signs attached to it. Only patterns.

Every pattern takes time linear in the length of its match: no two parts of one match the same character.
"""

import re

CLOSERS = "\"'”’»›)]}」』）】》〉〗｣"
OPENERS = "\"'“‘„«‹([{¿¡「『（【《〈〖｢*_-–—•⁃‣◦▪"
INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff"
"""A class of characters without width."""
GAP = 64
"""This much white space in a row always ends a sentence, which limits how much must be held."""

_CLOSE, _OPEN = re.escape(CLOSERS), re.escape(OPENERS)
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
_CLINGS = rf"(?:[{_CLOSE}{INVISIBLE}{_EMOJI}⁰¹²³⁴-⁹]|\[\d{{1,3}}\]|[ \u00a0\u2009\u202f][»›])*"
"""After a stop: closing quotes and brackets (French ones after a space), emoji, footnote marks."""
_WIDE = "。！？｡．।॥"
"""These end a sentence whatever follows."""
_MARKS = ".!?…‥⋯‼⁇⁈⁉"
STOP = re.compile(
    rf"(?P<gap>\s{{{GAP}}})"
    rf"|(?P<wide>[{_WIDE}][{_WIDE}{_MARKS}]*{_CLINGS})"
    rf"|(?P<mark>[{_MARKS}]+(?:[ \u00a0\u202f][.!?]+(?!\w))*{_CLINGS})"
    r"|(?P<line>[\n\u2029\f])"
)
"""Where a sentence may end. Marks may be separated: `. . .`, `? !`."""
FULL_STOP = re.compile(rf"\.[^{_MARKS}]*")
ELLIPSIS = re.compile(r"(?:\.{3}|[…‥⋯]|\.(?:[ \u00a0\u202f]\.){2})(?![.…])")
"""Not with a full stop behind it, as in four dots."""
DOTS = re.compile(r"[…‥⋯]|\.{2}")
OMISSION = re.compile(r"[\[(](?:\.{3}|…|\.(?:[ \u00a0\u202f]\.){2})[\])]")
"""An omission; it does not end a sentence."""

BLANK_LINE = re.compile(rf"\n[^\S\n]*\n|[\u2029\f]|\s{{{GAP}}}")
TEXT = re.compile(r"\S")
SPACE = re.compile(r"\s*")
AHEAD = re.compile(rf"[\s{_OPEN}{INVISIBLE}]*")
AROUND_WORD = OPENERS + "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Removed before a word is looked up."""

CJK = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]")
GOES_ON = re.compile(r"[、，；：,;:]")
"""If it follows a stop at once, it does not begin a sentence."""
SAYS = re.compile(r"[とっがをにのもはへで]")
"""Particles of Japanese: a quotation before them is part of the sentence."""
QUOTED = re.compile(r".*[」』）”]", re.DOTALL)
TITLE_REACH = 30
"""Maximum number of characters in the name of a work in 《》."""
TITLE_OPEN = re.compile(r"[《〈『][^《〈『》〉』]*\Z")
TITLE_CLOSE = re.compile(r"[》〉』]")
