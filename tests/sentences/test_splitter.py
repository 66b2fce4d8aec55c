"""What counts as one sentence, how long its pieces are, and when they come."""

import pytest

from radio.sentences import MAX_CHARS, Splitter, weight
from radio.speech.text.speech_text import speech_text
from tests.sentences.cutting import cut

LONG = (
    "The committee met on Tuesday and approved a budget of three million dollars for the harbor works, "
    "which had been delayed since last winter by the storms that closed the northern road, and nobody could "
    "say when the "
    "ferry would sail again; the mayor was not there."
)
JAPANESE = "今日は天気がいいですから、港まで歩いて行きましょう。" * 8


def test_a_long_sentence_is_cut_at_clauses_in_balance() -> None:
    pieces = cut(LONG)
    assert len(pieces) == 2
    assert pieces[0].endswith((",", ";"))
    assert min(map(len, pieces)) > 80


def test_text_without_stops_is_cut_between_words_with_no_short_rest() -> None:
    pieces = cut("harbor lights " * 60)
    assert all(piece.startswith(("harbor", "lights")) for piece in pieces)
    assert max(map(weight, pieces)) <= MAX_CHARS
    assert min(map(weight, pieces)) > MAX_CHARS // 3


def test_a_word_longer_than_any_piece_is_cut_and_kept() -> None:
    assert "".join(cut("x" * 950)) == "x" * 950


def test_a_letter_under_more_marks_than_fit_is_cut_to_full_length() -> None:
    text = "e" + "\u0301" * 999
    assert [len(sentence) for sentence in cut(text)] == [MAX_CHARS] * 5
    assert "".join(cut(text)) == text


def test_marks_that_fit_stay_with_their_letter() -> None:
    text = "e\u0301\u0302" * 200
    assert {sentence[0] for sentence in cut(text)} == {"e"}


def test_wide_scripts_are_cut_to_the_same_length_in_time() -> None:
    pieces = cut(JAPANESE.replace("。", "、"))
    assert all(weight(piece) <= MAX_CHARS for piece in pieces)
    assert all(piece.endswith("、") for piece in pieces)


def test_the_first_piece_may_be_shorter_and_the_others_are_not() -> None:
    pieces = cut(LONG, first_max=60)
    assert len(pieces[0]) <= 60 < len(pieces[1])


def test_digits_count_as_the_words_they_are_spoken_as() -> None:
    assert weight("1987") == weight("x" * 28)
    assert max(map(weight, cut("The number is 31415926535897932384 and then " * 10))) <= MAX_CHARS


@pytest.mark.parametrize("text", ["$" * 400, "½ ¾ " * 80, "Ω≈√" * 100])
def test_symbols_count_as_the_words_they_are_spoken_as(text: str) -> None:
    sentences = cut(text)
    assert "".join(sentences).replace(" ", "") == text.replace(" ", "")
    assert all(len(speech_text(sentence, "en-us")) < 1.5 * MAX_CHARS for sentence in sentences)


def test_a_sentence_comes_out_as_soon_as_the_next_word_is_seen() -> None:
    splitter = Splitter()
    assert splitter.feed("The harbor is quiet tonight.") == []
    assert [s.text for s in splitter.feed(" Nobody knows why")] == ["The harbor is quiet tonight."]


def test_a_blank_line_ends_a_paragraph_at_once() -> None:
    assert [s.text for s in Splitter().feed("The harbor is quiet tonight\n\n")] == [
        "The harbor is quiet tonight"
    ]


def test_an_end_is_counted_in_bytes_of_all_that_was_fed() -> None:
    splitter = Splitter()
    sentences = splitter.feed("Müller grüßt die Stadt. ") + splitter.feed("Niemand grüßt ihn zurück.  ")
    sentences += splitter.finish()
    fed = "Müller grüßt die Stadt. Niemand grüßt ihn zurück.  ".encode()
    assert [fed[: s.end].decode().rstrip().endswith(s.text) for s in sentences] == [True, True]
    assert sentences[-1].end == len(fed) - 2
