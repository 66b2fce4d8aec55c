"""HTML as it is read aloud: its text, block by block, without markup. Any input is taken. Pure."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_BLOCKS = _HEADINGS | {
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "frameset", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main",
    "menu", "nav", "noscript", "ol", "optgroup", "option", "p", "plaintext", "pre", "search", "section",
    "select", "summary", "table", "tbody", "td", "textarea", "tfoot", "th", "thead", "tr", "ul", "xmp",
}  # fmt: skip
_SILENT = frozenset(
    {"head", "script", "style", "title", "template", "noscript", "svg", "math", "nav", "pre", "iframe"}
)
_MOST_DEPTH = 100
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
        self._in_heading = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _SILENT and len(self._silent) < _MOST_DEPTH:
            self._silent.append(tag)
        if tag in _BLOCKS:
            self.end_block()
            self._in_heading = tag in _HEADINGS

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCKS:
            self.end_block()

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag in self._silent:
            while self._silent.pop() != tag:
                continue
        if tag in _BLOCKS:
            self.end_block()
            self._in_heading = False

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._words.append(data)

    def end_block(self) -> None:
        text = " ".join("".join(self._words).split())
        self._words.clear()
        if text:
            self.blocks.append(Block(text, self._in_heading))


def blocks(html: str) -> list[Block]:
    """The paragraphs and headings in order; in time that grows with the length alone."""
    reader = _Reader()
    reader.feed(_NO_TAG.sub("&lt;", without_comments(html)))
    reader.close()
    reader.end_block()
    return reader.blocks


def plain(html: str) -> str:
    """All text on one line."""
    return " ".join(block.text for block in blocks(html))


def without_comments(html: str) -> str:
    """Without `<!-- … -->`; one that is not closed stays."""
    parts, at = [], 0
    while (begin := html.find("<!--", at)) >= 0 and (end := html.find("-->", begin + 4)) >= 0:
        parts.append(html[at:begin])
        at = end + 3
    return "".join([*parts, html[at:]])
