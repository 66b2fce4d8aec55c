"""The station page on the real relay: live, captions in step, replays, and coming back after a loss."""

import json
import re
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from radio import mp3
from tests.browser.onair import DAWN, SCRIPT, SILENT, STATION, OnAir
from tests.browser.pages import POSITION, drag, focused, lit, next_lit, plays, tab_to, until

pytestmark = pytest.mark.browser


def _join(radio: OnAir, page: Page) -> tuple[float, float]:
    """`at` and `ms` of the page's live connection, as the relay tells them to whoever asks with its key."""
    source = page.evaluate("document.querySelector('audio').currentSrc")
    key = parse_qs(urlsplit(source).query)["c"][0]
    event = ""
    with urllib.request.urlopen(f"{radio.url}/stations/{STATION}/events?c={key}", timeout=30) as stream:
        for raw in stream:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: ") and event == "join":
                join = json.loads(line.removeprefix("data: "))
                return join["at"], join["ms"]
    raise AssertionError("the relay told no join")


def test_live_sound_advances_and_captions_follow_what_is_heard(page: Page, radio: OnAir) -> None:
    page.goto(f"/s/{STATION}")
    page.get_by_role("button", name="Play Harbor FM live").click()
    plays(page)
    at, ms = _join(radio, page)
    seen: list[str] = []
    for _ in range(3):
        seen.append(next_lit(page, seen[-1] if seen else ""))
        position, now_lit = page.evaluate(
            f"[{POSITION}, document.querySelector('#captions .lit')?.textContent]"
        )
        heard = at + position * 1000 - ms
        assert now_lit is None or now_lit in radio.heard(heard)
    places = [SCRIPT.index(sentence) for sentence in seen]
    assert [(place - places[0]) % len(SCRIPT) for place in places] == [0, 1, 2]
    expect(page.locator("#status")).to_have_text("Live")
    expect(page.locator("#now")).to_have_text("Morning brief")
    expect(page.locator("#next")).to_contain_text("Next: ")


def test_captions_run_without_sound_too(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    first = until(page, lambda: lit(page))
    second = next_lit(page, first)
    assert SCRIPT.index(second) == (SCRIPT.index(first) + 1) % len(SCRIPT)
    dimmed = page.locator("#captions p:not(.lit)", has_text=first)
    expect(dimmed).to_be_visible()


def test_a_muted_station_says_so_and_shows_no_words(page: Page, radio: OnAir) -> None:
    page.goto(f"/s/{STATION}")
    until(page, lambda: lit(page))
    radio.ask("mute")
    try:
        expect(page.locator("#captions")).to_have_text("Muted by the editor for the moment.")
        expect(page.locator("#status")).to_have_text("Muted by the editor for the moment")
    finally:
        radio.ask("unmute")
    assert until(page, lambda: lit(page)) in SCRIPT


def test_words_that_are_taken_out_go_from_the_page_and_the_next_ones_come(page: Page, radio: OnAir) -> None:
    page.goto(f"/s/{STATION}")
    first = until(page, lambda: lit(page))
    seq = page.locator("#captions .lit").get_attribute("data-seq")
    radio.ask("redact", f"{seq} {seq}")
    expect(page.locator(f"#captions [data-seq='{seq}']")).to_have_count(0)
    assert next_lit(page, first) in SCRIPT


def test_a_run_is_saved_and_podcast_and_calendar_are_offered(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    run = page.locator("#runs li", has_text="A story from the quay")
    with page.expect_download() as saving:
        run.get_by_role("link", name="Save A story from the quay").click()
    assert saving.value.suggested_filename == "Harbor FM - A story from the quay.mp3"
    assert saving.value.path().stat().st_size % mp3.FRAME_BYTES == 0
    on_air = page.locator("#runs li", has_text="still on air")
    expect(on_air.get_by_role("link")).to_have_count(0)
    for name, kind in (("podcast", "application/rss+xml"), ("calendar", "text/calendar")):
        path = page.get_by_role("link", name=name).get_attribute("href")
        assert path is not None
        assert page.request.get(path).headers["content-type"].startswith(kind)


def test_pause_closes_the_stream_and_resume_is_live(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page)
    before = page.evaluate("document.querySelector('audio').currentSrc")
    page.get_by_role("button", name="Pause Harbor FM live").click()
    assert page.evaluate("document.querySelector('audio').hasAttribute('src')") is False
    page.locator("#play").click()
    plays(page, 0.2)
    assert page.evaluate("document.querySelector('audio').currentSrc") != before


def test_there_is_one_audio_element_for_the_life_of_the_page(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    page.evaluate("document.querySelector('audio').dataset.mine = 'yes'")
    page.locator("#play").click()
    plays(page, 0.2)
    page.locator("#runs button").nth(1).click()
    plays(page, 0.2)
    assert page.evaluate("[...document.querySelectorAll('audio')].map(a => a.dataset.mine)") == ["yes"]


def test_a_past_run_plays_with_its_captions_seeks_and_gives_way_to_live(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    run = page.locator("#runs li", has_text="A story from the quay")
    run.get_by_role("button").click()
    plays(page)
    expect(page.locator("#status")).to_have_text("Replay")
    expect(page.locator("#now")).to_have_text("A story from the quay")
    assert until(page, lambda: lit(page)) == SCRIPT[0]
    bar = page.get_by_role("slider", name="Position in the replay")
    middle = drag(page, 0.5)
    until(page, f"{POSITION} * 1000 > {middle}")
    assert until(page, lambda: (now := lit(page)) != SCRIPT[0] and now) in SCRIPT
    page.get_by_role("button", name="Back to live").click()
    until(page, "document.querySelector('audio').currentSrc.includes('live.mp3')")
    plays(page, 0.2)
    expect(page.locator("#status")).to_have_text("Live")
    expect(bar).to_be_hidden()


def test_the_run_that_is_on_air_can_be_heard_from_its_beginning(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    run = page.locator("#runs li", has_text="still on air")
    run.get_by_role("button").click()
    plays(page)
    assert until(page, lambda: lit(page)) == SCRIPT[0]
    until(page, "document.querySelector('#bar').max > 60000")
    drag(page, 0.5)
    until(page, "document.querySelector('audio').currentSrc.includes('?at=')")
    plays(page, 0.5)
    assert until(page, lambda: (now := lit(page)) != SCRIPT[0] and now) in SCRIPT


def test_the_player_comes_back_when_the_relay_does(page: Page, radio: OnAir, complaints: list[str]) -> None:
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page)
    first = page.evaluate("document.querySelector('audio').currentSrc")
    radio.restart_relay()
    until(page, f"document.querySelector('audio').currentSrc !== {first!r}")
    plays(page)
    before = until(page, lambda: lit(page))
    next_lit(page, before)
    assert [c for c in complaints if "ERR_" not in c] == []
    complaints.clear()


def test_captions_can_be_hidden_and_told_to_screen_readers(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    region, switch = page.locator("#captions"), page.get_by_role("button", name="Captions", exact=True)
    expect(region).to_have_attribute("aria-live", "off")
    page.get_by_role("button", name="Tell screen readers").click()
    expect(region).to_have_attribute("aria-live", "polite")
    switch.click()
    expect(region).to_be_hidden()
    page.reload()
    expect(region).to_be_hidden()
    switch.click()
    expect(region).to_be_visible()
    expect(region).to_have_attribute("aria-live", "polite")


def test_the_timetable_is_in_the_stations_zone(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    expect(page.locator("#zone")).to_have_text(re.compile(r"Berlin time, GMT\+[12]"))
    on = page.locator("#today [aria-current]")
    stamp = on.locator("time").get_attribute("datetime")
    expected = page.evaluate(
        """(t) => new Date(t).toLocaleTimeString("en-GB",
            { timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit" })""",
        stamp,
    )
    expect(on.locator("time")).to_have_text(expected)
    page.get_by_text("The days after").click()
    expect(page.locator("#days h3").first).to_be_visible()


def test_keyboard_alone_plays_pauses_replays_and_seeks(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    expect(page.locator("#runs button").first).to_be_visible()
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    tab_to(page, "Play Harbor FM live")
    page.keyboard.press("Enter")
    plays(page, 0.5)
    page.keyboard.press("Space")
    until(page, "document.querySelector('audio').paused")
    tab_to(page, "Play again: Tide tables")
    page.keyboard.press("Enter")
    plays(page, 0.5)
    until(page, lambda: page.locator("#bar").is_visible())
    page.locator("#bar").focus()
    page.keyboard.press("End")
    until(page, "document.querySelector('audio').ended")


def test_space_plays_wherever_it_has_no_other_meaning(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    expect(page.locator("#play")).to_be_visible()
    page.keyboard.press("Space")
    plays(page, 0.2)


def test_a_station_that_is_off_air_says_until_when_and_promises_no_sound(page: Page, radio: OnAir) -> None:
    page.goto(f"/s/{SILENT}")
    expect(page.locator("#title")).to_have_text("Night Shelf")
    with urllib.request.urlopen(f"{radio.url}/stations/{SILENT}", timeout=30) as answer:
        following = json.load(answer)["next"]
    time = page.evaluate(
        "(at) => import('/web/times.js').then((m) => m.clock(at, 'Europe/Berlin'))", following["at"]
    )
    expect(page.locator("#state")).to_have_text("Off air")
    expect(page.locator("#now")).to_have_text(re.compile(rf"^Off air until (.+, )?{time}$"))
    expect(page.locator("#next")).to_contain_text(following["title"])
    expect(page.locator("#next")).to_contain_text("Berlin time, GMT+")
    expect(page.locator("#status")).to_have_text("")
    expect(page.get_by_role("button", name="Play Night Shelf when it is on air")).to_be_visible()
    assert page.locator("#play").evaluate("(button) => button.offsetWidth") < 60
    expect(page.locator("#captions")).to_be_hidden()
    expect(page.locator("#runs")).to_contain_text("Nothing yet")
    assert page.evaluate("document.querySelector('#archive').nextElementSibling.id") == "day"


def test_a_station_that_comes_on_air_is_shown_with_its_run_and_captions(page: Page, radio: OnAir) -> None:
    page.goto(f"/s/{DAWN}")
    expect(page.locator("#now")).to_contain_text("Off air until")
    expect(page.locator("#runs")).to_contain_text("Nothing yet")
    radio.begin(DAWN, "birds@now", "Birds before six")
    expect(page.locator("#state")).to_have_text("On air")
    expect(page.locator("#runs li")).to_contain_text("still on air")
    expect(page.locator("#now")).to_have_text("Birds before six")
    expect(page.get_by_role("button", name="Play Dawn Chorus live")).to_be_visible()
    assert until(page, lambda: lit(page)) in SCRIPT
    assert page.evaluate("document.querySelector('#day').nextElementSibling.id") == "archive"


def test_a_browser_whose_clock_jumps_joins_anew_once_and_not_at_each_join(page: Page) -> None:
    page.add_init_script("window.jump = 0; const now = Date.now; Date.now = () => now() + window.jump;")
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page)
    until(page, lambda: lit(page))
    source = "document.querySelector('audio').currentSrc"
    first = page.evaluate(source)
    page.evaluate("window.jump = 60000")
    second = until(page, f"{source} !== {first!r} && {source}")
    plays(page, 0.2)
    next_lit(page, until(page, lambda: lit(page)))
    assert page.evaluate(source) == second


def test_an_unknown_station_is_told_with_a_hint(page: Page, complaints: list[str]) -> None:
    page.goto("/s/nowhere")
    expect(page.locator("#title")).to_have_text("There is no such station")
    expect(page.locator("#notice .hint")).to_contain_text(STATION)
    assert [c for c in complaints if "404" not in c] == []
    complaints.clear()


def test_the_lock_screen_shows_what_plays(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page, 0.2)
    shown = "navigator.mediaSession.metadata"
    until(page, "navigator.mediaSession.playbackState === 'playing'")
    until(page, f"{shown}?.title && {shown}.title === document.querySelector('#now').textContent")
    assert page.evaluate(f"{shown}.artist") == "Harbor FM"


@pytest.mark.parametrize(("path", "button"), [(f"/s/{STATION}", "#play"), ("/", "#stations button")])
def test_the_lock_screen_is_told_whatever_the_page_learns(page: Page, path: str, button: str) -> None:
    page.goto(path)
    page.locator(button).first.click()
    plays(page, 0.2)
    shown = "navigator.mediaSession.metadata"
    until(page, f"navigator.mediaSession.playbackState === 'playing' && {shown} !== null")
    page.evaluate(f"{shown} = null")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert until(page, f"{shown}?.title")
