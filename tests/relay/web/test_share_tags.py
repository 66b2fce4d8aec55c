"""What a link shows where it is shared, on the real pages."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from radio.clock import ManualClock
from radio.relay.live.disclosure import MADE_BY_MACHINE, about_header
from radio.relay.web.share_tags import Share, put
from radio.streams.records import CastEnd
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, Narrated
from tests.relay.serving import Served, relay_on

FRAMES = (("/e/harbor", "*"), ("/s/harbor", "'none'"), ("/", "'none'"), ("/submit", "'none'"))
HOSTILE = "\"><script>alert(1)</script>&amp; 'tides'\u2028\x07"
TEXT = "A text begins with words that are its title. " + "Others follow. " * 20 + "Nobody reads it in a head."
SHARE = Share(
    title=HOSTILE, about=HOSTILE, url="http://radio.test/c/x", image="http://radio.test/web/mark.png"
)


class Head(HTMLParser):
    """The tags of a page and the text of its title."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.tags: list[str] = []
        self.feeds: list[str] = []
        self.title = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        name = given.get("property") or given.get("name")
        if tag == "meta" and name:
            self.meta[name] = given["content"] or ""
        if given.get("type") == "application/rss+xml":
            self.feeds.append(given["href"] or "")

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] == "title" and not self.title:
            self.title = data


async def _head(served: Served, path: str) -> Head:
    async with served.http.get(served.at(path)) as reply:
        assert reply.status == 200
        return Head(await reply.text())


def test_whatever_a_title_holds_stays_a_title() -> None:
    head = Head(put("<head><!-- share -->old<!-- /share --></head><body>", SHARE))
    assert set(head.tags) == {"head", "title", "meta", "body"}
    shown = "\"><script>alert(1)</script>&amp; 'tides'"
    assert (head.title, head.meta["og:title"], head.meta["twitter:title"]) == (
        f"{shown} · radio",
        shown,
        shown,
    )


def test_a_page_without_the_place_for_it_stays_as_it_is() -> None:
    assert put("<title>mine</title>", SHARE) == "<title>mine</title>"


@pytest.mark.parametrize("page", sorted(Path("web").glob("*.html")), ids=lambda page: page.name)
def test_every_page_has_the_place_once_and_is_whole_without_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("<!-- share -->") == text.count("<!-- /share -->") == 1
    assert len(re.findall("<title>.+</title>", text)) == 1


async def test_a_station_is_shared_with_its_name_sound_and_podcast(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(title="Harbor & Sea", description="Ships and small facts")
    async with relay_on(store, clock) as served:
        for path in ("/s/harbor", "/e/harbor"):
            head = await _head(served, path)
            assert head.title == "Harbor & Sea · radio"
            assert head.meta["og:description"] == f"Ships and small facts. {MADE_BY_MACHINE}"
            assert head.meta["og:url"] == served.at("/s/harbor")
            assert head.meta["og:audio"] == served.at("/stations/harbor/live.mp3")
            assert head.meta["og:image"] == served.at("/web/mark.png")
            assert head.feeds == [served.at("/stations/harbor/podcast.xml")]
        unknown = await _head(served, "/s/nowhere")
        assert "og:title" not in unknown.meta
        assert unknown.title == "Station · radio"
        assert (await _head(served, "/")).meta["og:url"] == served.at("/")


async def test_a_cast_is_shared_by_its_title_alone_and_not_once_it_is_removed(
    store: MemoryStore, clock: ManualClock
) -> None:
    cast = await Narrated.submit(store, clock, TEXT)
    await cast.start()
    async with relay_on(store, clock) as served:
        head = await _head(served, f"/c/{cast.cast}")
        status = await served.json(f"/casts/{cast.cast}")
        assert head.meta["og:title"] == status["title"]
        assert head.meta["og:audio"] == served.at(f"/casts/{cast.cast}.mp3")
        assert head.meta["robots"] == "noindex"
        assert "spoken by a machine" in head.meta["og:description"]
        assert not any("Nobody reads it" in value for value in head.meta.values())
        await cast.append(CastEnd(reason="removed", job=0))
        assert "og:title" not in (await _head(served, f"/c/{cast.cast}")).meta


async def test_only_the_embedded_player_may_be_framed(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin()
    async with relay_on(store, clock) as served:
        for path, who in (
            ("/e/harbor", "*"),
            ("/s/harbor", "'none'"),
            ("/", "'none'"),
            ("/submit", "'none'"),
        ):
            async with served.http.get(served.at(path)) as reply:
                policy = reply.headers["Content-Security-Policy"]
                assert (path, policy.rpartition("frame-ancestors ")[2]) == (path, who)
                assert policy.startswith("default-src 'self';")


async def test_icy_says_that_a_machine_speaks_however_long_the_description(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    await air.begin(description="Ships and small facts")
    async with (
        relay_on(store, clock) as served,
        served.http.head(served.at("/stations/harbor/live.mp3")) as reply,
    ):
        assert reply.headers["icy-description"] == f"Ships and small facts. {MADE_BY_MACHINE}"
    for description in ("", "tide " * 100, "x" * 300):
        told = about_header(description)
        assert told.endswith(MADE_BY_MACHINE)
        assert len(told) <= 128


@pytest.mark.parametrize("before", range(12))
def test_icy_descriptions_are_cut_at_the_end_of_a_word(before: int) -> None:
    description = (
        f"{'x' * before} Ships pass; tides turn - and a harbour by the sea has many small facts every day."
    )
    own = about_header(description).removesuffix(MADE_BY_MACHINE).strip()
    words = own.removesuffix("...").split()
    assert own.endswith("...")
    assert len(words) > 5
    assert words == description.split()[: len(words)]
