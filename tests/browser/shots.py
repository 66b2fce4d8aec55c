"""The pictures in `docs/web.md`, taken from the real pages: `python -m tests.browser.shots docs/img`.

ffmpeg makes them small: 64 colours are enough for text on paper.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browser.onair import STATION, OnAir
from tests.browser.pages import FLAGS, lit, plays, until

Scheme = Literal["light", "dark"]
WIDE = ViewportSize(width=960, height=1140)
PHONE = ViewportSize(width=360, height=720)
SMALL = ViewportSize(width=360, height=180)
LOOKS: tuple[tuple[str, ViewportSize, Scheme], ...] = (
    ("", WIDE, "light"),
    ("-dark", WIDE, "dark"),
    ("-phone", PHONE, "light"),
)
COLOURS = "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none"
TURNS = count()
TALE = (
    "The keeper of the lighthouse had one rule: the lamp is lit before the soup is served. "
    "On the evening of the great fog the soup was ready first. "
    "She looked at the pot, she looked at the stairs, and she climbed. "
    "Half way up she heard a horn, very near, and then a voice asking for the way. "
    "“Follow the smell of the soup,” she called, and lit the lamp."
)


def home(page: Page, _: OnAir) -> None:
    page.goto("/")
    until(page, "[...document.querySelectorAll('.said')].some((said) => said.textContent)")


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
    page.locator("#speed").fill(f"{1 + 0.05 * next(TURNS):.2f}")  # another cast each time
    page.get_by_role("button", name="Have it spoken").click()
    page.wait_for_url("**/c/*")
    radio.make(4, of=page.url)
    until(page, lambda: page.locator("#text span").count() == 4)
    page.locator("#play").click()
    page.locator("#text span").nth(1).click()
    plays(page)
    page.mouse.move(0, 0)
    until(page, lambda: lit(page, "#text"))


def embed(page: Page, _: OnAir) -> None:
    page.goto(f"/e/{STATION}")
    until(page, "document.querySelector('#now').textContent")


PAGES: tuple[Callable[[Page, OnAir], None], ...] = (home, station, submit, cast, embed)


def take(browser: Browser, radio: OnAir, show: Callable[[Page, OnAir], None], folder: Path) -> None:
    """The pictures of one page, in every look."""
    for look, viewport, scheme in LOOKS:
        size = SMALL if show is embed else viewport
        context = browser.new_context(
            base_url=radio.url, viewport=size, color_scheme=scheme, reduced_motion="reduce"
        )
        page = context.new_page()
        show(page, radio)
        raw = folder / "raw.png"
        page.screenshot(path=raw)
        final = folder / f"{show.__name__}{look}.png"
        command = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            "-i",
            str(raw),
            "-vf",
            COLOURS,
            "-compression_level",
            "9",
            str(final),
        ]
        subprocess.run(command, check=True)
        raw.unlink()
        context.close()


def main(folder: Path) -> None:
    """Take every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data, OnAir(Path(data)) as radio:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
        for show in PAGES:
            take(browser, radio, show, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
