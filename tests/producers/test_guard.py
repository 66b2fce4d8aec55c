import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.producers.guard import Guard

KNOWN = ["Ada", "Harbor FM", "the tides", "The Baltic Sea has 20 islands."]


def guard(*said: str) -> Guard:
    return Guard("Harbor FM", "en-us", said)


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("The sea is calm tonight.", None),
        ("I think it's May, and Harbor FM is quiet.", None),
        ("The Baltic is calm, says Ada.", None),
        ("It has 20 islands, they say.", None),
        ("Oh yes.", "fragment"),
        ("Sure, here is a short talk about the tides.", "preamble"),
        ("Here's something about the tides.", "preamble"),
        ("I'm sorry, but I cannot talk about that.", "preamble"),
        ("But as an AI I have no sea.", "about itself"),
        ("In conclusion, the sea is large.", "about itself"),
        ("You are listening to Coast Radio tonight.", "other station"),
        ("We are on 98.5 FM, as always.", "other station"),
        ("Stay with us here on WXYZ tonight.", "other station"),
        ("Море сегодня очень спокойно.", "other script"),
        ("There is a tide every 18 months here.", "figure"),
        ("We once took the train to Nepal together.", "name"),
        ("The boat and the sea and the boat and the sea again.", "repeated"),
    ],
)
def test_only_what_a_host_would_say_is_said(sentence: str, fault: str | None) -> None:
    assert guard().fault_of(sentence, known=KNOWN) == fault


def test_names_and_figures_are_free_if_the_editor_says_so() -> None:
    assert guard().fault_of("We took 3 trains to Nepal together.", known=KNOWN, is_strict=False) is None


@pytest.mark.parametrize(
    "again",
    [
        "The harbour is quiet at this hour of the night.",
        "the harbour is quiet, at this hour of the night",
        "And still the harbour is quiet at this hour of the year.",
        "At this hour of the night the harbour is quiet.",
    ],
)
def test_what_was_said_is_not_said_again(again: str) -> None:
    assert guard("The harbour is quiet at this hour of the night.").fault_of(again) == "repeated"


def test_what_only_begins_alike_may_be_said() -> None:
    assert (
        guard("The best thing about tea is its smell.").fault_of("The best thing about tea is the cup.")
        is None
    )


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_sentence_is_said_twice(sentence: str) -> None:
    memory = guard()
    if memory.fault_of(sentence, is_strict=False) is None:
        memory.remember(sentence)
        assert memory.fault_of(sentence, is_strict=False) == "repeated"
