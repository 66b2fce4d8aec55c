"""What tests look for on a page. The strict policy forbids `eval` there, so conditions are polled here."""

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)
DEADLINE_S = 60.0
POLL_MS = 50
POSITION = "document.querySelector('audio').currentTime"


def watch(page: Page, complaints: list[str]) -> None:
    """Collect what goes wrong on the page; sources that the policy forbids are console errors."""
    page.on(
        "console",
        lambda m: complaints.append(f"{m.type}: {m.text}") if m.type in ("error", "warning") else None,
    )
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))


def hold(page: Page, pattern: str) -> list[Route]:
    """Requests for such an address are not answered; those that came, for the test to let go on."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(pattern, keep)
    return held


def until(page: Page, holds: str | Callable[[], Any]) -> Any:
    """The value of a JavaScript expression, or of a function, as soon as it is true."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        value = page.evaluate(holds) if isinstance(holds, str) else holds()
        if value:
            return value
        page.wait_for_timeout(POLL_MS)
    raise AssertionError(f"never true: {holds}")


def plays(page: Page, seconds: float = 1.0) -> float:
    """Wait until the sound has advanced by that much; the position in seconds."""
    start = page.evaluate(POSITION)
    until(page, f"!document.querySelector('audio').paused && {POSITION} > {start + seconds}")
    return float(page.evaluate(POSITION))


def lit(page: Page, region: str = "#captions") -> str:
    """The sentence that is lit, or "" between two."""
    return str(page.evaluate(f"document.querySelector('{region} .lit')?.textContent ?? ''"))


def next_lit(page: Page, before: str, region: str = "#captions") -> str:
    """The sentence that is lit after `before`."""
    return str(until(page, lambda: (now := lit(page, region)) != before and now))


def focused(page: Page) -> str:
    """How the element with the keyboard's focus is told to a screen reader, roughly."""
    return str(
        page.evaluate(
            "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
        )
    )


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the element so named has the focus, which must be visible there."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if name in focused(page):
            assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
    raise AssertionError(f"{name!r} cannot be reached by Tab")


def drag(page: Page, share: float) -> float:
    """Move the seek bar to that share of its length; the position in ms."""
    return float(
        page.locator("#bar").evaluate(
            """(bar, share) => {
              bar.value = bar.max * share;
              bar.dispatchEvent(new Event("input"));
              bar.dispatchEvent(new Event("change"));
              return Number(bar.value);
            }""",
            share,
        )
    )
