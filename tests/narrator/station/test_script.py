"""The script of a run: whatever the pieces, cuts and kills, each sentence that stands comes once."""

import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radio.narrator.station.script import Script
from radio.streams.records import (
    SCRIPT_START,
    Again,
    AnyRecord,
    Cut,
    ScriptEnd,
    ScriptPosition,
    ScriptStart,
    Text,
)


def text(body: str, seg: int = 0) -> Text:
    return Text(seg=seg, body=body.encode())


def scripted(*events: AnyRecord) -> Script:
    script = Script()
    for seq, event in enumerate(events):
        script.fold(seq, event)
    return script


def taken(script: Script) -> list[tuple[str, str]]:
    out = []
    while script.next:
        sentence = script.take()
        out.append((sentence.text, str(sentence.src)))
    return out


BEGIN = ScriptStart(attempt=1, keep=SCRIPT_START)


def test_sentences_come_with_the_position_at_which_they_end() -> None:
    script = scripted(
        BEGIN, text("The tide turns at ni"), text("ne. Bring a lamp for it."), ScriptEnd(reason="done")
    )
    assert taken(script) == [("The tide turns at nine.", "2:3"), ("Bring a lamp for it.", "2:24")]
    assert script.is_over


def test_positions_count_bytes() -> None:
    script = scripted(BEGIN, text("Müller grüßt die Stadt. "), ScriptEnd(reason="done"))
    assert taken(script) == [("Müller grüßt die Stadt.", "1:26")]


def test_a_piece_that_is_no_text_leaves_the_positions_of_the_others_right() -> None:
    script = scripted(BEGIN, text("The tide turns at nine. "))
    with pytest.raises(UnicodeDecodeError):
        script.fold(2, Text(seg=0, body=b"Bring a \xff lamp. "))
    script.fold(3, text("Mind the third step. "))
    script.fold(4, ScriptEnd(reason="done"))
    assert taken(script) == [("The tide turns at nine.", "1:23"), ("Mind the third step.", "3:20")]


def test_nothing_is_over_before_the_script_ends() -> None:
    script = scripted(BEGIN, text("The tide turns at nine. And then we go"))
    assert [t for t, _ in taken(script)] == ["The tide turns at nine."]
    assert not script.is_over
    script.fold(2, ScriptEnd(reason="done"))
    assert [t for t, _ in taken(script)] == ["And then we go"]
    assert script.is_over


def test_what_is_cut_before_it_was_taken_is_not_spoken() -> None:
    script = scripted(
        BEGIN, text("The tide turns at nine. A false thing is said. "), Cut(keep=ScriptPosition(1, 23))
    )
    script.fold(3, text(" Bring a lamp for it.\n\n"))
    assert [t for t, _ in taken(script)] == ["The tide turns at nine.", "Bring a lamp for it."]


def test_what_was_taken_stands_though_it_is_cut() -> None:
    script = scripted(BEGIN, text("The tide turns at nine. A false thing is said. And this is so"))
    assert [script.take().text, script.take().text] == ["The tide turns at nine.", "A false thing is said."]
    script.fold(2, Cut(keep=ScriptPosition(1, 23)))
    script.fold(3, text(" Bring a lamp for it.\n\n"))
    assert [t for t, _ in taken(script)] == ["Bring a lamp for it."]


def test_a_sentence_may_join_text_from_before_and_after_a_cut() -> None:
    script = scripted(
        BEGIN, text("The tide turns at ni gibberish"), Cut(keep=ScriptPosition(1, 20)), text("ne sharp.\n\n")
    )
    assert taken(script) == [("The tide turns at nine sharp.", "3:9")]


def test_a_new_attempt_keeps_what_it_says() -> None:
    script = scripted(BEGIN, text("The tide turns at nine. Half of a sen"))
    script.fold(2, ScriptStart(attempt=2, keep=ScriptPosition(1, 24)))
    script.fold(3, text("Bring a lamp for it."))
    script.fold(4, ScriptEnd(reason="done"))
    assert [t for t, _ in taken(script)] == ["The tide turns at nine.", "Bring a lamp for it."]


def test_who_begins_anew_reads_from_the_record_of_its_position() -> None:
    records: list[AnyRecord] = [
        BEGIN,
        text("One is here today. Two is"),
        text(" here too. Three is the last."),
        ScriptEnd(reason="x"),
    ]
    script = Script(ScriptPosition(1, 18))
    for seq in (1, 2, 3):
        script.fold(seq, records[seq])
    assert taken(script) == [("Two is here too.", "2:10"), ("Three is the last.", "2:29")]


def squeezed(value: str) -> str:
    return re.sub(r"\s", "", value)


@dataclass
class Model:
    """The script after its cuts, kept the slow way: every byte that stands, with its position."""

    stands: list[tuple[ScriptPosition, bytes]] = field(default_factory=list)

    def add(self, seq: int, body: bytes) -> None:
        self.stands += [(ScriptPosition(seq, k + 1), body[k : k + 1]) for k in range(len(body))]

    def void(self, keep: ScriptPosition, src: ScriptPosition) -> None:
        self.stands = [(at, byte) for at, byte in self.stands if at <= max(keep, src)]

    def up_to(self, src: ScriptPosition) -> str:
        return b"".join(byte for at, byte in self.stands if at <= src).decode()

    def all(self) -> str:
        return b"".join(byte for _, byte in self.stands).decode()


bodies = st.lists(
    st.sampled_from(
        [
            "The tide ",
            "turns at nine. ",
            "Dr. ",
            "é",
            "ü. ",
            "A lamp",
            "? ",
            "\n\n",
            "3.",
            "14 ",
            "今日は。",
            "x" * 70,
        ]
    ),
    min_size=1,
    max_size=6,
).map("".join)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("text"), bodies),
        st.tuples(st.just("cut"), st.integers(0, 200)),
        st.tuples(st.just("start"), st.integers(0, 200)),
        st.tuples(st.just("take"), st.integers(1, 3)),
        st.tuples(st.just("kill"), st.just(0)),
    ),
    max_size=40,
)


@settings(max_examples=400, deadline=None)
@given(steps)
def test_captions_joined_are_the_script_after_its_cuts_each_sentence_once(
    script_steps: list[tuple[str, str | int]],
) -> None:
    stored: list[AnyRecord] = [BEGIN]
    script, model = scripted(BEGIN), Model()
    captions: list[str] = []
    ends = [SCRIPT_START]

    def append(record: AnyRecord) -> None:
        stored.append(record)
        script.fold(len(stored) - 1, record)

    for kind, value in script_steps:
        if kind == "text":
            model.add(len(stored), str(value).encode())
            append(text(str(value)))
        elif kind in ("cut", "start"):
            keep = _border(model, int(value))
            model.void(keep, script.src)
            append(Cut(keep=keep) if kind == "cut" else ScriptStart(attempt=2, keep=keep))
        elif kind == "take":
            for _ in range(int(value)):
                if script.next:
                    captions.append(script.take().text)
                    ends.append(script.src)
        else:
            script = Script(script.src)
            for seq in range(script.src.seq, len(stored)):
                script.fold(seq, stored[seq])
        assert squeezed("".join(captions)) == squeezed(model.up_to(script.src))
    append(ScriptEnd(reason="done"))
    while script.next:
        captions.append(script.take().text)
        ends.append(script.src)
    assert script.is_over
    assert squeezed("".join(captions)) == squeezed(model.all())
    assert ends == sorted(set(ends))


def _border(model: Model, k: int) -> ScriptPosition:
    """A position at the end of a character that stands."""
    whole = [at for n, (at, _) in enumerate(model.stands) if _ends_character(model, n)]
    return whole[k % len(whole)] if whole else SCRIPT_START


def _ends_character(model: Model, n: int) -> bool:
    following = model.stands[n + 1][1] if n + 1 < len(model.stands) else b"x"
    return following[0] & 0xC0 != 0x80


A1, A2, B1, B2 = "The tide turns at nine. ", "Bring a lamp for it. ", "Now the weather. ", "It will rain. "
LAMP = "Bring a good lamp and a long rope, and "


def test_a_segment_that_is_skipped_is_passed_over_from_what_was_taken_last_on() -> None:
    script = scripted(BEGIN, text(A1), text(A2), text(B1, 1), text(B2, 1), ScriptEnd(reason="done"))
    assert script.take().text == A1.strip()
    script.skip_segment()
    assert script.has_passed
    script.take_passed()
    assert script.src == ScriptPosition(2, len(A2))
    assert not script.has_passed
    assert [t for t, _ in taken(script)] == [B1.strip(), B2.strip()]
    assert script.is_over


def test_what_comes_later_of_a_skipped_segment_is_passed_over_too() -> None:
    script = scripted(BEGIN, text(A1), text(LAMP))
    assert script.take().text == A1.strip()
    script.skip_segment()
    script.take_passed()
    assert script.src == ScriptPosition(2, len(LAMP))
    script.fold(3, text("lamp for it. "))
    assert script.next is None
    script.take_passed()
    assert script.src == ScriptPosition(3, 13)
    script.fold(4, text(B1, 1))
    script.fold(5, text(B2, 1))
    assert script.take().text == B1.strip()
    script.fold(6, ScriptEnd(reason="done"))
    assert [t for t, _ in taken(script)] == [B2.strip()]


@pytest.mark.parametrize("known", range(3, 7))
def test_who_begins_anew_after_a_skip_takes_the_same_sentences(known: int) -> None:
    events: list[AnyRecord] = [BEGIN, text(A1), text(A2), text(A1), text(B1, 1), text(B2, 1)]
    events.append(ScriptEnd(reason="done"))
    first = Script()
    for seq, event in enumerate(events[:known]):
        first.fold(seq, event)
    first.take()
    first.skip_segment()
    first.take_passed()
    src = first.src
    second = Script(src, is_skipping=True)
    for seq, event in enumerate(events):
        if seq >= src.seq:
            second.fold(seq, event)
    assert [t for t, _ in taken(second)] == [B1.strip(), B2.strip()]


def test_a_skip_before_anything_was_taken_passes_nothing_over() -> None:
    script = scripted(BEGIN, text(A1), text(A2))
    script.skip_segment()
    assert not script.has_passed
    assert script.take().text == A1.strip()


def test_a_segment_of_sound_is_skipped_like_text() -> None:
    again = Again(seg=0, first=10, last=13, d=8000)
    script = scripted(BEGIN, again, text(B1, 1), ScriptEnd(reason="done"))
    script.take_again(1)
    script.skip_segment()
    script.take_passed()
    assert script.src == ScriptPosition(1, 4)
    assert [t for t, _ in taken(script)] == [B1.strip()]


def test_what_a_cut_voids_of_a_skipped_segment_is_not_passed_over() -> None:
    script = scripted(BEGIN, text(A1), text(A2))
    script.take()
    script.skip_segment()
    script.fold(3, Cut(keep=ScriptPosition(2, 5)))
    script.take_passed()
    assert script.src == ScriptPosition(2, 5)
