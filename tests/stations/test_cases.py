"""Faults that schedules of radios have had in public, each as one small proof that this one has it not."""

from datetime import UTC, datetime
from itertools import pairwise

from radio.stations.service import plan
from radio.stations.service.run_history import StationHistory
from radio.stations.timetable import timetable
from tests.stations.samples import station
from tests.stations.timetable.test_overlaps import clashes
from tests.stations.timetable.test_timetable import HOUR, ms, runs

DAY = 24 * HOUR


def test_f1_each_occurrence_has_the_offset_of_its_own_day() -> None:
    harbor = station('id: brief, at: "07:00", length: 30m')
    slots = harbor.timetable.due(ms("2026-10-23T00:00"), ms("2026-10-27T00:00"))
    assert [timetable.local_time(slot.at, harbor.zone).hour for slot in slots] == [7] * 4
    assert [datetime.fromtimestamp(slot.at / 1000, UTC).hour for slot in slots] == [5, 5, 6, 6]


def test_f3_the_weekday_is_that_of_the_station_s_zone() -> None:
    chatham = station('id: early, at: "00:30", days: mon, length: 1h', zone="Pacific/Chatham")
    (slot,) = chatham.timetable.due(ms("2026-11-27T00:00"), ms("2026-12-04T00:00"))
    assert slot.run == "early@20261130T0030"
    assert datetime.fromtimestamp(slot.at / 1000, UTC).weekday() == 6


def test_f4_of_two_shows_at_a_boundary_one_ends_before_the_other_is_on_air() -> None:
    harbor = station('id: a, at: "07:00", length: 1h', 'id: b, at: "08:00", length: 1h')
    eight = ms("2026-12-01T07:00")
    on_air = [harbor.timetable.show_at(eight + ms_) for ms_ in (-1, 0)]
    assert [slot.show.id for slot in on_air if slot] == ["a", "b"]


def test_f5_overlaps_are_refused_and_both_shows_named() -> None:
    assert clashes('id: a, at: "07:00", length: 2h', 'id: b, cron: "30 8 * * sat", length: 1h') == [
        "a and b overlap (sat 08:30)"
    ]


def test_f8_no_day_is_left_out_where_the_clocks_change() -> None:
    for zone in ("Europe/Berlin", "America/Havana", "Australia/Lord_Howe"):
        harbor = station('id: odd, cron: "15 2 * * *", length: 2h', zone=zone)
        starts = [
            slot.local_start for slot in harbor.timetable.due(ms("2026-01-01T12:00"), ms("2028-01-01T00:00"))
        ]
        assert {(two - one).days for one, two in pairwise(starts)} == {1}


def test_f9_what_the_clocks_repeat_airs_once_and_what_they_skip_airs_at_the_first_instant_after() -> None:
    harbor = station('id: odd, cron: "30 2 * * *", length: 1h')
    spring = harbor.timetable.due(ms("2026-03-29T00:00"), ms("2026-03-29T12:00"))
    autumn = harbor.timetable.due(ms("2026-10-25T00:00"), ms("2026-10-25T12:00"))
    assert [slot.at for slot in spring] == [ms("2026-03-29T01:00")]
    assert [slot.at for slot in autumn] == [ms("2026-10-25T00:30")]


def test_f11_day_of_month_or_weekday_is_enough() -> None:
    harbor = station('id: odd, cron: "0 7 13 * fri", length: 1h')
    days = [
        slot.local_start.day for slot in harbor.timetable.due(ms("2026-12-01T00:00"), ms("2026-12-20T00:00"))
    ]
    assert days == [4, 11, 13, 18]


def test_f14_what_was_missed_while_nobody_looked_is_joined_in_progress_and_never_made_up_for() -> None:
    harbor = station('id: a, at: "07:00", length: 1h', 'id: b, at: "08:00", length: 1h')
    woken = plan.plan(harbor, StationHistory(), ms("2026-12-01T07:20"))
    assert [begin.run for begin in woken.begin] == ["b@20261201T0800"]
    assert runs(harbor.timetable.upcoming(ms("2026-12-01T09:00"), days=1))[0] == "a@20261202T0700"
