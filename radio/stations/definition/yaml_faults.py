"""What an editor did where a file is no YAML, and what to write, instead of the parser's own words. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_PAIR = re.compile(r"(\s*(?:- )*)([^\s:#\"'][^:#]*):\s+(\S.*)")
_NO_BLANK = re.compile(r"\s*(?:- )*([\w-]+):(\S.*)")
_INDENT = (
    "this line is indented otherwise than its neighbours; keys that belong together begin in the same column"
)


@dataclass(frozen=True, slots=True)
class YamlFault:
    """What the parser says of a text: `line` is the one of its mark, `opening` where it began what failed.

    `column` of the mark counts from 0.
    """

    problem: str
    line: str
    column: int
    opening: str


def in_words(fault: YamlFault) -> str:
    """What to do about it; the parser's words where none fit."""
    for pattern, say in _WORDS:
        found = re.search(pattern, fault.problem)
        if found and (said := say(fault, found)):
            return said
    return fault.problem


def is_told_of_its_opening(problem: str) -> bool:
    """Whether the place to mend is where the failing thing begins, and not where the parser gave up."""
    return bool(re.search(r"expected ':'|end of stream|expected ',' or", problem))


def _token(fault: YamlFault, found: re.Match[str]) -> str:
    if found[1] in ("\\t", "\t"):
        return "there is a tab; indent with blanks"
    return f"a text that begins with {found[1]} stands in quotes" + _quoted(fault)


def _begins_with(sign: str) -> Callable[[YamlFault, re.Match[str]], str]:
    return lambda fault, _: f"a text that begins with {sign} stands in quotes" + _quoted(fault)


def _quoted(fault: YamlFault) -> str:
    """The line's pair as it is to be written."""
    pair = _PAIR.fullmatch(fault.line.rstrip())
    if pair is None or '"' in pair[3] or "\\" in pair[3]:
        return ""
    return f'; write {pair[2]}: "{pair[3]}"'


def _colon(fault: YamlFault, _: re.Match[str]) -> str:
    pair = _PAIR.fullmatch(fault.line.rstrip())
    if pair is not None and fault.column >= pair.start(3):
        return "a text with a colon in it stands in quotes" + _quoted(fault)
    return _INDENT


def _no_colon(fault: YamlFault, _: re.Match[str]) -> str:
    pair = _NO_BLANK.fullmatch(fault.opening.rstrip())
    if pair is not None:
        return f"a blank is missing after the colon; write {pair[1]}: {pair[2]}"
    return "a colon is missing; write key: value"


def _after_quotes(fault: YamlFault, _: re.Match[str]) -> str:
    if re.search(r"['\"]", fault.line[: fault.column]):
        return "there is more after the closing quotation mark; within '…' write '' for an apostrophe"
    return ""


_WORDS: tuple[tuple[str, Callable[[YamlFault, re.Match[str]], str]], ...] = (
    (r"found character '(.|\\t)' that cannot start any token", _token),
    (r"mapping values are not allowed", _colon),
    (r"could not find expected ':'", _no_colon),
    (r"unexpected end of stream", lambda fault, _: "the quotation mark that begins here is not closed"),
    (r"expected ',' or '(.)'", lambda fault, m: f"the bracket that begins here is not closed by {m[1]}"),
    (r"found undefined alias|expected alphabetic or numeric", _begins_with("* or &")),
    (r"could not determine a constructor for the tag", _begins_with("!")),
    (
        r"sequence entries are not allowed",
        lambda fault, _: "a list that is written with - begins on a line of its own",
    ),
    (r"expected <block end>, but found '<scalar>'", _after_quotes),
    (r"expected <block end>", lambda fault, _: _INDENT),
)
