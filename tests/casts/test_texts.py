"""Every text that a submitter may hand in, with everything that a text may hold."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio import casts
from radio.clock import ManualClock
from radio.errors import BadInput
from radio.streams.stores.memory import MemoryStore

TEXTS = st.text(st.characters(codec=None), max_size=20)


@settings(deadline=None, max_examples=60)
@given(text=TEXTS, title=st.none() | TEXTS)
async def test_any_cast_is_taken_or_refused(text: str, title: str | None) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    try:
        made = await casts.submit(store, clock, text=text, title=title, voice="af_heart")
    except BadInput:
        return
    kept = await casts.recipe(store, made.cast)
    assert kept is not None
    kept.text.encode()
    kept.title.encode()


async def test_an_emoji_may_come_as_two_escapes_and_a_page_break_from_a_pdf() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    made = await casts.submit(
        store, clock, text="Hi \ud83d\ude00\x00.\x0cBye.", title="\x1bT", voice="af_heart"
    )
    kept = await casts.recipe(store, made.cast)
    assert kept is not None
    assert (kept.text, kept.title) == ("Hi \U0001f600.\nBye.", "T")


async def test_half_a_character_is_refused_in_text_and_title() -> None:
    clock = ManualClock()
    for text, title in (("\ud83d", None), ("Hi.", "\ude00")):
        with pytest.raises(BadInput, match="half of a character"):
            await casts.submit(MemoryStore(clock), clock, text=text, title=title, voice="af_heart")
