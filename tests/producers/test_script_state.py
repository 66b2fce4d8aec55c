import pytest

from radio.producers.script_state import ScriptState, folded
from radio.runs import SPEECH_BYTES_PER_S
from radio.streams.records import Cut, ScriptPosition, ScriptStart, Text


def text(seg: int, words: str) -> Text:
    return Text(seg=seg, body=words.encode())


START = ScriptStart(attempt=1, keep=ScriptPosition(0, 0))


def standing() -> ScriptState:
    return folded([(1, START), (2, text(0, "One. ")), (3, text(0, "Zwölf. ")), (4, text(1, "Two. "))])


def test_all_text_stands_until_it_is_cut() -> None:
    script = standing()
    assert (script.text, script.end, script.next_seg) == ("One. Zwölf. Two. ", ScriptPosition(4, 5), 2)


def test_a_cut_voids_what_lies_after_it() -> None:
    script = standing()
    script.fold(5, Cut(keep=ScriptPosition(3, 8)))
    assert (script.text, script.end, script.next_seg) == ("One. Zwölf. ", ScriptPosition(3, 8), 1)


def test_a_cut_within_a_piece_keeps_its_head() -> None:
    script = standing()
    script.fold(5, Cut(keep=ScriptPosition(3, 4)))
    assert (script.text, script.end) == ("One. Zwö", ScriptPosition(3, 4))


def test_what_is_spoken_stands_whatever_is_cut() -> None:
    script = standing()
    script.hear(ScriptPosition(3, 8))
    script.fold(5, Cut(keep=ScriptPosition(2, 5)))
    assert script.text == "One. Zwölf. "


def test_unspoken_is_what_lies_after_the_narrator() -> None:
    script = standing()
    assert script.unspoken_s == pytest.approx(18 / SPEECH_BYTES_PER_S)
    script.hear(ScriptPosition(3, 6))
    assert script.unspoken_s == pytest.approx(7 / SPEECH_BYTES_PER_S)
    script.hear(ScriptPosition(4, 5))
    assert script.unspoken_s == 0


def test_a_segment_begins_where_the_one_before_ends() -> None:
    script = standing()
    assert script.begin_of(1) == ScriptPosition(3, 8)
    assert script.begin_of(0) == ScriptPosition(0, 0)
