"""When a caption lights up against when its sentence is heard, measured in the decoded sound.

The page's own `<audio>` is tapped with Web Audio, so what is measured is what Chromium gives to the device.
Sentences are tones with silence between them; a tone's length says which sentence it is. Times are those of
the sound: while a player waits for more of it, they stand still.
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
LOUD = 0.02
GAP_MS = 50
"""Between two sentences the sound is away for longer."""
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
    const lit = document.querySelector("#captions .lit")?.textContent ?? "";
    noted.push([audio.currentTime * 1000, level, lit]);
  }, 5);
}"""
COMPLETE = f"""(() => {{
  const lit = noted.filter(([, , words], i) => i > 0 && words && words !== noted[i - 1][2]);
  return lit.length > {SENTENCES} && noted;
}})()"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tone, in ms of the sound, and when the caption lit up that was lit in its middle."""

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
    found = []
    for begin, end in tones(noted)[1:-1]:  # the first one may have begun, and the last one may go on
        text = next(words for at, _, words in noted if at >= (begin + end) / 2)
        assert text in SCRIPT
        assert abs(end - begin - len(text) * CHARACTER_MS) < WITHIN_MS, "another sentence is heard"
        lit = [at for at, _, words in noted if words == text and begin - 2000 < at < end]
        found.append(Sentence(begin, end, text, lit[0]))
    return found


def tones(noted: list[list[Any]]) -> list[tuple[float, float]]:
    """From when to when each is heard; a silence too short to lie between two sentences is none."""
    found: list[tuple[float, float]] = []
    for is_heard, group in groupby(noted, key=lambda note: note[1] >= LOUD):
        times = [at for at, _, _ in group]
        if is_heard and found and times[0] - found[-1][1] < GAP_MS:
            found[-1] = (found[-1][0], times[-1])
        elif is_heard:
            found.append((times[0], times[-1]))
    return found
