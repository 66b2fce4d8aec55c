"""What a link of this radio shows where it is shared: tags for the head of a page. No I/O here.

They say no more than the page itself; whatever they hold is escaped.
"""

import html
import re
from dataclasses import dataclass
from typing import Final

from radio.relay.http.plain_text import one_line

_PLACE: Final = re.compile(r"<!-- share -->.*?<!-- /share -->", re.S)
MAX_TEXT: Final = 300
"""Longer titles and descriptions are cut by whoever shows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A page as others show it; URLs are whole."""

    title: str
    about: str
    url: str
    image: str
    audio: str | None = None
    feed: str | None = None
    """A podcast that belongs to the page."""
    is_listed: bool = True
    """Whether search engines may keep it."""


def put(page: str, share: Share) -> str:
    """The page with its title and tags in the place that is marked for them; as it is if none is."""
    return _PLACE.sub(lambda _: "\n".join(_tags(share)), page, count=1)


def _tags(share: Share) -> list[str]:
    title, about = _clean(share.title), _clean(share.about)
    known = {
        "og:site_name": "radio", "og:type": "website", "og:title": title, "og:description": about,
        "og:url": share.url, "og:image": share.image,
    }  # fmt: skip
    if share.audio is not None:
        known |= {"og:audio": share.audio, "og:audio:type": "audio/mpeg"}
    card = {"card": "summary", "title": title, "description": about, "image": share.image}
    return [
        f"<title>{html.escape(title if title == 'radio' else f'{title} · radio')}</title>",
        _tag("meta", name="description", content=about),
        *(_tag("meta", property=key, content=value) for key, value in known.items()),
        *(_tag("meta", name=f"twitter:{key}", content=value) for key, value in card.items()),
        *([] if share.is_listed else [_tag("meta", name="robots", content="noindex")]),
        *([_feed(share.feed, title)] if share.feed else []),
    ]


def _feed(url: str, title: str) -> str:
    return _tag("link", rel="alternate", type="application/rss+xml", title=title, href=url)


def _tag(tag: str, /, **attributes: str) -> str:
    spelt = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return f"<{tag}{spelt}>"


def _clean(text: str) -> str:
    """One line of printable characters, cut to fit."""
    return one_line(text)[:MAX_TEXT]
