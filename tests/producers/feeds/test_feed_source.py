"""Feeds: what is read of them, how they are got, and that each item is told once."""

import asyncio
import gzip
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from yarl import URL

from radio import producer_kinds
from radio.clock import ManualClock
from radio.errors import BadInput, RadioError
from radio.producers import show_memory as memories
from radio.producers.feeds import feed_parser, feed_source, fetching, manners, parser_process
from radio.producers.feeds.gathering import SmallestFirst
from radio.producers.models.chat_model import Message, Sampling
from radio.producers.source import Brief, Over, Words
from radio.settings import Settings
from radio.streams.records import Heard
from radio.streams.stores.memory import MemoryStore
from tests.producers.host.test_host_source import OneModel, Parrot
from tests.producers.samples import NOW, RUN, STATION, assignment

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>The Wires</title>{}</channel></rss>"""
ITEM = "<item><guid>{0}</guid><title>Item {0}</title><description>News of {0}.</description>{1}</item>"
DAY_MS = 86_400_000


def rss(*numbers: int, more: str = "") -> bytes:
    return RSS.format("".join(ITEM.format(n, more) for n in numbers)).encode()


def titles(body: bytes | str) -> list[str]:
    return [item.title for item in feed_parser.items(body if isinstance(body, bytes) else body.encode())]


# --- what is read -------------------------------------------------------------------------------------------


def test_rss_and_atom_are_read() -> None:
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>Wires</title><entry><id>urn:1</id>'
        "<title>A &amp; B</title>"
        "<updated>2026-11-29T10:00:00Z</updated>"
        "<content type='html'>&lt;p&gt;C &lt;b&gt;d&lt;/b&gt;&lt;/p&gt;</content>"
        "</entry></feed>"
    )
    [item] = feed_parser.items(atom.encode())
    assert (item.source, item.title, item.summary, item.at) == ("Wires", "A & B", "C d", 1_795_946_400_000)
    [item] = feed_parser.items(rss(1, more="<pubDate>Sun, 29 Nov 2026 10:00:00 +0000</pubDate>"))
    assert (item.source, item.title, item.summary, item.at) == (
        "The Wires",
        "Item 1",
        "News of 1.",
        1_795_946_400_000,
    )


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (RSS.format("<item><title>One & two</title></item>"), ["One & two"]),  # not well-formed
        (RSS.format("<item><title>One</title></item><item><title>Two"), ["One"]),  # cut off
        (RSS.format("<item><title><![CDATA[<b>One</b> <script>x()</script>]]></title></item>"), ["One"]),
        (RSS.format("<item><title>&lt;b&gt;One&lt;/b&gt;</title></item>"), ["One"]),
        (RSS.format("<item><title>See https://a.example/x now</title></item>"), ["See now"]),
        (RSS.format("<item><title>a\u202eb\u0000c</title></item>"), ["a b c"]),
        (RSS.format("<item><title>***</title></item>"), []),
        (RSS.format("<item></item>"), []),
        (RSS.format(""), []),
    ],
)
def test_titles_are_read_as_words_whatever_is_in_them(body: str, read: list[str]) -> None:
    assert titles(body) == read


def test_a_feed_in_another_encoding_is_read() -> None:
    body = '<?xml version="1.0" encoding="iso-8859-1"?>' + RSS[21:].format(
        "<item><title>Grüße</title></item>"
    )
    assert titles(body.encode("latin-1")) == ["Grüße"]


@pytest.mark.parametrize("when", ["yesterday", "", "99 Foo 2026", "0000-00-00"])
def test_a_date_that_is_none_is_left_out(when: str) -> None:
    [item] = feed_parser.items(rss(1, more=f"<pubDate>{when}</pubDate>"))
    assert item.at is None


def test_a_long_summary_is_cut_after_a_sentence_and_a_title_is_not_said_twice() -> None:
    text = " ".join(f"Sentence number {n} is here." for n in range(200))
    [item] = feed_parser.items(
        RSS.format(f"<item><title>T</title><description>{text}</description></item>").encode()
    )
    assert item.summary.endswith("is here.")
    assert 1000 < len(item.summary) <= 1500
    [item] = feed_parser.items(
        RSS.format("<item><title>Fog</title><description>Fog: it is</description></item>").encode()
    )
    assert (item.title, item.summary) == ("Fog", "it is")


def test_bombs_and_what_is_no_feed_are_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>' + RSS[21:].format("")
    for encoding in ("utf-8", "utf-16"):
        with pytest.raises(BadInput, match="declares entities"):
            feed_parser.items(bomb.encode(encoding))
    for body in (b"", b"<html><body>Hello</body></html>", b"\x00\xff" * 100, b"{}"):
        with pytest.raises(BadInput, match="no feed"):
            feed_parser.items(body)


def test_a_feed_of_very_many_items_is_read_in_part() -> None:
    assert len(feed_parser.items(rss(*range(700)))) == feed_parser.MAX_ITEMS


LINKED = "<item><link>https://a.example/</link><title>{}</title><description>It is {}.</description></item>"


async def test_items_that_share_a_link_and_have_no_id_are_told_each_once(tmp_path: Path) -> None:
    memory = Remembered("one@20270115T0900")
    (tmp_path / "a.xml").write_text(RSS.format(LINKED.format("Fog", "foggy") + LINKED.format("Sun", "sunny")))
    assert await told(brief(tmp_path, memory, items=1)) == ["The Wires. Fog. It is foggy."]
    memory.run = "one@20270115T1000"
    assert await told(brief(tmp_path, memory, items=1)) == ["The Wires. Sun. It is sunny."]
    memory.run = "one@20270115T1100"
    with pytest.raises(Over):
        await told(brief(tmp_path, memory, items=1))
    (tmp_path / "a.xml").write_text(RSS.format(LINKED.format("Hail", "hard")))
    assert await told(brief(tmp_path, memory, items=1)) == ["The Wires. Hail. It is hard."]


ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Wires</title><entry><id>urn:1</id>'
    "<title{}>{}</title></entry></feed>"
)


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (ATOM.format(' type="text"', "The &lt;title&gt; element explained"), "The <title> element explained"),
        (ATOM.format("", "The &lt;b&gt; tag"), "The <b> tag"),
        (ATOM.format(' type="html"', "The &lt;b&gt;big&lt;/b&gt; tag"), "The big tag"),
        (
            RSS.format("<item><title>How to use &lt;script&gt; on ships</title></item>"),
            "How to use <script> on ships",
        ),
        (RSS.format("<item><title>Q&A with R&D at M&S</title></item>"), "Q&A with R&D at M&S"),
        (RSS.format("<item><title>Q&amp;A and &#82;&amp;D</title></item>"), "Q&A and R&D"),
        (RSS.format("<item><title><![CDATA[Q&A with R&D]]></title></item>"), "Q&A with R&D"),
    ],
)
def test_plain_text_stays_whole(body: str, title: str) -> None:
    assert titles(body) == [title]


@pytest.mark.parametrize(
    ("encoding", "declared", "header"),
    [
        ("utf-8", "utf-8", "text/xml; charset=windows-1251"),
        ("windows-1251", "windows-1251", "text/xml; charset=utf-8"),
        ("windows-1251", "utf-8", "text/xml; charset=windows-1251"),
        ("windows-1251", "", "text/xml; charset=windows-1251"),
        ("utf-8", "", "text/xml; charset=windows-1251"),
        ("utf-8-sig", "windows-1251", "text/xml; charset=windows-1251"),
        ("utf-16", "utf-16", "text/xml; charset=utf-8"),
    ],
)
def test_the_encoding_is_the_mark_s_then_the_declaration_s_then_the_header_s(
    encoding: str, declared: str, header: str
) -> None:
    head = f'<?xml version="1.0" encoding="{declared}"?>' if declared else '<?xml version="1.0"?>'
    body = head + RSS[21:].format("<item><title>Туман над морем</title></item>")
    assert [item.title for item in feed_parser.items(body.encode(encoding), header)] == ["Туман над морем"]


@pytest.mark.parametrize(
    ("html", "summary"),
    [
        ("<details><summary>More</summary>Fog lifts.</details>", "More Fog lifts."),
        ("<form>One<fieldset>Two</fieldset>Three</form>", "One Two Three"),
        ("<dialog>One</dialog><center>Two</center>Three", "One Two Three"),
        ("One<pre>code</pre>two <b>x</b>", "One two x"),
        (
            "<p>Fog lifts.</p><p>The post <a href='x'>Fog</a> appeared first on <a>Wires</a>.</p>",
            "Fog lifts.",
        ),
        ("Fog lifts. Read more…", "Fog lifts."),
        ("Fog lifts. <a href='x'>Continue reading Fog &rarr;</a>", "Fog lifts."),
        ("Fog lifts. It was cold on the […]", "Fog lifts."),
        ("Fog lies on the [&#8230;]", "Fog lies on the…"),
        ("Fog lifts. Share on: Facebook, Mastodon", "Fog lifts."),
        ("Fog lifts (Image: Agency) slowly.", "Fog lifts slowly."),
        (
            "Fog lifts. &#32; submitted by &#32; <a href='x'>/u/ada</a> <span>[link]</span> [comments]",
            "Fog lifts.",
        ),
        ("He would read more. They share a boat.", "He would read more. They share a boat."),
        ("The post on the shore was first to fall.", "The post on the shore was first to fall."),
    ],
)
def test_what_programs_add_to_items_is_left_out(html: str, summary: str) -> None:
    [item] = feed_parser.items(
        RSS.format(f"<item><title>T</title><description><![CDATA[{html}]]></description></item>").encode()
    )
    assert item.summary == summary


# --- how it is got ------------------------------------------------------------------------------------------

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Site:
    """A server of the test's own on the loopback."""

    def __init__(self) -> None:
        self.requests: list[web.Request] = []
        self.answer: Handler | None = None
        self.server: TestServer | None = None

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(request)
        assert self.answer is not None
        return await self.answer(request)

    def url(self, path: str = "/feed") -> str:
        assert self.server is not None
        return str(self.server.make_url(path))

    def says(self, status: int = 200, body: bytes = b"", **headers: str) -> None:
        async def answer(request: web.Request) -> web.StreamResponse:
            return web.Response(
                status=status, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
            )

        self.answer = answer


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    made = Site()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.handle)
    made.server = TestServer(app)
    await made.server.start_server()
    yield made
    await made.server.close()


async def got(url: str, folder: Path, now: int = NOW, every_s: float = 60) -> fetching.Fetched:
    return await fetching.fetch(url, fetching.Cache(folder), now, every_s=every_s)


async def test_a_feed_is_asked_for_only_if_it_changed_and_not_too_often(site: Site, tmp_path: Path) -> None:
    site.says(body=b"one", ETag='"1"', Last_Modified="Sun, 29 Nov 2026 10:00:00 GMT", Content_Type="text/xml")
    assert (await got(site.url(), tmp_path)).body == b"one"
    assert (await got(site.url(), tmp_path, NOW + 59_000)).body == b"one"
    assert len(site.requests) == 1
    site.says(304)
    assert (await got(site.url(), tmp_path, NOW + 60_000)).body == b"one"
    asked = site.requests[1].headers
    assert (asked["If-None-Match"], asked["If-Modified-Since"]) == ('"1"', "Sun, 29 Nov 2026 10:00:00 GMT")
    site.says(body=b"two")
    fetched = await got(site.url(), tmp_path, NOW + 600_000)
    assert (fetched.body, fetched.etag) == (b"two", "")


async def test_a_server_that_asks_for_peace_gets_it_and_the_last_copy_is_read(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site.says(body=b"one")
    await got(site.url("/feed?key=secret"), tmp_path)
    site.says(429, Retry_After="3600")
    for minute in range(2, 7):
        assert (await got(site.url("/feed?key=secret"), tmp_path, NOW + minute * 60_000)).body == b"one"
    assert len(site.requests) == 2
    assert "127.0.0.1" in [getattr(record, "feed", "") for record in caplog.records]
    assert "secret" not in repr([vars(record) for record in caplog.records])
    site.says(body=b"two")
    assert (await got(site.url("/feed?key=secret"), tmp_path, NOW + 3_720_001)).body == b"two"


async def test_one_that_never_answered_is_left_in_peace_too(site: Site, tmp_path: Path) -> None:
    site.says(503, Retry_After="Fri, 15 Jan 2100 10:00:00 GMT")
    for minute in range(3):
        with pytest.raises(fetching.NotFetched):
            await got(site.url(), tmp_path, NOW + minute * 60_000)
    assert len(site.requests) == 1
    site.says(body=b"one")
    assert (await got(site.url(), tmp_path, NOW + manners.LONGEST_MS + 1)).body == b"one"


async def test_an_answer_stays_true_as_long_as_its_server_says(site: Site, tmp_path: Path) -> None:
    site.says(body=b"one", Cache_Control="public, max-age=3600")
    for minute in (0, 10, 59):
        assert (await got(site.url(), tmp_path, NOW + minute * 60_000)).body == b"one"
    assert len(site.requests) == 1
    await got(site.url(), tmp_path, NOW + 3_600_001)
    assert len(site.requests) == 2


async def test_a_server_that_fails_later_leaves_the_last_copy(site: Site, tmp_path: Path) -> None:
    site.says(body=b"one")
    await got(site.url(), tmp_path)
    site.says(500)
    assert (await got(site.url(), tmp_path, NOW + 60_000)).body == b"one"


async def test_the_operator_s_contact_is_told_in_one_plain_line(site: Site, tmp_path: Path) -> None:
    site.says(body=b"one")
    cache = fetching.Cache(tmp_path)
    for contact in ("", "ada@a.example\r\nX: y"):
        await fetching.fetch(site.url(), cache, NOW, every_s=0, contact=contact)
    agents = [request.headers["User-Agent"] for request in site.requests]
    assert agents == ["radio/0.1", "radio/0.1 (ada@a.exampleX: y)"]


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1?key=secret", "http://[broken?key=secret", "http://127.0.0.1:1/secret#secret"]
)
async def test_no_secret_of_an_address_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, url: str
) -> None:
    with pytest.raises(Over):
        await told(brief(tmp_path, Remembered(), url))
    assert "feed left out" in caplog.text
    assert "secret" not in repr([vars(record) for record in caplog.records])


def break_files(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_text("{broken")


async def test_a_broken_cache_is_told_and_asked_anew(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    site.says(body=b"one")
    await got(site.url(), tmp_path)
    break_files(tmp_path)
    assert (await got(site.url(), tmp_path)).body == b"one"
    assert "cached feed cannot be read" in caplog.text


@pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503, 304])
async def test_an_error_of_the_server_is_an_error(site: Site, tmp_path: Path, status: int) -> None:
    site.says(status)
    with pytest.raises(fetching.NotFetched, match=str(status)):
        await got(site.url(), tmp_path)


async def test_redirects_are_followed_but_not_for_ever(site: Site, tmp_path: Path) -> None:
    async def answer(request: web.Request) -> web.StreamResponse:
        if request.path == "/feed":
            raise web.HTTPFound("/there")
        return web.Response(body=b"there")

    site.answer = answer
    assert (await got(site.url(), tmp_path)).body == b"there"
    site.says(302, Location="/feed")
    with pytest.raises(fetching.NotFetched, match="redirects"):
        await got(site.url("/round"), tmp_path)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://a.example/x", "gopher://x", "http://"])
async def test_a_redirect_leads_to_http_only(site: Site, tmp_path: Path, target: str) -> None:
    site.says(302, Location=target)
    with pytest.raises(fetching.NotFetched):
        await got(site.url(), tmp_path)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "169.254.169.254", "192.168.1.1"]
)
async def test_a_redirect_from_the_open_internet_does_not_lead_inside(host: str) -> None:
    resolver = fetching._Resolver(may_be_private=False)
    url = URL(f"http://{host}/feed")
    with pytest.raises(BadInput, match="open internet"):
        await judge(url, resolver)
    await resolver.close()


async def judge(url: URL, resolver: fetching._Resolver) -> None:
    """As the way of one hop goes: what is spelt in numbers at once, else what the name stands for."""
    fetching._check(url, resolver)
    await resolver.resolve(url.host or "")


async def test_an_address_of_the_open_internet_is_taken() -> None:
    resolver = fetching._Resolver(may_be_private=False)
    fetching._check(URL("https://1.1.1.1/feed"), resolver)
    assert not resolver.was_private


async def test_a_feed_that_is_too_large_is_refused_also_packed(site: Site, tmp_path: Path) -> None:
    large = b"x" * (fetching.MAX_BYTES + 1)
    site.says(body=large)
    with pytest.raises(fetching.NotFetched, match="MiB"):
        await got(site.url(), tmp_path)
    site.says(body=gzip.compress(large), Content_Encoding="gzip")
    with pytest.raises(fetching.NotFetched, match="MiB"):
        await got(site.url(), tmp_path)


async def test_a_feed_that_drips_is_given_up(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def drip(request: web.Request) -> web.StreamResponse:
        answer = web.StreamResponse()
        await answer.prepare(request)
        while True:
            await answer.write(b"x")
            await asyncio.sleep(0.02)

    site.answer = drip
    monkeypatch.setattr(fetching, "TIMEOUT_S", 0.3)
    with pytest.raises(fetching.NotFetched, match="within"):
        await got(site.url(), tmp_path)


async def test_nobody_there_is_an_error(tmp_path: Path) -> None:
    for url in ("http://127.0.0.1:1/feed", "http://no.such.host.invalid/feed", "http://[broken/feed"):
        with pytest.raises(fetching.NotFetched):
            await got(url, tmp_path)


# --- each item once -----------------------------------------------------------------------------------------


class Remembered:
    """A memory in memory."""

    def __init__(self, run: str = RUN, *before: Heard) -> None:
        self.run = run
        self.heard: list[Heard] = list(before)
        self.aging: list[Heard] = []

    async def add(self, mark: str) -> None:
        self.heard.append(Heard(run=self.run, mark=mark))

    async def renew(self, heard: Heard) -> None:
        self.heard.append(heard)


def brief(folder: Path, memory: memories.Memory, *feeds: str, **more: Any) -> Brief:
    options = {key: more.pop(key) for key in ("items", "max_age", "tell") if key in more}
    return Brief(
        assignment=assignment(folder, run=getattr(memory, "run", RUN), producer="feed"),
        options=producer_kinds.Feed(feeds=feeds or (str(folder / "a.xml"),), **{"tell": "read", **options}),
        settings=Settings(data=folder / "data"),
        clock=ManualClock(NOW),
        next_seg=0,
        written="",
        heard_at=lambda: NOW,
        memory=memory,
        **more,
    )


async def told(given: Brief, count: int = 99) -> list[str]:
    found = []
    stream = feed_source.open_source(given).pieces()
    async for piece in stream:
        found.append(piece.text.strip() if isinstance(piece, Words) else "taken back")
        if len(found) == count:
            break
    await stream.aclose()
    return found


async def test_items_are_read_with_the_name_of_their_feed(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(rss(1, 2))
    assert await told(brief(tmp_path, Remembered())) == [
        "The Wires. Item 1. News of 1.",
        "Item 2. News of 2.",
    ]


async def test_each_item_is_told_once_over_all_runs(tmp_path: Path) -> None:
    memory = Remembered("one@20270115T0900")
    (tmp_path / "a.xml").write_bytes(rss(1, 2))
    assert len(await told(brief(tmp_path, memory))) == 2
    memory.run = "one@20270115T1000"
    (tmp_path / "a.xml").write_bytes(rss(3, 1, 2))
    assert await told(brief(tmp_path, memory)) == ["The Wires. Item 3. News of 3."]
    memory.run = "one@20270115T1100"
    with pytest.raises(Over) as over:
        await told(brief(tmp_path, memory))
    assert over.value.reason == "no news"


async def test_the_same_words_under_another_id_are_not_told_again(tmp_path: Path) -> None:
    same = "<item><guid>{}</guid><title>Fog</title><description>It is foggy.</description></item>"
    (tmp_path / "a.xml").write_text(RSS.format(same.format(1) + same.format(2)))
    assert len(await told(brief(tmp_path, Remembered()))) == 1


async def test_an_item_is_claimed_before_its_first_word(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(rss(1, 2))
    memory = Remembered()
    assert len(await told(brief(tmp_path, memory), 1)) == 1
    assert len(memory.heard) == 1


async def test_what_a_dead_attempt_claimed_and_did_not_write_is_told_first(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(rss(1, 2, 3))
    memory = Remembered()
    [first, second, _] = feed_parser.items(rss(1, 2, 3))
    for item in (first, second):
        await memory.add(f"{item.id} {item.words}")
    given = brief(tmp_path, memory, marks=[f"{first.id} {first.words}"])
    assert await told(given) == ["The Wires. Item 2. News of 2.", "Item 3. News of 3."]
    assert len(memory.heard) == 3


async def test_the_newest_is_told_first_and_the_old_not_at_all(tmp_path: Path) -> None:
    dated = [
        (1, "Wed, 13 Jan 2027 08:00:00 GMT"),
        (2, "Fri, 15 Jan 2027 07:00:00 GMT"),
        (3, "Fri, 15 Jan 2027 07:30:00 GMT"),
    ]
    entries = "".join(ITEM.format(n, f"<pubDate>{when}</pubDate>") for n, when in dated)
    (tmp_path / "a.xml").write_text(RSS.format(entries))
    found = await told(brief(tmp_path, Remembered(), max_age=24))
    assert [text.partition("Item ")[2][0] for text in found] == ["3", "2"]


async def test_a_run_ends_after_so_many_items_over_all_its_attempts(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(rss(1, 2, 3))
    memory = Remembered()
    assert len(await told(brief(tmp_path, memory, items=2))) == 2
    marks = [heard.mark for heard in memory.heard]
    assert await told(brief(tmp_path, memory, items=2, marks=marks)) == []


async def test_a_feed_that_fails_hinders_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.xml").write_bytes(rss(1))
    (tmp_path / "b.xml").write_bytes(b"no feed")
    feeds = (str(tmp_path / "b.xml"), "http://user:secret@127.0.0.1:1/feed", str(tmp_path / "a.xml"))
    assert await told(brief(tmp_path, Remembered(), *feeds)) == ["The Wires. Item 1. News of 1."]
    assert "feed left out" in caplog.text
    assert "secret" not in caplog.text
    with pytest.raises(Over) as over:
        await told(brief(tmp_path, Remembered(), *feeds[:2]))
    assert over.value.reason == "no feed answers"


async def test_a_feed_that_takes_too_long_to_read_hinders_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(parser_process, "CPU_S", 2)
    (tmp_path / "a.xml").write_bytes(b"<rss><channel>" + b"<b>" * 1_300_000)
    (tmp_path / "b.xml").write_bytes(rss(1))
    feeds = tuple(str(tmp_path / name) for name in ("a.xml", "b.xml"))
    assert await told(brief(tmp_path, Remembered(), *feeds)) == ["The Wires. Item 1. News of 1."]
    assert "too much time or memory" in caplog.text


async def test_what_a_slow_feed_told_long_ago_is_not_forgotten_for_a_fast_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memories, "KEEP", 20)
    (tmp_path / "a.xml").write_bytes(rss(1, 2))
    store = MemoryStore(ManualClock(NOW))
    news = []
    for n in range(8):
        memory = await memories.ShowMemory.take(store, STATION, "wires", f"wires@{n}")
        try:
            news += await told(brief(tmp_path, memory))
        except Over:
            assert n > 0
        for other in range(6):
            await memory.add(f"id{n}.{other} words")
        await memory.close()
    assert len(news) == 2
    assert "id0.0 words" not in [heard.mark for heard in memory.heard]


async def test_slow_feeds_do_not_delay_the_good_one(site: Site, tmp_path: Path) -> None:
    is_over = asyncio.Event()

    async def slow(request: web.Request) -> web.StreamResponse:
        await is_over.wait()
        return web.Response(body=rss(2))

    site.answer = slow
    (tmp_path / "a.xml").write_bytes(rss(1))
    feeds = (*(site.url(f"/{n}") for n in range(18)), str(tmp_path / "a.xml"))
    stream = feed_source.open_source(brief(tmp_path, Remembered(), *feeds)).pieces()
    first = await anext(stream)
    assert isinstance(first, Words)
    assert "Item 1" in first.text
    is_over.set()
    second = await anext(stream)
    assert isinstance(second, Words)
    assert "Item 2" in second.text
    await stream.aclose()


async def test_of_feeds_that_wait_to_be_parsed_the_smallest_is_next() -> None:
    turns, order = SmallestFirst(1), []
    is_free = asyncio.Event()

    async def work(size: int) -> None:
        async with turns.turn(size):
            order.append(size)
            await is_free.wait()

    async with asyncio.TaskGroup() as tasks:
        for size in (9, 4, 7, 1):
            tasks.create_task(work(size))
            await asyncio.sleep(0)
        is_free.set()
    assert order == [9, 1, 4, 7]


# --- in the host's words ------------------------------------------------------------------------------------

FOG = RSS.format(
    "<item><guid>1</guid><title>Fog on the coast</title>"
    "<description>The ferry waits for the fog to lift. The lamps are lit.</description></item>"
).encode()


async def hosted(folder: Path, *lines: str, is_small: bool = False) -> list[str]:
    (folder / "a.xml").write_bytes(FOG)
    parrot = Parrot(*lines, is_small=is_small)
    return await told(brief(folder, Remembered(), tell="llm", model_cache=OneModel(parrot)))


READ = "The Wires. Fog on the coast. The ferry waits for the fog to lift. The lamps are lit."


async def test_a_host_tells_an_item_in_its_own_words(tmp_path: Path) -> None:
    said = await hosted(
        tmp_path, "The ferry stays in the harbour while the fog is there. It will sail again soon. "
    )
    assert said[0] == "The ferry stays in the harbour while the fog is there."
    assert READ not in said


async def test_an_item_of_which_the_host_may_say_nothing_is_read(tmp_path: Path) -> None:
    assert await hosted(tmp_path, "As an AI language model, I cannot talk about ferries. ") == [READ]
    assert await hosted(tmp_path) == [READ]


async def test_a_small_model_reads(tmp_path: Path) -> None:
    assert await hosted(tmp_path, "It is all lies. ", is_small=True) == [READ]


async def test_an_item_is_read_where_the_host_fails(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.xml").write_bytes(FOG)
    given = brief(tmp_path, Remembered(), tell="llm", model_cache=OneModel(Broken()))
    assert await told(given) == ["The ferry stays in the harbour.", "taken back", READ]
    assert "the host fails" in caplog.text


class Broken(Parrot):
    """Breaks off after a sentence."""

    def __init__(self) -> None:
        super().__init__(is_small=False)

    async def write(
        self, chat: Sequence[Message], begun: str, sampling: Sampling
    ) -> AsyncGenerator[str, None]:
        yield "The ferry stays in the harbour. And it is not going to sail until"
        raise RadioError("the backend broke")


async def test_a_feed_for_which_no_process_can_be_started_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refused(*_: object, **__: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("asyncio.create_subprocess_exec", refused)
    with pytest.raises(BadInput, match="Resource temporarily unavailable"):
        await parser_process.items(b"<rss/>")
