import os
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from radio import producer_kinds
from radio.stations.definition import loading, yaml_document
from radio.stations.definition.station import Lead, Off, Station
from tests.stations.samples import HEAD

GOOD = """\
station: harbor
title: Harbor FM
description: Ships and tides.
timezone: Europe/Berlin
voice: bf_emma(1)+af_heart(1)
persona: Ada, a calm host.
lead: {target: 40s, guard: 12s}
keep: 14d
fallback: {producer: text, files: [books/*.txt]}
shows:
  - {id: brief, title: on, at: 07:00, days: mon-fri, length: 30m, producer: llm,
     topics: [tides, {topic: ships, facts: [Steel floats.]}]}
  - {id: night, title: Night Book, hours: 22:00-06:00, producer: text, files: [books/b.txt], rotate: true}
"""

BAD = """\
station: harbor
titel: Harbor FM
timezone: Europe/Berln
voice: af_hart
fallback: {producer: txt}
shows:
  - {id: brief, title: B, at: 7:00, days: mon-fry, length: 30, producer: llm, topcs: [tides]}
  - {id: h, title: H, evry: 2h, hours: 08:00-22:00, length: 1h, producer: llm,
     topics: [{topic: y, fact: 1}, 5]}
  - id: late
    title: L
    at: 23:00
    length: 20m
    topics: [x]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "a.txt").write_text("A.")
    (tmp_path / "books" / "b.txt").write_text("B.")
    return tmp_path


def write(folder: Path, text: str, name: str = "harbor.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def only_station(path: Path) -> Station:
    loaded = loading.load([path])
    assert loaded.faults == ()
    return loaded.stations[path]


def faults(folder: Path, text: str) -> list[str]:
    """What is said about a file, with the line."""
    return [f"{fault.line}: {fault.message}" for fault in loading.load([write(folder, text)]).faults]


def test_a_station_file_is_read_whole(folder: Path) -> None:
    harbor = only_station(write(folder, GOOD))
    brief, night = harbor.shows
    assert (harbor.station, harbor.title, harbor.keep) == ("harbor", "Harbor FM", timedelta(days=14))
    assert harbor.voice == "af_heart+bf_emma"
    assert harbor.lead == Lead(target=timedelta(seconds=40), guard=timedelta(seconds=12))
    assert (brief.title, list(brief.starts), brief.lasts, sorted(brief.days or ())) == (
        "on",
        [420],
        timedelta(minutes=30),
        [0, 1, 2, 3, 4],
    )
    assert isinstance(brief.options, producer_kinds.Llm)
    assert brief.options.subjects == (
        producer_kinds.Topic(topic="tides"),
        producer_kinds.Topic(topic="ships", facts=("Steel floats.",)),
    )
    assert night.options == producer_kinds.TextFiles(files=(str(folder / "books" / "b.txt"),), rotate=True)


def test_patterns_become_the_files_they_match(folder: Path) -> None:
    fallback = only_station(write(folder, GOOD)).fallback
    assert fallback == producer_kinds.TextFiles(
        files=(str(folder / "books" / "a.txt"), str(folder / "books" / "b.txt"))
    )


def test_a_pronunciation_list_is_read(folder: Path) -> None:
    text = GOOD.replace("shows:", 'pronounce: {Strachan: Strawn, 1st: the first, Kyoto: "/kjˈOTO/"}\nshows:')
    harbor = only_station(write(folder, text))
    assert harbor.pronounce == {"Strachan": "Strawn", "1st": "the first", "Kyoto": "/kjˈOTO/"}
    assert only_station(write(folder, GOOD)).pronounce == {}


def test_each_fault_of_a_pronunciation_list_is_told_with_its_line(folder: Path) -> None:
    listed = """\
pronounce:
  Strachan: Strawn
  Kyoto: /kj@to/
  Osaka: /osaka
  Nara: "..."
  "!!": bang
  Kobe: 5
  Tokyo: [to, kyo]
shows:"""
    assert faults(folder, GOOD.replace("shows:", listed)) == [
        "12: @ in '/kj@to/' is no phoneme of the voice; docs/stations.md lists them",
        "13: '/osaka' is not how phonemes are written; write them between two slashes, as /kjˈOTO/",
        "14: '...' is no respelling; write it as it is read, or phonemes as /kjˈOTO/",
        "15: '!!' is no word; write at least one letter or digit",
        "17: ['to', 'kyo'] is no text",
    ]
    assert faults(folder, GOOD.replace("shows:", "pronounce: [a, b]\nshows:")) == [
        "10: pronounce: write word: how it is said, or word: /phonemes/"
    ]
    long = ", ".join(f"w{n}: x" for n in range(501))
    assert faults(folder, GOOD.replace("shows:", f"pronounce: {{{long}}}\nshows:")) == [
        "10: a pronunciation list has at most 500 words"
    ]


def test_off_is_a_fallback(folder: Path) -> None:
    text = GOOD.replace("{producer: text, files: [books/*.txt]}", "off")
    assert only_station(write(folder, text)).fallback == Off()


def test_all_faults_of_a_file_are_told_at_once_with_line_and_suggestion(folder: Path) -> None:
    path = write(folder, BAD)
    assert [str(fault).removeprefix(f"{path}:") for fault in loading.load([path]).faults] == [
        "1:1: 'title' is missing",
        "2:1: unknown key 'titel'; did you mean title?",
        "3:1: 'Europe/Berln' is not a time zone; did you mean Europe/Berlin?",
        "4:1: there is no voice 'af_hart'; Did you mean af_heart, af_sarah, if_sara?",
        "5:12: there is no producer 'txt'; did you mean text?",
        "7:5: 'topics' is missing",
        "7:27: '7:00' is not a time of day; write 07:00",
        "7:37: 'mon-fry' is not a day; write daily, mon-fri or sat, sun",
        "7:52: 30 is not a length of time; write 30m, 1h30m or 14d",
        "7:79: unknown key 'topcs'; did you mean topics?",
        "8:23: unknown key 'evry'; did you mean every?",
        "9:26: unknown key 'fact'; did you mean facts?",
        "9:36: topics: write a text, or {topic: …, facts: […]}",
        f"10:5: 'producer' is missing; one of {', '.join(producer_kinds.KINDS)}",
    ]


def test_what_is_right_is_checked_beside_what_is_wrong(folder: Path) -> None:
    shows = (
        "id: a, at: 07:00, length: 1h, instead: {2026-12-01: gone}",
        "id: bad, at: 7:00, length: 1h, instead: {2026-12-01: b}",
        "id: b, at: 07:30, length: 1h",
        "id: c, at: 09:00, length: 30s, instead: {2026-12-01: bad}",
    )
    text = HEAD.format(zone="Nowhere") + "".join(
        f"  - {{{show}, title: T, producer: llm, topics: [x]}}\n" for show in shows
    )
    assert faults(folder, text) == [
        "3: 'Nowhere' is not a time zone",
        "6: a: there is no show 'gone'",
        "7: '7:00' is not a time of day; write 07:00",
        "9: c: 'length' must be from 1m to 7d",
    ]


@pytest.mark.parametrize(
    ("show", "message"),
    [
        ("id: a, at: 07:00", "6: a: 'length' is missing"),
        ("id: a, length: 1h", "6: a: say when it starts"),
        ("id: a, at: 07:00, hours: 07:00-08:00", "6: a: say once when it starts"),
        ("id: a, at: 07:00, cron: '0 7 * * *', length: 1h", "6: a: say once when it starts"),
        ("id: a, cron: 0 7 * *, length: 1h", "6: '0 7 * *' is not a cron line; write minute, hour"),
        ("id: a, cron: 0 7 * * *", "6: a: 'length' is missing"),
        ("id: a, cron: 0 7 * * *, days: mon, length: 1h", "6: a: the cron line names the days already"),
        ("id: a, at: 07:00, date: 2026-12-24, days: mon, length: 1h", "6: a: 'date' names the days already"),
        ("id: a, at: 07:00, date: 24.12.2026, length: 1h", "6: '24.12.2026' is not a date; write 2026-12-24"),
        ("id: a, at: 07:00, date: 2026-02-29, length: 1h", "6: there is no 2026-02-29 in the calendar"),
        (
            "id: a, at: 07:00, date: 2026-03-02..2026-03-01, length: 1h",
            "6: '2026-03-02..2026-03-01' ends before",
        ),
        (
            "id: a, at: 07:00, skip: 2026-01-01..2027-01-02, length: 1h",
            "6: '2026-01-01..2027-01-02' is longer",
        ),
        (
            "id: a, at: 07:00, days: mon, skip: 2026-12-01, length: 1h",
            "6: a: it does not start on 2026-12-01",
        ),
        ("id: a, at: 07:00, instead: {2026-12-01: b}, length: 1h", "6: a: there is no show 'b'"),
        ("id: a, at: 07:00, instead: {2026-12-01: a}, length: 1h", "6: a: it cannot air instead of itself"),
        ("id: a, at: 07:00, instead: [2026-12-01], length: 1h", "6: ['2026-12-01'] does not say which show"),
        ("id: a, at: 07:00, language: klingon, length: 1h", "6: no voice speaks 'klingon'; one of en-gb"),
        ("id: a, at: 07:00, language: es, length: 1h", "6: a: the voice af_heart speaks en-us, not es"),
        ("id: a, hours: 07:00-08:00, length: 2h", "6: a: 'hours' give the length already"),
        ("id: a, every: 90s, length: 1m", "6: a: 'every' must be whole minutes"),
        ("id: a, at: 07:00, length: 8d", "6: a: 'length' must be from 1m to 7d"),
        ("id: a, at: 07:00, length: 99999999999999d", "6: '99999999999999d' is longer than a century"),
        ("id: a, at: 07:00, length: 0m", "6: a: 'length' must be from 1m to 7d"),
        ("id: a, every: 1h, length: 61m", "6: a is not over when it starts again (mon 00:00)"),
        ("id: fallback, at: 07:00, length: 1h", "6: 'fallback' is the name of runs"),
        ("id: Ä, at: 07:00, length: 1h", "6: 'Ä' is not an id"),
        ("id: a, at: 07:00, length: 1h, days: []", "6: no day is named"),
    ],
)
def test_a_show_that_cannot_be_is_refused(folder: Path, show: str, message: str) -> None:
    text = HEAD.format(zone="UTC") + f"  - {{{show}, title: T, producer: llm, topics: [x]}}\n"
    assert any(
        message.removeprefix("6: ") in line and line.startswith("6: ") for line in faults(folder, text)
    )


def test_an_overlap_names_both_shows(folder: Path) -> None:
    shows = "".join(
        f"  - {{id: {name}, at: '{at}', length: 1h, title: T, producer: llm, topics: [x]}}\n"
        for name, at in (("one", "07:00"), ("two", "07:30"))
    )
    assert faults(folder, HEAD.format(zone="UTC") + shows) == ["7: one and two overlap (mon 07:30)"]


def test_files_that_do_not_exist_are_a_fault(folder: Path) -> None:
    assert faults(folder, GOOD.replace("books/b.txt", "books/c.txt")) == ["13: night: no file books/c.txt"]


@pytest.mark.parametrize("pattern", ["", ".", "a/**b"])
def test_what_is_no_pattern_matches_nothing(folder: Path, pattern: str) -> None:
    (fault,) = faults(folder, GOOD.replace("books/b.txt", f"'{pattern}'"))
    assert fault == f"13: night: no file {pattern}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("station: a\nstation: b\n", "2: not YAML: key 'station' stands twice"),
        ("station: [a\n", "1: not YAML: the bracket that begins here is not closed by ]"),
        ("a: !!int x\n", "1: not YAML: not a value: invalid literal for int() with base 10: 'x'"),
        ("a: &x [*x]\n", "1: not YAML: a value that contains itself"),
        ("", "1: not a station: write station, title, timezone, fallback and shows"),
    ],
)
def test_what_is_not_a_station_file_is_told_so(folder: Path, text: str, message: str) -> None:
    assert faults(folder, text)[0] == message


def test_two_files_of_one_station_are_a_fault(folder: Path) -> None:
    first, second = write(folder, GOOD), write(folder, GOOD, "other.yaml")
    loaded = loading.load([first, second])
    assert list(loaded.stations) == [first]
    assert [str(fault) for fault in loaded.faults] == [f"{second}: station 'harbor' is also in {first}"]


def test_a_bad_file_does_not_hinder_a_good_one(folder: Path) -> None:
    loaded = loading.load([write(folder, BAD, "bad.yaml"), write(folder, GOOD), folder / "none.yaml"])
    assert [station.station for station in loaded.stations.values()] == ["harbor"]
    assert {fault.file.name for fault in loaded.faults} == {"bad.yaml", "none.yaml"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("22:00", "22:00"), ("08:00", "08:00"), ("on", "on"), ("No", "No"), ("true", True), ("null", None),
        ("12", 12), ("012", 12), ("0x1f", "0x1f"), ("1_000", "1_000"), ("1.5", 1.5),
        ("2026-11-29", "2026-11-29"), ("~", None), ("", None), ("'12'", "12"),
    ],
)  # fmt: skip
def test_scalars_are_read_as_yaml_1_2_reads_them(text: str, value: object) -> None:
    raw, _ = yaml_document.read_yaml(f"key: {text}\non: x\n")
    assert raw == {"key": value, "on": "x"}


def test_a_file_that_would_stop_its_reader_is_a_fault_and_hinders_no_other(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(HEAD.format(zone="UTC").replace("shows:", "shows: []"))
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "large.yaml").write_text("#" * (loading.MAX_BYTES + 1))
    (tmp_path / "deep.yaml").write_text("[" * 2000)
    names = "abcdefgh"
    aliases = [f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in pairwise(names)]
    (tmp_path / "aliases.yaml").write_text("\n".join(["a: &a [x]", *aliases]))
    loaded = loading.load(loading.find(tmp_path))
    assert [path.name for path in loaded.stations] == ["good.yaml"]
    assert {fault.file.name: fault.message for fault in loaded.faults} == {
        "pipe.yaml": "is not a file",
        "folder.yaml": "is not a file",
        "large.yaml": "is too large: a station file has at most 256 KiB",
        "deep.yaml": "not YAML: nested too deeply",
        "aliases.yaml": "not YAML: more than 20000 values",
    }
