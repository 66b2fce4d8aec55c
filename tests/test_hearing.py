"""The tests' ear itself: how words are counted."""

import pytest

from tests.hearing import errors, missed_and_repeated, word_error_rate, words


def test_numbers_are_words_and_punctuation_is_none() -> None:
    assert words("It's 3 o'clock, well-known!") == ["it's", "three", "o'clock", "well", "known"]
    assert words("C'è l’alba.", "it") == ["c'è", "l'alba"]
    assert words("歡迎收聽。", "zh") == words("欢迎收听", "zh") == ["huan", "ying", "shou", "ting"]
    assert words("मेरा नाम।", "hi") == ["मेरा", "नाम"]
    assert words("今天。", "zh") == ["jin", "tian"]
    assert words("3 o'clock", "en") == ["three", "o'clock"]
    assert words("25% de chuva", "pt") == ["25", "por", "cento", "de", "chuva"]


def test_each_change_counts_once() -> None:
    assert errors(["a", "b", "c"], ["a", "x", "c", "d"]) == 2
    assert word_error_rate("one two", "one two three four") == 0.5


@pytest.mark.parametrize(
    ("heard", "other", "faults"),
    [
        ("the ship is here", "the ship is here", []),
        ("the sheep is here", "the ship is here", []),
        ("the light house is here", "the lighthouse is here", []),
        ("the is here", "the ship is here", ["missed ship"]),
        ("the ship is", "the ship is here today", ["missed here today"]),
        ("the ship the ship is here", "the ship is here", ["repeated the ship"]),
        ("the ship is is here", "the ship is here", ["repeated is"]),
        ("the big ship is here", "the ship is here", []),
        ("a", "the harbor is calm", ["missed the harbor is calm"]),
        ("", "", []),
    ],
)
def test_missed_and_repeated_words_are_found_and_others_are_not(
    heard: str, other: str, faults: list[str]
) -> None:
    assert missed_and_repeated(heard.split(), other.split()) == faults
