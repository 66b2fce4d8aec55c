from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.stations.definition import yaml_document
from radio.stations.definition.show import Show
from radio.stations.definition.station import Station, validate
from radio.stations.timetable.occurrences import Occurrence, occurrences
from radio.stations.timetable.overlaps import overlaps
from tests.stations.samples import station, text_of

MONDAY = date(2026, 11, 30)


def shows(*texts: str) -> list[Show]:
    """Shows that may overlap, also with themselves."""
    raw, _ = yaml_document.read_yaml(text_of(*texts, zone="UTC"))
    found = validate(raw)
    assert isinstance(found, Station), found
    return list(found.shows)


def clashes(*texts: str) -> list[str]:
    return [str(clash) for clash in overlaps(shows(*texts), MONDAY)]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (
            ('id: night, at: "23:00", days: sun, length: 3h', 'id: dawn, at: "01:00", days: mon, length: 1h'),
            ["night and dawn overlap (mon 01:00)"],
        ),
        (
            ("id: wires, every: 2h, hours: 22:00-03:00, days: sun, length: 20m",
             'id: dawn, at: "02:00", days: mon, length: 1h'),
            ["wires and dawn overlap (mon 02:00)"],
        ),
        (
            ('id: wires, cron: "0 */2 * * *", length: 20m', 'id: tea, at: "16:10", days: fri, length: 1h'),
            ["wires and tea overlap (fri 16:10)"],
        ),
        (
            ('id: first, cron: "0 7 1 * *", length: 1h', 'id: brief, at: "07:30", days: mon-fri, length: 1h'),
            ["first and brief overlap (2026-12-01, tue 07:30)"],
        ),
        (
            ('id: leap, cron: "0 7 29 2 *", length: 1h', 'id: brief, at: "07:30", days: tue, length: 1h'),
            ["leap and brief overlap (2028-02-29, tue 07:30)"],
        ),
        (
            ('id: eve, date: 2031-12-24, at: "18:00", length: 6h', 'id: news, at: "20:00", length: 1h'),
            ["eve and news overlap (2031-12-24, wed 20:00)"],
        ),
        (
            ('id: eve, date: 2031-12-24, at: "18:00", length: 6h',
             'id: news, at: "20:00", length: 1h, skip: 2031-12-24'),
            [],
        ),
        (('id: a, cron: "*/30 * * * *", length: 31m',), ["a is not over when it starts again (mon 00:00)"]),
        (('id: week, at: "12:00", days: sun, length: 7d', 'id: noon, at: "11:00", days: sun, length: 1h'),
         ["week and noon overlap (sun 11:00)"]),
        (('id: a, at: "07:00", length: 1h', 'id: b, at: "08:00", length: 1h'), []),
        ((), []),
    ],
)  # fmt: skip
def test_an_overlap_is_told_with_the_moment_at_which_it_begins(
    texts: tuple[str, ...], told: list[str]
) -> None:
    assert clashes(*texts) == told


def test_what_an_exception_moves_is_found() -> None:
    both = station('id: a, at: "07:00", length: 2h', 'id: b, at: "10:00", length: 1h').shows
    assert overlaps(both, MONDAY) == []
    feast = shows('id: c, at: "08:00", date: 2027-01-01, length: 1h')
    assert [str(clash) for clash in overlaps([*both, *feast], MONDAY)] == [
        "a and c overlap (2027-01-01, fri 08:00)"
    ]


def test_two_shows_that_overlap_are_told_beside_a_third_that_overlaps_both() -> None:
    assert clashes(
        'id: a, at: "07:00", length: 1h', 'id: b, at: "07:30", length: 1h', 'id: c, at: "06:00", length: 8h'
    ) == ["c and a overlap (mon 07:00)", "c and b overlap (mon 07:30)", "a and b overlap (mon 07:30)"]


@st.composite
def some_shows(draw: st.DrawFn) -> list[Show]:
    starts = st.sampled_from(
        (
            'at: "07:00"', 'at: "07:20", days: mon', 'cron: "10 7 * * 5"', 'cron: "0 7 13 * *"',
            'cron: "40 6 * 2 sun"', 'date: 2027-02-13, at: "07:10"', 'at: "23:50", days: sun',
        )
    )  # fmt: skip
    lengths = st.sampled_from(("10m", "20m", "8h", "3d"))
    return shows(
        *(f"id: s{n}, {draw(starts)}, length: {draw(lengths)}" for n in range(draw(st.integers(1, 4))))
    )


@settings(deadline=None, max_examples=12)
@given(some_shows(), st.integers(0, 60))
def test_all_that_28_years_day_by_day_hold_is_told_and_nothing_else(found: list[Show], later: int) -> None:
    begin = MONDAY + timedelta(days=later)
    entries = sorted(
        occurrences(found, begin - timedelta(days=9), begin + timedelta(days=28 * 366)),
        key=lambda entry: (entry.start, entry.end),
    )
    pairs, on_air = set[frozenset[str]](), list[Occurrence]()
    for entry in entries:
        on_air = [other for other in on_air if entry.start < other.end]
        pairs.update(frozenset((other.show.id, entry.show.id)) for other in on_air)
        on_air.append(entry)
    assert {frozenset((clash.first.id, clash.second.id)) for clash in overlaps(found, begin)} == pairs
