"""Reads files aloud: paragraph by paragraph, in order, always the same words.

A segment is a paragraph, and goes out whole: who goes on after a crash begins with the next one.
"""

import re
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from radio import kinds
from radio.errors import BadInput
from radio.producers.source import Brief, TakeBack, Words

_BLANK = re.compile(r"\n\s*\n")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
_RULE = re.compile(r"([-*_])(?:\s*\1){2,}")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)|^>\s?", re.MULTILINE)
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*\s|[。！？]")
_LONGEST = 8_000
"""Characters of a paragraph; a longer one, such as a book without blank lines, is read in parts."""
_STOPPED = re.compile(r"[.!?…:;,][\"'”’)]*$")


def paragraphs(text: str, *, markdown: bool) -> list[str]:
    """What is read of a file, one line each. Markup is not read; a heading is a sentence."""
    plain = text.replace("\r\n", "\n").replace("\ufeff", "")
    blocks = (block.strip() for block in _BLANK.split(plain))
    read = (_plain(block) if markdown else " ".join(block.split()) for block in blocks)
    return [part for block in read for part in _parts(block) if any(char.isalnum() for char in part)]


def _parts(block: str) -> list[str]:
    """The block, cut after sentences where it is too long."""
    parts: list[str] = []
    while len(block) > _LONGEST:
        ends = [match.end() for match in _SENTENCE_END.finditer(block, 0, _LONGEST)]
        cut = ends[-1] if ends else block.rfind(" ", 0, _LONGEST) + 1 or _LONGEST
        parts.append(block[:cut].strip())
        block = block[cut:]
    return [*parts, block.strip()]


def _plain(block: str) -> str:
    if _RULE.fullmatch(block):
        return ""
    lines = [_heading(line) for line in block.split("\n")]
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", "\n".join(lines))).split())


def _heading(line: str) -> str:
    match = _HEADING.fullmatch(line.strip())
    if match is None:
        return line
    return match[1] if _STOPPED.search(match[1]) else match[1] + "."


class TextSource:
    """Paragraphs of files.

    Args:
        next_seg: the first paragraph to read, counted from the run's begin.
    """

    first_piece_within_s = 30.0
    piece_within_s = 30.0

    def __init__(self, read: Sequence[str], *, loop: bool, next_seg: int) -> None:
        self._read = read
        self._loop = loop
        self._next_seg = next_seg

    async def pieces(self) -> AsyncGenerator[Words | TakeBack, None]:
        """One piece a paragraph; with a blank line after it, for its last sentence is whole."""
        seg = self._next_seg
        while self._loop or seg < len(self._read):
            yield Words(seg, self._read[seg % len(self._read)] + "\n\n")
            seg += 1


def open_source(brief: Brief) -> TextSource:
    """Raises `BadInput` if a file cannot be read, or nothing stands in them."""
    options = brief.options
    assert isinstance(options, kinds.TextFiles)
    files = list(options.files)
    if options.rotate:
        files = rotated(files, _day(brief.assignment.at, brief.assignment.zone))
    read = [paragraph for file in files for paragraph in _read_file(Path(file))]
    if not read:
        raise BadInput(f"there is nothing to read in {', '.join(options.files)}")
    return TextSource(read, loop=options.loop, next_seg=brief.next_seg)


def rotated(files: Sequence[str], day: int) -> list[str]:
    """The files from the day's on, then the others."""
    first = day % len(files)
    return [*files[first:], *files[:first]]


def _day(at: int, zone: str) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone)).toordinal()


def _read_file(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise BadInput(f"cannot read {path}: {e}", hint="text files are .txt or .md in UTF-8") from e
    return paragraphs(text, markdown=path.suffix == ".md")
