"""What a page weighs, and how long a listener waits for sound, in Chromium: `python -m bench.page`.

The relay, its store and a station of tones run in this process, so that the network and the voice cost
nothing: what is left is the pages' own. A phone's connection adds its round trips.
"""

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.onair import STATION, OnAir
from tests.browser.pages import FLAGS, POSITION

PAGES = {
    "/": ".station",
    f"/s/{STATION}": "#runs li",
    f"/e/{STATION}": "#now",
    "/submit": "#voice option[value]",
}
"""Each with what is there once it shows what it is for."""
SOUND = f"!document.querySelector('audio').paused && {POSITION} > 0"


def weigh(browser: Browser, radio: OnAir, path: str, ready: str) -> tuple[int, int, float]:
    """Requests and bytes of a first visit, and seconds until the page shows what it is for."""
    context = browser.new_context(base_url=radio.url)
    page = context.new_page()
    sizes: list[int] = []
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda told: sizes.append(int(told["encodedDataLength"])))
    began = time.perf_counter()
    page.goto(path)
    page.locator(ready).first.wait_for(state="attached")
    took = time.perf_counter() - began
    page.wait_for_timeout(500)
    context.close()
    return len(sizes), sum(sizes), took


def first_sound(page: Page) -> float:
    """Seconds from the click on play until sound advances."""
    page.goto(f"/s/{STATION}")
    page.locator("#play").wait_for()
    began = time.perf_counter()
    page.locator("#play").click()
    while not page.evaluate(SOUND):
        if time.perf_counter() - began > 60:
            raise SystemExit("no sound within a minute")
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    times = parser.parse_args().times
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        sys.exit("bench.page needs Chromium: deploy/system-parts test")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as data, OnAir(Path(data)) as radio:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        print("| page | requests | KiB | shown after, ms |\n|---|---|---|---|")
        for address, ready in PAGES.items():
            visits = [weigh(browser, radio, address, ready) for _ in range(times)]
            requests, size, _ = visits[0]
            shown = statistics.median(took for *_, took in visits)
            print(f"| `{address}` | {requests} | {size / 1024:.0f} | {shown * 1000:.0f} |")
        page = browser.new_context(base_url=radio.url).new_page()
        waits = sorted(first_sound(page) for _ in range(times))
        print(f"\nfirst sound after the click: median {statistics.median(waits) * 1000:.0f} ms, "
              f"slowest of {times} {waits[-1] * 1000:.0f} ms")  # fmt: skip
        browser.close()


if __name__ == "__main__":
    main()
