# ruff: noqa: E501
"""Faults that voices of others had in public, at edges, levels, files, memory and callers; and the tests that hold what is right here."""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CASES = {
    "58 first words missing": "speech/engines/test_engines::test_tokens_are_padded_at_both_ends_and_unknown_symbols_are_left_out",
    "62 initial vowels cut": "speech/test_shaping::test_at_least_50_ms_lie_around_the_sound_however_tight_the_model_cuts",
    "62 a soft onset": "speech/test_shaping::test_a_soft_onset_is_not_cut",
    "63 leading silence per piece": "speech/test_joins::test_twelve_joined_records_click_nowhere_and_pause_as_meant",
    "64 click at every end": "speech/test_shaping::test_a_fade_begins_and_ends_at_nothing_and_never_silences_a_short_sound",
    "65 click at the begin of pieces": "speech/test_joins::test_twelve_joined_records_click_nowhere_and_pause_as_meant",
    "66 a fade that silences a short clip": "speech/test_shaping::test_a_fade_begins_and_ends_at_nothing_and_never_silences_a_short_sound",
    "67 click where sound is cut": "speech/test_shaping::test_pieces_of_a_sentence_are_joined_with_short_pauses",
    "68 a header played as sound": "mp3/test_decoder::test_a_wav_of_known_length_says_so_and_one_of_unknown_length_is_read_to_its_end",
    "69 the end of a file played as sound": "mp3/test_decoder::test_a_length_that_no_wav_can_state_is_left_open",
    "70 loud sound wraps": "mp3/test_encoder::test_too_loud_samples_are_clipped_not_wrapped",
    "72 loudness by sentence": "speech/test_levels::test_a_blend_has_the_mean_gain_of_its_parts_whatever_its_speed",
    "73 voices of different level": "speech/test_levels::test_every_voice_is_within_one_unit_of_the_target",
    "74 an export that is too loud": "speech/engines/test_engines::test_both_engines_are_equally_loud_and_the_exports_excess_is_mended",
    "75 a gap at each piece": "mp3/test_decoder::test_records_decoded_one_by_one_join_as_if_decoded_at_once",
    "77 longer by 50 ms a piece": "mp3/test_decoder::test_a_record_is_as_long_as_its_frames_to_the_sample",
    "78 gaps that grow": "speech/test_joins::test_twelve_joined_records_click_nowhere_and_pause_as_meant",
    "79 silence of the encoder's delay": "mp3/test_encoder::test_what_is_decoded_is_as_long_as_its_frames_and_lies_where_it_should",
    "81 only the first piece plays": "mp3/test_encoder::test_many_records_join_without_an_error_and_without_a_click",
    "82 the end is lost": "mp3/test_decoder::test_what_was_spoken_comes_back_where_it_was",
    "83 a decoder that fails": "mp3/test_encoder::test_any_frame_is_a_legal_start_and_silence_fits_anywhere",
    "84 memory grows by text": "speech/engines/test_memory::test_memory_is_flat_from_sentence_500_to_2000",
    "85 memory grows by request": "speech/engines/test_memory::test_memory_is_flat_from_sentence_500_to_2000",
    "86 kernels kept for each length": "speech/engines/test_torch::test_torch_keeps_few_kernels",
    "87 memory in stairs": "speech/engines/test_memory::test_memory_is_flat_from_sentence_500_to_2000",
    "88 voices read again and again": "narrator/test_voice_callers::test_a_voice_is_read_once_and_a_blend_is_made_in_memory",
    "90 patterns kept for each length": "speech/test_speaker::test_memory_stays_flat",
    "91 memory after a few texts": "native/test_engine::test_memory_stays_flat_over_fifteen_sentences",
    "92 threads that leak": "narrator/test_broken_voice::test_a_voice_that_never_answers_ends_the_narrator",
    "93 a voice that hangs": "narrator/test_broken_voice::test_a_voice_that_never_answers_ends_the_narrator",
    "94 espeak from several threads": "narrator/test_voice_callers::test_the_g2p_has_one_caller_at_a_time_however_many_threads_ask",
    "95 another's speech": "native/test_engine::test_two_callers_do_not_mix",
    "96 blends in one file": "narrator/test_voice_callers::test_a_voice_is_read_once_and_a_blend_is_made_in_memory",
    "97 a blend taken for a file's name": "relay/speech/test_speech_routes::test_what_is_wrong_is_named_with_a_hint",
    "98 made for nobody": "relay/speech/test_speech_routes::test_a_client_that_leaves_is_waited_for_no_longer",
    "99 closed while in use": "relay/speech/test_speech_routes::test_a_relay_that_closes_leaves_nobody_waiting",
    "100 a client that left unseen": "relay/speech/test_speech_routes::test_a_client_that_leaves_is_waited_for_no_longer",
    "101 two at once": "narrator/cast/test_lane::test_casts_are_spoken_beside_a_station_and_several_at_once",
    "102 one file for two": "mp3/test_encoder::test_two_threads_may_encode_at_once",
    "103 a task that nobody ends": "test_thread_iteration::test_an_error_crosses_after_the_items_before_it",
    "105 a sentence that fails in silence": "narrator/station/test_lane::test_a_sentence_that_cannot_be_spoken_is_skipped_with_a_record",
    "106 a load that stops all": "narrator/test_voice_callers::test_the_relay_loads_no_model",
}  # fmt: skip
"""By case, the test as `file::function`."""


@cache
def functions(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS / f"{file}.py").read_text(encoding="utf-8"))
    found = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(name for name in found if name.startswith("test_"))


@pytest.mark.parametrize("case", CASES)
def test_each_case_has_its_test(case: str) -> None:
    file, _, name = CASES[case].partition("::")
    assert name in functions(file)
