import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.producers.host.sentence_guard import SentenceGuard

KNOWN = ["Ada", "Harbor FM", "the tides", "The Baltic Sea has 20 islands."]
QUIET = "The harbour is quiet at this hour of the night."


def guard(*said: str, told: tuple[str, ...] = (), aired: tuple[str, ...] = ()) -> SentenceGuard:
    made = SentenceGuard("Harbor FM", "en-us", told=told, aired=aired)
    for sentence in said:
        made.remember(sentence)
    return made


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
        ("Until next time, keep an eye on the sea.", "sign-off"),
        ("Welcome back to all of you out there.", "greeting"),
        ("You are listening to Coast Radio tonight.", "greeting"),
        ("Here on Coast Radio it is late.", "other station"),
        ("We are on 98.5 FM, as always.", "other station"),
        ("Stay with us here on WXYZ tonight.", "other station"),
        ("Море сегодня очень спокойно.", "other language"),
        ("El mar está muy tranquilo en la noche.", "other language"),
        ("There is a tide every 18 months here.", "figure"),
        ("We once took the train to Nepal together.", "name"),
        ("The boat and the sea and the boat and the sea again.", "loop"),
        ("and on " * 40, "loop"),
    ],
)
def test_only_what_a_host_would_say_is_said(sentence: str, fault: str | None) -> None:
    assert guard().fault_of(sentence, known=KNOWN) == fault


def test_names_and_figures_are_free_if_the_editor_says_so() -> None:
    assert guard().fault_of("We took 3 trains to Nepal together.", known=KNOWN, is_strict=False) is None


@pytest.mark.parametrize(
    "again",
    [
        QUIET,
        "the harbour is quiet, at this hour of the night",
        "And still the harbour is quiet at this hour of the year.",
        "At this hour of the night the harbour is quiet.",
    ],
)
def test_what_was_said_is_not_said_again(again: str) -> None:
    assert guard(QUIET).fault_of(again) == "repeated"


def test_what_aired_before_the_run_is_not_said_again_but_an_editor_s_fact_is() -> None:
    memory = guard(aired=(QUIET,))
    assert memory.fault_of(QUIET) == "repeated"
    assert memory.fault_of_given(QUIET) is None
    memory.remember(QUIET)
    assert memory.fault_of_given(QUIET) == "repeated"


def test_what_the_model_is_told_is_never_said() -> None:
    told = "You speak to the listener in short, warm, simple sentences."
    assert guard(told=(told,)).fault_of(f"And {told.lower()}") == "repeated"


def test_a_phrase_comes_once_in_a_while_unless_it_was_given_to_the_model() -> None:
    memory = guard("It is easy to forget that boats are slow.")
    again = "It is easy to forget that tea gets cold."
    assert memory.fault_of(again) == "same phrase"
    assert memory.fault_of(again, begun="It is easy to forget that") is None


def test_sentences_near_each_other_begin_differently() -> None:
    memory = guard("I like the sea.")
    assert memory.fault_of("I like the smell of bread.") == "same opening"
    for n in range(6):
        memory.remember(f"Something else, number {n}, was said here.")
    assert memory.fault_of("I like the smell of bread.") is None


def test_what_was_taken_back_may_be_said() -> None:
    memory = guard("The sea is large.")
    mark = memory.mark()
    memory.remember(QUIET)
    memory.rewind(mark)
    assert memory.fault_of(QUIET) is None
    assert memory.fault_of("The sea is large.") == "repeated"


def test_long_begun_words_that_come_again_are_no_repetition() -> None:
    begun = "There is a small pleasure in the old ferry, and it is"
    memory = guard(f"{begun} the wind on deck.")
    assert memory.fault_of(f"{begun} a hot drink.", begun=begun) is None
    assert memory.fault_of(f"{begun} the wind on deck.", begun=begun) == "repeated"


def test_what_only_begins_alike_may_be_said() -> None:
    opener = "The best thing about tea is"
    memory = guard(f"{opener} its smell.")
    assert memory.fault_of(f"{opener} the cup.", begun=opener) is None


@settings(deadline=None)
@given(st.text(max_size=80))
def test_no_sentence_is_said_twice(sentence: str) -> None:
    memory = guard()
    if memory.fault_of(sentence, is_strict=False) is None:
        memory.remember(sentence)
        assert memory.fault_of(sentence, is_strict=False) == "repeated"


@pytest.mark.parametrize(
    ("sentence", "language", "fault"),
    [
        ("El mar está muy tranquilo esta noche.", "es", None),
        ("La mer est très calme ce soir, et les bateaux sont au port.", "fr-fr", None),
        ("今夜の海はとても静かです。", "ja", None),
        ("The sea is calm, and so are we.", "ja", "other language"),
        ("The sea is calm, and so are we in the harbour.", "es", "other language"),
    ],
)
def test_a_host_speaks_its_own_language(sentence: str, language: str, fault: str | None) -> None:
    assert SentenceGuard("Harbor FM", language).fault_of(sentence, is_strict=False) == fault


def test_a_fact_may_come_again_after_about_an_hour() -> None:
    memory = guard(QUIET)
    for n in range(799):
        memory.remember(f"Sentence {n} of this long night.")
    assert memory.fault_of_given(QUIET) == "repeated"
    memory.remember("One more.")
    assert memory.fault_of_given(QUIET) is None
