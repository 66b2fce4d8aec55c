"""Faults that other speech servers have had in public, by number; what is right is a test."""

from collections.abc import Mapping

import pytest

from radio.speech.text.speech_text import speech_text

ROWS: Mapping[int, Mapping[str, str]] = {
    34: {"3,497": "three thousand four hundred ninety-seven"},
    35: {"It is 72 F outside": "It is seventy-two degrees Fahrenheit outside"},
    37: {"$5.3 billion": "five point three billion dollars"},
    38: {"2.0.1": "two point zero point one", "10-20": "ten to twenty"},
    39: {"9:30PM": "nine thirty p.m.", "40–60°C": "forty to sixty degrees Celsius"},
    42: {
        "https://test.org/path": "test dot org slash path",
        "localhost:7860": "localhost port seven eight six zero",
        "192.168.1.1:8000": "one nine two dot one six eight dot one dot one port eight zero zero zero",
        "10:35 pm": "ten thirty-five p.m.",
        "5:03 am": "five oh three a.m.",
        "3:00": "three o'clock",
        "-$6.9 million": "minus six point nine million dollars",
        "$674.03": "six hundred seventy-four dollars and three cents",
        "1.6k of the 10k": "one point six thousand of the ten thousand",
    },
    43: {
        "a 3:2 win": "a three to two win",
        "16:10 screen": "sixteen to ten screen",
        "10:75": "ten to seventy-five",
    },
    45: {
        "$5 million dollars": "five million dollars",
        "$100x": "one hundred dollars x",
        "$5 millionaire": "five dollar millionaire",
        "Ke$ha": "Kesha",
        "AC/DC": "AC/DC",
        "12°N": "twelve degrees north",
        "Tom &amp; Jerry": "Tom and Jerry",
        "&amp;amp;": "and amp;",
        "track_01_final": "track zero one final",
    },
    54: {"IEEE": "I triple E", "EPAM": "Epam"},
    55: {"the song 夜に駆ける": "the song 夜に駆ける"},
    108: {
        "**bold**": "bold",
        "# Heading": "Heading",
        "- item": "item",
        "[the tides](https://example.org/tides)": "the tides",
        "```python": "",
    },
    109: {"✅ Done": "Done", "┌─┐": "", "======": ""},
    110: {"snake_case_name": "snake case name", "2*3*4": "two times three times four"},
}
ALL = {
    f"row {row}: {written}": (written, said) for row, cases in ROWS.items() for written, said in cases.items()
}


@pytest.mark.parametrize(("written", "said"), ALL.values(), ids=list(ALL))
def test_no_fault_of_others_is_made_again(written: str, said: str) -> None:
    assert speech_text(written, "en-us") == said
