"""HTML as it is read aloud: its text, block by block, without markup. Any input is taken. Pure."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from radio.producers.texts.raised_text import lowered, raised

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "frameset", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main",
    "menu", "nav", "noscript", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section",
    "select", "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "xmp",
}  # fmt: skip
_SILENT = frozenset(
    {
        "head",
        "iframe",
        "math",
        "nav",
        "noscript",
        "pre",
        "rp",
        "rtc",
        "script",
        "style",
        "svg",
        "template",
        "title",
    }
)
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
_ASIDES = frozenset(
    {
        "backlink",
        "endnote",
        "endnotes",
        "footnote",
        "footnotes",
        "noteref",
        "pagebreak",
        "rearnote",
        "rearnotes",
    }
)
_SHIFTED = frozenset({"sup", "sub", "rt"})
_LOOK_BACK = 8
"""Pieces of text before a raised one in which its base is looked for."""
_MOST_DEPTH = 100
_DOCTYPE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<!DOCTYPE[^<>\[]*\[", re.IGNORECASE)
_SUBSET_END = re.compile(r"\]\s*>")
_NO_TAG = re.compile(r"<(?![^<>]*>)")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or heading, its white space squeezed."""

    text: str
    is_heading: bool = False


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._words: list[str] = []
        self._silent: list[str] = []
        """The elements that are left out, the outermost first, and those of the same name within them."""
        self._in_heading = False
        self._shifted: list[tuple[str, int]] = []
        """Open `sup`, `sub` and `rt` elements, each with where its words begin."""
        self._ruby_base: int | None = None
        """Where words begin whose reading may follow."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_silent = tag in _SILENT or _is_aside(attrs) or tag in self._silent
        if is_silent and tag not in _VOID and len(self._silent) < _MOST_DEPTH:
            self._silent.append(tag)
        if tag in _BLOCKS:
            self.end_block()
            self._in_heading = tag in _HEADINGS
        if not self._silent:
            self._begin_inline(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.end_block()

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag in self._silent:
            while self._silent.pop() != tag:
                continue
        elif not self._silent:
            self._end_inline(tag)
        if tag in _BLOCKS:
            self.end_block()
            self._in_heading = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._words.append(data)

    def _begin_inline(self, tag: str) -> None:
        if tag == "ruby":
            self._ruby_base = len(self._words)
        elif tag in _SHIFTED and len(self._shifted) < _MOST_DEPTH:
            self._shifted.append((tag, len(self._words)))

    def _end_inline(self, tag: str) -> None:
        if self._shifted and self._shifted[-1][0] == tag:
            begin = self._shifted.pop()[1]
            text = "".join(self._words[begin:])
            if tag == "rt":
                self._read_as(text, begin)
            else:
                before = "".join(self._words[max(begin - _LOOK_BACK, 0) : begin])
                self._words[begin:] = [raised(text, before) if tag == "sup" else lowered(text)]
        if tag == "ruby":
            self._ruby_base = None

    def _read_as(self, reading: str, begin: int) -> None:
        """A ruby's reading is said instead of what it stands above; an empty one is none."""
        if self._ruby_base is None or not reading.strip():
            del self._words[begin:]
        else:
            self._words[self._ruby_base :] = [reading]
        if self._ruby_base is not None:
            self._ruby_base = len(self._words)

    def end_block(self) -> None:
        text = " ".join("".join(self._words).split())
        self._words.clear()
        self._shifted.clear()
        self._ruby_base = None
        if text:
            self.blocks.append(Block(text, self._in_heading))


def _is_aside(attrs: list[tuple[str, str | None]]) -> bool:
    """Whether an element is a note, a reference to one, or the number of a page, as EPUB and ARIA say it."""
    told = (value or "" for name, value in attrs if name in ("epub:type", "role"))
    return any(role.removeprefix("doc-") in _ASIDES for value in told for role in value.lower().split())


def blocks(html: str) -> list[Block]:
    """The paragraphs and headings in order; in time that grows with the length alone."""
    reader = _Reader()
    reader.feed(_NO_TAG.sub("&lt;", _without_doctype(without_comments(html))))
    reader.close()
    reader.end_block()
    return reader.blocks


def plain(html: str) -> str:
    """All text on one line."""
    return " ".join(block.text for block in blocks(html))


def _without_doctype(html: str) -> str:
    """Without a DOCTYPE that has a subset of its own: `<!DOCTYPE html [<!ELEMENT x ANY>]>`."""
    head = _DOCTYPE.match(html)
    end = _SUBSET_END.search(html, head.end()) if head else None
    return html[end.end() :] if end else html


def without_comments(html: str) -> str:
    """Without `<!-- … -->`; one that is not closed stays."""
    parts, at = [], 0
    while (begin := html.find("<!--", at)) >= 0 and (end := html.find("-->", begin + 4)) >= 0:
        parts.append(html[at:begin])
        at = end + 3
    return "".join([*parts, html[at:]])
