"""The pictures in `docs/web.md`, taken from the real pages: `python -m tests.browser.shots docs/img`."""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.browser.onair import STATION, OnAir
from tests.browser.pages import FLAGS, lit, plays, until

WIDE = ViewportSize(width=960, height=860)
PHONE = ViewportSize(width=360, height=720)
TALE = (
    "The keeper of the lighthouse had one rule: the lamp is lit before the soup is served. "
    "On the evening of the great fog the soup was ready first. "
    "She looked at the pot, she looked at the stairs, and she climbed. "
    "Half way up she heard a horn, very near, and then a voice asking for the way. "
    "“Follow the smell of the soup,” she called, and lit the lamp."
)


def home(page: Page, _: OnAir) -> None:
    page.goto("/")
    until(page, "document.querySelector('.said').textContent")


def station(page: Page, _: OnAir) -> None:
    page.goto(f"/s/{STATION}")
    until(page, lambda: page.locator("#play").is_visible())
    page.locator("#play").click()
    plays(page)
    until(page, lambda: page.locator("#captions p").count() >= 2 and lit(page))


def submit(page: Page, _: OnAir) -> None:
    page.goto("/submit")
    until(page, "document.querySelector('#voice option')")
    page.locator("#text").fill(TALE)
    page.locator("#name").fill("The keeper’s soup")
    page.locator("#name").blur()


def cast(page: Page, radio: OnAir) -> None:
    submit(page, radio)
    page.get_by_role("button", name="Have it spoken").click()
    page.wait_for_url("**/c/*")
    radio.make(4, of=page.url)
    until(page, lambda: page.locator("#text span").count() == 4)
    page.locator("#play").click()
    page.locator("#text span").nth(1).click()
    plays(page)
    page.mouse.move(0, 0)
    until(page, lambda: lit(page, "#text"))


PICTURES: tuple[tuple[str, Callable[[Page, OnAir], None], ViewportSize, Literal["light", "dark"]], ...] = (
    ("home", home, WIDE, "light"),
    ("submit", submit, WIDE, "light"),
    ("cast", cast, WIDE, "light"),
    ("station", station, WIDE, "light"),
    ("station-dark", station, WIDE, "dark"),
    ("station-phone", station, PHONE, "light"),
)


def main(folder: Path) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data, OnAir(Path(data)) as radio:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for name, show, viewport, scheme in PICTURES:
            context = browser.new_context(
                base_url=radio.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce"
            )
            page = context.new_page()
            show(page, radio)
            page.screenshot(path=folder / f"{name}.png", full_page=name in ("home", "station"))
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
