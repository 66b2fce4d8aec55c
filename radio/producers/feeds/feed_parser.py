"""What stands in a feed: its items as plain text. The only module that knows feedparser."""

import calendar
import hashlib
import io
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

import feedparser

from radio.errors import BadInput
from radio.producers.texts.html_text import plain

MAX_ITEMS = 500
_MOST_HTML = 20_000
_MOST_TITLE = 300
_MOST_SUMMARY = 1500
_URL = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_UNHEARD = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
_SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’)]*\s+")


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a feed, as it may be read aloud.

    Attributes:
        id: what makes it this one: its own id, else its link, else its words.
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
    head = {"content-type": content_type} if content_type else {}
    parsed: Any = feedparser.parse(
        io.BytesIO(body), response_headers=head, resolve_relative_uris=False, sanitize_html=False
    )
    if not parsed.get("version") and not parsed.get("entries"):
        raise BadInput("this is no feed", hint="RSS and Atom are read")
    source = _clean(parsed.feed.get("title", ""), _MOST_TITLE)
    found = (_item(entry, source) for entry in parsed.entries[:MAX_ITEMS])
    return [item for item in found if item is not None]


def _item(entry: Any, source: str) -> Item | None:
    title = _clean(entry.get("title", ""), _MOST_TITLE)
    summary = _clean(_told(entry), _MOST_SUMMARY)
    if not any(map(str.isalnum, title + summary)):
        return None
    if summary.casefold().startswith(title.casefold()):
        summary = summary[len(title) :].lstrip(" .:–-")
    words = _hash(f"{title}\n{summary}".casefold())
    own = entry.get("id") or entry.get("link") or words
    return Item(_hash(str(own)), words, source, title, summary, _at(entry))


def _told(entry: Any) -> str:
    if entry.get("summary"):
        return str(entry.summary)
    content = entry.get("content") or [{}]
    return str(content[0].get("value", ""))


def _at(entry: Any) -> int | None:
    when = dict.get(entry, "published_parsed") or dict.get(entry, "updated_parsed")
    try:
        return calendar.timegm(when) * 1000 if when else None
    except (ValueError, OverflowError, TypeError):
        return None


def _clean(html: Any, most: int) -> str:
    """Plain words on one line: no markup, addresses, or characters that cannot be heard; whole sentences."""
    text = _URL.sub("", plain(str(html)[:_MOST_HTML]))
    text = " ".join("".join(" " if unicodedata.category(char) in _UNHEARD else char for char in text).split())
    return text if len(text) <= most else _shortened(text, most)


def _shortened(text: str, most: int) -> str:
    ends = [match.start() for match in _SENTENCE.finditer(text, 0, most)]
    if ends:
        return text[: ends[-1]]
    return text[: text.rfind(" ", 0, most) + 1 or most].rstrip() + "…"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:20]
