"""What stands in a feed: its items as plain text. The only module that knows feedparser."""

import calendar
import hashlib
import html
import io
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

import feedparser

from radio.errors import BadInput
from radio.producers.feeds import xml_repair
from radio.producers.feeds.boilerplate import without_boilerplate
from radio.producers.texts.html_text import plain

MAX_ITEMS = 500
_MOST_HTML = 20_000
_MOST_TITLE = 300
_MOST_SUMMARY = 1500
_OPENED = re.compile(r"<([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_CLOSED = re.compile(r"</([A-Za-z][A-Za-z0-9]*)\s*>")
_LONE = re.compile(
    r"^\s*<(?:p|div)\b|<br\b|<img\s+\w|<a\s+href|<(?:p|li)>.*<(?:p|li)>", re.IGNORECASE | re.DOTALL
)
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_UNHEARD = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’)]*\s+")


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a feed, as it may be read aloud.

    Attributes:
        id: what makes it this one: its own id, else link, title and date together.
        words: of title and summary: the same news under another id.
        source: the feed's title.
        at: when it was published, epoch ms; None if it does not say so.
    """

    id: str
    words: str
    source: str
    title: str
    summary: str
    at: int | None


def items(body: bytes, content_type: str = "") -> list[Item]:
    """The items of a feed, however badly written, in its order.

    Raises:
        BadInput: it is no feed, or declares entities: a few bytes can then stand for very many.
    """
    if b"<!entity" in body.replace(b"\0", b"").lower():
        raise BadInput("the feed declares entities")
    body, content_type = xml_repair.repaired(body, content_type)
    head = {"content-type": content_type} if content_type else {}
    parsed: Any = feedparser.parse(
        io.BytesIO(body), response_headers=head, resolve_relative_uris=False, sanitize_html=False
    )
    if not parsed.get("version") and not parsed.get("entries"):
        raise BadInput("this is no feed", hint="RSS and Atom are read")
    is_atom = str(parsed.get("version", "")).startswith("atom")
    source = _clean(_title(parsed.feed, is_atom), _MOST_TITLE)
    found = (_item(entry, source, is_atom) for entry in parsed.entries[:MAX_ITEMS])
    return [item for item in found if item is not None]


def _item(entry: Any, source: str, is_atom: bool) -> Item | None:
    title = _clean(_title(entry, is_atom), _MOST_TITLE)
    summary = without_boilerplate(_clean(_told(entry, is_atom), _MOST_SUMMARY))
    if not any(map(str.isalnum, title + summary)):
        return None
    if summary.casefold().startswith(title.casefold()) and not summary[len(title) :][:1].isalnum():
        summary = summary[len(title) :].lstrip(" .:–-")
    words = _hash(f"{title}\n{summary}".casefold())
    at = _at(entry)
    own = entry.get("id") or f"{entry.get('link', '')}\n{title or words}\n{at}"
    return Item(_hash(str(own)), words, source, title, summary, at)


def _title(told: Any, is_atom: bool) -> str:
    return _plain(told.get("title", ""), told.get("title_detail"), is_atom=is_atom, is_title=True)


def _told(entry: Any, is_atom: bool) -> str:
    if entry.get("summary"):
        return _plain(entry.summary, entry.get("summary_detail"), is_atom=is_atom)
    content = (entry.get("content") or [{}])[0]
    return _plain(content.get("value", ""), content, is_atom=is_atom)


def _plain(value: Any, detail: Any, *, is_atom: bool, is_title: bool = False) -> str:
    """The text of a construct. Atom says what it is; in RSS it is HTML only where that is certain."""
    text = str(value)[:_MOST_HTML]
    if is_atom:
        return plain(text) if "html" in str((detail or {}).get("type", "html")) else text
    return plain(text) if _is_html(text, is_title=is_title) else html.unescape(text)


def _is_html(text: str, *, is_title: bool) -> bool:
    """Whether an element is opened and closed in it; of a summary also what is never written about."""
    opened = {tag.lower() for tag in _OPENED.findall(text)}
    closed = {tag.lower() for tag in _CLOSED.findall(text)}
    return bool(opened & closed) or "<!--" in text or (not is_title and _LONE.search(text) is not None)


def _at(entry: Any) -> int | None:
    when = dict.get(entry, "published_parsed") or dict.get(entry, "updated_parsed")
    try:
        return calendar.timegm(when) * 1000 if when else None
    except (ValueError, OverflowError, TypeError):
        return None


def _clean(text: str, most: int) -> str:
    """Words on one line: no addresses, or characters that cannot be heard; whole sentences."""
    text = _URL.sub("", text)
    text = " ".join("".join(" " if unicodedata.category(char) in _UNHEARD else char for char in text).split())
    return text if len(text) <= most else _shortened(text, most)


def _shortened(text: str, most: int) -> str:
    ends = [match.start() for match in _SENTENCE.finditer(text, 0, most)]
    if ends:
        return text[: ends[-1]]
    return text[: text.rfind(" ", 0, most) + 1 or most].rstrip() + "…"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:20]
