"""What is said of a file that is no YAML: what the editor did, and what to write."""

from pathlib import Path

import pytest

from radio.stations.definition import loading, yaml_document

FILE = """\
station: harbor
title: {title}
timezone: UTC
fallback: off
{key}shows:
  - id: brief
    title: T
    at: {at}
    length: 1h
    producer: llm
    topics: [x]
"""
RIGHT = {"title": "T", "key": "", "at": "07:00"}


def said(folder: Path, text: str) -> str:
    file = folder / "harbor.yaml"
    file.write_text(text, encoding="utf-8")
    (fault,) = loading.load([file]).faults
    return str(fault).removeprefix(f"{file}:").replace("not YAML: ", "")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("key", "\tkeep: 3d\n", "5:1: there is a tab; indent with blanks"),
        (
            "title",
            "Harbor: FM",
            '2:14: a text with a colon in it stands in quotes; write title: "Harbor: FM"',
        ),
        ("title", "@home", '2:8: a text that begins with @ stands in quotes; write title: "@home"'),
        ("title", "*Live*", "2:13: a text that begins with * or & stands in quotes"),
        ("title", "!new", '2:8: a text that begins with ! stands in quotes; write title: "!new"'),
        ("title", '"Harbor', "2:8: the quotation mark that begins here is not closed"),
        ("title", "'it's'", "2:12: there is more after the closing quotation mark"),
        ("title", "[a", "2:8: the bracket that begins here is not closed by ]"),
        ("title", "101.5", '2:1: title: 101.5 is no text; write "101.5"'),
        ("title", "- a", "2:8: a list that is written with - begins on a line of its own"),
        ("key", "keep:3d\n", "5:1: a blank is missing after the colon; write keep: 3d"),
        ("key", "keep 3d\n", "5:1: a colon is missing; write key: value"),
        ("key", " keep: 3d\n", "5:6: this line is indented otherwise than its neighbours"),
        ("key", "retention: 14d\n", "5:1: unknown key 'retention'; did you mean keep?"),
        ("key", "name: x\n", "5:1: unknown key 'name'; did you mean title?"),
        ("at", "07.30", "8:5: '07.30' is not a time of day; write 07:30"),
        ("at", "0730", "8:5: '0730' is not a time of day; write 07:30"),
        ("at", "7h", "8:5: '7h' is not a time of day; write 07:00"),
        ("at", "25.30", "8:5: '25.30' is not a time of day; write 07:00"),
    ],
)
def test_a_fault_is_told_in_the_words_of_an_editor(tmp_path: Path, key: str, value: str, words: str) -> None:
    assert said(tmp_path, FILE.format(**{**RIGHT, key: value})).startswith(words)


def test_a_number_shows_as_it_was_written_and_counts_as_what_it_is() -> None:
    raw, _ = yaml_document.read_yaml("[07.30, 0730, 1.50e1]")
    assert isinstance(raw, list)
    assert raw == [7.3, 730, 15.0]
    assert list(map(str, raw)) == ["07.30", "0730", "1.50e1"]
