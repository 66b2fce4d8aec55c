"""Any moment of a station: the dial, the transcript, links to a sentence, the keys of the system, sleep."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.onair import SCRIPT, STATION, OnAir
from tests.browser.pages import POSITION, focused, lit, plays, tab_to, until

pytestmark = pytest.mark.browser

KEYS = """(() => {
  window.keys = {};
  navigator.mediaSession.setActionHandler = (name, call) => { window.keys[name] = call; };
  navigator.mediaSession.setPositionState = (state) => { window.position = state; };
})()"""
RUN = "A story from the quay"


def _station(page: Page, hash_: str = "") -> None:
    page.goto(f"/s/{STATION}{hash_}")
    until(page, "document.querySelector('#runs button')")


def _run(radio: OnAir, page: Page) -> dict[str, Any]:
    runs = page.request.get(f"/stations/{STATION}/archive").json()["runs"]
    return dict(next(run for run in runs if run["title"] == RUN))


def _to_day_of(page: Page, at: int) -> None:
    """Turn the dial back until the day holds that time."""
    until(page, "document.querySelector('.scale .part')")
    while int(page.locator("#scrub").get_attribute("min") or 0) > at:
        page.get_by_role("button", name="The day before").click()
    until(page, "!document.querySelector('#hear').hidden || document.querySelector('.scale .run.on')")


def test_the_dial_marks_what_was_on_and_plays_from_any_moment_by_keyboard(page: Page, radio: OnAir) -> None:
    _station(page)
    run = _run(radio, page)
    _to_day_of(page, run["at"])
    until(page, "document.querySelectorAll('.scale .run').length")
    scrub = page.get_by_role("slider", name="Time of day")
    scrub.focus()
    page.keyboard.press("End")
    for _ in range(8):
        page.keyboard.press("PageDown")
        if RUN in (scrub.get_attribute("aria-valuetext") or ""):
            break
    expect(scrub).to_have_attribute("aria-valuetext", re.compile(rf"^\d\d:\d\d · {RUN}$"))
    expect(page.get_by_role("button", name=re.compile(r"^Hear it from \d\d:\d\d$"))).to_be_visible()
    page.keyboard.press("Enter")
    plays(page, 0.3)
    expect(page.locator("#now")).to_have_text(RUN)
    expect(page.locator("#hear")).to_be_hidden()
    assert until(page, lambda: lit(page)) in SCRIPT
    page.get_by_role("button", name="Back to live").click()
    expect(page.locator("#status")).to_have_text("Live")


def test_a_click_on_the_dial_begins_in_the_middle_of_a_run(page: Page, radio: OnAir) -> None:
    _station(page)
    run = _run(radio, page)
    middle = (run["at"] + run["until"]) / 2
    _to_day_of(page, run["at"])
    page.locator("#scrub").evaluate(
        """(scrub, value) => {
          scrub.step = "any";
          scrub.dispatchEvent(new Event("pointerdown"));
          scrub.value = value;
          scrub.dispatchEvent(new Event("input"));
          scrub.dispatchEvent(new Event("change"));
        }""",
        middle,
    )
    until(page, f"document.querySelector('audio').currentSrc.includes('past-2') && {POSITION} > 20")
    expect(page.locator("#now")).to_have_text(RUN)
    assert page.evaluate(POSITION) * 1000 == pytest.approx(middle - run["at"], abs=15_000)


def test_any_sentence_of_a_run_can_be_jumped_to_from_its_transcript(page: Page) -> None:
    _station(page)
    page.locator("#runs li", has_text=RUN).get_by_role("button").click()
    plays(page, 0.2)
    page.locator("#transcript summary").click()
    sentences = page.locator("#transcript-text [role=button]")
    expect(sentences).to_have_count(12)
    sentences.first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, lambda: lit(page, "#transcript-text") == SCRIPT[3])
    until(page, lambda: lit(page) == SCRIPT[3])


def test_the_transcript_of_what_is_live_holds_nothing_that_is_still_to_come(page: Page, radio: OnAir) -> None:
    _station(page)
    until(page, lambda: lit(page))
    page.locator("#transcript summary").click()
    until(page, "document.querySelector('#transcript-text [role=button]')")
    said, newest = page.evaluate(
        """[Number([...document.querySelectorAll('#transcript-text [role=button]')].at(-1).dataset.i),
            Number([...document.querySelectorAll('#captions [data-seq]')].at(-1).dataset.seq)]"""
    )
    assert said <= newest
    page.locator("#transcript-text [role=button]").first.click()
    plays(page, 0.2)
    expect(page.locator("#status")).to_have_text("Replay")
    until(page, lambda: lit(page) == SCRIPT[0])


def test_a_link_to_a_moment_waits_for_the_button_and_begins_with_its_sentence(page: Page) -> None:
    _station(page)
    page.locator("#runs li", has_text=RUN).get_by_role("button").click()
    until(page, lambda: lit(page) == SCRIPT[1])
    page.get_by_role("button", name="Copy a link to this moment").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    seq = re.search(rf"/s/{STATION}#seq=(\d+)$", link)
    assert seq
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#now")).to_have_text(RUN)
    assert page.evaluate("document.querySelector('audio').paused")
    page.locator("#play").click()
    plays(page, 0.2)
    assert until(page, lambda: lit(page)) in SCRIPT[1:3]
    page.evaluate(f"location.hash = '#seq={int(seq[1]) + 2}'")
    until(page, lambda: lit(page) == SCRIPT[3])
    page.get_by_role("button", name="Back to live").click()
    until(page, "location.hash === ''")


def test_a_link_to_what_is_not_there_says_so_and_stays_live(page: Page) -> None:
    _station(page, "#seq=999999999")
    expect(page.locator("#notice")).to_contain_text("That sentence is not here.")
    expect(page.locator("#seek")).to_be_hidden()


def test_media_keys_go_by_sentences_where_there_is_a_replay(page: Page) -> None:
    page.add_init_script(KEYS)
    _station(page)
    page.locator("#play").click()
    plays(page, 0.2)
    assert page.evaluate("keys.previoustrack ?? keys.seekto") is None
    page.locator("#runs li", has_text=RUN).get_by_role("button").click()
    plays(page, 0.2)
    until(page, "keys.nexttrack && keys.seekto && window.position")
    assert page.evaluate("position.duration") > 30
    page.evaluate("keys.nexttrack()")
    until(page, lambda: lit(page) == SCRIPT[1])
    page.evaluate("keys.previoustrack()")
    until(page, lambda: lit(page) == SCRIPT[0])
    page.evaluate("keys.seekto({ seekTime: 30 })")
    until(page, f"{POSITION} > 30")
    page.evaluate("keys.pause()")
    until(page, "document.querySelector('audio').paused")


def test_the_sleep_timer_ends_the_sound(page: Page) -> None:
    page.add_init_script(
        "window.jump = 0; const now = performance.now.bind(performance);"
        "performance.now = () => now() + window.jump;"
    )
    _station(page)
    page.locator("#play").click()
    plays(page, 0.2)
    page.get_by_label("Sleep").select_option("15")
    expect(page.locator("#sleep-left")).to_have_text("15 min left")
    page.evaluate("window.jump = 15 * 60000 + 1")
    until(page, "!document.querySelector('audio').hasAttribute('src')")
    expect(page.get_by_role("button", name="Play Harbor FM live")).to_be_visible()
    expect(page.get_by_label("Sleep")).to_have_value("")


def test_older_runs_come_when_they_are_asked_for(page: Page) -> None:
    page.route(
        "**/archive?limit=*",
        lambda route: route.continue_(url=route.request.url.replace("limit=12", "limit=2")),
    )
    _station(page)
    expect(page.locator("#runs li")).to_have_count(2)
    page.get_by_role("button", name="Older").click()
    expect(page.locator("#runs li")).to_have_count(4)
    expect(page.get_by_role("button", name="Older")).to_be_hidden()
    assert focused(page).startswith("Play again: A story from the quay")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing of this site is worth a line."""


@contextmanager
def _site(folder: Path) -> Iterator[str]:
    """Another site that serves the folder; its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/index.html"
        finally:
            server.shutdown()
            thread.join()


def test_a_player_for_other_sites_plays_there(page: Page, radio: OnAir, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        f"""<!doctype html><link rel="icon" href="data:,">
        <iframe src="{radio.url}/e/{STATION}" allow="autoplay"></iframe>"""
    )
    with _site(tmp_path) as url:
        page.goto(url)
        player = page.frame_locator("iframe")
        player.get_by_role("button", name="Play Harbor FM live").click()
        frame = page.frames[1]
        until(page, lambda: frame.evaluate(f"{POSITION} > 0.3"))
        expect(player.locator("#now")).to_have_text("Morning brief")
        expect(player.get_by_text("written and spoken by a machine")).to_be_visible()
        assert frame.evaluate("document.querySelector('#title').href") == f"{radio.url}/s/{STATION}"


def test_the_code_to_embed_is_copied(page: Page, radio: OnAir) -> None:
    _station(page)
    tab_to(page, "code to embed the player")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert f'<iframe src="{radio.url}/e/{STATION}"' in page.evaluate("navigator.clipboard.readText()")
