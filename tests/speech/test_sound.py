"""Sound that is not spoken: clips, and stretches of the broadcast that are heard again."""

import asyncio
from pathlib import Path

import pytest

from radio import control
from radio.mp3 import SILENCE_FRAME
from radio.narrator.station.broadcast import RunProgress
from radio.narrator.station.run_reader import RunReader
from radio.narrator.station.script import Script, ScriptAgain, ScriptClip
from radio.redaction import REDACT, spell
from radio.runs import Run
from radio.streams import names, records
from radio.streams.records import SCRIPT_START, Again, AnyRecord, Clip, Cut, ScriptEnd, ScriptPosition, Text
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, assert_exact, memory_studio

OLD = "story@20261128T0700"


def clip(caption: str, frames: int = 3) -> Clip:
    return Clip(seg=0, d=frames * 24, t=caption, body=SILENCE_FRAME * frames)


def text(body: str) -> Text:
    return Text(seg=0, body=body.encode())


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def aired(studio: Studio, count: int = 3) -> list[int]:
    """An earlier run was on air and is archived; the seqs of its sound."""
    begin = await studio.begin(OLD, show="story")
    await studio.script(*(f"The old story has line {k}. " for k in range(count)), run=OLD)
    async with studio.narrator():
        await studio.archived(OLD)
    assert begin.run == OLD
    return [r.seq for r in await studio.stored(names.broadcast(STATION)) if records.event_of(r) == "audio"]


async def write(studio: Studio, *events: AnyRecord) -> None:
    begin = records.ScriptStart(attempt=1, keep=SCRIPT_START)
    await studio.write(names.script(STATION, RUN), begin, *events, ScriptEnd(reason="done"))


def again(first: int, last: int) -> Again:
    return Again(seg=0, first=first, last=last, d=1000)


# --- the fold -----------------------------------------------------------------------------------------------


def folded(*events: AnyRecord, src: ScriptPosition = SCRIPT_START) -> Script:
    script = Script(src)
    for seq, event in enumerate(events):
        if seq >= src.seq:
            script.fold(seq, event)
    return script


def test_a_clip_ends_the_sentence_before_it_and_stands_alone() -> None:
    script = folded(
        text("Here is a tune"), clip("A tune"), text("It was quite a short tune. And now we go on")
    )
    assert script.take().text == "Here is a tune"
    item = script.take()
    assert isinstance(item, ScriptClip)
    assert (item.text, item.d, item.src) == ("A tune", 72, ScriptPosition(1, 1))
    assert script.take().text == "It was quite a short tune."
    assert script.next is None


def test_a_stretch_is_taken_record_by_record_and_its_offset_counts_them() -> None:
    events = (again(10, 14), text("After it."), ScriptEnd(reason="done"))
    script = folded(*events)
    assert script.next == ScriptAgain(10, 14, 1000, ScriptPosition(0, 0))
    script.take_again(2)
    assert script.next == ScriptAgain(12, 14, 600, ScriptPosition(0, 2))
    later = folded(*events, src=script.src)
    assert later.next == script.next
    script.take_again(3)
    assert script.take().text == "After it."
    assert script.is_over


@pytest.mark.parametrize(
    ("keep", "left"),
    [(ScriptPosition(0, 25), []), (ScriptPosition(1, 0), []), (ScriptPosition(1, 1), ["A tune"])],
)
def test_sound_after_a_cut_is_void(keep: ScriptPosition, left: list[str]) -> None:
    script = folded(text("One thing is said here.\n\n"), clip("A tune"), again(1, 2), Cut(keep=keep))
    assert script.take().text == "One thing is said here."
    assert [item.text for item in [script.next] if isinstance(item, ScriptClip)] == left


def test_a_stretch_may_be_cut_within_and_what_was_taken_of_it_stands() -> None:
    script = folded(again(10, 19), Cut(keep=ScriptPosition(0, 4)))
    script.take_again(2)
    assert script.next == ScriptAgain(12, 13, 200, ScriptPosition(0, 2))
    script.fold(2, Cut(keep=ScriptPosition(0, 1)))
    assert script.next is None
    assert script.src == ScriptPosition(0, 2)


# --- on air -------------------------------------------------------------------------------------------------


async def test_clips_and_copies_are_heard_in_their_place_without_the_voice(studio: Studio) -> None:
    seqs = await aired(studio)
    old = [e for e in await studio.on_air(OLD) if isinstance(e, records.Audio)]
    await studio.begin()
    events = (text("Here is a tune"), clip("A tune", 500), again(0, seqs[-1]), text("That was it."))
    await write(studio, *events)
    speaker = QuickSpeaker()
    async with studio.narrator(speaker):
        entry = await studio.archived()
    sentences = [e for e in await studio.on_air() if isinstance(e, records.Audio)]
    captions = [e.t for e in sentences]
    assert captions == ["Here is a tune", "A tune", *(e.t for e in old), "That was it."]
    assert speaker.said == ["Here is a tune", "That was it."]
    assert [e.body for e in sentences[2:5]] == [e.body for e in old]
    assert sentences[1].d == 12_000
    copied = [e.src for e in sentences[2:5]]
    assert copied == [ScriptPosition(3, seq + 1) for seq in seqs]
    assert [e.of for e in sentences] == [None, None, *seqs, None]
    assert_exact(sentences, await studio.broadcast())
    assert entry.sentences == len(captions)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("dies_at", range(12))
async def test_killed_at_any_append_each_sound_is_heard_once(
    studio: Studio, dies_at: int, after: bool
) -> None:
    seqs = await aired(studio)
    await studio.begin()
    await write(
        studio, text("Here is a tune"), clip("One"), clip("Two"), again(0, seqs[-1]), text("That was it.")
    )
    await studio.killed_narrator(dies_at, after=after, until_over="none")
    async with studio.narrator():
        await studio.archived()
    lines = [f"The old story has line {k}." for k in range(3)]
    assert await studio.captions() == ["Here is a tune", "One", "Two", *lines, "That was it."]
    assert_exact(await studio.on_air(), await studio.broadcast())


async def test_what_is_not_kept_any_more_is_skipped_with_a_record(studio: Studio) -> None:
    seqs = await aired(studio)
    await studio.store.trim(names.broadcast(STATION), seqs[1])
    await studio.begin()
    await write(studio, again(seqs[0], seqs[0]), again(seqs[0], seqs[-1]), text("That was it."))
    async with studio.narrator():
        await studio.finished()
    found = await studio.on_air()
    told = [(e.reason, e.src) if isinstance(e, records.Skip) else e.t for e in found]
    assert told == [
        ("gone", ScriptPosition(1, 1)),
        ("gone", ScriptPosition(2, 1)),
        "The old story has line 1.",
        "The old story has line 2.",
        "That was it.",
    ]
    assert [e.i for e in found] == list(range(5))


async def test_what_an_editor_had_said_in_an_earlier_run_is_not_heard_again(studio: Studio) -> None:
    await control.ask(studio.store, control.SAY, STATION, ["The ferry at nine is cancelled."])
    seqs = await aired(studio, 4)
    assert len(seqs) == 5
    await studio.begin()
    await write(studio, again(seqs[0], seqs[-1]))
    async with studio.narrator():
        await studio.finished()
    assert await studio.captions() == [f"The old story has line {k}." for k in range(4)]


async def test_what_is_redacted_is_not_heard_again(studio: Studio) -> None:
    seqs = await aired(studio, 5)
    await control.ask(studio.store, REDACT, STATION, [spell(seqs[1], seqs[2]), spell(seqs[4], seqs[4])])
    await studio.begin()
    await write(studio, again(seqs[0], seqs[-1]), again(seqs[1], seqs[2]), text("That was it."))
    async with studio.narrator():
        await studio.finished()
    lines = ["The old story has line 0.", "The old story has line 3.", "That was it."]
    assert await studio.captions() == lines
    assert_exact(await studio.on_air(), await studio.broadcast())


async def test_a_copy_of_a_copy_names_the_first_and_goes_with_it(studio: Studio) -> None:
    seqs = await aired(studio)
    copies = seqs
    for run in ("again@1", "again@2", RUN):
        await studio.begin(run)
        begin = records.ScriptStart(attempt=1, keep=SCRIPT_START)
        script = names.script(STATION, run)
        await studio.write(script, begin, again(copies[0], copies[-1]), ScriptEnd(reason="done"))
        if run == RUN:
            await control.ask(studio.store, REDACT, STATION, [spell(seqs[1], seqs[1])])
        async with studio.narrator():
            await studio.finished(run)
        stored = await studio.stored(names.broadcast(STATION))
        copies = [r.seq for r in stored if records.event_of(r) == "audio"][-len(seqs) :]
        heard = [e.of for e in await studio.on_air(run) if isinstance(e, records.Audio)]
        assert heard == ([seqs[0], seqs[2]] if run == RUN else seqs)


async def test_what_was_looked_up_to_be_heard_again_is_dropped_when_it_is_redacted(studio: Studio) -> None:
    seqs = await aired(studio)
    begin = await studio.begin()
    await write(studio, again(seqs[0], seqs[-1]))
    place = RunProgress(next_i=0, src=SCRIPT_START)
    run = Run(seq=0, begun_ms=0, plan=begin)
    reader = RunReader(studio.store, STATION, run, place, asyncio.Event())
    await reader.load()
    await reader.fill()
    assert reader.is_filled
    await control.ask(studio.store, REDACT, STATION, [spell(seqs[0], seqs[1])])
    await reader.fill()
    assert reader.begin().text == "The old story has line 2."


async def test_a_stretch_beyond_the_broadcast_and_one_without_sound_hold_nothing_up(studio: Studio) -> None:
    await studio.begin()
    await write(studio, again(0, 0), again(5000, 6000), text("That was it."))
    async with studio.narrator():
        await studio.finished()
    told = [e.reason if isinstance(e, records.Skip) else e.t for e in await studio.on_air()]
    assert told[-1] == "That was it."
    assert told[:-1] == ["gone"]


@pytest.mark.parametrize("body", [b"", b"no sound", SILENCE_FRAME * 501, SILENCE_FRAME[:-1] * 2])
async def test_a_clip_that_is_not_of_our_format_is_skipped_with_a_record(studio: Studio, body: bytes) -> None:
    await studio.begin()
    await write(studio, Clip(seg=0, d=24, t="Broken", body=body), text("That was it."))
    async with studio.narrator():
        await studio.finished()
    told = [e.reason if isinstance(e, records.Skip) else e.t for e in await studio.on_air()]
    assert told == ["broken", "That was it."]


async def test_a_run_of_copies_ends_with_its_time(studio: Studio) -> None:
    seqs = await aired(studio)
    begin = await studio.begin(length_s=12)
    await write(studio, *(again(seqs[0], seqs[-1]) for _ in range(60)))
    async with studio.narrator():
        await studio.finished()
    sounds = [e for e in await studio.on_air() if isinstance(e, records.Audio)]
    assert 1 < len(sounds) < 180
    assert all(e.at is not None and begin.until - e.at > 2000 for e in sounds)
