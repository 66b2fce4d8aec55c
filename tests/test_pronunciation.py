import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio import pronunciation
from radio.errors import BadInput
from radio.pronunciation import Given, Pronunciations, from_entries
from radio.speech.text.speech_text import spelt

LIST = from_entries(
    {
        "Strachan": "Strawn",
        "gif": "jif",
        "Reading": "Redding",
        "C#": "see sharp",
        "Kyoto": "/kjˈOTO/",
        "夜": "/joɾɯ/",
    }
)
"""One of each kind."""
KYOTO = "\ue000"


@pytest.mark.parametrize(
    ("written", "said"),
    {
        "Strachan came.": "Strawn came.",
        "Strachans and strachan": "Strachans and strachan",
        "A gif, a GIF and a Gif": "A jif, a jif and a jif",
        "gifs": "gifs",
        "Reading, reading": "Redding, reading",
        "in C# now": "in see sharp now",
        "Kyoto's": f"{KYOTO}'s",
        "to Kyoto.": f"to {KYOTO}.",
        "夜に": f"{KYOTO}に",
        "no word of it": "no word of it",
    }.items(),
)
def test_whole_words_are_said_as_the_list_says(written: str, said: str) -> None:
    assert LIST.applied(written)[0] == said


def test_phonemes_stand_by_their_marks() -> None:
    text, marks = LIST.applied("Kyoto and Kyoto")
    assert text == "\ue000 and \ue001"
    assert marks == {"\ue000": Given("Kyoto", "kjˈOTO"), "\ue001": Given("Kyoto", "kjˈOTO")}


def test_the_longest_word_goes_first() -> None:
    words = from_entries({"St. Ives": "Saint Ives", "St. Ives Bay": "the bay"})
    assert words.applied("St. Ives Bay, St. Ives")[0] == "the bay, Saint Ives"


def test_the_list_goes_before_the_rules_and_a_respelling_is_text_like_any_other() -> None:
    words = from_entries({"Dr.": "Drive", "gov": "5 governors"})
    assert spelt("Dr. gov", "en-us", words)[0] == "Drive five governors"


def test_curly_quotes_and_letters_composed_otherwise_are_the_same_word() -> None:
    words = from_entries({"O’Shea": "Oh shay", "Dvorˇa\u0301k".replace("ˇ", "\u030c"): "Dvor jack"})
    assert spelt("O'Shea, O’Shea, Dvo\u0159ák", "en-us", words)[0] == "Oh shay, Oh shay, Dvor jack"


def test_a_text_cannot_bring_marks_of_its_own() -> None:
    assert spelt("\ue000 and Kyoto", "en-us", LIST) == ("and \ue000", {"\ue000": Given("Kyoto", "kjˈOTO")})


def test_without_a_list_nothing_changes() -> None:
    assert pronunciation.NONE.applied("Kyoto") == ("Kyoto", {})
    assert not from_entries(None)
    assert from_entries(dict(LIST.entries)) == LIST
    assert hash(LIST) == hash(Pronunciations(LIST.entries))


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("/kjˈOTO", "between two slashes"),
        ("kjˈOTO/", "between two slashes"),
        ("//", "between two slashes"),
        ("/ /", "between two slashes"),
        ("/kj@to/", "@ in '/kj@to/' is no phoneme"),
        ("/ˈː/", "has no sound"),
        ("...", "is no respelling"),
        ("", "is no respelling"),
        ("x" * 201, "at most 200 letters"),
        ("a\ue000", "private use"),
    ],
)
def test_what_cannot_be_said_is_an_error_that_says_why(said: str, fault: str) -> None:
    with pytest.raises(BadInput, match=re.escape(fault)):
        pronunciation.said(said)


@pytest.mark.parametrize(
    ("word", "fault"), [("!!", "is no word"), ("", "is no word"), ("x" * 65, "at most 64")]
)
def test_what_is_no_word_is_an_error(word: str, fault: str) -> None:
    with pytest.raises(BadInput, match=fault):
        pronunciation.word(word)


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=5), st.text(max_size=40))
def test_any_list_that_is_accepted_can_be_applied(entries: dict[str, str], text: str) -> None:
    try:
        words = from_entries(entries)
    except BadInput:
        return
    said, marks = spelt(text, "en-us", words)
    assert set(marks) == {letter for letter in said if "\ue000" <= letter <= "\uf8ff"} | set(marks)
