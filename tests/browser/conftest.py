"""A real Chromium on a real relay. Every page must stay free of console errors and of forbidden sources.

The fixtures end with this package: Playwright's loop must not run while another test starts its own.
"""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.onair import OnAir
from tests.browser.pages import DEADLINE_S, FLAGS, watch
from tests.need import need


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    need("chromium")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    expect.set_options(timeout=DEADLINE_S * 1000)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def radio(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OnAir]:
    with OnAir(tmp_path_factory.mktemp("radio")) as on_air:
        yield on_air


@pytest.fixture
def complaints() -> list[str]:
    """What the pages complained of; a test that expects some empties it."""
    return []


@pytest.fixture
def page(browser: Browser, radio: OnAir, complaints: list[str]) -> Iterator[Page]:
    context = browser.new_context(base_url=radio.url, viewport={"width": 1000, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = context.new_page()
    watch(opened, complaints)
    yield opened
    context.close()
    assert complaints == []
