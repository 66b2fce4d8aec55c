"""The podcast of a station, read as a player reads it: by a parser, then by asking for what it names."""

import struct
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree as Xml

import aiohttp
import feedparser
import pytest

from radio import control
from radio.clock import ManualClock
from radio.redaction import REDACT, spell
from radio.relay.archive.podcast import COVER
from radio.relay.archive.podcast import spell as spell_feed
from radio.relay.live.disclosure import MADE_BY_MACHINE
from radio.streams import names
from radio.streams.contract import StreamStore
from radio.streams.records import ArchivedRun
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import TOKEN, Air, card
from tests.relay.conftest import NOW
from tests.relay.serving import Served, relay_on
from tests.waiting import until

FEED = "/stations/harbor/podcast.xml"
ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"


async def two_runs(air: Air) -> tuple[list[int], list[int]]:
    """Two finished runs, the second one interrupted by a fallback; the numbers of their sound."""
    await air.begin(description="Ships & small facts")
    await air.show("brief@20270115T0800", "The <Brief>")
    brief = await air.say_many(2)
    await air.end()
    await air.archive("brief@20270115T0800", "The <Brief>", [(brief[0], brief[1])])
    await air.show("wires@20270115T0900", "The Wires")
    first = await air.say_many(2, seconds=1.5)
    await air.show("fallback@9", "Harbor FM")
    await air.say("Filling in.")
    await air.show("wires@20270115T0900", "The Wires")
    second = await air.say_many(1)
    await air.end()
    spans = [(first[0], first[1]), (second[0], second[0])]
    await air.archive("wires@20270115T0900", "The Wires", spans)
    return brief, [*first, *second]


async def told(served: Served) -> tuple[aiohttp.ClientResponse, str]:
    async with served.http.get(served.at(FEED)) as reply:
        assert reply.status == 200
        return reply, await reply.text()


async def test_each_finished_run_is_an_episode_whose_sound_is_as_long_as_it_says(
    any_store: StreamStore, clock: ManualClock
) -> None:
    air = Air(any_store, clock)
    brief, wires = await two_runs(air)
    async with relay_on(any_store, clock, base_url="https://radio.example") as served:
        reply, body = await told(served)
        assert reply.headers["Content-Type"] == "application/rss+xml; charset=utf-8"
        feed = feedparser.parse(body)
        assert not feed.bozo
        assert feed.version == "rss20"
        assert [entry.title for entry in feed.entries] == ["The Wires", "The <Brief>"]
        assert [entry.id for entry in feed.entries] == [
            "harbor:wires@20270115T0900", "harbor:brief@20270115T0800",
        ]  # fmt: skip
        want = [b"".join(a.body for seq, a in air.said if seq in mine) for mine in (wires, brief)]
        for entry, sound in zip(feed.entries, want, strict=True):
            [enclosure] = entry.enclosures
            assert enclosure.type == "audio/mpeg"
            assert enclosure.href.startswith("https://radio.example/stations/harbor/replay.mp3?")
            here = served.at(enclosure.href.removeprefix("https://radio.example"))
            async with served.http.get(here) as got:
                assert (got.status, got.headers["Accept-Ranges"]) == (200, "bytes")
                assert await got.read() == sound
            assert int(enclosure.length) == len(sound)
            assert abs(int(entry.itunes_duration) - len(sound) / 8000) <= 0.5
        assert "Filling in" not in body


async def test_it_has_what_players_ask_of_a_feed(air: Air, store: MemoryStore, clock: ManualClock) -> None:
    brief, _ = await two_runs(air)
    async with relay_on(store, clock, base_url="https://radio.example/") as served:
        _, body = await told(served)
    assert body.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<rss ')
    rss = Xml.fromstring(body)
    assert rss.attrib == {"version": "2.0"}
    [channel] = rss
    told_of = {element.tag: element for element in channel}
    assert told_of["title"].text == "Harbor FM"
    assert told_of["link"].text == "https://radio.example/s/harbor"
    assert told_of["description"].text == f"Ships & small facts. {MADE_BY_MACHINE}"
    assert told_of["language"].text == "en-us"
    own = told_of["{http://www.w3.org/2005/Atom}link"]
    assert own.attrib == {
        "rel": "self", "type": "application/rss+xml", "href": f"https://radio.example{FEED}",
    }  # fmt: skip
    assert told_of[f"{ITUNES}explicit"].text == "false"
    assert told_of[f"{ITUNES}category"].attrib == {"text": "Society & Culture"}
    cover = "https://radio.example/web/cover.png"
    assert told_of[f"{ITUNES}image"].attrib == {"href": cover}
    assert [(part.tag, part.text) for part in told_of["image"]] == [
        ("url", cover), ("title", "Harbor FM"), ("link", "https://radio.example/s/harbor"),
    ]  # fmt: skip
    item = [element for element in channel if element.tag == "item"][-1]
    assert item.find("guid").attrib == {"isPermaLink": "false"}  # type: ignore[union-attr]
    aired = next(a.at for seq, a in air.said if seq == brief[0])
    assert aired is not None
    assert parsedate_to_datetime(item.findtext("pubDate") or "").timestamp() == aired // 1000
    assert MADE_BY_MACHINE in (item.findtext("description") or "")


async def test_its_cover_is_as_large_as_players_want(store: MemoryStore, clock: ManualClock) -> None:
    async with relay_on(store, clock) as served, served.http.get(served.at(COVER)) as reply:
        assert (reply.status, reply.content_type) == (200, "image/png")
        head = (await reply.read())[:26]
    width, height, depth, colour = struct.unpack(">IIBB", head[16:26])
    assert 1400 <= width == height <= 3000
    assert (depth, colour in (2, 3)) == (8, True)  # without an alpha channel


async def test_it_stays_the_same_until_a_run_comes_and_then_old_guids_do(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await two_runs(air)
    async with relay_on(store, clock) as served:
        reply, body = await told(served)
        clock.advance(3600)
        assert (await told(served))[1] == body
        tag = {"If-None-Match": reply.headers["ETag"]}
        async with served.http.get(served.at(FEED), headers=tag) as again:
            assert (again.status, await again.read()) == (304, b"")
        more = await air.say_many(1)
        await air.archive("night@20270115T1000", "Night Book", [(more[0], more[0])])
        async with served.http.get(served.at(FEED), headers=tag) as again:
            assert again.status == 200
            entries = feedparser.parse(await again.text()).entries
    old = [entry.id for entry in feedparser.parse(body).entries]
    assert [entry.id for entry in entries] == ["harbor:night@20270115T1000", *old]


async def test_what_is_not_kept_whole_or_taken_out_whole_is_no_episode(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    brief, wires = await two_runs(air)
    async with relay_on(store, clock) as served:
        await control.ask(store, REDACT, "harbor", [spell(wires[0], wires[1])])
        await until(lambda: served.relay.store.redactions.holds("harbor", wires[0]))
        assert len(feedparser.parse((await told(served))[1]).entries) == 2
        await control.ask(store, REDACT, "harbor", [spell(wires[2], wires[2])])
        await until(lambda: served.relay.store.redactions.holds("harbor", wires[2]))
        [entry] = feedparser.parse((await told(served))[1]).entries
        assert entry.title == "The <Brief>"
        await store.trim(names.broadcast("harbor"), brief[1], fencing_token=TOKEN)
        assert feedparser.parse((await told(served))[1]).entries == []


@pytest.mark.parametrize("title", ["Ünï «ships» 船 🚢", "a\0b\x08c\ud800d\ufffe", "]]> <x> & \"'", ""])
def test_any_title_makes_a_document_that_parses(title: str) -> None:
    run = ArchivedRun(
        run="x@20270115T0800", show="x", title=title, spans=((1, 2),), at=NOW, until=NOW + 1, size=192,
        sentences=1,
    )  # fmt: skip
    body = spell_feed("harbor", card("harbor", title=title, description=title), [run], base="http://r")
    rss = Xml.fromstring(body.encode())
    shown = rss.findtext("channel/title") or ""
    assert shown == ("".join(c for c in title if c not in "\0\x08\ud800\ufffe") or "harbor")
    assert rss.findtext("channel/item/title") == ("x" if not title else shown)
