"""What is cut depends on the text alone: not on the pieces it comes in, nor on what stood before."""

from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from radio.sentences import MIN_CHARS, next_sentence, weight
from tests.sentences.cutting import anything, languages, limits, sentences


def pieces_of(text: str, sizes: list[int]) -> list[str]:
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    return [*pieces, text[at:]]


@settings(max_examples=120, deadline=None)
@given(anything, st.lists(st.integers(0, 9), max_size=60), limits, languages)
@example("Dr. Dr. Sept. Dr. 3.14 今日は 天気 天気 天気 。1? ", [3, 5], 30, "en-us")
@example("Il dit : « Oui. » Non. « Si ! ? » dit-il.", [9, 9, 3], 200, "fr")
@example("a. Tea now b. Milk 1) One 2) Two. The end . . . . It was.", [7, 5, 3, 1], 200, "en-us")
@example("《摔跤吧！爸爸》好吗？好！", [5], 200, "zh")
@example("Hi." + " " * 90 + "Bye now.", [9] * 9, 200, "en-us")
def test_the_cut_does_not_depend_on_the_pieces(
    text: str, sizes: list[int], max_chars: int, language: str
) -> None:
    whole = sentences([text], max_chars=max_chars, language=language)
    assert sentences(pieces_of(text, sizes), max_chars=max_chars, language=language) == whole
    if len(text) < 80:
        assert sentences(text, max_chars=max_chars, language=language) == whole


@settings(max_examples=120, deadline=None)
@given(anything, limits, languages)
@example("Dr. Dr. Sept. Dr. 3.14 今日は 天気 天気 天気 。1? ", 30, "en-us")
@example("W.W.W.W.W.W.W.WWWW" * 4, 30, "en-us")
def test_nothing_is_dropped_but_white_space_between_sentences(
    text: str, max_chars: int, language: str
) -> None:
    data, at = text.encode(errors="surrogatepass"), 0
    for sentence in sentences([text], max_chars=max_chars, language=language):
        between = data[at : sentence.end - len(sentence.text.encode())].decode()
        assert not between.strip()
        assert data[: sentence.end].decode().endswith(sentence.text)
        assert sentence.text == sentence.text.strip() != ""
        assert weight(sentence.text) <= max_chars or len(sentence.text) == 1
        at = sentence.end
    assert not data[at:].decode().strip()


@settings(max_examples=120, deadline=None)
@given(anything, st.data(), limits, languages)
def test_who_begins_anew_at_the_end_of_a_sentence_goes_on_with_the_same(
    text: str, data: st.DataObject, max_chars: int, language: str
) -> None:
    whole = sentences([text], max_chars=max_chars, language=language)
    k = data.draw(st.integers(0, len(whole)))
    start = whole[k - 1].end if k else 0
    rest = text.encode()[start:].decode()
    again = sentences([rest], max_chars=max_chars, language=language)
    assert [s.text for s in again] == [s.text for s in whole[k:]]


@settings(max_examples=120, deadline=None)
@given(anything, limits, languages)
def test_who_has_the_whole_text_cuts_it_as_who_is_fed(text: str, max_chars: int, language: str) -> None:
    found, at = [], 0
    while span := next_sentence(text, at, limit=max_chars, language=language, is_all=True):
        found.append(text[slice(*span)])
        at = span[1]
    assert found == [s.text for s in sentences([text], max_chars=max_chars, language=language)]


@settings(max_examples=120, deadline=None)
@given(anything, languages)
def test_no_fragment_stands_alone_beside_a_neighbour_of_its_paragraph(text: str, language: str) -> None:
    found = sentences([text], language=language)
    data = text.encode()
    for before, after in pairwise(found):
        gap = data[before.end : after.end - len(after.text.encode())].decode()
        joins = weight(before.text) + weight(after.text) + len(gap) < 199 and len(gap) < 64
        assert not (weight(before.text) < MIN_CHARS and joins)
