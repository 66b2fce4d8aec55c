from hypothesis import given
from hypothesis import strategies as st

from radio.speech.engines.batching import LONGEST_SHARE, groups


def test_sentences_of_like_length_go_together_longest_first() -> None:
    assert groups([10, 90, 12, 100, 11], most=8, room=1000) == [[3, 1], [2, 4, 0]]


def test_a_group_is_limited_by_its_count_and_by_the_room_that_its_padding_takes_too() -> None:
    assert groups([10] * 5, most=2, room=1000) == [[0, 1], [2, 3], [4]]
    assert groups([100, 60, 60, 60], most=8, room=300) == [[0, 1, 2], [3]]


def test_one_sentence_is_always_taken() -> None:
    assert groups([512], most=8, room=100) == [[0]]
    assert groups([], most=8, room=100) == []


@given(st.lists(st.integers(1, 512), max_size=40), st.integers(1, 8), st.integers(1, 3000))
def test_each_sentence_is_in_one_group_and_each_group_within_its_limits(
    lengths: list[int], most: int, room: int
) -> None:
    found = groups(lengths, most=most, room=room)
    assert sorted(place for group in found for place in group) == list(range(len(lengths)))
    for group in found:
        longest, shortest = max(lengths[k] for k in group), min(lengths[k] for k in group)
        assert len(group) <= most
        assert len(group) == 1 or longest * len(group) <= room
        assert longest <= shortest * LONGEST_SHARE
