import json
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio import writable_text
from radio.writable_text import UnwritableText

TEXTS = st.text(st.characters(codec=None), max_size=60)
"""Texts of any code points, surrogates with them."""


def carried(text: str) -> bool:
    """Whether UTF-8, JSON and XML bring the text back."""
    element = f"<t>{text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')}</t>"
    return (
        text.encode().decode() == text
        and json.loads(json.dumps(text, ensure_ascii=False)) == text
        and (ET.fromstring(element).text or "") == text.replace("\r\n", "\n").replace("\r", "\n")
    )


@given(TEXTS)
def test_what_is_left_of_any_text_can_be_written_everywhere(text: str) -> None:
    assert carried(writable_text.cleaned(text))
    assert writable_text.cleaned(writable_text.cleaned(text)) == writable_text.cleaned(text)


def refused(rule: Callable[[str], str], text: str) -> UnwritableText | None:
    """Why a rule does not take a text; None: what it gives can be written."""
    try:
        taken = rule(text)
    except UnwritableText as why:
        return why
    assert carried(taken)
    return None


@given(TEXTS)
def test_a_text_is_taken_as_it_is_or_refused_with_its_place(text: str) -> None:
    whole = writable_text.joined(text)
    why = refused(writable_text.checked, text)
    assert whole.isprintable() <= (why is None)
    if why is None:
        assert writable_text.checked(text) == whole
    else:
        assert writable_text.cleaned(whole[why.at]) in ("", "\n")


@given(TEXTS)
def test_a_pasted_text_is_refused_for_half_a_character_alone(text: str) -> None:
    why = refused(writable_text.pasted, text)
    is_half = any("\ud800" <= c <= "\udfff" for c in writable_text.joined(text))
    assert (why is not None) == is_half
    if why is None:
        assert writable_text.pasted(text) == writable_text.cleaned(text)


def test_two_surrogates_are_the_character_that_they_mean() -> None:
    for rule in (writable_text.checked, writable_text.pasted, writable_text.cleaned):
        assert rule("a \ud83d\ude00 b") == "a \U0001f600 b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ab\x00", "character 3 is U+0000 (a control character), which cannot be written"),
        ("\ud83d", "character 1 is U+D83D (half of a character), which cannot be written"),
        ("\ude00\ud83d", "character 1 is U+DE00 (half of a character), which cannot be written"),
        ("a\ufffe", "character 2 is U+FFFE (no character), which cannot be written"),
    ],
)
def test_what_is_refused_is_named(text: str, said: str) -> None:
    with pytest.raises(UnwritableText) as why:
        writable_text.checked(text)
    assert str(why.value) == said


def test_page_breaks_of_what_was_pasted_are_line_ends() -> None:
    assert writable_text.pasted("one\x0ctwo\x1b[0m\x00") == "one\ntwo[0m"
