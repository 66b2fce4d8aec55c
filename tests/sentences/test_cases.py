"""The cases from the field on splitting and length, by their numbers, and our own. Each is a kind."""

import pytest

from radio.sentences import MAX_CHARS, Splitter, next_sentence, weight
from tests.sentences.cutting import LANGUAGES, cut, squeezed

CASES = [
    (
        "1 titles, letters and abbreviations do not end a sentence",
        "Dr. Smith and Mrs. Jones travelled to the U.S. capital on Monday, e.g. by train. "
        "They met at St. Mary hospital. Nobody was late.",
        3,
    ),
    (
        "2 nothing ends at a title or within an hour",
        "Dr. Sharma arrived at 9:30 a.m., slightly out of breath",
        1,
    ),
    ("4 decimals and addresses are whole", "Dr. Smith paid 3.14 dollars at example.com. Thanks a lot!", 2),
    ("5 a decimal with its unit is whole", "The body temperature is 98.6°F now.", 1),
    ("5 two decimals in a sentence are whole", "Pi is 3.14 and e is 2.718.", 1),
    (
        "6 decimal commas, thousands, IP addresses and hosts are whole",
        "It was 37,0 and cost 1.000,50 at 192.168.1.1 or example.com today.",
        1,
    ),
    (
        "7 a version does not end a sentence, nor drop one",
        "Version v1.0.0 is installed. Everything looks good. You are all set.",
        3,
    ),
    ("7 an hour in a sentence does not end it", "Dinner is at 6 p.m. today. See you then.", 2),
    ("9 money with thousands is whole", "It costs $100,000.00 or 3.14 per piece.", 1),
    ("10 Japanese ends at its own stops", "今日は天気がいいですね。明日も晴れるでしょう！そうですか？", 3),
    ("11 a number stays with its item", "1. The first item. 2. The second item.", 2),
    ("11 a dash stays with its item", "What we need:\n- a lamp that burns\n- a rope that holds\n", 3),
    ("16 a semicolon and a colon end nothing", "Nota: uno; dos", 1),
    ("18 a stop is judged by what follows it", "He likes fruit, e.g. apples, and 3.14 pies.", 1),
    ("27 a short heading is spoken with its text", "Chapter two\n\nIt was a dark night.", 1),
    ("28 a name of two words is spoken with its text", "Pan Am\n\nThe airline flew for the last time.", 1),
    ("30 dots alone are one piece", "...", 1),
    ("30 white space alone is nothing", " \n\t\u00a0 ", 0),
    ("31 no text is nothing", "", 0),
    ("31 an emoji is no piece of its own", "Hello to all of you. 🎉", 1),
    ("32 odd spaces are spaces", "Dr.\u00a0Smith\tcame in.\u2003He sat down there.", 2),
    ("29 a tag at the begin is no piece of its own", "[pause:1s]Hello to all of you.", 1),
    ("10 a Japanese comma ends nothing", "今日は、とても、天気がいいですね。", 1),
    ("6 hosts with ports are whole", "Open 192.168.1.1:8000 or localhost:7860 now. The page is up.", 2),
    ("16 Spanish with a semicolon", "Nota: uno; dos y tres más.", 1),
    ("32 a zero width space at a stop", "The door was shut.\u200b Nobody had a key.", 2),
    ("emoji behind a stop", "The door was open!🎉 Nobody had a key.", 2),
    ("footnote behind a stop", "The harbor is old.[12] Nobody knows its age.", 2),
    ("name with a small letter", "He sold the boat. iPhone in hand, he left.", 2),
    ("war", "It was sunk in World War I. Germany built it again.", 2),
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
    assert squeezed("".join(sentences)) == squeezed(text)


VERNE = (
    "the year was marked by a strange event that nobody could explain and that surely nobody has "
    "forgotten and "
    "without speaking of the rumours that troubled the people of the ports and moved the public mind far "
    "inland "
) * 3


@pytest.mark.parametrize("text", [VERNE, "per me si va nella città dolente " * 20, "x" * 759, "77 " * 300])
def test_19_to_23_a_long_text_without_stops_is_cut_at_words_and_nothing_is_lost(text: str) -> None:
    pieces = cut(text)
    assert squeezed("".join(pieces)) == squeezed(text)
    assert max(map(weight, pieces)) <= MAX_CHARS
    if " " in text:
        words = set(text.split())
        assert all(set(piece.split()) <= words for piece in pieces)


def test_24_a_very_long_sentence_is_cut_at_its_clauses() -> None:
    clause = "and the ferry that had sailed for the islands on that morning did not come back to us, "
    assert all(piece.endswith(",") for piece in cut(clause * 9))


@pytest.mark.parametrize("words", range(41, 120, 6))
def test_25_no_short_rest_is_left_that_would_be_spoken_at_another_rate(words: int) -> None:
    pieces = cut("lights " * words)
    assert min(map(weight, pieces)) * 2 > max(map(weight, pieces))


def test_17_the_end_of_the_text_is_cut_cleanly() -> None:
    splitter = Splitter()
    assert [splitter.finish(), splitter.finish(), splitter.feed(""), splitter.finish()] == [[], [], [], []]
    assert splitter.feed("The end came") == []
    assert [s.text for s in splitter.finish()] == ["The end came"]
    assert splitter.finish() == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", " ", "...", "🎉", "。", "\u200b", "-", "* * *", "—", "!?", "\n\n"])
def test_30_and_31_text_that_says_nothing_is_at_most_one_piece(text: str, language: str) -> None:
    pieces = cut(text, language=language)
    assert pieces == ([text.strip()] if text.strip() else [])
    assert (next_sentence(text, 0, language=language, is_all=True) is None) == (not pieces)
