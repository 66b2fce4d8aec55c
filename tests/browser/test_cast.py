"""From the form to the cast's page, on the real relay."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.onair import OnAir
from tests.browser.pages import POSITION, drag, hold, lit, next_lit, plays, until

pytestmark = pytest.mark.browser

LETTER = (
    "Dear listeners, the letter of {who} begins here, with a long first sentence. "
    "It goes on with a second one, which is just as long as the one before. "
    "A third sentence follows, so that there is something to jump over. "
    "And with the fourth sentence, as promised, this letter ends."
)


def _submit(page: Page, who: str) -> list[str]:
    """Send a letter in and wait for its page; its sentences."""
    text = LETTER.format(who=who)
    page.goto("/submit")
    page.get_by_label("Text", exact=True).fill(text)
    page.get_by_label("Title").fill(f"A letter from {who}")
    page.get_by_role("button", name="Have it spoken").click()
    page.wait_for_url(re.compile(r"/c/[A-Za-z0-9_-]{12}$"))
    return re.split(r"(?<=\.) ", text)


def test_a_text_is_submitted_and_lights_up_while_it_is_made(page: Page, radio: OnAir) -> None:
    sentences = _submit(page, "Ada")
    expect(page.locator("#title")).to_have_text("A letter from Ada")
    expect(page.locator("#making-text")).to_contain_text("in the queue")
    assert page.evaluate("localStorage.getItem('radio.token.' + location.pathname.split('/').at(-1))")
    radio.make(2, of=page.url)
    page.get_by_role("button", name="Play A letter from Ada").click()
    plays(page)
    assert until(page, lambda: lit(page, "#text")) == sentences[0]
    assert next_lit(page, sentences[0], "#text") == sentences[1]
    expect(page.locator("#making-text")).to_contain_text("% spoken")
    expect(page.locator("#text span")).to_have_count(2)
    expect(page.locator("#download")).to_be_hidden()
    until(page, lambda: page.locator("#status").text_content() == "The next sentence is being made")
    radio.make(2, of=page.url)
    expect(page.locator("#text span")).to_have_count(4)
    expect(page.locator("#making")).to_be_hidden()
    expect(page.locator("#download")).to_be_visible()
    until(page, lambda: lit(page, "#text") == sentences[2])
    until(page, lambda: page.locator("#status").text_content() == "Heard to the end")


def test_any_sentence_can_be_jumped_to_while_the_rest_is_made(page: Page, radio: OnAir) -> None:
    sentences = _submit(page, "Boris")
    radio.make(3, of=page.url)
    expect(page.locator("#text span")).to_have_count(3)
    page.get_by_role("button", name=sentences[2]).click()
    plays(page, 0.3)
    assert until(page, lambda: lit(page, "#text")) == sentences[2]
    page.get_by_role("button", name=sentences[1]).click()
    plays(page, 0.3)
    assert until(page, lambda: lit(page, "#text")) == sentences[1]
    radio.make(1, of=page.url)
    expect(page.locator("#download")).to_be_visible()
    page.get_by_role("button", name=sentences[3]).click()
    until(page, lambda: lit(page, "#text") == sentences[3])
    until(page, lambda: page.locator("#status").text_content() == "Heard to the end")
    assert _end_of_sound(page) == pytest.approx(_length(page), abs=0.3)


def test_what_is_lit_after_a_jump_is_what_sounds(page: Page, radio: OnAir) -> None:
    sentences = _submit(page, "Hal")
    radio.make(3, of=page.url)
    expect(page.locator("#text span")).to_have_count(3)
    page.get_by_role("button", name=sentences[2]).click()
    until(page, lambda: lit(page, "#text") == sentences[2])
    radio.make(1, of=page.url)
    until(page, lambda: page.locator("#status").text_content() == "Heard to the end")
    assert _end_of_sound(page) == pytest.approx(_length(page), abs=0.3)


def _end_of_sound(page: Page) -> float:
    """Where the sound ended, in seconds: later than the cast is long, had the jump not been obeyed."""
    return float(page.evaluate(POSITION))


def _length(page: Page) -> float:
    return int(page.locator("#bar").get_attribute("max") or 0) / 1000


def test_a_finished_cast_plays_seeks_and_is_downloaded_from_its_link(page: Page, radio: OnAir) -> None:
    sentences = _submit(page, "Cleo")
    radio.make(4, of=page.url)
    expect(page.locator("#download")).to_be_visible()
    page.reload()
    expect(page.locator("#text span")).to_have_count(4)
    expect(page.locator("#status")).to_contain_text("of speech")
    page.locator("#play").click()
    plays(page, 0.3)
    drag(page, 0.6)
    until(page, lambda: lit(page, "#text") == sentences[2])
    for name, kind in (("Captions", "text/vtt"), ("Text", "text/plain")):
        path = page.get_by_role("link", name=name, exact=True).get_attribute("href")
        assert page.request.get(path or "").headers["content-type"].startswith(kind)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download MP3").click()
    assert download.value.suggested_filename == "A letter from Cleo.mp3"
    assert download.value.path().stat().st_size == int(page.locator("#bar").get_attribute("max") or 0) * 8


def test_the_same_text_again_leads_to_the_same_link(page: Page, radio: OnAir) -> None:
    _submit(page, "Dora")
    first = page.url
    radio.make(4, of=page.url)
    expect(page.locator("#download")).to_be_visible()
    _submit(page, "Dora")
    assert page.url == first


def test_sentences_are_reached_by_arrow_keys_and_heard_by_enter(page: Page, radio: OnAir) -> None:
    sentences = _submit(page, "Emil")
    radio.make(4, of=page.url)
    expect(page.locator("#download")).to_be_visible()
    page.locator("#text span").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, lambda: lit(page, "#text") == sentences[2])
    assert page.evaluate("document.activeElement.dataset.i") == "2"
    assert page.locator("#text [tabindex='0']").count() == 1


def test_its_submitter_can_remove_it(page: Page, radio: OnAir) -> None:
    _submit(page, "Ira")
    radio.make(4, of=page.url)
    expect(page.locator("#download")).to_be_visible()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove it").click()
    expect(page.locator("#state")).to_have_text("Removed")
    expect(page.locator("#notice")).to_contain_text("This cast was removed.")
    expect(page.locator(".deck")).to_be_hidden()
    assert page.evaluate("localStorage.getItem('radio.token.' + location.pathname.split('/').at(-1))") is None


def test_the_link_is_copied(page: Page, radio: OnAir) -> None:
    _submit(page, "Fay")
    radio.make(4, of=page.url)
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


def test_a_cast_in_the_making_outlives_a_restart_of_the_relay(
    page: Page, radio: OnAir, complaints: list[str]
) -> None:
    sentences = _submit(page, "Gus")
    radio.make(1, of=page.url)
    page.locator("#play").click()
    plays(page, 0.5)
    radio.restart_relay()
    radio.make(3, of=page.url)
    expect(page.locator("#text span")).to_have_count(4, timeout=60_000)
    until(page, lambda: lit(page, "#text") == sentences[1])
    assert page.evaluate(POSITION) >= 0
    assert [c for c in complaints if "ERR_" not in c] == []
    complaints.clear()


def test_the_form_counts_refuses_nothing_and_tells_the_relays_hint(page: Page, complaints: list[str]) -> None:
    page.goto("/submit")
    expect(page.locator("#voice optgroup")).not_to_have_count(0)
    expect(page.locator("#voice optgroup[label='American English'] option[value=af_heart]")).to_have_text(
        "Heart (woman)"
    )
    send = page.get_by_role("button", name="Have it spoken")
    send.click()
    expect(page.get_by_role("alert").filter(has_text="There is no text yet.")).to_be_visible()
    expect(page.locator("#text")).to_be_focused()
    page.locator("#text").fill("A word, 🌊.")
    expect(page.locator("#count")).to_have_text("10 of 50,000 characters")
    page.locator("#voice option").first.evaluate(
        "(option) => { option.value = 'af_hart'; option.selected = true; }"
    )
    send.click()
    expect(page.locator("#problem .hint")).to_contain_text("af_heart")
    assert [c for c in complaints if "400" not in c] == []
    complaints.clear()


def test_an_unknown_cast_is_told(page: Page, complaints: list[str]) -> None:
    page.goto("/c/AAAAAAAAAAAA")
    expect(page.locator("#title")).to_have_text("There is no such cast")
    assert [c for c in complaints if "404" not in c] == []
    complaints.clear()


def test_a_slow_relay_shows_that_voices_are_loading_and_a_text_can_be_sent_meanwhile(page: Page) -> None:
    held = hold(page, "**/casts/voices")
    page.goto("/submit")
    waiting = page.locator("#voice option")
    expect(waiting).to_have_text("Loading voices…")
    assert waiting.is_disabled()
    page.get_by_label("Text", exact=True).fill("A text that does not wait for the voices.")
    with page.expect_request("**/casts") as asked:
        page.get_by_role("button", name="Have it spoken").click()
    assert set(asked.value.post_data_json or {}) == {"text"}
    page.wait_for_url("**/c/*")
    assert len(held) == 1


def test_voices_take_the_place_of_the_words_that_they_are_loading(page: Page) -> None:
    held = hold(page, "**/casts/voices")
    page.goto("/submit")
    expect(page.locator("#voice")).to_have_attribute("aria-busy", "true")
    until(page, lambda: held)
    held[0].continue_()
    expect(page.locator("#voice option:checked")).to_have_attribute("value", "af_heart")
    expect(page.locator("#voice")).not_to_contain_text("Loading")


def test_without_voices_the_usual_one_is_offered_and_the_reason_told(
    page: Page, complaints: list[str]
) -> None:
    page.route("**/casts/voices", lambda route: route.fulfill(status=503))
    page.goto("/submit")
    expect(page.locator("#voice option")).to_have_text("The usual voice")
    expect(page.locator("#problem")).to_contain_text("The radio answered 503.")
    assert [c for c in complaints if "503" not in c] == []
    complaints.clear()


def test_a_sample_of_a_voice_is_made_once_and_heard_while_it_is_made(page: Page, radio: OnAir) -> None:
    page.goto("/submit")
    expect(page.locator("#voice option:checked")).to_have_attribute("value", "af_heart")
    page.get_by_label("Voice", exact=True).select_option("bf_emma")
    sample = page.get_by_role("button", name="Play a sample of this voice")
    sample.click()
    expect(page.locator("#sample-told")).to_contain_text("in the queue")
    cast = until(page, "localStorage.getItem('radio.sample.bf_emma')")
    radio.make(2, of=f"/c/{cast}")
    plays(page, 0.3)
    expect(page.locator("#sample-told")).to_have_text("Emma speaks")
    page.get_by_role("button", name="Pause a sample of this voice").click()
    submitted: list[str] = []
    page.on("request", lambda request: submitted.append(request.method))
    page.reload()
    page.get_by_label("Voice", exact=True).select_option("bf_emma")
    sample.click()
    plays(page, 0.3)
    assert "POST" not in submitted
    assert page.evaluate("document.querySelector('audio').currentSrc").endswith(f"/casts/{cast}.mp3")


def test_a_radio_that_asks_for_a_token_gets_it_and_this_browser_remembers_it(
    page: Page, radio: OnAir, complaints: list[str]
) -> None:
    """The radio of these tests asks for none, so its answers are put in its place."""

    def refuse(route: Route) -> None:
        if route.request.headers.get("authorization") == "Bearer the-right-token-1":
            route.continue_()
        else:
            told = {"title": "Unauthorized", "status": 401, "detail": "it takes a token", "hint": "send it"}
            route.fulfill(status=401, json=told, content_type="application/problem+json")

    page.route("**/casts", refuse)
    page.goto("/submit")
    field = page.get_by_label("Submit token")
    expect(field).to_be_hidden()
    page.get_by_label("Text", exact=True).fill("A text for those who have the token.")
    send = page.get_by_role("button", name="Have it spoken")
    send.click()
    expect(page.locator("#problem")).to_contain_text("it takes a token")
    expect(field).to_be_focused()
    field.fill("the-right-token-1")
    send.click()
    page.wait_for_url("**/c/*")
    assert page.evaluate("localStorage.getItem('radio.submit')") == "the-right-token-1"
    assert [c for c in complaints if "401" not in c] == []
    complaints.clear()


def test_a_radio_that_takes_no_texts_says_so_before_one_is_written(page: Page) -> None:
    told = {"default": "af_heart", "voices": [], "casts": "off", "characters": 50_000, "token": False}
    page.route("**/casts/voices", lambda route: route.fulfill(json=told))
    page.goto("/submit")
    expect(page.locator("#problem")).to_contain_text("This radio takes no texts.")
    expect(page.locator("#sample")).to_be_hidden()
