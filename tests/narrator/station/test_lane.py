"""One station: its runs are spoken once, in order, at exact air times, whatever dies in between."""

import asyncio
import re
from pathlib import Path

import pytest

from radio import casts
from radio.narrator import speaking
from radio.narrator.cast.lane import CastLane
from radio.narrator.context import new_context
from radio.pronunciation import NONE, Pronunciations
from radio.speech.speaker import Spoken, Unspeakable
from radio.streams import names, records
from radio.streams.contract import Fence, NewRecord, Unavailable
from radio.streams.ownership.stream_owner import Member
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, assert_exact, memory_studio
from tests.waiting import until

SCRIPT = (
    "Good morning from the harbor. The tide tur",
    "ns at nine this morning. Dr. Brandt has the lamp",
    ", and it burns. Nobody is late today.",
)
SENTENCES = [
    "Good morning from the harbor.",
    "The tide turns at nine this morning.",
    "Dr. Brandt has the lamp, and it burns.",
    "Nobody is late today.",
]


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def test_a_run_is_spoken_to_its_end_and_archived(studio: Studio) -> None:
    begin = await studio.begin(starts_in_s=-1)
    await studio.script(*SCRIPT)
    async with studio.narrator():
        await studio.finished()
        entry = await studio.archived()
    broadcast = await studio.broadcast()
    sentences = await studio.on_air()
    assert [s.t for s in sentences] == SENTENCES
    assert_exact(sentences, broadcast)
    kinds = [type(e).__name__ for e in broadcast]
    assert kinds == ["BroadcastStart", "ShowBegin", "Audio", "Audio", "Audio", "Audio", "BroadcastEnd"]
    [show] = [e for e in broadcast if isinstance(e, records.ShowBegin)]
    assert isinstance(sentences[0], records.Audio)
    assert (show.run, show.show, show.title, show.at) == (RUN, "brief", "Brief", sentences[0].at)
    assert sentences[0].at is not None
    assert sentences[0].at >= begin.at + 3000
    audio = [s for s in sentences if isinstance(s, records.Audio)]
    assert entry.size == sum(len(a.body) for a in audio)
    assert (entry.at, entry.until, entry.sentences) == (audio[0].at, audio[-1].until, 4)
    seqs = [r.seq for r in await studio.stored(names.broadcast(STATION)) if records.event_of(r) == "audio"]
    assert entry.spans == ((seqs[0], seqs[-1]),)


async def test_a_finished_run_leaves_a_receipt(studio: Studio) -> None:
    await studio.begin()
    await studio.script(*SCRIPT)
    async with studio.narrator():
        entry = await studio.archived()
    [receipt] = await studio.receipts()
    assert receipt.id == f"{STATION}/{RUN}"
    assert (receipt.sentences, receipt.skipped, receipt.audio_ms) == (4, 0, entry.size // 8)


async def test_sentences_are_spoken_while_the_script_is_still_written(studio: Studio) -> None:
    await studio.begin()
    await studio.script(SCRIPT[0], is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
        await studio.write(names.script(STATION, RUN), records.Text(seg=0, body=SCRIPT[1].encode()))
        await until(lambda: _count(studio, 2))
    assert await studio.captions() == SENTENCES[:2]


async def _count(studio: Studio, count: int) -> bool:
    return len(await studio.captions()) == count


async def test_an_ended_run_speaks_what_stands_of_its_script(studio: Studio) -> None:
    await studio.begin()
    await studio.script("All is quiet. Half a sentence with", is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
        await studio.end_run()
        await studio.finished()
    assert await studio.captions() == ["All is quiet.", "Half a sentence with"]


async def test_a_run_that_ends_without_any_script_gets_its_end(studio: Studio) -> None:
    await studio.begin()
    await studio.end_run()
    async with studio.narrator():
        await studio.finished()
        await until(lambda: _has_receipt(studio))
        await until(lambda: _is_over(studio))
    assert await studio.events(names.shows(STATION), records.ARCHIVE) == [records.RunOver(run=RUN)]


async def _is_over(studio: Studio) -> bool:
    return "over" in [records.event_of(r) for r in await studio.stored(names.shows(STATION))]


async def _has_receipt(studio: Studio) -> bool:
    return bool(await studio.receipts())


async def test_two_runs_follow_each_other_and_the_next_waits_for_its_planned_start(studio: Studio) -> None:
    await studio.begin(length_s=15)
    later = await studio.begin("wires@20261129T0800", starts_in_s=15, show="wires")
    await studio.script(*SCRIPT)
    await studio.script("The wires have news.", run=later.run)
    async with studio.narrator():
        await studio.finished(later.run)
    broadcast = await studio.broadcast()
    [first] = await studio.on_air(later.run)
    assert isinstance(first, records.Audio)
    assert first.at is not None
    assert later.at <= first.at < later.at + 24
    assert [e.run for e in broadcast if isinstance(e, records.ShowBegin)] == [RUN, later.run]
    assert [e.run for e in broadcast if isinstance(e, records.BroadcastEnd)] == [RUN, later.run]
    audio = [e for e in broadcast if isinstance(e, records.Audio)]
    assert [a.pos for a in audio] == [sum(len(b.body) for b in audio[:k]) for k in range(len(audio))]


async def test_a_run_whose_time_is_over_gives_way_at_a_sentence(studio: Studio) -> None:
    speaker = QuickSpeaker(frames_a_word=20)
    begin = await studio.begin(length_s=12)
    later = await studio.begin("wires@20261129T0800", starts_in_s=12, show="wires")
    await studio.script(" ".join(f"This is sentence number {k} of many." for k in range(40)))
    await studio.script("The wires have news.", run=later.run)
    async with studio.narrator(speaker):
        await studio.finished(later.run)
    audio = [s for s in await studio.on_air() if isinstance(s, records.Audio)]
    assert 1 < len(audio) < 40
    assert all(a.at is not None and begin.until - a.at > 2000 for a in audio)
    [first, *_] = await studio.on_air(later.run)
    assert isinstance(first, records.Audio)
    assert first.at == max(audio[-1].until, -(-later.at // 24) * 24)
    [end, _] = [e for e in await studio.broadcast() if isinstance(e, records.BroadcastEnd)]
    assert end.reason == "until"


async def test_a_run_that_was_missed_is_ended_and_never_replayed(studio: Studio) -> None:
    await studio.begin(starts_in_s=-700)
    await studio.script(*SCRIPT)
    async with studio.narrator():
        await studio.finished()
    assert await studio.captions() == []


async def test_what_is_cut_before_it_is_spoken_is_not_heard(studio: Studio) -> None:
    await studio.begin()
    name = names.script(STATION, RUN)
    await studio.script("All is quiet tonight. A false thing is said here.", is_complete=False)
    await studio.write(
        name,
        records.Cut(keep=records.ScriptPosition(1, 21)),
        records.Text(seg=1, body=b" A true thing is said here."),
        records.ScriptEnd(reason="done"),
    )
    async with studio.narrator():
        await studio.finished()
    assert await studio.captions() == ["All is quiet tonight.", "A true thing is said here."]


async def test_a_sentence_that_cannot_be_spoken_is_skipped_with_a_record(studio: Studio) -> None:
    await studio.begin()
    await studio.script(*SCRIPT)
    speaker = QuickSpeaker(unspeakable=["Brandt"])
    async with studio.narrator(speaker):
        entry = await studio.archived()
    sentences = await studio.on_air()
    assert [s.t for s in sentences] == SENTENCES
    assert isinstance(sentences[2], records.Skip)
    assert sentences[2].reason == "silent"
    assert_exact(sentences, await studio.broadcast())
    assert entry.sentences == 3
    [receipt] = await studio.receipts()
    assert (receipt.sentences, receipt.skipped) == (3, 1)


class TimidSpeaker(QuickSpeaker):
    """Fails each sentence once."""

    def __init__(self) -> None:
        super().__init__()
        self.failed: set[str] = set()

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE):  # type: ignore[no-untyped-def]
        if text not in self.failed and text in SENTENCES:
            self.failed.add(text)
            raise RuntimeError("not now")
        return super().speak(text, voice)


async def test_a_sentence_that_fails_is_tried_once_more(studio: Studio) -> None:
    await studio.begin()
    await studio.script(*SCRIPT)
    async with studio.narrator(TimidSpeaker()):
        await studio.finished()
    assert all(isinstance(s, records.Audio) for s in await studio.on_air())


async def test_a_run_whose_time_is_over_is_followed_no_longer(studio: Studio) -> None:
    await studio.begin(starts_in_s=-600, length_s=602)
    await studio.script("It says this and then no", is_complete=False)
    async with studio.narrator():
        await studio.finished()
        await until(lambda: not _followed())


def _followed() -> set[str]:
    """Runs whose scripts are read."""
    names_ = [task.get_name().split() for task in asyncio.all_tasks()]
    return {words[2] for words in names_ if words[:2] == ["station", STATION] and "@" in words[-1]}


async def test_records_of_a_newer_radio_are_passed_over(studio: Studio) -> None:
    newer = NewRecord(body=b"{}", headers=((b"e", b"newer"), (b"v", b"1")))
    shared = [names.CONTROL, names.JOBS, names.DONE]
    for name in [names.station_input(STATION), names.broadcast(STATION), names.shows(STATION), *shared]:
        await studio.store.append(name, [newer])
    await studio.begin()
    await studio.script(*SCRIPT)
    made = await casts.submit(studio.store, studio.clock, text="A cast of two. It ends.", voice="af_heart")
    async with studio.narrator():
        for name in [names.station_input(STATION), *shared]:
            await studio.store.append(name, [newer])
        await until(lambda: _is_archived(studio))
        await until(lambda: _cast_is(studio, made.cast, "done"))
        await casts.remove(studio.store, made.cast, made.token)
        await until(lambda: _cast_is(studio, made.cast, "removed"))


async def _is_archived(studio: Studio) -> bool:
    return "run" in [records.event_of(r) for r in await studio.stored(names.shows(STATION))]


async def _cast_is(studio: Studio, cast: str, status: str) -> bool:
    return (await casts.look(studio.store, cast)).state.status == status


class RememberingSpeaker(QuickSpeaker):
    """Knows with which voice it said what."""

    def __init__(self) -> None:
        super().__init__()
        self.voices: dict[str, str] = {}

    def speak(self, text: str, voice: str, pronounce: Pronunciations = NONE) -> Spoken:
        self.voices[text] = voice
        return super().speak(text, voice)


@pytest.mark.parametrize(("has_card", "spoken_with"), [(True, "bf_emma"), (False, "af_heart")])
async def test_a_run_whose_voice_is_unknown_is_spoken_with_its_stations_and_the_log_says_so(
    studio: Studio, caplog: pytest.LogCaptureFixture, has_card: bool, spoken_with: str
) -> None:
    if has_card:
        await studio.card(voice="bf_emma")
    await studio.begin(voice="xx_newer")
    await studio.script(SCRIPT[0], is_complete=False)
    speaker = RememberingSpeaker()
    async with studio.narrator(speaker):
        await until(lambda: _count(studio, 1))
        later = await studio.begin("wires@2", voice="xx_newer(2)+af_heart", starts_in_s=1)
        await studio.script("The wires have news.", run=later.run)
        await studio.end_run()
        await studio.finished(later.run)
        await until(lambda: _has_receipts(studio, 2))
    assert speaker.voices[SENTENCES[0]] == speaker.voices["The wires have news."] == spoken_with
    assert {receipt.voice for receipt in await studio.receipts()} == {spoken_with}
    told = [r.__dict__ for r in caplog.records if r.__dict__.get("action") == "voice.unknown"]
    assert {(r["run"], r["voice"], r["instead"]) for r in told} == {
        (RUN, "xx_newer", spoken_with),
        ("wires@2", "xx_newer(2)+af_heart", spoken_with),
    }


async def _has_receipts(studio: Studio, count: int) -> bool:
    return len(await studio.receipts()) >= count


class SleepySpeaker(QuickSpeaker):
    """Does not wake up but the first time."""

    wakes = 0

    def warm_up(self) -> None:
        self.wakes += 1
        if self.wakes > 1:
            raise Unspeakable("engine")


async def test_a_warm_up_that_fails_loses_no_sentence(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speaking, "IDLE_S", -1.0)
    await studio.begin()
    await studio.script(*SCRIPT)
    speaker = SleepySpeaker()
    async with studio.narrator(speaker):
        await studio.finished()
    assert speaker.wakes > len(SENTENCES)
    assert [(type(s), s.t) for s in await studio.on_air()] == [(records.Audio, t) for t in SENTENCES]


async def test_a_lane_that_is_lost_late_leaves_the_one_that_came_after(studio: Studio) -> None:
    async with Member(studio.store, studio.clock, role="narrator", data=studio.data) as member:
        context = new_context(studio.settings, studio.store, studio.clock, asyncio.Event(), member)
        old, new = [
            CastLane(studio.store, studio.clock, member, "abc", job=0, target_s=30.0) for _ in range(2)
        ]
        context.lanes.add(old)
        context.lanes.add(new)
        context.lanes.remove_lost(old, Unavailable())
        assert list(context.lanes) == [new]
        with pytest.raises(Unavailable):
            await old.run()


async def test_a_clean_stop_gives_the_station_up_and_the_next_goes_on(studio: Studio) -> None:
    await studio.begin()
    await studio.script(*SCRIPT[:2], is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 2))
    assert (await studio.store.fencing_token(names.broadcast(STATION))).startswith("free.")
    await studio.write(
        names.script(STATION, RUN),
        records.Text(seg=0, body=SCRIPT[2].encode()),
        records.ScriptEnd(reason="done"),
    )
    async with studio.narrator():
        await studio.finished()
    assert await studio.captions() == SENTENCES
    assert_exact(await studio.on_air(), await studio.broadcast())
    assert [e.tries for e in await studio.broadcast() if isinstance(e, records.BroadcastStart)] == [0, 0]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("dies_at", range(10))
async def test_killed_at_any_append_every_sentence_is_heard_once(
    studio: Studio, dies_at: int, after: bool
) -> None:
    await studio.begin()
    await studio.script(*SCRIPT)
    await studio.killed_narrator(dies_at, after=after, until_over=names.broadcast(STATION))
    async with studio.narrator():
        await studio.finished()
        entry = await studio.archived()
    assert await studio.captions() == SENTENCES
    assert_exact(await studio.on_air(), await studio.broadcast())
    assert entry.sentences == 4
    assert [type(e) for e in await studio.broadcast()].count(records.BroadcastEnd) == 1
    assert len(await studio.events(names.shows(STATION), records.ARCHIVE)) == 1


async def test_killed_again_and_again_it_still_gets_there(studio: Studio) -> None:
    """Each life makes one sentence at most; the measure of the design holds all the same."""
    await studio.begin()
    script = " ".join(f"This is the sentence with the number {k} of ten." for k in range(10))
    await studio.script(script)
    lives = 0
    while await studio.killed_narrator(2, after=True, until_over=names.broadcast(STATION)):
        lives += 1
        assert lives < 30
    assert lives >= 9
    assert squeezed("".join(await studio.captions())) == squeezed(script)
    assert_exact(await studio.on_air(), await studio.broadcast())


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


async def test_a_sentence_that_kills_its_narrator_is_skipped_at_the_third_try(studio: Studio) -> None:
    await studio.begin()
    await studio.script(*SCRIPT)
    for _ in range(4):  # dies before the first sentence is in, whoever speaks it
        assert await studio.killed_narrator(2, after=False, until_over=names.broadcast(STATION))
    starts = [e.tries for e in await studio.broadcast() if isinstance(e, records.BroadcastStart)]
    assert starts == [0, 1, 2, 3]
    async with studio.narrator():
        await studio.finished()
    sentences = await studio.on_air()
    assert [s.t for s in sentences] == SENTENCES
    assert [isinstance(s, records.Skip) for s in sentences] == [True, False, False, False]
    assert isinstance(sentences[0], records.Skip)
    assert sentences[0].reason == "tries"


async def test_a_narrator_that_was_replaced_drops_its_lane(studio: Studio) -> None:
    await studio.begin()
    await studio.script(SCRIPT[0], is_complete=False)
    name = names.broadcast(STATION)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
        token = await studio.store.fencing_token(name)
        await studio.store.append(name, [Fence("end.test")], fencing_token=token)
        await studio.write(
            names.script(STATION, RUN), records.Text(seg=0, body=(SCRIPT[1] + SCRIPT[2]).encode())
        )
        broadcast = await studio.broadcast()
    assert await studio.broadcast() == broadcast


async def test_of_two_narrators_one_speaks_and_the_other_takes_over(studio: Studio) -> None:
    await studio.begin()
    await studio.script(*SCRIPT[:2], is_complete=False)
    one, other = QuickSpeaker(), QuickSpeaker()
    async with studio.narrator(one) as stop, studio.narrator(other):
        await until(lambda: _count(studio, 2))
        first, second = (one, other) if one.said else (other, one)
        assert second.said == []
        if first is one:
            stop.set()
            await studio.write(
                names.script(STATION, RUN),
                records.Text(seg=0, body=SCRIPT[2].encode()),
                records.ScriptEnd(reason="done"),
            )
            await studio.finished()
            assert second.said != []
    assert_exact(await studio.on_air(), await studio.broadcast())


async def test_the_lead_stays_near_its_target(studio: Studio) -> None:
    """Far more script than is wanted ahead: it is not all spoken at once."""
    await studio.card(lead=(20, 5))
    await studio.begin()
    await studio.script(" ".join(f"This is sentence number {k} of many." for k in range(200)))
    speaker = QuickSpeaker(frames_a_word=10)  # 1.7 s each
    async with studio.narrator(speaker):
        await until(lambda: _lead_is_above(studio, 19.0))
        made = await studio.on_air()
    last = made[-1]
    assert isinstance(last, records.Audio)
    assert last.until - studio.clock.now_ms() <= 22_000
    assert len(made) < 20


async def _lead_is_above(studio: Studio, seconds: float) -> bool:
    made = [s for s in await studio.on_air() if isinstance(s, records.Audio)]
    return bool(made) and made[-1].until - studio.clock.now_ms() > seconds * 1000
