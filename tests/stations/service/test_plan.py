from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from radio import producer_kinds
from radio.runs import from_json, to_json
from radio.stations.definition.station import Station
from radio.stations.service import plan
from radio.stations.service.run_history import StationHistory, folded
from radio.streams.contract import MAX_BATCH_BYTES
from radio.streams.records import AnyRecord, Begin, RunEnd, encode
from tests.stations.samples import station
from tests.stations.timetable.test_timetable import moments, ms, stations

MINUTE = 60_000
SEVEN = ms("2026-12-01T06:00")
HARBOR = station('id: brief, at: "07:00", length: 30m', 'id: wires, at: "07:30", length: 30m')


def runs(begins: tuple[Begin, ...]) -> list[str]:
    return [begin.run for begin in begins]


def after(history: StationHistory, *begins: Begin) -> StationHistory:
    return folded(enumerate([*history.begun.values(), *begins]))


def test_a_run_begins_a_minute_ahead_and_not_before() -> None:
    assert plan.plan(HARBOR, StationHistory(), SEVEN - MINUTE - 1).begin == ()
    (begin,) = plan.plan(HARBOR, StationHistory(), SEVEN - MINUTE).begin
    assert (begin.run, begin.at, begin.until) == ("brief@20261201T0700", SEVEN, SEVEN + 30 * MINUTE)
    assert (begin.voice, begin.producer, begin.title) == ("af_heart", "llm", "T")


def test_a_run_that_was_missed_is_joined_in_progress() -> None:
    assert runs(plan.plan(HARBOR, StationHistory(), SEVEN + 10 * MINUTE).begin) == ["brief@20261201T0700"]


def test_a_run_of_which_nothing_is_left_does_not_begin() -> None:
    assert runs(plan.plan(HARBOR, StationHistory(), SEVEN + 30 * MINUTE - 1000).begin) == [
        "wires@20261201T0730"
    ]


def test_a_run_that_began_never_begins_again() -> None:
    now = SEVEN + MINUTE
    history = after(StationHistory(), *plan.plan(HARBOR, StationHistory(), now).begin)
    assert plan.plan(HARBOR, history, now).begin == ()
    history.fold(9, RunEnd(run="brief@20261201T0700", reason="done"))
    assert plan.plan(HARBOR, history, now).begin == ()


def test_a_run_ends_when_its_time_is_over() -> None:
    history = after(StationHistory(), *plan.plan(HARBOR, StationHistory(), SEVEN).begin)
    assert plan.plan(HARBOR, history, SEVEN + 30 * MINUTE - 1).end == ()
    assert plan.plan(HARBOR, history, SEVEN + 30 * MINUTE).end == ("brief@20261201T0700",)


def test_a_reload_never_changes_a_run_on_air() -> None:
    history = after(StationHistory(), *plan.plan(HARBOR, StationHistory(), SEVEN).begin)
    changed = station('id: other, at: "07:10", length: 40m')
    assert plan.plan(changed, history, SEVEN + 15 * MINUTE).begin == ()
    (begin,) = plan.plan(changed, history, SEVEN + 29 * MINUTE).begin
    assert (begin.run, begin.at) == ("other@20261201T0710", SEVEN + 30 * MINUTE)


def test_a_fallback_hinders_no_show() -> None:
    history = after(
        StationHistory(),
        plan.fallback_begin(HARBOR, "fallback@3", SEVEN - 10 * MINUTE, rung="own", producer="llm"),
    )
    assert runs(plan.plan(HARBOR, history, SEVEN).begin) == ["brief@20261201T0700"]


@settings(deadline=None)
@given(stations(), moments)
def test_looking_when_told_begins_each_run_once_and_in_time(harbor: Station, start: int) -> None:
    history, now, seq = StationHistory(), start, 0
    while now < start + 26 * 3_600_000:
        todo = plan.plan(harbor, history, now)
        ends = [RunEnd(run=run, reason="until") for run in todo.end]
        records: list[AnyRecord] = [*todo.begin, *ends]
        for record in records:
            history.fold(seq, record)
            seq += 1
        assert todo.look_at > now
        now = todo.look_at
    due = [
        slot for slot in harbor.timetable.due(start, start + 24 * 3_600_000) if slot.until - slot.at > 2000
    ]
    assert {slot.run for slot in due} <= history.begun.keys()
    assert all(history.begun[slot.run].at == slot.at for slot in due)


@settings(deadline=None)
@given(stations(), moments, st.integers(1, 3))
def test_a_look_between_changes_nothing_before_it_is_time(harbor: Station, now: int, parts: int) -> None:
    todo = plan.plan(harbor, StationHistory(), now)
    history = after(StationHistory(), *todo.begin)
    between = now + (todo.look_at - now) * parts // 4
    if between > now:
        later = plan.plan(harbor, history, between)
        assert (later.begin, later.end) == ((), ())


def test_an_assignment_holds_what_the_producer_needs_and_survives_its_line() -> None:
    harbor = replace(HARBOR, persona="Ada")
    (begin,) = plan.plan(harbor, StationHistory(), SEVEN).begin
    task = plan.assignment(harbor, begin, 3)
    assert task is not None
    assert from_json(to_json(task)) == task
    assert (task.persona, task.attempt, task.language, task.options["topics"]) == (
        "Ada",
        3,
        "en-us",
        ["tides"],
    )
    assert (task.next_title, task.next_at) == ("T", SEVEN + 30 * MINUTE)
    assert (task.lead_low_s, task.lead_high_s) == (40, 75)


def test_a_show_s_own_voice_persona_and_model_win() -> None:
    harbor = station('id: a, at: "07:00", length: 1h, voice: bf_emma, persona: Bea, model: big.gguf')
    (begin,) = plan.plan(harbor, StationHistory(), SEVEN).begin
    task = plan.assignment(harbor, begin, 1)
    assert task is not None
    assert (task.voice, task.language, task.persona, task.model) == ("bf_emma", "en-gb", "Bea", "big.gguf")


def test_a_run_whose_show_is_gone_has_no_assignment() -> None:
    (begin,) = plan.plan(HARBOR, StationHistory(), SEVEN).begin
    assert plan.assignment(station(), begin, 1) is None


def test_a_fallback_s_assignment_is_the_station_s_and_its_rung_s() -> None:
    begin = plan.fallback_begin(HARBOR, "fallback@7", SEVEN, rung="rerun", producer="rerun")
    task = plan.assignment(HARBOR, begin, 1, options=producer_kinds.Rerun(loop=False))
    assert task is not None
    assert (task.producer, task.options["loop"], task.voice) == ("rerun", False, HARBOR.voice)
    assert plan.assignment(HARBOR, begin, 1) is None


def test_words_are_in_the_show_s_language_else_its_voice_s_else_the_station_s() -> None:
    harbor = replace(HARBOR, language="en-gb")
    show = harbor.shows[0]
    shows = [show, replace(show, voice="ef_dora"), replace(show, language="en")]
    assert [plan.language(harbor, one, one.voice or "af_heart") for one in shows] == ["en-gb", "es", "en"]
    assert plan.language(harbor, None, "af_heart") == "en-gb"
    assert plan.language(HARBOR, None, "bf_emma") == "en-gb"


def test_a_card_tells_a_week_and_no_prompts() -> None:
    harbor = replace(HARBOR, persona="secret", description="Ships.")
    told = plan.card(harbor, SEVEN + MINUTE)
    assert told.days[0] == {
        "run": "brief@20261201T0700",
        "show": "brief",
        "title": "T",
        "at": SEVEN,
        "until": SEVEN + 30 * MINUTE,
    }
    assert len(told.days) == 2 * plan.CARD_DAYS + 1  # the brief of the ninth day begins within
    assert (told.lead, told.keep_ms, told.fallback, told.zone) == ((30, 10), None, "off", "Europe/Berlin")
    assert "secret" not in str(told)


def test_a_card_of_very_many_shows_still_fits_into_a_record() -> None:
    busy = station('id: tick, cron: "* * * * *", length: 1m')
    busy = replace(busy, shows=(replace(busy.shows[0], title="Каждую минуту " * 9),))
    told = plan.card(busy, SEVEN)
    assert [day["at"] for day in told.days[:2]] == [SEVEN, SEVEN + MINUTE]
    assert len(encode(told).body) < 2 * MAX_BATCH_BYTES // 3
    huge = replace(busy, shows=(replace(busy.shows[0], title="x" * MAX_BATCH_BYTES),))
    assert plan.card(huge, SEVEN).days == ()


def test_a_card_is_renewed_at_the_station_s_midnight() -> None:
    assert plan.next_midnight(HARBOR, SEVEN) == ms("2026-12-01T23:00")
