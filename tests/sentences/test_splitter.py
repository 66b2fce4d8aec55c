"""What counts as one sentence, and that it never depends on how the text came."""

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from radio.narrator.speech_text import speech_text
from radio.sentences import MAX_CHARS, MIN_CHARS, Sentence, Splitter, weight

LONG = (
    "The committee met on Tuesday and approved a budget of three million dollars for the harbor works, "
    "which had been delayed since last winter by the storms that closed the northern road, and nobody could "
    "say when the "
    "ferry would sail again; the mayor was not there."
)
JAPANESE = "今日は天気がいいですから、港まで歩いて行きましょう。" * 8


def cut(
    text: str, *, max_chars: int = MAX_CHARS, first_max: int | None = None, language: str = "en"
) -> list[str]:
    splitter = Splitter(max_chars=max_chars, first_max=first_max, language=language)
    return [sentence.text for sentence in splitter.feed(text) + splitter.finish()]


CASES = [
    (
        "1",
        "Dr. Smith and Mrs. Jones travelled to the U.S. capital on Monday, e.g. by train. "
        "They met at St. Mary hospital. Nobody was late.",
        3,
    ),
    ("2", "Dr. Sharma arrived at 9:30 a.m., slightly out of breath", 1),
    ("4", "Dr. Smith paid 3.14 dollars at example.com. Thanks a lot!", 2),
    ("5 degrees", "The body temperature is 98.6°F now.", 1),
    ("5 two decimals", "Pi is 3.14 and e is 2.718.", 1),
    ("6 German decimals", "It was 37,0 and cost 1.000,50 at 192.168.1.1 or example.com today.", 1),
    ("7 version", "Version v1.0.0 is installed. Everything looks good. You are all set.", 3),
    ("7 hour", "Dinner is at 6 p.m. today. See you then.", 2),
    ("9 money", "It costs $100,000.00 or 3.14 per piece.", 1),
    ("10", "今日は天気がいいですね。明日も晴れるでしょう！そうですか？", 3),
    ("11 numbered list", "1. The first item. 2. The second item.", 2),
    ("11 dashed list", "What we need:\n- a lamp that burns\n- a rope that holds\n", 3),
    ("16", "Nota: uno; dos", 1),
    ("18", "He likes fruit, e.g. apples, and 3.14 pies.", 1),
    ("27", "Chapter two\n\nIt was a dark night.", 1),
    ("28", "Pan Am\n\nThe airline flew for the last time.", 1),
    ("30 dots", "...", 1),
    ("30 nothing", " \n\t\u00a0 ", 0),
    ("31", "", 0),
    ("31 emoji", "Hello to all of you. 🎉", 1),
    ("32", "Dr.\u00a0Smith\tcame in.\u2003He sat down there.", 2),
    ("hour at the end", "We open at 9 p.m. Visitors may come then.", 2),
    ("hour with zone", "We open at 9 p.m. Eastern time on Mondays.", 1),
    ("initials", "J. R. R. Tolkien wrote it. It was read by J. A. Smith. Then it ended.", 3),
    ("quote goes on", '"Where is the boat?" she asked him. "Gone," he said to her.', 2),
    ("quote ends", 'He shouted "Stop the boat!" Nobody had heard him.', 2),
    ("ellipsis goes on", "And then... nothing at all happened. It was over…  Everyone left.", 3),
    (
        "company",
        "She joined Harbor Inc. CEO Tim Cook in May. It was founded by Harbor Inc. The rest is history.",
        3,
    ),
    ("number word", "Take bus no. 5 to the end. Was it late? The answer was no. Nobody came.", 4),
    ("month", "It opened on Sept. 5 at noon. The cat sat. Nobody saw it at all.", 3),
    ("link", "See https://example.org/a.b?c=d. It is all there!", 2),
    ("paragraphs", "A title without a stop\n\nThe text below the title", 2),
    ("wrapped lines", "The text of a book\nwrapped at a column\nis one sentence.", 1),
    ("last fragment", "Good night to all of you. Bye.", 1),
    ("fragments", "Yes. No. Maybe. I do not know.", 2),
    ("year", "It began in 1987. The harbor was new.", 2),
    ("acronym that ends", "He moved to the U.S. He never came back.", 2),
    ("acronym inside", "The U.S. Congress met again today.", 1),
]


@pytest.mark.parametrize(("text", "count"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_known_cases_are_cut_where_a_reader_would_breathe(text: str, count: int) -> None:
    sentences = cut(text)
    assert len(sentences) == count, sentences
    assert re.sub(r"\s", "", "".join(sentences)) == re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("es", "La Sra. García y el Dr. López llegaron tarde. Nadie los vio.", 2),
        ("fr-fr", "M. Dupont et Mme. Durand sont partis. Ils reviennent demain.", 2),
        ("it", "Il sig. Rossi arriva con il dott. Bianchi. Nessuno lo vede.", 2),
        ("pt-br", "O Sr. Silva e a Dra. Costa chegaram tarde. Ninguém os viu.", 2),
        ("zh", "你好，今天天气很好。我们去海边吧！", 2),
    ],
)
def test_each_language_knows_its_abbreviations(language: str, text: str, count: int) -> None:
    assert len(cut(text, language=language)) == count


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
    assert weight("1987") == weight("x" * 16)
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


WORDS = (
    "Dr. Mr. St. e.g. U.S. p.m. a.m. Inc. No. no. 3.14 v1.0.0 9:30 example.com harbor Harbor The the I A J. "
    "K. and, ships; (so) \"Why?\" 'Stop!' ... … ! ? — – - * • 1. 2) a) 。 、 今日は 天気 🎉 é ́ Sept. 5 1987 "
    "etc. x"
)
words = st.sampled_from(WORDS.split()) | st.text(alphabet="abAB.,!? \n1\u00a0。、", max_size=6)
spaces = st.sampled_from([" ", " ", " ", " ", "\n", "\n\n", "  ", "", "\n \n", "\t"])
texts = st.lists(st.tuples(words, spaces), max_size=80).map(lambda parts: "".join(w + s for w, s in parts))


def fed(text: str, sizes: list[int], max_chars: int) -> list[Sentence]:
    splitter, out, at = Splitter(max_chars=max_chars), [], 0
    for size in sizes:
        out += splitter.feed(text[at : at + size])
        at += size
    return out + splitter.feed(text[at:]) + splitter.finish()


@settings(max_examples=400, deadline=None)
@given(texts, st.lists(st.integers(0, 9), max_size=60), st.sampled_from([30, 60, 200]))
def test_the_cut_does_not_depend_on_the_pieces(text: str, sizes: list[int], max_chars: int) -> None:
    whole = fed(text, [], max_chars)
    assert fed(text, sizes, max_chars) == whole
    assert fed(text, [1] * len(text), max_chars) == whole


@settings(max_examples=300, deadline=None)
@example("Dr. Dr. Sept. Dr. 3.14 今日は 天気 天気 天気 。1? ", 30)
@given(texts, st.sampled_from([30, 60, 200]))
def test_nothing_is_dropped_but_white_space_between_sentences(text: str, max_chars: int) -> None:
    data, at = text.encode(), 0
    for sentence in fed(text, [], max_chars):
        between = data[at : sentence.end - len(sentence.text.encode())].decode()
        assert not between.strip()
        assert data[: sentence.end].decode().endswith(sentence.text)
        assert sentence.text == sentence.text.strip() != ""
        assert weight(sentence.text) <= max_chars
        at = sentence.end
    assert not data[at:].decode().strip()


@settings(max_examples=300, deadline=None)
@given(texts, st.data(), st.sampled_from([30, 60, 200]))
def test_who_begins_anew_at_the_end_of_a_sentence_goes_on_with_the_same(
    text: str, data: st.DataObject, max_chars: int
) -> None:
    whole = fed(text, [], max_chars)
    k = data.draw(st.integers(0, len(whole)))
    start = whole[k - 1].end if k else 0
    rest = text.encode()[start:].decode()
    assert [s.text for s in fed(rest, [], max_chars)] == [s.text for s in whole[k:]]


@given(texts)
@settings(max_examples=150, deadline=None)
def test_no_fragment_stands_alone_beside_a_neighbour_of_its_paragraph(text: str) -> None:
    sentences = fed(text, [], 200)
    for before, after in pairwise(sentences):
        assert not (weight(before.text) < MIN_CHARS and weight(before.text) + weight(after.text) < 199)


@pytest.mark.parametrize(
    "unit", ["harbor lights ", "Dr. Smith met Mr. Jones ", "3.14 and v1.0 ", "! ", "今日", "a.b.", "\n"]
)
def test_the_work_grows_with_the_text_not_with_its_square(unit: str) -> None:
    """Counts the characters that are looked at, so that no clock decides."""
    looked = []
    for size in (4_000, 16_000):
        text = (unit * size)[:size]
        splitter, seen = Splitter(), 0
        for at in range(0, size, 8):
            seen += len(splitter._text)
            splitter.feed(text[at : at + 8])
        looked.append(seen)
        assert len(splitter._text) <= 3 * MAX_CHARS
    assert looked[1] <= 4.5 * looked[0]
