"""axe-core finds nothing to object to on any page: light, dark, and on a phone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.onair import SILENT, STATION, OnAir
from tests.browser.pages import until
from tests.need import axe, need

pytestmark = pytest.mark.browser

LOOKS: dict[str, tuple[Any, int]] = {
    "light": ("light", 1000),
    "dark": ("dark", 1000),
    "phone": ("light", 360),
}
RUN = """() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => axe.run(document, { resultTypes: ["violations"] })).then((found) => ({
  passed: found.passes.length,
  wrong: found.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.target}: ${node.failureSummary}`)),
}))"""


def _home(page: Page, _: OnAir) -> None:
    page.goto("/")
    until(page, "document.querySelectorAll('.station').length === 3")


def _station(page: Page, _: OnAir) -> None:
    page.goto(f"/s/{STATION}")
    until(page, "document.querySelector('.scale .run')")
    page.locator("#transcript summary").click()
    until(page, "document.querySelector('#transcript-text span')")
    page.get_by_text("The days after").click()
    page.locator("#scrub").focus()
    page.keyboard.press("PageDown")
    expect(page.locator("#hear")).to_be_visible()


def _silent(page: Page, _: OnAir) -> None:
    page.goto(f"/s/{SILENT}")
    until(page, "document.querySelector('#runs li')")


def _embedded(page: Page, _: OnAir) -> None:
    page.goto(f"/e/{STATION}")
    expect(page.locator("#now")).to_have_text("Morning brief")


def _submit(page: Page, _: OnAir) -> None:
    page.goto("/submit")
    until(page, "document.querySelector('#voice option[value]')")
    page.get_by_role("button", name="Have it spoken").click()
    expect(page.locator("#problem .hint")).to_be_visible()


def _cast(page: Page, radio: OnAir) -> None:
    page.goto("/submit")
    page.get_by_label("Text", exact=True).fill("A first sentence, for the eyes. A second one, for the ears.")
    page.get_by_role("button", name="Have it spoken").click()
    page.wait_for_url("**/c/*")
    radio.make(2, of=page.url)
    expect(page.locator("#download")).to_be_visible()


PAGES: tuple[Callable[[Page, OnAir], None], ...] = (_home, _station, _silent, _embedded, _submit, _cast)


@pytest.mark.parametrize("show", PAGES, ids=lambda show: show.__name__.strip("_"))
def test_axe_finds_no_violation(page: Page, radio: OnAir, show: Callable[[Page, OnAir], None]) -> None:
    need("axe")
    page.emulate_media(reduced_motion="reduce")  # colours are looked at where they stand still
    show(page, radio)
    page.evaluate(axe().read_text(encoding="utf-8"))
    for look, (scheme, width) in LOOKS.items():
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": 900})
        found = page.evaluate(RUN)
        assert (look, found["wrong"]) == (look, [])
        assert found["passed"] > 15
