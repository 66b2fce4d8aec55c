"""Files as they are read aloud: chapters of paragraphs, without markup. Text, Markdown, EPUB."""

import codecs
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from radio.errors import BadInput
from radio.log import log_event
from radio.producers.texts import epub
from radio.producers.texts.html_text import without_comments
from radio.producers.texts.line_ends import rejoined
from radio.producers.texts.markdown_extensions import without_extensions

log = logging.getLogger(__name__)

MAX_BYTES = 32 << 20
_BLANK = re.compile(r"\n\s*\n")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_UNDERLINE = re.compile(r"(?:=+|-{2,})\s*")
_FENCE = re.compile(r"^(```|~~~).*?(?:^\1\s*$|\Z)", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"([-*_])(?:\s*\1){2,}")
_LINK = re.compile(
    r"!?\[([^\[\]]*)\](?:"
    r"\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\))\s*\)"
    r"|\((?:[^()]|\([^()]*\))*\)"
    r"|\[[^\[\]]*\])"
)
"""With a title, which may hold brackets; with an address alone; or with a reference."""
_REFERENCE = re.compile(r"^\s{0,3}\[[^\[\]\n]+\]:\s+\S+.*$", re.MULTILINE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<(?:https?|mailto):[^<>\s]+>")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+")
_MARKS = re.compile(r"\*\*|__|~~|`|(?<!\w)[*_]|[*_](?!\w)|^>\s?", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*\s|[。！？]")
_STOPPED = re.compile(r"[.!?…:;,][\"'”’)]*$")
LONGEST = 8_000
"""Characters of a paragraph; a longer one, such as a book without blank lines, is read in parts."""
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`begins_chapter`: it is a chapter's first."""

    text: str
    begins_chapter: bool = False


def read(path: Path) -> list[Paragraph]:
    """A file's paragraphs, by the ending of its name.

    Raises:
        BadInput: it cannot be read, or is too large.
    """
    if path.suffix.lower() == ".epub":
        blocks = epub.read(path)
        return list(_chaptered((_stopped(b.text) if b.is_heading else b.text, b.is_heading) for b in blocks))
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadInput(f"{path} is too large: more than {MAX_BYTES >> 20} MiB")
        data = path.read_bytes()
    except OSError as e:
        raise BadInput(f"cannot read {path}: {e.strerror}") from e
    return paragraphs(decoded(data, path), markdown=path.suffix.lower() in (".md", ".markdown"))


def decoded(data: bytes, path: Path) -> str:
    """Text in UTF-8, in what its byte order mark says, or else in Latin-1, which takes any bytes."""
    if b"\0" in data[:4096] and not data.startswith(tuple(bom for bom, _ in _BOMS)):
        raise BadInput(f"{path} is no text", hint="text files are .txt, .md or .epub")
    encoding = next((name for bom, name in _BOMS if data.startswith(bom)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        log.warning("file is not UTF-8; read as Latin-1", extra=log_event("text.latin1", file=path.name))
        return data.decode("cp1252", errors="replace").replace("\ufffd", " ")


def paragraphs(text: str, *, markdown: bool) -> list[Paragraph]:
    """What is read of a text. Markup is not read; a heading is a sentence, and begins a chapter."""
    plain = rejoined(text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", ""))
    if not markdown:
        return list(_chaptered((" ".join(block.split()), False) for block in _BLANK.split(plain)))
    plain = without_extensions(_FENCE.sub("", plain))
    plain = _REFERENCE.sub("", without_comments(plain))
    return list(_chaptered(part for block in _BLANK.split(plain) for part in _markdown(block.strip("\n"))))


def _chaptered(blocks: Iterator[tuple[str, bool]]) -> Iterator[Paragraph]:
    """Blocks that say something, each in parts that are not too long; the first begins a chapter, too."""
    is_first = True
    was_heading = False
    for block, is_heading in blocks:
        begins = is_first or (is_heading and not was_heading)
        for part in _parts(block):
            if any(char.isalnum() for char in part):
                yield Paragraph(part, begins_chapter=begins)
                is_first = begins = False
                was_heading = is_heading


def _parts(block: str) -> list[str]:
    """The block, cut after sentences where it is too long."""
    parts: list[str] = []
    while len(block) > LONGEST:
        ends = [match.end() for match in _SENTENCE_END.finditer(block, 0, LONGEST)]
        cut = ends[-1] if ends else block.rfind(" ", 0, LONGEST) + 1 or LONGEST
        parts.append(block[:cut].strip())
        block = block[cut:]
    return [*parts, block.strip()]


def _markdown(block: str) -> Iterator[tuple[str, bool]]:
    """A block's headings, list items and text, each whole."""
    lines = block.split("\n")
    if len(lines) > 1 and _UNDERLINE.fullmatch(lines[1]):
        lines = [f"# {lines[0].strip()}", *lines[2:]]
    held: list[str] = []
    for line in lines:
        heading = _HEADING.fullmatch(line.strip())
        if heading or _BULLET.match(line) or _RULE.fullmatch(line.strip()):
            yield _inline(held), False
            held = []
        if heading:
            yield _stopped(_inline([heading[1]])), True
        elif not _RULE.fullmatch(line.strip()):
            held.append(_BULLET.sub("", line))
    yield _inline(held), False


def _inline(lines: Sequence[str]) -> str:
    text = _TAG.sub("", _LINK.sub(r"\1", _LINK.sub(r"\1", "\n".join(lines))))  # a picture may be a link
    return " ".join(_MARKS.sub("", text).replace("|", " ").split())


def _stopped(heading: str) -> str:
    return heading if not heading or _STOPPED.search(heading) else heading + "."
