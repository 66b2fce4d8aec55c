from dataclasses import replace
from pathlib import Path

import pytest

from radio.kinds import Topic
from radio.producers import prompts
from radio.runs import Assignment
from tests.producers.samples import assignment
from tests.stations.test_timetable import ms

TIDES = Topic(
    topic="the tides", facts=("Most coasts have two high tides.", "The Baltic Sea has almost none.")
)
SEVEN = ms("2026-12-01T06:00")


def host(**changes: object) -> Assignment:
    base = assignment(Path(), at=SEVEN, title="The Brief", zone="Europe/Berlin", persona="Ada, a calm host.")
    return replace(base, **changes)  # type: ignore[arg-type]


def test_the_chat_names_persona_station_topic_and_the_editor_s_manner() -> None:
    system, request = prompts.messages(host(), TIDES, turn=1, manner="Be brief.")
    assert system.content.startswith("You are Ada, a calm host. You talk on the radio station Harbor FM.")
    assert request.content == (
        "Talk to the listeners about the tides. "
        "Most coasts have two high tides. The Baltic Sea has almost none. Be brief."
    )


def test_facts_that_are_about_to_lead_are_not_told_before() -> None:
    assert "Baltic" not in prompts.messages(host(), TIDES, turn=0, manner="")[1].content


def test_the_first_time_each_fact_leads_once_and_later_none_does() -> None:
    first = prompts.leads(TIDES, turn=0)
    assert [lead.text for lead in first if lead.is_whole] == list(TIDES.facts)
    assert not any(lead.is_whole for lead in prompts.leads(TIDES, turn=1))


def test_a_topic_is_led_into_differently_each_time() -> None:
    turns = [tuple(lead.text for lead in prompts.leads(TIDES, turn=n)) for n in range(1, 9)]
    assert len(set(turns)) == 8
    assert all(len(set(turn)) == len(turn) for turn in turns)


@pytest.mark.parametrize(
    ("heard_at", "said"),
    [
        (SEVEN, "Good morning. {} It is 7:00 a.m., and this is The Brief."),
        (SEVEN + 11 * 60_000, "Good morning. {} It is about 7:10 a.m., and this is The Brief."),
        (SEVEN + 5 * 3_600_000, "Good afternoon. {} It is about noon, and this is The Brief."),
        (SEVEN + 18 * 3_600_000, "Hello. {} It is about 1:00 a.m., and this is The Brief."),
    ],
)
def test_an_opening_tells_the_time_at_which_it_is_heard(heard_at: int, said: str) -> None:
    assert prompts.bridge(host(), 0, heard_at) == said.format("You are listening to Harbor FM.")


def test_shortly_before_the_next_show_the_host_says_what_comes() -> None:
    task = host(next_title="The Wires", next_at=SEVEN + 60 * 60_000)
    assert prompts.bridge(task, 4, SEVEN + 45 * 60_000).endswith("At 8:00 a.m.: The Wires.")
    assert "The Wires" not in prompts.bridge(task, 4, SEVEN)
    assert prompts.bridge(task, 5, SEVEN) == ""


def test_the_host_says_who_it_is_in_words_that_change_with_time() -> None:
    said = [prompts.bridge(host(), seg, SEVEN + seg * 30_000) for seg in range(4, 100, 4)]
    assert len(set(said)) == len(said)


def test_a_host_of_another_language_says_nothing_in_english() -> None:
    assert prompts.bridge(host(language="es"), 0, SEVEN) == ""
