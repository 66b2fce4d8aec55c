"""Takes out of Markdown what its dialects add and nobody reads: front matter, attributes, notes. Pure."""

import re
from collections.abc import Iterator

_FRONT = re.compile(r"\s*(?P<mark>---|\+\+\+)[ \t]*\n(?=[ \t]*(?:#|[\w\"'-]+[ \t]*[:=]))")
_FRONT_END = re.compile(r"^(?:---|\+\+\+|\.\.\.)[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"[ \t]*\{:?[ \t]*(?:[#.][\w:.-]+|[\w-]+=(?:\"[^\"{}\n]*\"|[^\s{}]+)|-)[^{}\n]*\}")
_NOTE_MARK = re.compile(r"\[\^[^\[\]\s]{1,100}\](?!:)")
_NOTE = re.compile(r" {0,3}\[\^[^\[\]\s]{1,100}\]:")
_DIVISION = re.compile(r"\s*:{3,}.*")
_COMMAND = re.compile(r"\s*\\[A-Za-z]+\*?(?:\[[^\[\]]*\])*(?:\{[^{}]*\})*\s*")
_TASK = re.compile(r"^([ \t]{0,20}(?:[-*+]|\d{1,3}[.)])[ \t]{1,8})\[[ xX]\][ \t]+", re.MULTILINE)


def without_extensions(text: str) -> str:
    """Markdown without front matter, `{#attributes}`, notes, `:::` and lines that are a command of TeX."""
    head = _FRONT.match(text)
    end = _FRONT_END.search(text, head.end()) if head else None
    lines = "\n".join(_read(text[end.end() :] if end else text))
    return _TASK.sub(r"\1", _ATTRIBUTES.sub("", _NOTE_MARK.sub("", lines)))


def _read(text: str) -> Iterator[str]:
    """The lines that are read; a note lasts as long as its lines are indented."""
    in_note = False
    for line in text.split("\n"):
        if _NOTE.match(line):
            in_note = True
            continue
        in_note = in_note and (not line.strip() or line[0] in " \t")
        if in_note and line.strip():
            continue
        yield "" if _DIVISION.fullmatch(line) or _COMMAND.fullmatch(line) else line
