"""Reads files aloud: paragraph by paragraph, in order, always the same words.

A segment is a chapter; a piece is a paragraph, and its mark says which one. Who goes on after a crash begins
with the one after the last that stands, and a later run with the one after the last that was heard.
"""

import logging
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from radio import producer_kinds
from radio.errors import BadInput
from radio.log import log_event
from radio.producers.source import Brief, Words
from radio.producers.texts import books

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReadingPosition:
    """Paragraph `n` of a file, which goes by the end of its path; the rest may change when a radio moves."""

    file: str
    n: int

    def __str__(self) -> str:
        return f"{self.file}#{self.n}"


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph and where it stands."""

    place: ReadingPosition
    paragraph: books.Paragraph


class TextSource:
    """Paragraphs of files.

    Args:
        first: index of the first passage to read.
        next_seg: number of the first segment.
        chapters: after so many more chapters it ends; 0: without limit.
    """

    first_piece_within_s = 30.0
    piece_within_s = 30.0

    def __init__(
        self, passages: Sequence[Passage], *, first: int, loop: bool, next_seg: int, chapters: int = 0
    ) -> None:
        self._passages = passages
        self._first = first
        self._loop = loop
        self._seg = next_seg
        self._chapters = chapters

    async def pieces(self) -> AsyncGenerator[Words, None]:
        """One piece a paragraph; with a blank line after it, for its last sentence is whole."""
        at, begun = self._first, 0
        while self._loop or at < len(self._passages):
            passage = self._passages[at % len(self._passages)]
            if passage.paragraph.begins_chapter and at > self._first:
                begun += 1
                self._seg += 1
                if begun == self._chapters:
                    return
            yield Words(self._seg, passage.paragraph.text + "\n\n", mark=str(passage.place))
            at += 1


def open_source(brief: Brief) -> TextSource:
    """Files that cannot be read are left out, with a warning. Raises `BadInput` if nothing is left."""
    options = brief.options
    assert isinstance(options, producer_kinds.TextFiles)
    files = list(options.files)
    if options.rotate:
        files = rotated(files, _day(brief.assignment.at, brief.assignment.zone))
    passages = [passage for file in files for passage in _readable(Path(file))]
    if options.text:
        passages = _numbered("text", books.paragraphs(options.text, markdown=False))
    if not passages:
        raise BadInput(f"there is nothing to read in {', '.join(options.files) or 'text'}")
    first = _first(passages, brief, options)
    chapters = _chapters_left(passages, brief, options.chapters)
    return TextSource(passages, first=first, loop=options.loop, next_seg=brief.next_seg, chapters=chapters)


def _first(passages: Sequence[Passage], brief: Brief, options: producer_kinds.TextFiles) -> int:
    """Where to go on: after what this run wrote, or after what the last one was heard to."""
    if brief.marks:
        return after(passages, brief.marks[-1])
    known = {passage.place.file for passage in passages}
    marks = [heard.mark for heard in brief.memory.heard if _file_of(heard.mark) in known]
    if not options.resume or options.rotate or not marks:
        return 0
    place = after(passages, marks[-1])
    return place if options.once else place % len(passages)


def _file_of(mark: str) -> str:
    return mark.rpartition("#")[0]


def _chapters_left(passages: Sequence[Passage], brief: Brief, chapters: int) -> int:
    """How many chapters more this run reads; its first one counts when it is done, like all others."""
    if not chapters:
        return 0
    begins = {str(p.place) for p in passages if p.paragraph.begins_chapter}
    return max(chapters - sum(mark in begins for mark in brief.marks[1:]), 1)


def after(passages: Sequence[Passage], mark: str) -> int:
    """The index of the passage after a mark; of a file that became shorter its end, of one that went 0."""
    file, _, n = mark.rpartition("#")
    number = int(n) if n.isdecimal() else -1
    behind = [at for at, p in enumerate(passages) if p.place.file == file and p.place.n <= number]
    return behind[-1] + 1 if behind else 0


def rotated(files: Sequence[str], day: int) -> list[str]:
    """The files from the day's on, then the others."""
    first = day % len(files)
    return [*files[first:], *files[:first]]


def _day(at: int, zone: str) -> int:
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone)).toordinal()


def _readable(path: Path) -> list[Passage]:
    try:
        return _passages(path)
    except BadInput as e:
        log.warning("text left out: %s", e, extra=log_event("text.left_out", file=path.name))
        return []


def _passages(path: Path) -> list[Passage]:
    return _numbered("/".join(path.parts[-2:]), books.read(path))


def _numbered(name: str, paragraphs: Sequence[books.Paragraph]) -> list[Passage]:
    return [Passage(ReadingPosition(name, n), paragraph) for n, paragraph in enumerate(paragraphs)]
