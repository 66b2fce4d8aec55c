import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.speech.text.speech_text import speech_text

AMERICAN = {
    # quantities and decimals
    "It holds 3,497 books.": "It holds three thousand four hundred ninety-seven books.",
    "about 100,000 people": "about one hundred thousand people",
    "Pi is 3.14 and e is 2.718.": "Pi is three point one four and e is two point seven one eight.",
    "-5 and 0.5 and .5": "minus five and zero point five and point five",
    "It is −12 outside.": "It is minus twelve outside.",
    "Agent 007": "Agent zero zero seven",
    "12 345": "twelve three hundred forty-five",
    "1000000": "one million",
    "1.6k of the 10k": "one point six thousand of the ten thousand",
    "a 4K screen, an MP3 and 5G": "a four K screen, an MP three and five G",
    "Covid-19 and B2B": "Covid nineteen and B two B",
    "twice: 2x and 1920x1080": "twice: two times and one thousand nine hundred twenty by one thousand eighty",
    # money
    "$5.3 billion": "five point three billion dollars",
    "-$6.9 million": "minus six point nine million dollars",
    "$674.03": "six hundred seventy-four dollars and three cents",
    "$1": "one dollar",
    "$1.00": "one dollar",
    "$0.99": "ninety-nine cents",
    "$1,250,000": "one million two hundred fifty thousand dollars",
    "$5 million dollars": "five million dollars",
    "a $5 millionaire": "a five dollar millionaire",
    "$5k, €3bn": "five thousand dollars, three billion euros",
    "$3-5 million": "three to five million dollars",
    "$10–$20": "ten to twenty dollars",
    "20 € or 20€": "twenty euros or twenty euros",
    "£2.50": "two pounds and fifty pence",
    "¥500": "five hundred yen",
    "50¢": "fifty cents",
    "US$4": "four U.S. dollars",
    "100 USD": "one hundred U.S. dollars",
    "$5/month": "five dollars per month",
    "Ke$ha": "Kesha",
    # percent
    "12.5% of 100%": "twelve point five percent of one hundred percent",
    "10-20%": "ten to twenty percent",
    "-3 %": "minus three percent",
    # degrees and units
    "98.6°F": "ninety-eight point six degrees Fahrenheit",
    "It is 72 F outside": "It is seventy-two degrees Fahrenheit outside",
    "40–60°C": "forty to sixty degrees Celsius",
    "-5 °C": "minus five degrees Celsius",
    "1°": "one degree",
    "12°N": "twelve degrees north",
    "20 km/h": "twenty kilometers per hour",
    "1 km, 2 km": "one kilometer, two kilometers",
    "5kg and 3 lbs": "five kilograms and three pounds",
    "5-10 kg": "five to ten kilograms",
    "2048 MB": "two thousand forty-eight megabytes",
    "8 GB of RAM at 2.4 GHz": "eight gigabytes of RAM at two point four gigahertz",
    "15 knots, 12 kn": "fifteen knots, twelve knots",
    "1013 hPa": "one thousand thirteen hectopascals",
    "She is 5'10\" tall": "She is five foot ten tall",
    "60 m²": "sixty square meters",
    "I'm 6 and I'll be 7": "I'm six and I'll be seven",
    # times
    "9:30PM": "nine thirty p.m.",
    "10:35 pm": "ten thirty-five p.m.",
    "5:03 am": "five oh three a.m.",
    "3:00": "three o'clock",
    "at 6 p.m. today": "at six p.m. today",
    "arrived at 9:30 a.m., slightly": "arrived at nine thirty a.m., slightly",
    "14:30": "fourteen thirty",
    "07:05": "seven oh five",
    "22:00": "twenty-two hundred",
    "00:00": "midnight",
    "9:30:15": "nine thirty and fifteen seconds",
    "9-5pm": "nine to five p.m.",
    "10:00–12:30": "ten o'clock to twelve thirty",
    "a 16:10 screen": "a sixteen to ten screen",
    "a 3:2 win": "a three to two win",
    "10:75": "ten to seventy-five",
    # dates and years
    "2026-11-29": "November twenty-ninth, twenty twenty-six",
    "Nov. 29, 2026": "November twenty-ninth, twenty twenty-six",
    "on December 1st": "on December first",
    "Jan. 3, 1892, at home": "January third, eighteen ninety-two, at home",
    "on July 20th, 1969, at 20:17": "on July twentieth, nineteen sixty-nine, at twenty seventeen",
    "In May 5,000 came": "In May five thousand came",
    "7 a.m.–9 p.m.": "seven a.m. to nine p.m.",
    "5 in. of snow, 2.6M lbs.": "five inches of snow, two point six million pounds.",
    "e = mc² and 10^6": "e equals mc squared and ten to the power of six",
    "29 November 2026": "the twenty-ninth of November twenty twenty-six",
    "the 4th of July": "the fourth of July",
    "4/7/2026": "April seventh, twenty twenty-six",
    "31/12/1999": "December thirty-first, nineteen ninety-nine",
    "May 2024": "May twenty twenty-four",
    "in Sept. last year": "in September last year",
    "Mon-Fri": "Monday to Friday",
    "In 1984, 2005 and 1900.": "In nineteen eighty-four, two thousand five and nineteen hundred.",
    "1999-2003": "nineteen ninety-nine to two thousand three",
    "the 1980s and the '90s": "the nineteen eighties and the nineties",
    "the 2000s, in his 20s": "the two thousands, in his twenties",
    # ordinals, versions, ranges, fractions
    "1st, 2nd, 3rd, 4th, 12th, 21st": "first, second, third, fourth, twelfth, twenty-first",
    "Version v1.0.0": "Version one point zero point zero",
    "2.0.1": "two point zero point one",
    "10-20": "ten to twenty",
    "pages 3–5": "pages three to five",
    "1/2 and 3/4 and 2/3": "one half and three quarters and two thirds",
    "1½ cups, ½ cup": "one and a half cups, one half cup",
    "24/7": "twenty-four seven",
    "5 + 3 = 8": "five plus three equals eight",
    "2*3*4": "two times three times four",
    "call 555-1234": "call five five five, one two three four",
    "+1 (555) 123-4567": "plus one, five five five, one two three, four five six seven",
    "#1 and No. 5": "number one and number five",
    "Henry VIII and World War II": "Henry the eighth and World War two",
    "Chapter IV": "Chapter four",
    "~50 ships": "about fifty ships",
    "50+ ships": "fifty plus ships",
    # addresses
    "https://test.org/path": "test dot org slash path",
    "See https://www.example.com/a_b?x=1#y.": "See example dot com slash a underscore b.",
    "localhost:7860": "localhost port seven eight six zero",
    "192.168.1.1:8000": "one nine two dot one six eight dot one dot one port eight zero zero zero",
    "3.14 dollars at example.com. Thanks": "three point one four dollars at example dot com. Thanks",
    "mail ada.b@example.org!": "mail ada dot b at example dot org!",
    # symbols and abbreviations
    "Tom &amp; Jerry, R&D": "Tom and Jerry, R and D",
    "Dr. Smith and Mrs. Jones": "Doctor Smith and Missus Jones",
    "St. Mary on Main St.": "Saint Mary on Main Street.",
    "e.g. tides, i.e. water, etc.": "for example tides, that is water, et cetera.",
    "cats vs. dogs": "cats versus dogs",
    "and so on, etc. and more": "and so on, et cetera and more",
    "AC/DC": "AC/DC",
    "w/o milk": "without milk",
    "track_01_final": "track zero one final",
    "x ≤ 5 and y ≥ 3": "x at most five and y at least three",
    "the α particle": "the alpha particle",
    "§ 5": "section five",
    # odds and ends of pages and models
    "Well done! 🎉🎉": "Well done!",
    "✅ Done ┌─┐": "Done",
    "“Curly” ‘quotes’ don’t": "\"Curly\" 'quotes' don't",
    "a\u00a0b\tc\u200bd": "a b cd",
    "wait... what?!": "wait… what?",
    "no!!!": "no!",
    "one - two -- three": "one — two — three",
    "**bold** and `code`": "bold and code",
    "ﬁne ｆｕｌｌ": "fine full",
    "...": "",
    " 🎉 ": "",
    "": "",
}


@pytest.mark.parametrize(("written", "said"), AMERICAN.items(), ids=list(AMERICAN))
def test_american_english_is_said_as_people_say_it(written: str, said: str) -> None:
    assert speech_text(written, "en-us") == said


BRITISH = {
    "305 of 1,001": "three hundred and five of one thousand and one",
    "4/7/2026": "July fourth, twenty twenty-six",
    "20 km": "twenty kilometres",
    "5 l": "five litres",
    "Call 020 7946 0123 now": "Call zero two zero, seven nine four six, zero one two three now",
    "5st 10lb, 11st, 21st": "five stone ten pounds, eleven stone, twenty-first",
    "on 31/12": "on December thirty-first",
}


@pytest.mark.parametrize(("written", "said"), BRITISH.items(), ids=list(BRITISH))
def test_british_english_has_its_own_ways(written: str, said: str) -> None:
    assert speech_text(written, "en-gb") == said


def test_other_languages_keep_their_numbers_letters_and_marks() -> None:
    assert speech_text("¿Qué? 25 años 🎉", "es") == "¿Qué? 25 años"
    assert speech_text("नमस्ते २५", "hi") == "नमस्ते 25"


WRITTEN = (
    "$ € 1 23 3,497 .5 - – : / % ° C km am th s Jan v x . , @ a.b www. http:// ' ½ # + é 🎉 日 &amp; Dr."
)
PIECES = st.sampled_from([*WRITTEN.split(), " "])


@given(st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join))
def test_any_text_is_said_without_digits_or_symbols(text: str) -> None:
    said = speech_text(text, "en-us")
    assert not any("0" <= letter <= "9" for letter in said)
    assert not set(said) & set("$€£%°@&#*_=<>~^|\\{}[]")
    assert said == said.strip()
    assert "  " not in said


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1,",
        "1.",
        "1-",
        "1:",
        "$1",
        "a.",
        "a-",
        "a@",
        "http://a/",
        "1/",
        "/a",
        "[",
        "<a",
        "A ",
        "1 000 ",
        "the 20",
        "x1",
        "Jan ",
        "etc. ",
        '6" ',
        "1 1/2 ",
        "(",
        "&amp;",
        "'",
        "½",
        "%",
        "–",
        ":-",
        "!",
        "?!",
    ],
)
def test_time_grows_no_faster_than_the_text(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (300, 4_800))
    for language in ("en-us", "es", "zh"):
        assert _seconds(long, language) < 60 * max(_seconds(short, language), 0.002)


def _seconds(text: str, language: str) -> float:
    times = []
    for _ in range(2):
        begun = time.process_time()
        speech_text(text, language)
        times.append(time.process_time() - begun)
    return min(times)
