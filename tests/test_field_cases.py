# ruff: noqa: E501
"""Faults that radios of others had in public, and the tests that hold what is right here."""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CASES = {
    "A-1 a part of live for a probe": "relay/live/test_live_routes::test_whatever_range_is_asked_for_live_is_the_same_and_nothing_is_said_twice",
    "A-2 a probe counted": "relay/live/test_live_routes::test_the_station_counts_who_stays",
    "A-3 two sockets of one player": "relay/live/test_live_routes::test_two_connections_of_one_player_are_one_listener",
    "A-4 all listeners behind a proxy are one": "relay/http/test_rate_limits::test_only_trusted_hops_say_who_a_client_is",
    "A-5 200 for a probe of two bytes": "relay/live/test_live_routes::test_whatever_range_is_asked_for_live_is_the_same_and_nothing_is_said_twice",
    "A-6 an endless stream with a size": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "A-8 half of Range": "relay/archive/test_replay_routes::test_every_range_of_a_replay_is_what_it_says",
    "A-9 a stream that needs Range": "relay/live/test_live_routes::test_whatever_range_is_asked_for_live_is_the_same_and_nothing_is_said_twice",
    "A-10 no HEAD": "relay/live/test_live_routes::test_head_has_the_headers_of_get_and_ends",
    "A-11 HEAD says 200 of what is not there": "relay/live/test_live_routes::test_a_full_station_says_when_to_come_back",
    "A-13 405 for a probe": "relay/test_routes::test_every_route_answers_get_and_head_with_the_same_status_and_type",
    "A-14 405 for a health check": "relay/test_routes::test_every_route_answers_get_and_head_with_the_same_status_and_type",
    "A-15 a chunked mount refused": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "A-16 chunks heard as ticks": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "A-17 old receivers and chunks": "relay/live/test_live_routes::test_an_old_client_gets_its_own_version_and_a_body_that_ends_with_the_connection",
    "A-18 the size of a chunk decoded": "relay/live/test_live_routes::test_ffmpeg_decodes_the_live_stream_without_an_error",
    "A-19 a parser that knows no chunks": "relay/live/test_live_routes::test_an_old_client_gets_its_own_version_and_a_body_that_ends_with_the_connection",
    "A-20 Transfer-Encoding: identity": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "A-21 a renderer that insists on a length": "relay/live/test_live_routes::test_a_renderer_that_takes_nothing_without_a_length_may_ask_for_one",
    "A-22 no bit rate": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "A-23 an address that is no .mp3": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "A-25 403 where it is full": "relay/live/test_live_routes::test_a_full_station_says_when_to_come_back",
    "A-26 a proxy that keeps sound back": "docs/test_proxies::test_what_the_docs_tell_of_proxies_names_what_players_need",
    "A-27 a proxy is loaded anew": "browser/test_station::test_the_player_comes_back_when_the_relay_does",
    "A-29 a preflight that forbids titles": "relay/live/test_live_routes::test_a_browser_may_ask_before_it_asks",
    "A-30 titles that a page may not read": "relay/live/test_live_routes::test_a_browser_may_ask_before_it_asks",
    "A-31 a header twice": "relay/live/test_live_routes::test_whatever_range_is_asked_for_live_is_the_same_and_nothing_is_said_twice",
    "A-33 old sound out of a cache": "relay/live/test_live_routes::test_whatever_range_is_asked_for_live_is_the_same_and_nothing_is_said_twice",
    "B-1 a name that no header can hold": "relay/live/test_live_routes::test_no_name_of_a_station_can_break_its_stream",
    "B-2 a title that is not Latin": "relay/http/test_header_text::test_whatever_the_name_is_the_header_is_short_printable_ascii",
    "B-3 titles in another alphabet": "relay/live/test_live_routes::test_titles_stand_at_the_exact_distance_and_the_audio_between_them_is_untouched",
    "B-5 a semicolon in a title": "relay/live/test_icy_metadata::test_titles_are_escaped",
    "B-6 quotes in a title": "relay/live/test_icy_metadata::test_a_block_has_its_length_is_padded_and_holds_one_quoted_title",
    "B-7 blocks where nobody wants them": "relay/live/test_icy_metadata::test_blocks_stand_at_the_exact_distance_however_the_audio_comes",
    "B-8 VLC without titles": "relay/live/test_players::test_vlc_plays_and_asks_again_for_titles",
    "B-10 no title at the beginning": "relay/live/test_live_routes::test_titles_stand_at_the_exact_distance_and_the_audio_between_them_is_untouched",
    "B-11 the title of what is not heard yet": "relay/live/test_caption_events::test_a_page_learns_what_its_player_hears",
    "B-12 status that is no JSON": "relay/test_openapi::test_a_relay_answers_as_it_says",
    "B-14 another station's name": "relay/live/test_now_playing::test_a_new_card_is_seen_and_a_new_station_is_found_at_once",
    "C-1 a click and 50 ms more at each join": "mp3/test_encoder::test_many_records_join_without_an_error_and_without_a_click",
    "C-2 frames of two encoders in one stream": "mp3/test_encoder::test_any_frame_is_a_legal_start_and_silence_fits_anywhere",
    "C-3 a bit reservoir that points over a cut": "mp3/test_encoder::test_a_record_is_whole_frames_that_stand_alone",
    "C-4 a listener who joins within a frame": "relay/live/test_live_routes::test_a_live_stream_is_neither_chunked_nor_measured_and_begins_with_the_frame_on_air",
    "C-5 another rate on the same mount": "producers/recordings/test_audio_source::*",
    "C-6 a header frame taken for the track's length": "mp3/test_encoder::test_a_record_is_whole_frames_that_stand_alone",
    "C-8 sent at real time without a cushion": "relay/live/test_live_routes::test_a_listener_stays_ten_seconds_ahead_and_is_sent_what_comes_in_step",
    "C-9 a cushion rebuilt from nothing": "relay/live/test_frame_pump::test_the_sequence_has_no_gap_never_changes_and_never_runs_ahead_of_what_is_known",
    "C-10 a cushion in bytes": "relay/live/test_live_routes::test_a_listener_stays_ten_seconds_ahead_and_is_sent_what_comes_in_step",
    "C-11 a spent cushion that is never filled": "relay/live/test_live_routes::test_a_cushion_that_was_spent_is_filled_again_as_soon_as_there_is_something",
    "C-13 titles ahead of the sound": "relay/live/test_now_playing::test_a_station_tells_what_is_heard_now_and_not_what_was_made_ahead",
    "C-14 a source slower than real time": "relay/live/test_live_routes::test_late_audio_is_counted_and_logged",
    "C-16 two clocks that drift": "flow/test_on_air::test_live_carries_the_broadcast_at_the_pace_of_the_clock",
    "C-17 pacing by the wall clock": "relay/live/test_frame_pump::test_a_wall_clock_that_steps_without_an_epoch_changes_nothing",
    "C-18 a click at an edge": "speech/test_joins::test_twelve_joined_records_click_nowhere_and_pause_as_meant",
    "C-19 an item's end that interrupts the stream": "relay/live/test_live_routes::test_ffmpeg_decodes_the_live_stream_without_an_error",
    "C-20 waiting for what never comes": "stations/service/test_station_service::test_a_dry_station_gets_its_fallback_and_a_fed_one_loses_it",
    "C-22 healthy, and silent": "relay/ops/test_health::test_the_radio_is_ready_while_every_station_that_should_be_heard_is",
    "C-23 nothing scheduled": "relay/live/test_now_playing::test_off_is_a_state_of_its_own_and_a_fallback_a_kind",
    "C-25 two voices at once": "relay/live/test_frame_pump::test_the_sequence_has_no_gap_never_changes_and_never_runs_ahead_of_what_is_known",
    "C-26 an item ended before its last frame": "speech/test_sound::test_clips_and_copies_are_heard_in_their_place_without_the_voice",
    "C-28 all talk made at the show's start": "producers/host/test_clocks::*",
    "C-30 work in the loop that sends": "relay/live/test_live_routes::test_a_listener_who_never_reads_is_dropped_alone",
    "D-1 memory that a slow client takes": "relay/live/test_live_routes::test_a_listener_who_never_reads_is_dropped_alone",
    "D-2 a client that is gone unnoticed": "relay/live/test_caption_events::test_events_end_when_the_reader_leaves",
    "D-3 connections that leak": "relay/test_fuzz::test_no_request_is_a_fault_leaves_a_trace_or_costs_memory",
    "D-5 a count that never goes down": "relay/live/test_live_routes::test_the_station_counts_who_stays",
    "D-6 all come back at once": "browser/test_logic::test_waits_double_up_to_a_minute_and_half_of_each_is_chance",
    "D-7 a browser that keeps the socket": "relay/live/test_live_routes::test_a_listener_who_never_reads_is_dropped_alone",
    "D-8 a retry twice a second for ever": "browser/test_logic::test_waits_double_up_to_a_minute_and_half_of_each_is_chance",
    "D-10 a restart that hangs": "relay/test_app::test_it_ends_in_time_and_cleanly_whoever_still_listens",
    "D-11 a full disk": "flow/test_faults::test_a_full_disk_is_said_and_nothing_is_lost_and_nobody_hears_it_if_there_is_room_again_in_time",
    "D-13 listeners lost with the source": "flow/test_two_narrators::test_nobody_hears_that_the_narrator_of_a_station_is_killed",
    "E-1 a title of what is being sent": "relay/live/test_now_playing::test_a_station_tells_what_is_heard_now_and_not_what_was_made_ahead",
    "E-2 a relay's buffer that nobody tells of": "browser/test_caption_time::test_captions_light_up_with_their_sound_whenever_and_with_whatever_cushion_one_joined",
    "E-3 a title of what was made ahead": "relay/live/test_now_playing::test_a_station_tells_what_is_heard_now_and_not_what_was_made_ahead",
    "E-4 HLS that is taken for live": "browser/test_hls::test_hls_js_plays_live_and_earlier_without_an_error_or_a_drift",
    "E-5 news that is asked for": "relay/live/test_caption_events::test_the_state_is_told_when_it_changes_by_time_alone",
    "E-7 a fixed wait before a caption": "browser/test_caption_time::test_captions_light_up_with_their_sound_whenever_and_with_whatever_cushion_one_joined",
    "E-9 the zone of the listener": "browser/test_station::test_the_timetable_is_in_the_stations_zone",
    "F-12 hours without their zone": "relay/archive/test_archive_routes::test_the_timetable_is_told_in_the_stations_own_time",
    "G-1 a browser that forbids sound": "browser/test_player_faults::test_a_browser_that_forbids_sound_is_told_of_and_the_button_works_again",
    "G-3 a stale minute after a pause": "browser/test_station::test_pause_closes_the_stream_and_resume_is_live",
    "G-4 no watchdog": "browser/test_player_faults::test_sound_that_stands_still_is_opened_again",
    "G-5 a failed status ends the sound": "browser/test_player_faults::test_a_status_that_fails_stops_no_sound",
    "G-7 a sound graph stops on lock": "browser/test_player_faults::test_no_script_puts_sound_together_by_itself",
    "G-8 sources that a browser lacks": "browser/test_player_faults::test_live_sound_is_a_plain_mp3_of_the_audio_element",
    "G-9 a stale lock screen": "browser/test_station::test_the_lock_screen_shows_what_plays",
    "G-10 a gap per chunk": "browser/test_player_faults::test_no_script_puts_sound_together_by_itself",
    "G-11 chunks that drift": "browser/test_player_faults::test_no_script_puts_sound_together_by_itself",
    "H-1 events kept back by a proxy": "relay/live/test_caption_events::test_captions_come_ahead_of_time_from_the_one_heard_now_on",
    "H-2 an idle connection that is cut": "relay/live/test_caption_events::test_a_quiet_stream_is_pinged",
    "H-3 a dead reader": "relay/live/test_caption_events::test_events_end_when_the_reader_leaves",
    "H-4 packed events": "relay/live/test_caption_events::test_a_quiet_stream_is_pinged",
    "H-5 no head until something happens": "relay/live/test_caption_events::test_a_quiet_stream_is_pinged",
    "H-7 all of it again after a reconnect": "relay/live/test_caption_events::test_a_client_goes_on_where_it_was",
    "H-9 a new reader that was here before": "relay/live/test_caption_events::test_a_client_goes_on_where_it_was",
    "H-10 events of somebody else": "relay/live/test_caption_events::test_another_store_or_a_trimmed_place_resets",
    "K-1 all limited at once": "relay/http/test_rate_limits::test_only_trusted_hops_say_who_a_client_is",
    "K-2 one who blocks others": "relay/casts/test_cast_routes::test_submissions_have_a_rate_per_client_and_per_radio",
    "K-3 the same twice": "relay/casts/test_cast_routes::test_a_text_is_submitted_once_and_known_ever_after",
    "K-4 taken, and never heard of again": "relay/casts/test_cast_routes::test_who_waits_sees_the_place_and_the_time",
    "K-6 a length in seconds": "relay/archive/test_podcast::test_each_finished_run_is_an_episode_whose_sound_is_as_long_as_it_says",
    "K-7 an episode without .mp3 or Range": "relay/archive/test_replay_routes::test_a_replay_with_an_end_is_a_file",
    "K-8 a feed that lacks something": "relay/archive/test_podcast::test_it_has_what_players_ask_of_a_feed",
    "K-10 no archive": "relay/archive/test_archive_routes::test_the_archive_lists_what_can_be_heard_again_newest_first",
    "K-11 a replay that cannot be sought in": "relay/archive/test_replay_routes::test_ffmpeg_decodes_and_seeks_in_a_replay_without_an_error",
}  # fmt: skip
"""By case, the test as `file::function`, or all of a file. C-12, C-21 and C-29 do not arise: one format, no
sources that connect, and a fallback of the editor's own; nor D-14, for MP3 is all there is.
G-12 is of apps by others: docs/clients.md tells them."""


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
