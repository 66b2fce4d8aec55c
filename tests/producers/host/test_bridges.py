from dataclasses import replace
from pathlib import Path

import pytest

from radio.producers.host import bridges
from radio.runs import Assignment
from tests.producers.samples import assignment
from tests.stations.timetable.test_timetable import ms

SEVEN = ms("2026-12-01T06:00")
HOUR = 3_600_000


def host(**changes: object) -> Assignment:
    base = assignment(Path(), at=SEVEN, until=SEVEN + HOUR, title="The Brief", zone="Europe/Berlin")
    return replace(base, **changes)  # type: ignore[arg-type]


def text(bridge: bridges.Bridge | None) -> str:
    return bridge.text if bridge else ""


@pytest.mark.parametrize(
    ("heard_at", "greeting", "time"),
    [
        (SEVEN, "Good morning", "Tuesday, 7:00 a.m."),
        (SEVEN + 11 * 60_000, "Good morning", "Tuesday, about 7:10 a.m."),
        (SEVEN + 5 * HOUR, "Good afternoon", "Tuesday, about noon"),
        (SEVEN + 18 * HOUR, "Hello", "Wednesday, about 1:00 a.m."),
    ],
)
def test_an_opening_tells_the_day_and_time_at_which_it_is_heard(
    heard_at: int, greeting: str, time: str
) -> None:
    said = f"{greeting}. This is Harbor FM. It is {time}, and you are listening to The Brief."
    assert bridges.opening(host(), heard_at) == bridges.Bridge(said, heard_at)


def test_every_fourth_segment_says_what_station_it_is_and_what_comes_soon() -> None:
    task = host(next_title="The Wires", next_at=SEVEN + HOUR)
    said = text(bridges.ident(task, 4, SEVEN + HOUR * 3 // 4))
    assert said == "It is about 7:45 a.m. on Harbor FM, and at 8:00 a.m. comes The Wires."
    assert "The Wires" not in text(bridges.ident(task, 4, SEVEN))
    assert bridges.ident(task, 5, SEVEN) is None


def test_idents_change_with_time() -> None:
    said = [text(bridges.ident(host(), seg, SEVEN + seg * 30_000)) for seg in range(4, 100, 4)]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"next_title": "The Wires", "next_at": SEVEN + HOUR},
            "The Brief is nearly over. At 8:00 a.m., Harbor FM goes on with The Wires.",
        ),
        ({}, "The Brief is nearly over for this time, here on Harbor FM."),
        (
            {"next_title": "The Wires", "next_at": SEVEN + 5 * HOUR},
            "The Brief is nearly over for this time, here on Harbor FM.",
        ),
        (
            {"next_title": "The Brief", "next_at": SEVEN + HOUR},
            "The Brief is nearly over for this time, here on Harbor FM.",
        ),
    ],
)
def test_before_its_end_a_show_hands_over(changes: dict[str, object], said: str) -> None:
    task = host(**changes)
    assert text(bridges.hand_over(task, task.until - 60_000)) == said
    assert bridges.hand_over(task, task.until - 120_000) is None


@pytest.mark.parametrize("heard_at", [SEVEN, SEVEN + 6 * HOUR, SEVEN + HOUR - 30_000])
def test_no_bridge_has_two_full_stops(heard_at: int) -> None:
    task = host(next_title="Mr. B.", next_at=SEVEN + HOUR)
    every = [bridges.opening(task, heard_at), bridges.hand_over(task, heard_at)]
    every += [bridges.ident(task, seg, heard_at) for seg in (4, 8, 12)]
    assert all(".." not in text(bridge) for bridge in every)


def test_a_host_of_another_language_says_nothing_in_english() -> None:
    task = host(language="es")
    assert bridges.opening(task, SEVEN) is None
    assert bridges.ident(task, 4, SEVEN) is None
    assert bridges.hand_over(task, task.until) is None
