"""What goes wrong with players of other pages, on the station's own."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.onair import STATION
from tests.browser.pages import plays, until

WEB = Path(__file__).parents[2] / "web"
SOURCE = "document.querySelector('audio').currentSrc"

pytestmark = pytest.mark.browser

ONCE_FORBIDDEN = """
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    HTMLMediaElement.prototype.play = play;
    return Promise.reject(new DOMException("not now", "NotAllowedError"));
  };
"""


def test_a_browser_that_forbids_sound_is_told_of_and_the_button_works_again(page: Page) -> None:
    page.add_init_script(ONCE_FORBIDDEN)
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    expect(page.get_by_text("The browser did not allow sound. Press play once more.")).to_be_visible()
    page.locator("#play").click()
    plays(page, 0.2)


def test_sound_that_stands_still_is_opened_again(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page, 0.2)
    before = page.evaluate(SOURCE)
    page.evaluate("document.querySelector('audio').playbackRate = 0")
    until(page, f"{SOURCE} !== {before!r}")
    plays(page, 0.2)


def test_a_status_that_fails_stops_no_sound(page: Page, complaints: list[str]) -> None:
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page, 0.2)
    before = page.evaluate(SOURCE)
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.route("**/archive*", lambda route: route.abort())
    page.route("**/schedule", lambda route: route.abort())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, lambda: failed)
    plays(page)
    assert page.evaluate(SOURCE) == before
    assert [told for told in complaints if "ERR_FAILED" not in told] == []
    complaints.clear()


def test_live_sound_is_a_plain_mp3_of_the_audio_element(page: Page) -> None:
    page.goto(f"/s/{STATION}")
    page.locator("#play").click()
    plays(page, 0.2)
    assert page.evaluate(f"new URL({SOURCE}).pathname") == f"/stations/{STATION}/live.mp3"


@pytest.mark.parametrize("name", sorted(path.name for path in WEB.glob("*.js")))
def test_no_script_puts_sound_together_by_itself(name: str) -> None:
    script = (WEB / name).read_text(encoding="utf-8")
    assert "AudioContext" not in script
    assert "MediaSource" not in script
