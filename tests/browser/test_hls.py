"""HLS in Chromium, by hls.js: from live, back in time, and over many segments without a drift."""

import pytest
from playwright.sync_api import Page, Route

from tests.browser.onair import STATION, OnAir
from tests.browser.pages import POSITION, until
from tests.need import hls_js, need

pytestmark = pytest.mark.browser
BEHIND = "Date.now() - hls.playingDate.getTime()"
PLAY = """url => {
  window.errors = [];
  window.hls = new Hls();
  hls.on(Hls.Events.ERROR, (_, error) => errors.push(`${error.type}: ${error.details}`));
  hls.loadSource(url);
  hls.attachMedia(document.querySelector("audio"));
  document.querySelector("audio").play();
}"""

STALLS = ("mediaError: bufferStalledError", "mediaError: bufferNudgeOnStall")
"""What hls.js tells of, and gets over, where the machine is too busy to go on playing for a moment."""


def _blank(route: Route) -> None:
    """A page of the radio's origin without its policy, on which a script of another may run."""
    route.fulfill(body="<!doctype html><audio></audio>", content_type="text/html")


@pytest.mark.parametrize(
    ("seconds", "drift_ms", "late_ms", "borne"),
    [(4, 5000, 40_000, STALLS), pytest.param(20, 300, 12_000, (), marks=pytest.mark.soak)],
)
def test_hls_js_plays_live_and_earlier_without_an_error_or_a_drift(
    page: Page, radio: OnAir, seconds: int, drift_ms: int, late_ms: int, borne: tuple[str, ...]
) -> None:
    """In CI a busy machine may make it wait now and then; on a quiet one it keeps step."""
    need("hls.js")
    page.route("**/blank.html", _blank)
    page.goto("/blank.html")
    page.add_script_tag(content=hls_js().read_text(encoding="utf-8"))
    page.evaluate(PLAY, f"/stations/{STATION}/live.m3u8")
    first = until(page, f"hls.playingDate && {POSITION}")
    until(page, f"{POSITION} > {first + 3}")
    begun, behind = page.evaluate(POSITION), page.evaluate(BEHIND)
    assert 0 < behind < late_ms
    until(page, f"{POSITION} > {begun + seconds}")
    assert abs(page.evaluate(BEHIND) - behind) < drift_ms
    page.evaluate(f"document.querySelector('audio').currentTime = {begun - 600}")
    until(page, f"{POSITION} > {begun - 597} && !document.querySelector('audio').seeking")
    assert abs(page.evaluate(BEHIND) - 600_000 - behind) < 60_000
    assert [error for error in page.evaluate("errors") if error not in borne] == []
