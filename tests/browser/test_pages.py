"""What holds on every page: the policy, the narrow phone, dark and light, and the home page itself."""

import re
import urllib.request

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.onair import STATION, OnAir
from tests.browser.pages import hold, plays, until, watch

pytestmark = pytest.mark.browser

PATHS = ("/", f"/s/{STATION}", f"/e/{STATION}", "/submit", "/c/AAAAAAAAAAAA")


def test_home_shows_what_is_on_and_plays_it_there(page: Page) -> None:
    page.goto("/")
    card = page.locator(".station", has_text="Harbor FM")
    expect(card).to_contain_text("On air")
    expect(card).to_contain_text("Morning brief")
    expect(page.locator("footer")).to_contain_text("written and spoken by a machine")
    card.get_by_role("button", name="Play Harbor FM").click()
    plays(page)
    card.get_by_role("button", name="Pause Harbor FM").click()
    assert page.evaluate("document.querySelector('audio').hasAttribute('src')") is False
    card.get_by_role("link", name="Harbor FM").click()
    expect(page.locator("h1")).to_have_text("Harbor FM")


@pytest.mark.parametrize("path", PATHS)
def test_a_phone_of_320_pixels_needs_no_sideways_scroll(browser: Browser, radio: OnAir, path: str) -> None:
    context = browser.new_context(base_url=radio.url, viewport={"width": 320, "height": 640}, has_touch=True)
    page = context.new_page()
    page.goto(path)
    until(page, "document.querySelector('h1').textContent.trim()")
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    small = page.evaluate(
        """[...document.querySelectorAll("button, .button, .quiet, nav a")]
             .filter((e) => e.offsetParent && e.offsetHeight < 32).map((e) => e.outerHTML)"""
    )
    assert small == []
    context.close()


@pytest.mark.parametrize("path", PATHS)
def test_nothing_comes_from_elsewhere_and_nothing_is_inline(
    browser: Browser, radio: OnAir, path: str
) -> None:
    context = browser.new_context(base_url=radio.url)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    complaints: list[str] = []
    watch(page, complaints)
    response = page.goto(path)
    until(page, "document.querySelector('h1').textContent.trim()")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert [url for url in asked if not url.startswith(radio.url)] == []
    assert re.search(r"<style|<script(?! type=\"module\" src=)| style=| on[a-z]+=", response.text()) is None
    assert [c for c in complaints if "404" not in c] == []
    context.close()


def test_dark_and_light_follow_the_system_and_both_can_be_read(browser: Browser, radio: OnAir) -> None:
    contrasts = {}
    for scheme in ("light", "dark"):
        context = browser.new_context(base_url=radio.url, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"/s/{STATION}")
        until(page, "document.querySelector('#about').textContent")
        contrasts[scheme] = page.evaluate(CONTRAST)
        context.close()
    assert contrasts["light"]["paper"] > 0.8
    assert contrasts["dark"]["paper"] < 0.05
    for scheme in contrasts.values():
        assert min(scheme["ratios"]) >= 4.5, contrasts


CONTRAST = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = light(getComputedStyle(document.body).backgroundColor);
  const ratio = (element) => {
    const ink = light(getComputedStyle(element).color);
    return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  };
  const seen = ["h1", "#about", "#state", "#status", "#now", "#next", ".tools button", "#zone",
    ".foot .column", ".top nav a"];
  return { paper, ratios: seen.map((selector) => ratio(document.querySelector(selector))) };
}"""


def test_motion_is_left_out_for_who_asks(browser: Browser, radio: OnAir) -> None:
    context = browser.new_context(base_url=radio.url, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"/s/{STATION}")
    assert page.evaluate("getComputedStyle(document.querySelector('.play .ring')).animationName") == "none"
    assert (
        page.evaluate("parseFloat(getComputedStyle(document.querySelector('#play')).transitionDuration)")
        < 0.001
    )
    context.close()


@pytest.mark.parametrize("name", ["style.css", "player.js", "mark.svg", "mark.png", "icons.svg"])
def test_assets_have_the_types_that_browsers_insist_on(radio: OnAir, name: str) -> None:
    kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
    with urllib.request.urlopen(f"{radio.url}/web/{name}", timeout=30) as answer:
        assert answer.headers.get_content_type() == kinds[name.rpartition(".")[2]]


@pytest.mark.parametrize("path", ["/", f"/s/{STATION}"])
def test_play_buttons_have_their_triangle_before_any_sheet_of_icons_is_there(page: Page, path: str) -> None:
    held = hold(page, "**/icons.svg")
    page.goto(path, wait_until="domcontentloaded")
    triangle = page.locator(".play .icon-play path").first
    expect(triangle).to_be_visible()
    assert triangle.evaluate("(path) => path.getBBox().width") > 10
    for route in held:
        route.continue_()


def test_the_radio_can_be_installed(page: Page) -> None:
    page.goto("/")
    manifest = page.request.get(page.locator("link[rel=manifest]").get_attribute("href") or "")
    assert manifest.headers["content-type"] == "application/manifest+json"
    told = manifest.json()
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    for icon in told["icons"]:
        size = page.evaluate(
            """(src) => new Promise((told) => {
              const image = new Image();
              image.onload = () => told(image.naturalWidth);
              image.src = src;
            })""",
            icon["src"],
        )
        assert icon["sizes"] in (f"{size}x{size}", "any")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    assert "maskable" in {icon.get("purpose") for icon in told["icons"]}
    errors = page.context.new_cdp_session(page).send("Page.getAppManifest")["errors"]
    assert errors == []


@pytest.mark.parametrize("path", PATHS)
def test_every_page_says_that_a_machine_speaks(page: Page, complaints: list[str], path: str) -> None:
    page.goto(path)
    expect(page.get_by_text("by a machine").last).to_be_visible()
    complaints.clear()
