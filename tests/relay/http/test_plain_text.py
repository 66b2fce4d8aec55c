import re
from xml.etree import ElementTree as Xml

from hypothesis import example, given
from hypothesis import strategies as st

from radio.clock import ManualClock
from radio.relay.archive import ical, podcast, webvtt
from radio.relay.http.header_text import attachment, fold
from radio.relay.http.plain_text import one_line, plain
from radio.relay.live import icy_metadata
from radio.relay.web.share_tags import Share, put
from radio.streams.records import ArchivedRun
from radio.streams.stores.memory import MemoryStore
from tests.relay.airing import Air, Narrated, card, day
from tests.relay.serving import relay_on

NEVER = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
HOSTILE = "a\0b\x1b[31mc\u202ed\u2066e\x85f\u2028g\x9b\ufffe\r\nh\ud800"
texts = st.text(st.characters() | st.sampled_from(HOSTILE))


@given(texts)
@example(HOSTILE)
def test_what_goes_out_has_no_control_character_and_turns_no_direction(text: str) -> None:
    assert not NEVER.search(plain(text))
    assert not NEVER.search(one_line(text))
    assert "\n" not in one_line(text)
    assert plain(plain(text)) == plain(text)


def test_letters_emoji_and_marks_of_direction_stay() -> None:
    for text in ("Ünï 北京 عربى\u200f", "👩\u200d🚀 🏴\U000e0067\U000e007f", "می\u200cخواهم", "a\tb\nc"):
        assert plain(text) == text


@given(texts)
@example(HOSTILE)
def test_every_format_holds_to_it(text: str) -> None:
    run = ArchivedRun(run="r@1", show="r", title=text, spans=((0, 1),), at=0, until=9, size=64, sentences=1)
    named = card("harbor", title=text, description=text, days=(day("r@1", text, 0, 60_000),))
    calendar = ical.spell("harbor", named, page="http://a/s/harbor", now_ms=0)
    feed = podcast.spell("harbor", named, [run], base="http://a")
    Xml.fromstring(feed)
    shared = put(
        "<!-- share --><!-- /share -->",
        Share(title=text, about=text, url="http://a/", image="http://a/i.png"),
    )
    icy = icy_metadata.escape(text)
    for spelt in (webvtt.cue(0, 1, text), calendar.replace("\r\n", "\n"), feed, shared, icy, fold(text)):
        assert not NEVER.search(spelt)
    assert not re.search(
        "%0[0-9A-F]|%1[0-9A-F]|%7F|%C2%[89]|%E2%80%A[8-E]|%EF%BB%BF", attachment(text, ".mp3")
    )


async def test_what_an_older_version_stored_goes_out_clean(
    air: Air, store: MemoryStore, clock: ManualClock
) -> None:
    said = "a\0b\x1b[31mc\u202ed"
    await air.begin(title=said)
    seq = await air.say(said)
    cast = await Narrated.submit(store, clock, "Hi.")
    await cast.start()
    await cast.say(0, said)
    await cast.end()
    async with relay_on(store, clock) as served:
        for path in (
            f"/casts/{cast.cast}.txt", f"/casts/{cast.cast}.vtt",
            f"/stations/harbor/replay.vtt?from={seq}&to={seq}",
            "/stations/harbor/live.m3u", "/stations/harbor/live.pls",
        ):  # fmt: skip
            async with served.http.get(served.at(path)) as reply:
                told = await reply.text()
                assert "ab[31mcd" in told, path
                assert not NEVER.search(told), path
