# ruff: noqa: E501
"""Faults of continuity that radios of others had in public, and the tests that hold what is right here."""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CASES = {
    "C-1 a click and 50 ms more at each join": "mp3/test_encoder::test_many_records_join_without_an_error_and_without_a_click",
    "C-2 frames of two encoders in one stream": "mp3/test_encoder::test_any_frame_is_a_legal_start_and_silence_fits_anywhere",
    "C-3 a bit reservoir that points over a cut": "mp3/test_encoder::test_a_record_is_whole_frames_that_stand_alone",
    "C-4 a listener who joins within a frame": "relay/test_live::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "C-5 another rate on the same mount": "producers/test_audio::*",
    "C-6 a header frame taken for the track's length": "mp3/test_encoder::test_a_record_is_whole_frames_that_stand_alone",
    "C-8 sent at real time without a cushion": "relay/test_live::test_a_listener_stays_ten_seconds_ahead_and_is_sent_what_comes_in_step",
    "C-9 a cushion rebuilt from nothing": "relay/test_pump::test_the_sequence_has_no_gap_never_changes_and_never_runs_ahead_of_what_is_known",
    "C-10 a cushion in bytes": "relay/test_live::test_a_listener_stays_ten_seconds_ahead_and_is_sent_what_comes_in_step",
    "C-11 a spent cushion that is never filled": "relay/test_live::test_a_cushion_that_was_spent_is_filled_again_as_soon_as_there_is_something",
    "C-13 titles ahead of the sound": "relay/test_now::test_a_station_tells_what_is_heard_now_and_not_what_was_made_ahead",
    "C-14 a source slower than real time": "relay/test_live::test_late_audio_is_counted_and_logged",
    "C-16 two clocks that drift": "flow/test_on_air::test_live_carries_the_broadcast_at_the_pace_of_the_clock",
    "C-17 pacing by the wall clock": "relay/test_pump::test_a_wall_clock_that_steps_without_an_epoch_changes_nothing",
    "C-18 a click at an edge": "narrator/test_speaker::test_joined_records_click_nowhere",
    "C-19 an item's end that interrupts the stream": "relay/test_live::test_ffmpeg_decodes_the_live_stream_without_an_error",
    "C-20 waiting for what never comes": "stations/test_desk::test_a_dry_station_gets_its_fallback_and_a_fed_one_loses_it",
    "C-22 healthy, and silent": "relay/test_health::test_the_radio_is_ready_while_every_station_that_should_be_heard_is",
    "C-23 nothing scheduled": "relay/test_now::test_off_is_a_state_of_its_own_and_a_fallback_a_kind",
    "C-25 two voices at once": "relay/test_pump::test_the_sequence_has_no_gap_never_changes_and_never_runs_ahead_of_what_is_known",
    "C-26 an item ended before its last frame": "narrator/test_sound::test_clips_and_copies_are_heard_in_their_place_without_the_voice",
    "C-28 all talk made at the show's start": "producers/test_clocks::*",
    "C-30 work in the loop that sends": "relay/test_live::test_a_listener_who_never_reads_is_dropped_alone",
    "F-12 hours without their zone": "relay/test_archive::test_the_timetable_is_told_in_the_stations_own_time",
}  # fmt: skip
"""By case, the test as `file::function`, or all of a file. C-12, C-21 and C-29 do not arise: one format, no
sources that connect, and a fallback of the editor's own."""


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / f"{file}.py").read_text(encoding="utf-8"))
    found = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(name for name in found if name.startswith("test_"))


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_its_test(case: str) -> None:
    file, _, name = CASES[case].partition("::")
    assert functions(file)
    assert name == "*" or name in functions(file)
