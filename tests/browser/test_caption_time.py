"""When a caption lights up against when its sentence is heard, measured in the decoded sound.

The page's own `<audio>` is tapped with Web Audio, so what is measured is what Chromium gives to the device.
Sentences are tones with silence between them; a tone's length says which sentence it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.onair import LEAD_MS, SCRIPT, STATION, OnAir
from tests.browser.pages import plays, until, watch

pytestmark = [pytest.mark.browser, pytest.mark.soak]
WITHIN_MS = 300
SENTENCES = 3
"""Watched for each listener, from their first sound to their last."""
CHARACTER_MS = 70
"""As the tone speaks."""
TAP = """() => {
  const audio = document.querySelector("audio");
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  context.createMediaElementSource(audio).connect(analyser);
  analyser.connect(context.destination);
  const block = new Float32Array(analyser.fftSize);
  window.noted = [];
  setInterval(() => {
    analyser.getFloatTimeDomainData(block);
    const level = block.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    noted.push([performance.now(), level, document.querySelector("#captions .lit")?.textContent ?? ""]);
  }, 5);
}"""
COMPLETE = f"""(() => {{
  const ends = noted.filter(([, level], i) => level < 0.02 && i > 0 && noted[i - 1][1] >= 0.02);
  return ends.length > {SENTENCES} && noted;
}})()"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tone, in ms of the page's clock, and when the caption lit up that was lit in its middle."""

    begin: float
    end: float
    text: str
    lit: float

    @property
    def late_ms(self) -> float:
        """How long after its sound the caption came; negative: before."""
        return self.lit - self.begin


@pytest.fixture(params=[LEAD_MS, 3000], ids=["ten seconds in hand", "three seconds in hand"])
def on_air(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OnAir]:
    """As much is made ahead as says how large a listener's cushion is."""
    with OnAir(tmp_path_factory.mktemp("radio"), lead_ms=request.param) as radio:
        yield radio


def test_captions_light_up_with_their_sound_whenever_and_with_whatever_cushion_one_joined(
    browser: Browser, on_air: OnAir, complaints: list[str]
) -> None:
    found = []
    for wait_ms in (0, 1300, 3700):
        page = browser.new_context(base_url=on_air.url).new_page()
        watch(page, complaints)
        page.on("request", lambda r: print("ASKED", r.all_headers()) if "live.mp3" in r.url else None)  # TEMP
        page.wait_for_timeout(wait_ms)
        found.append(sentences(page))
        page.context.close()
    late = [[round(sentence.late_ms) for sentence in heard] for heard in found]
    print(f"ms from sound to caption, by listener: {late}")
    assert [len(heard) >= SENTENCES - 1 for heard in found] == [True] * 3
    assert max(abs(ms) for heard in late for ms in heard) <= WITHIN_MS
    assert complaints == []


def sentences(page: Page) -> list[Sentence]:
    """What a new listener on this page hears and reads."""
    page.goto(f"/s/{STATION}")
    page.get_by_role("button", name="Play Harbor FM live").click()
    plays(page)
    page.evaluate(TAP)
    noted: list[list[Any]] = until(page, COMPLETE)
    return in_turn(noted)


def in_turn(noted: list[list[Any]]) -> list[Sentence]:
    """The tones that were heard from their beginning to their end; each must be the sentence that is lit."""
    stretches = [list(group) for _, group in groupby(noted, key=lambda note: note[1] >= 0.02)]
    tones = [stretch for stretch in stretches[1:-1] if stretch[0][1] >= 0.02]
    found = []
    for tone in tones:
        text = tone[len(tone) // 2][2]
        begin, end = tone[0][0], tone[-1][0]
        assert text in SCRIPT
        assert abs(end - begin - len(text) * CHARACTER_MS) < WITHIN_MS, "another sentence is heard"
        lit = [at for at, _, words in noted if words == text and begin - 2000 < at < end]
        found.append(Sentence(begin, end, text, lit[0]))
    return found
