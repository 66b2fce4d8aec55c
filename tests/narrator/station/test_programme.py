"""Which run speaks next, when it is over, and when a fallback airs."""

from collections.abc import Container
from dataclasses import dataclass

import pytest

from radio.narrator.station.programme import Programme
from radio.narrator.station.script import Script
from radio.runs import Run, RunHistory
from radio.streams.records import SCRIPT_START, Begin, RunEnd, ScriptEnd, ScriptStart, Text

NOW = 1_800_000_000_000
LONG = " ".join(f"This is the sentence number {k} of many." for k in range(12))


@dataclass
class Open:
    run: Run
    script: Script


def source(
    run: str,
    *,
    at_s: float,
    until_s: float,
    text: str = "",
    is_complete: bool = False,
    producer: str = "text",
) -> Open:
    begin = Begin(
        run=run,
        show=run.partition("@")[0],
        title=run,
        voice="af_heart",
        producer=producer,
        at=NOW + round(at_s * 1000),
        until=NOW + round(until_s * 1000),
    )
    script = Script()
    script.fold(0, ScriptStart(attempt=1, keep=SCRIPT_START))
    if text:
        script.fold(1, Text(seg=0, body=text.encode()))
    if is_complete:
        script.fold(2, ScriptEnd(reason="done"))
    return Open(Run(0, NOW, begin), script)


def programme(
    *sources: Open, end_s: float | None = 20, current: str | None = None, heard: Container[str] = ()
) -> Programme:
    return Programme(None if end_s is None else NOW + round(end_s * 1000), current, list(sources), heard)


def due(p: Programme) -> str | None:
    found = p.due(NOW)
    return found.run.id if found else None


def test_the_first_run_that_is_not_over_is_due() -> None:
    one = source("one@1", at_s=-60, until_s=600, text="Hello to all of you.", is_complete=True)
    two = source("two@2", at_s=600, until_s=900, text=LONG)
    assert due(programme(one, two)) == "one@1"
    one.script.take()
    assert programme(one, two).why_over(one, NOW) == "done"
    assert due(programme(one, two)) == "two@2"


def test_a_run_is_over_when_no_sentence_may_be_begun() -> None:
    one = source("one@1", at_s=-60, until_s=21.9, text=LONG)
    assert programme(one).why_over(one, NOW) == "until"
    assert programme(one, end_s=19.8).why_over(one, NOW) is None


def test_the_lead_counts_from_the_planned_start_of_the_next_run() -> None:
    later = source("two@2", at_s=90, until_s=900, text=LONG)
    assert programme(later, end_s=20).lead_s(NOW) == 90
    assert programme(later, end_s=120).lead_s(NOW) == 120
    assert programme(end_s=None).lead_s(NOW) == 0


def test_only_the_first_audio_of_a_run_waits_for_its_planned_start() -> None:
    """The clock was set back below the start of a run that is on air."""
    one = source("one@1", at_s=3000, until_s=6000, text=LONG)
    first = programme(one, end_s=20)
    assert first.at(one.run, NOW) >= NOW + 3_000_000
    assert first.lead_s(NOW) == 3000
    going_on = programme(one, end_s=20, heard={"one@1"})
    assert NOW + 20_000 <= going_on.at(one.run, NOW) < NOW + 20_024
    assert going_on.lead_s(NOW) == 20
    fallback = source("fallback@7", at_s=-5, until_s=900, text=LONG)
    assert due(programme(one, fallback, heard={"one@1"})) == "one@1"
    assert due(programme(one, fallback)) == "fallback@7"


def test_a_programme_is_dry_without_a_sentence_of_the_run_that_is_due() -> None:
    late = source("one@1", at_s=-60, until_s=600)
    assert programme(late).is_dry(NOW)
    assert programme().is_dry(NOW)
    assert not programme(source("one@1", at_s=-60, until_s=600, text=LONG)).is_dry(NOW)


def test_a_short_gap_before_a_show_is_no_reason_for_a_fallback() -> None:
    soon = source("two@2", at_s=24, until_s=600, text=LONG)
    assert not programme(soon, end_s=20).is_dry(NOW)
    assert programme(soon, end_s=18).is_dry(NOW)


def test_a_fallback_airs_while_the_run_that_is_due_is_dry_and_until_it_has_enough() -> None:
    fallback = source("fallback@7", at_s=-5, until_s=900, text=LONG)
    late = source("one@1", at_s=-60, until_s=600)
    assert due(programme(late, fallback, current="one@1")) == "fallback@7"
    little = source("one@1", at_s=-60, until_s=600, text="Hello to all of you. And now we g")
    assert due(programme(little, fallback, current="one@1")) == "one@1"
    assert due(programme(little, fallback, current="fallback@7")) == "fallback@7"
    much = source("one@1", at_s=-60, until_s=600, text=LONG)
    assert due(programme(much, fallback, current="fallback@7")) == "one@1"
    rest = source("one@1", at_s=-60, until_s=600, text="That is all of it.", is_complete=True)
    assert due(programme(rest, fallback, current="fallback@7")) == "one@1"


def test_little_script_is_better_than_a_fallback_that_has_none() -> None:
    fallback = source("fallback@7", at_s=-5, until_s=900)
    little = source("one@1", at_s=-60, until_s=600, text="Hello to all of you. And now we g")
    assert due(programme(little, fallback, current="fallback@7")) == "one@1"


def test_of_two_fallbacks_the_newest_that_has_something_to_say_airs() -> None:
    older = source("fallback@7", at_s=-500, until_s=900, text=LONG)
    newer = source("fallback@9", at_s=-5, until_s=900)
    assert due(programme(older, newer, current="fallback@7")) == "fallback@7"
    ready = source("fallback@9", at_s=-5, until_s=900, text=LONG)
    assert due(programme(older, ready, current="fallback@7")) == "fallback@9"


def test_a_fallback_fills_the_time_before_a_show_and_ends_for_it() -> None:
    fallback = source("fallback@7", at_s=-5, until_s=900, text=LONG)
    later = source("two@2", at_s=60, until_s=900, text=LONG)
    assert due(programme(later, fallback, end_s=20, current="fallback@7")) == "fallback@7"
    assert due(programme(later, fallback, end_s=58.5, current="fallback@7")) == "two@2"


def test_a_fallback_that_was_ended_is_over_whatever_is_left_of_it() -> None:
    fallback = source("fallback@7", at_s=-5, until_s=900, text=LONG)
    fallback.run.is_ended = True
    assert programme(fallback).why_over(fallback, NOW) == "done"


def test_the_history_begins_each_run_once_and_orders_by_air_time() -> None:
    history = RunHistory()
    one = source("one@1", at_s=60, until_s=90).run.plan
    two = source("two@2", at_s=0, until_s=30).run.plan
    assert history.fold(0, one, NOW) is not None
    assert history.fold(1, two, NOW) is not None
    assert history.fold(2, one, NOW) is None
    assert [run.id for run in history.by_air_time()] == ["two@2", "one@1"]
    ended = history.fold(3, RunEnd(run="two@2", reason="done"), NOW)
    assert ended is not None
    assert ended.is_ended
    assert history.fold(4, RunEnd(run="three@3", reason="done"), NOW) is None


def test_a_station_counts_in_the_load_while_the_voice_must_keep_up_with_it() -> None:
    soon = source("one@1", at_s=59, until_s=600, text=LONG)
    later = source("one@1", at_s=61, until_s=600, text=LONG)
    assert programme(soon, end_s=-1).needs_voice(NOW)
    assert not programme(later, end_s=-1).needs_voice(NOW)
    assert programme(later, end_s=1).needs_voice(NOW)


@pytest.mark.parametrize("producer", ["rerun", "audio"])
def test_sound_that_is_there_already_does_not_count_until_words_are_due(producer: str) -> None:
    again = source("again@1", at_s=-60, until_s=600, producer=producer)
    words = source("one@2", at_s=600, until_s=900, text=LONG)
    assert not programme(again, words).needs_voice(NOW)
    assert programme(again, words, end_s=598).needs_voice(NOW + 599_000)
