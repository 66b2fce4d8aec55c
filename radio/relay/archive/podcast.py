"""The finished runs of a station as a podcast: RSS 2.0 with the tags that podcast players read."""

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import islice
from typing import Final
from xml.etree import ElementTree as Xml

from aiohttp import web

from radio.mp3.frames import BYTES_PER_MS
from radio.relay.archive.archive_routes import kept_whole, urls
from radio.relay.archive.recordings import Recordings
from radio.relay.context import RELAY, RelayContext
from radio.relay.http.plain_text import plain
from radio.relay.http.shared_answers import Same, answer_with
from radio.relay.live import disclosure, now_playing
from radio.relay.live.playlist_files import base_url
from radio.streams.records import ArchivedRun, Card

MOST_EPISODES: Final = 500
"""The newest; a player that knows older ones keeps them."""
COVER: Final = "/web/cover.png"
"""1500 by 1500 pixels: players of podcasts want 1400 to 3000, square, without transparency."""
_ITUNES: Final = "http://www.itunes.com/dtds/podcast-1.0.dtd"
_ATOM: Final = "http://www.w3.org/2005/Atom"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
Xml.register_namespace("itunes", _ITUNES)
Xml.register_namespace("atom", _ATOM)


async def feed(request: web.Request) -> web.StreamResponse:
    """`GET /stations/<id>/podcast.xml`: what is kept whole of finished runs, newest first; no fallbacks."""
    relay = request.app[RELAY]
    station = await relay.stations.find(request.match_info["station"])
    oldest = (await Recordings(relay.store, station.id).index.bounds()).oldest
    done = await relay.contents.of(station.id, oldest=oldest)
    version = relay.contents.version(station.id), oldest, relay.store.redactions.of(station.id)
    card, base, runs = station.card, base_url(request, relay), tuple(done.values())

    def make() -> bytes:
        kept = (run for run in kept_whole(runs, oldest) if not _is_taken_out(relay, station.id, run))
        return spell(station.id, card, [*islice(kept, MOST_EPISODES)], base=base).encode()

    answer = await relay.answers.get(
        ("podcast", station.id, base), (version, Same(card)), make, client=relay.client(request)
    )
    return answer_with(request, answer, "application/rss+xml; charset=utf-8")


def _is_taken_out(relay: RelayContext, station: str, run: ArchivedRun) -> bool:
    """Nothing of it is to be heard."""
    redacted = relay.store.redactions
    return all(redacted.within(station, *span) == (span,) for span in run.spans)


def spell(station: str, card: Card, runs: Sequence[ArchivedRun], *, base: str) -> str:
    """The document. `base` is the radio's public address, without a slash at its end."""
    rss = Xml.Element("rss", {"version": "2.0"})
    channel = Xml.SubElement(rss, "channel")
    own = now_playing.urls(station)
    about = disclosure.about(card.description)
    _add(channel, "title", card.title or station)
    _add(channel, "link", base + own["page"])
    _add(channel, "description", about)
    _add(channel, "language", card.language)
    _add(channel, "generator", "radio")
    _add(
        channel, f"{{{_ATOM}}}link", None, rel="self", type="application/rss+xml", href=base + own["podcast"]
    )
    _add(channel, f"{{{_ITUNES}}}author", card.title or station)
    _add(channel, f"{{{_ITUNES}}}summary", about)
    _add(channel, f"{{{_ITUNES}}}type", "episodic")
    _add(channel, f"{{{_ITUNES}}}explicit", "false")
    _add(channel, f"{{{_ITUNES}}}image", None, href=base + COVER)
    image = Xml.SubElement(channel, "image")
    _add(image, "url", base + COVER)
    _add(image, "title", card.title or station)
    _add(image, "link", base + own["page"])
    _add(channel, f"{{{_ITUNES}}}category", None, text="Society & Culture")
    if runs:
        _add(channel, "lastBuildDate", _date(max(run.until for run in runs)))
    for run in runs:
        channel.append(_episode(station, card, run, base))
    return f"{_HEAD}{Xml.tostring(rss, encoding='unicode')}\n"


def _episode(station: str, card: Card, run: ArchivedRun, base: str) -> Xml.Element:
    item = Xml.Element("item")
    title = run.title or run.show or run.run
    about = disclosure.about(f"{title} on {card.title or station}")
    _add(item, "title", title)
    _add(item, "description", about)
    _add(item, "link", base + now_playing.urls(station)["page"])
    _add(item, "guid", f"{station}:{run.run}", isPermaLink="false")
    _add(item, "pubDate", _date(run.at))
    where = base + urls(station, run.run)["mp3"]
    _add(item, "enclosure", None, url=where, length=str(run.size), type="audio/mpeg")
    _add(item, f"{{{_ITUNES}}}duration", str(max(round(run.size / BYTES_PER_MS / 1000), 1)))
    _add(item, f"{{{_ITUNES}}}summary", about)
    _add(item, f"{{{_ITUNES}}}explicit", "false")
    return item


def _add(parent: Xml.Element, tag: str, text: str | None, /, **attributes: str) -> None:
    element = Xml.SubElement(parent, tag, {name: plain(value) for name, value in attributes.items()})
    element.text = None if text is None else plain(text)


def _date(ms: int) -> str:
    return format_datetime(datetime.fromtimestamp(ms // 1000, UTC))
