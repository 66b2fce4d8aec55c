import math
from dataclasses import replace
from pathlib import Path

import pytest

from radio.producer_kinds import Topic
from radio.producers.host import prompts
from radio.producers.host.prompts import reach
from radio.runs import Assignment
from tests.producers.samples import assignment

TIDES = Topic(
    topic="the tides", facts=("Most coasts have two high tides.", "The Baltic Sea has almost none.")
)
SMALL = reach(2048, is_small=True)


def host(**changes: object) -> Assignment:
    base = assignment(Path(), title="The Brief", persona="Ada, a calm host.")
    return replace(base, **changes)  # type: ignore[arg-type]


def test_the_chat_names_persona_station_topic_facts_and_the_editor_s_manner() -> None:
    system = prompts.system(host())
    assert system.content.startswith("You are Ada, a calm host. You talk on the radio station Harbor FM.")
    assert prompts.request(TIDES, "Be brief.", with_facts=True).content == (
        "Talk to the listeners about the tides. "
        "Most coasts have two high tides. The Baltic Sea has almost none. Be brief."
    )


def test_facts_that_are_about_to_lead_are_not_told_before() -> None:
    assert "Baltic" not in prompts.request(TIDES, "", with_facts=False).content


def test_each_fact_that_is_to_be_told_leads_once() -> None:
    first = prompts.leads(TIDES, SMALL, 0, TIDES.facts)
    assert [lead.given for lead in first if lead.given] == list(TIDES.facts)
    assert all(lead.begun for lead in first)
    assert not any(lead.given for lead in prompts.leads(TIDES, SMALL, 10, ()))


def test_segments_near_each_other_begin_differently() -> None:
    begun = [lead.begun for seg in range(13) for lead in prompts.leads(TIDES, SMALL, seg, ())]
    assert len(set(begun)) == len(begun)


def test_every_opener_has_its_turn() -> None:
    for openers in (prompts.OPENERS, prompts.AFTER_FACTS):
        assert len(set(openers)) == len(openers)
        assert math.gcd(len(openers), 7) == 1


def test_a_larger_model_is_asked_for_a_whole_segment_and_remembers_more() -> None:
    large = reach(8192, is_small=False)
    assert prompts.leads(TIDES, large, 0, TIDES.facts) == [prompts.LeadIn("", "", large.sentences)]
    assert SMALL.memory_tokens < reach(2048, is_small=False).memory_tokens < large.memory_tokens


@pytest.mark.parametrize(
    ("persona", "names"),
    [
        ("Ada, a calm host.", ("Ada",)),
        ("You are Ada Grey, a calm host.", ("Ada Grey",)),
        ("a calm host who loves ships", ()),
        ("", ()),
    ],
)
def test_the_host_s_name_is_the_persona_s_begin(persona: str, names: tuple[str, ...]) -> None:
    assert prompts.host_names(persona) == names
