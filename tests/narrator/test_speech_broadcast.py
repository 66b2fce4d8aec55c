"""What an American voice says of hosts, news, weather, sport and encyclopedias, a table a kind."""

from collections.abc import Mapping

import pytest

from radio.narrator.speech_text.spelling import speech_text

KINDS: Mapping[str, Mapping[str, str]] = {
    "comparisons": {
        "<1% or >90%": "less than one percent or more than ninety percent",
        "~10 km, ~7:15, ~$50": "about ten kilometers, about seven fifteen, about fifty dollars",
        "<$10": "less than ten dollars",
        "a != b && c == d": "a is not equal to b and c equals d",
    },
    "prices and rates": {
        "$50M-$60M": "fifty to sixty million dollars",
        "$900k-$1M": "nine hundred thousand to one million dollars",
        "$1.35–$1.40 a share": "one dollar and thirty-five cents to one dollar and forty cents a share",
        "£1.99/kg, $84.50/bbl": "one pound and ninety-nine pence per kilogram, "
        "eighty-four dollars and fifty cents per barrel",
        "$1,200/mo. and $5/hr": "one thousand two hundred dollars per month and five dollars per hour",
        "$1.2M/yr": "one point two million dollars per year",
        "2.5 mm/h, 60 µg/m3": "two point five millimeters per hour, sixty micrograms per cubic meter",
        "5,000/km² (13,000/sq mi)": "five thousand per square kilometer (thirteen thousand per square mile)",
        "15 min/day, 2 L/day": "fifteen minutes per day, two liters per day",
        "up 5bps, 420 ppm": "up five basis points, four hundred twenty parts per million",
        "scored 35 pts": "scored thirty-five points",
    },
    "markets": {
        "$78.32/barrel": "seventy-eight dollars and thirty-two cents per barrel",
        "EUR/USD 1.0845": "EUR/USD one point zero eight four five",
        "1,234p": "one thousand two hundred thirty-four p",
        "est. profit, est. 1850": "estimated profit, established eighteen fifty",
        "5 1/4%, ½%": "five and a quarter percent, one half percent",
        "a 401(k), 401(k)s": "a four oh one K, four oh one K's",
        "two No. 1s": "two number ones",
    },
    "weather": {
        "a high of 75F": "a high of seventy-five degrees Fahrenheit",
        "-3 °C, +5 °C": "minus three degrees Celsius, plus five degrees Celsius",
        "it's -5C": "it's minus five degrees Celsius",
        '6"-10" of snow': "six to ten inches of snow",
    },
    "a unit before a noun": {
        "an 80-kg man, 5-kg bags": "an eighty kilogram man, five kilogram bags",
        "a 12-V battery": "a twelve volt battery",
        "a 12-oz. can": "a twelve ounce can",
        "a 60W bulb, a 512 GB SSD": "a sixty watt bulb, a five hundred twelve gigabyte SSD",
        "a $787B stimulus": "a seven hundred eighty-seven billion dollar stimulus",
        "it is a $20 in gold": "it is a twenty dollars in gold",
        "a bag of 5 kg": "a bag of five kilograms",
        "an A-10": "an A ten",
    },
    "ranges": {
        "2-3x faster": "two to three times faster",
        "bake at 180-200C": "bake at one hundred eighty to two hundred degrees Celsius",
    },
    "days and times": {
        "the 09.42": "the nine forty-two",
        "until 6/1": "until June first",
        "on 6/15 and on 9/11": "on June fifteenth and on nine eleven",
        "by 6/15, by 2/3": "by June fifteenth, by two thirds",
        "Fri 13/12": "Friday December thirteenth",
        "on 3/4 of them": "on three quarters of them",
        "Sat 12 Oct, 7.30pm": "Saturday the twelfth of October, seven thirty p.m.",
        "Tue.–Sun., Sat 10–4": "Tuesday to Sunday, Saturday ten to four",
        "Sat & Sun, Sat/Sun": "Saturday and Sunday, Saturday/Sunday",
        "the Sun 12 times": "the Sun twelve times",
        "10 August 30 BC": "the tenth of August thirty BC",
        "(206 BC–220 AD)": "(two oh six BC to two twenty AD)",
        "1:59:40.2": "one fifty-nine forty point two",
        "in FY2024": "in FY twenty twenty-four",
        "the 2020 census": "the twenty twenty census",
        "(b. 1819, d. 1901; r. 1837–1901)": "(born eighteen nineteen, died nineteen oh one; "
        "reigned eighteen thirty-seven to nineteen oh one)",
        "c. 1850, in the 13th c.": "about eighteen fifty, in the thirteenth century.",
    },
    "times of listings": {
        "6:30-8pm": "six thirty to eight p.m.",
        "7-8:30pm, 7pm-8:30pm": "seven to eight thirty p.m., seven p.m. to eight thirty p.m.",
        "noon-5pm": "noon to five p.m.",
        "high 5:12a, low 11:20p": "high five twelve a.m., low eleven twenty p.m.",
        "UTC-5, GMT+1": "UTC minus five, GMT plus one",
        "24–26 December": "the twenty-fourth to the twenty-sixth of December",
        "from the 1–3 May 2024": "from the first to the third of May twenty twenty-four",
        "on 1/3/24, on 25/12/99": "on January third, twenty twenty-four, on December twenty-fifth, "
        "nineteen ninety-nine",
        "Fri., 3/8 @ 8": "Friday, March eighth at eight",
        "every 1st & 3rd Thu of May": "every first and third Thursday of May",
        "in Sept. '23": "in September 'twenty-three",
        "S02E05": "season two episode five",
    },
    "tens of years and of degrees": {
        "in the upper 50s, low 40s": "in the upper fifties, low forties",
        "the 20s and 30s": "the twenties and thirties",
        "low to mid-40s": "low to mid forties",
        "the 60s, 70s and 80s": "the sixties, seventies and eighties",
        "highs in the low 100s": "highs in the low one hundreds",
        "the early 2010s": "the early twenty tens",
    },
    "ratings, odds, metres": {
        "7/10, 4.5/5": "seven out of ten, four point five out of five",
        "mix it 1:2:3": "mix it one to two to three",
        "85/100": "eighty-five out of one hundred",
        "3/10 of a mile, 1/10": "three tenths of a mile, one tenth",
        "4/5 stars, 4/5 of them": "four out of five stars, four fifths of them",
        "odds of 11/4, or 5/1": "odds of eleven to four, or five to one",
        "3/4 time, 4/4": "three four time, four four",
        "a 3–5–2 formation": "a three, five, two formation",
    },
    "recipes": {
        "1–1½ hours": "one to one and a half hours",
        "½–¾ cup": "one half to three quarters cup",
        "1/2-3/4 cup": "one half to three quarters cup",
        "500g/1lb 2oz": "five hundred grams/one pound two ounces",
        "200C/180C fan": "two hundred degrees Celsius/one hundred eighty degrees Celsius fan",
        "3 mo. old": "three months old",
        "bake 1 hr. 10 mins": "bake one hour ten minutes",
        "1 (14-oz.) can": "one (fourteen ounce) can",
        "1/10th, 2/3rds": "one tenth, two thirds",
        "1-1/2 cups": "one and a half cups",
    },
    "numerals": {
        "Alfonso XIII": "Alfonso the thirteenth",
        "Apollo XIII, Amendment XIV": "Apollo thirteen, Amendment fourteen",
        "The III Corps, an IV": "The III Corps, an IV",
        "27 BC–AD 476": "twenty-seven BC to AD four seventy-six",
    },
    "places and machines": {
        "New York, NY 10118.": "New York, NY one zero one one eight.",
        "of 10118 people": "of ten thousand one hundred eighteen people",
        "Winds NW at 10": "Winds northwest at ten",
        "from the SSW, 12 km NE": "from the south-southwest, twelve kilometers northeast",
        "the iPhone SE": "the iPhone SE",
        "a Boeing 747-400": "a Boeing seven forty-seven, four hundred",
        "the 737 MAX": "the seven thirty-seven MAX",
        "A100s, PS5s": "A one hundreds, PS fives",
        "an i7-13700K": "an i seven thirteen thousand seven hundred K",
        "C#8 and .NET 8": "C sharp eight and dot NET eight",
        "release 3.0.0b1": "release three point zero point zero b one",
        "x86-64": "x eighty-six sixty-four",
        "802.11ax": "eight hundred two point one one ax",
        "He's 5'10 and thin": "He's five foot ten and thin",
        "text HELLO to 741741": "text HELLO to seven four one seven four one",
        "Call 911, now": "Call nine one one, now",
        "(020) 7946 0958": "zero two zero, seven nine four six, zero nine five eight",
    },
    "short words": {
        "Op. 27, Rm. 204, Cat. 4": "Opus twenty-seven, Room two hundred four, Category four",
        "Vol. II, Ch. IV": "Volume two, Chapter four",
        "M&Ms, 2 M&Ms.": "M and Ms, two M and Ms.",
        "BP 120/80 mmHg": "BP one hundred twenty over eighty millimeters of mercury",
        "Det. Lee, Cpl. Ray": "Detective Lee, Corporal Ray",
        "Ms Lee on Mt Fuji": "Miz Lee on Mount Fuji",
        "pears, etc. They": "pears, et cetera. They",
        "Acme Co. said": "Acme Company said",
        "Elizabeth I died": "Elizabeth the first died",
    },
    "powers": {
        "3×10^8 m/s": "three times ten to the power of eight meters per second",
        "6.022×10²³": "six point zero two two times ten to the power of twenty-three",
        "10⁻³": "ten to the power of minus three",
        "O(n^2) or x^n": "O(n squared) or x to the power of n",
        "2x^3": "two x cubed",
        "10 − 3 = 7": "ten minus three equals seven",
        "10 - 3 pm": "ten to three p.m.",
    },
    "music": {
        "B♭ and F♯": "B flat and F sharp",
        "a Bb clarinet in Eb major": "a B flat clarinet in E flat major",
        "in A major, a major": "in A-major, a major",
        "C#m, then A#": "C sharp minor, then A sharp",
    },
    "chess": {
        "1. e4 e5 2. Nf3": "one. e four e five two. knight f three",
        "Qxd4+ and exd5": "queen takes d four check and e takes d five",
        "be4 and Be4 u go": "be four and Be four u go",
        "Nbd7, R1e2#": "knight b d seven, rook one e two mate",
    },
    "maps": {
        "34°03′N 118°15′W": "thirty-four degrees three minutes north "
        "one hundred eighteen degrees fifteen minutes west",
    },
    "formulae and codes": {
        "H₂SO₄, CO₂": "H two SO four, CO two",
        "error 0x80F": "error zero x eight zero F",
        "4×400 m, 1920×1080 px": "four by four hundred meters, "
        "one thousand nine hundred twenty by one thousand eighty pixels",
        "6 × 7 = 42": "six times seven equals forty-two",
    },
}
ALL = {
    f"{kind}: {written}": (written, said) for kind, cases in KINDS.items() for written, said in cases.items()
}


@pytest.mark.parametrize(("written", "said"), ALL.values(), ids=list(ALL))
def test_each_kind_of_script_is_said_as_people_say_it(written: str, said: str) -> None:
    assert speech_text(written, "en-us") == said
