"""Casts: spoken once, in order, ended for ever; whatever fails, their jobs are finished."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from radio import casts
from radio.narrator import cast_requests
from radio.narrator.cast.job_queue import JobQueue
from radio.narrator.cast.takeover import take_cast
from radio.narrator.cast.text import FIRST_CHARS, place_after
from radio.narrator.context import new_context
from radio.streams import names, records
from radio.streams.contract import Appendable, AppendAck, Fence, NewRecord, StreamStore, Trim, Unavailable
from radio.streams.ownership.stream_owner import Member
from tests.narrator.studio import FatalSpeaker, QuickSpeaker, Studio, memory_studio
from tests.waiting import until

TEXT = "The harbor is quiet. Dr. Brandt has the lamp. It burns all night, v1.2 of it. Nobody is late."
SENTENCES = [
    "The harbor is quiet.",
    "Dr. Brandt has the lamp.",
    "It burns all night, v1.2 of it.",
    "Nobody is late.",
]


@pytest.fixture
async def studio(tmp_path: Path) -> Studio:
    return await memory_studio(tmp_path)


async def submit(studio: Studio, text: str = TEXT, voice: str = "af_heart") -> str:
    return (await casts.submit(studio.store, studio.clock, text=text, voice=voice)).cast


async def lines(studio: Studio, cast: str) -> list[casts.CastSentence]:
    state = (await casts.look(studio.store, cast)).state
    return [state.lines[i] for i in sorted(state.lines)]


async def events(studio: Studio, cast: str) -> list[records.AnyRecord]:
    return await studio.events(names.cast(cast), records.CAST)


async def test_a_cast_is_spoken_and_sealed(studio: Studio) -> None:
    cast = await submit(studio)
    async with studio.narrator():
        end = await studio.cast_over(cast)
        await until(lambda: _has_receipts(studio, 1))
    assert (end.reason, end.job) == ("done", 0)
    assert [line.t for line in await lines(studio, cast)] == SENTENCES
    kinds = [type(e).__name__ for e in await events(studio, cast)]
    assert kinds == ["CastMeta", "CastStart", *["Audio"] * 4, "CastEnd"]
    assert await studio.store.fencing_token(names.cast(cast)) == "end.done"
    audio = [e for e in await events(studio, cast) if isinstance(e, records.Audio)]
    assert [a.pos for a in audio] == [sum(len(b.body) for b in audio[:k]) for k in range(4)]
    assert all(a.at is None and a.run is None for a in audio)
    [receipt] = await studio.receipts()
    assert (receipt.id, receipt.reason, receipt.job, receipt.sentences) == (cast, "done", 0, 4)
    assert receipt.audio_ms == sum(a.d for a in audio)


async def _has_receipts(studio: Studio, count: int) -> bool:
    return len(await studio.receipts()) >= count


async def test_a_cast_with_records_of_newer_kinds_is_spoken(studio: Studio) -> None:
    cast = await submit(studio)
    newer = NewRecord(b"", ((b"e", b"chapter"), (b"v", b"9")))
    await studio.store.append(names.cast(cast), [newer])
    await studio.store.append(names.catalog(cast), [newer])
    async with studio.narrator():
        await until(lambda: _status_is(studio, cast, "done"))
    assert [line.t for line in await lines(studio, cast)] == SENTENCES


async def test_the_same_text_twice_is_one_synthesis(studio: Studio) -> None:
    speaker = QuickSpeaker()
    first = await submit(studio)
    async with studio.narrator(speaker):
        second = await submit(studio, f"  {TEXT}\r\n")
        await studio.cast_over(first)
        third = await submit(studio)
        await until(lambda: _watermark_is(studio, 1))
    assert first == second == third
    assert speaker.said == SENTENCES


async def _watermark_is(studio: Studio, least: int) -> bool:
    marks = await studio.events(names.JOBS_CURSOR, records.CURSOR)
    return any(isinstance(m, records.CursorMark) and m.next >= least for m in marks)


async def test_the_first_piece_is_short_to_be_heard_sooner(studio: Studio) -> None:
    long = (
        "The committee met on Tuesday in the old hall, and after a long talk it approved a budget for works"
    )
    cast = await submit(studio, f"{long}, which had been delayed. {long}.")
    async with studio.narrator():
        await studio.cast_over(cast)
    first, *others = await lines(studio, cast)
    assert len(first.t) <= FIRST_CHARS < max(len(line.t) for line in others)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("dies_at", range(9))
async def test_killed_at_any_append_it_goes_on_with_the_next_sentence(
    studio: Studio, dies_at: int, after: bool
) -> None:
    cast = await submit(studio)
    await studio.killed_narrator(dies_at, after=after, until_over=names.cast(cast))
    async with studio.narrator():
        end = await studio.cast_over(cast)
        await until(lambda: _watermark_is(studio, 1), within_s=60)
    assert end.reason == "done"
    assert [line.t for line in await lines(studio, cast)] == SENTENCES
    spoken = [e for e in await events(studio, cast) if isinstance(e, records.Audio)]
    assert [a.i for a in spoken] == [0, 1, 2, 3]
    starts = [e for e in await events(studio, cast) if isinstance(e, records.CastStart)]
    assert all(s.first == sum(a.i < s.first for a in spoken) for s in starts)
    assert {r.id for r in await studio.receipts()} == {cast}


async def test_a_sentence_that_cannot_be_spoken_is_skipped(studio: Studio) -> None:
    cast = await submit(studio)
    async with studio.narrator(QuickSpeaker(unspeakable=["Brandt"])):
        end = await studio.cast_over(cast)
        await until(lambda: _has_receipts(studio, 1))
    assert end.reason == "done"
    assert [line.skipped for line in await lines(studio, cast)] == [None, "silent", None, None]
    [receipt] = await studio.receipts()
    assert (receipt.sentences, receipt.skipped) == (3, 1)


async def test_a_cast_without_any_sound_fails_and_its_job_is_dead(studio: Studio) -> None:
    cast = await submit(studio, "🎉 nothing of it")
    async with studio.narrator(QuickSpeaker(unspeakable=["🎉"])):
        end = await studio.cast_over(cast)
        await until(lambda: _watermark_is(studio, 1))
    assert (end.reason, end.job) == ("failed", 0)
    [dead] = await studio.events(names.JOBS_DEAD, records.DEAD)
    assert dead == records.DeadJob(cast=cast, job=0, reason="silent")
    assert [r.reason for r in await studio.receipts()] == ["failed"]
    assert (await studio.store.fencing_token(names.cast(cast))).startswith("free.")


async def test_a_failed_cast_that_is_submitted_anew_is_spoken_from_its_begin(studio: Studio) -> None:
    cast = await submit(studio)
    async with studio.narrator(QuickSpeaker(unspeakable=["harbor", "Brandt", "burns", "Nobody"])):
        await studio.cast_over(cast)
        await until(lambda: _watermark_is(studio, 1))
    assert await submit(studio) == cast
    async with studio.narrator():
        await until(lambda: _status_is(studio, cast, "done"))
    assert [line.t for line in await lines(studio, cast)] == SENTENCES
    assert all(line.skipped is None for line in await lines(studio, cast))
    starts = [e for e in await events(studio, cast) if isinstance(e, records.CastStart)]
    assert [s.first for s in starts] == [0, 0]


async def _status_is(studio: Studio, cast: str, status: str) -> bool:
    return (await casts.look(studio.store, cast)).state.status == status


async def test_a_text_that_kills_every_narrator_fails_in_the_end(studio: Studio) -> None:
    text = " ".join(f"The deadly sentence number {k}." for k in range(6))
    cast, lives = await submit(studio, text), 1
    while await studio.killed_narrator(
        1000, after=False, until_over=names.cast(cast), speaker=FatalSpeaker(["deadly"])
    ):
        lives += 1
        assert lives < 20
    assert (await studio.cast_over(cast)).reason == "failed"
    assert [line.skipped for line in await lines(studio, cast)] == ["tries"] * 3
    assert lives == 12  # four starts for each of three sentences


async def test_one_deadly_sentence_is_skipped_and_the_others_are_heard(studio: Studio) -> None:
    cast = await submit(studio)
    while await studio.killed_narrator(
        1000, after=False, until_over=names.cast(cast), speaker=FatalSpeaker(["Brandt"])
    ):
        pass
    assert (await studio.cast_over(cast)).reason == "done"
    assert [line.skipped for line in await lines(studio, cast)] == [None, "tries", None, None]


async def test_a_job_whose_cast_is_over_is_settled(studio: Studio) -> None:
    cast = await submit(studio)
    stored = await casts.look(studio.store, cast)
    await studio.store.append(
        names.cast(cast),
        [records.encode(records.CastEnd(reason="done", job=0)), Fence("end.done")],
        match_seq_num=stored.next_seq,
    )
    async with studio.narrator():
        await until(lambda: _watermark_is(studio, 1))
    assert [(r.id, r.reason) for r in await studio.receipts()] == [(cast, "done")]


@pytest.mark.parametrize(
    ("skips", "reason"), [(["silent"], "silent"), ([None, "tries", "tries", "tries"], "tries")]
)
async def test_a_failed_cast_whose_narrator_died_before_it_said_so_gets_its_dead_job_once(
    studio: Studio, skips: list[str | None], reason: str
) -> None:
    cast = await submit(studio)
    made: list[records.AnyRecord] = [records.CastStart(owner="gone0000", first=0)]
    for i, why in enumerate(skips):
        sound = records.Audio(i=i, d=24, t="x", pos=192 * i, body=b"\0" * 192)
        made.append(sound if why is None else records.Skip(i=i, t="x", reason=why))
    made.append(records.CastEnd(reason="failed", job=0))
    await studio.write(names.cast(cast), *made)
    async with studio.narrator():
        await until(lambda: _watermark_is(studio, 1))
    dead = [records.DeadJob(cast=cast, job=0, reason=reason)]
    assert await studio.events(names.JOBS_DEAD, records.DEAD) == dead
    queue = JobQueue(studio.store, studio.clock)
    await queue.settle(cast, 0)
    assert await studio.events(names.JOBS_DEAD, records.DEAD) == dead


async def test_a_cast_in_a_voice_that_is_unknown_here_fails_and_stops_nothing(studio: Studio) -> None:
    text, voice = "A cast of a newer radio.", "xx_newer"
    await studio.write(
        names.catalog("abcdefghijkl"),
        records.Recipe(text=text, voice=voice, title="A", created=1, token="0" * 64),
    )
    meta = records.CastMeta(title="A", voice=voice, created=1, characters=len(text))
    await studio.write(names.cast("abcdefghijkl"), meta)
    await studio.write(names.JOBS, records.Job(cast="abcdefghijkl"))
    other = await submit(studio)
    speaker = QuickSpeaker()
    async with studio.narrator(speaker):
        assert (await studio.cast_over("abcdefghijkl")).reason == "failed"
        assert (await studio.cast_over(other)).reason == "done"
        await until(lambda: _watermark_is(studio, 2))
    assert speaker.said == SENTENCES
    [dead] = await studio.events(names.JOBS_DEAD, records.DEAD)
    assert dead == records.DeadJob(cast="abcdefghijkl", job=0, reason="voice")


async def test_a_removed_cast_is_emptied_and_can_be_submitted_anew(studio: Studio) -> None:
    made = await casts.submit(studio.store, studio.clock, text=TEXT, voice="af_heart")
    speaker = QuickSpeaker()
    async with studio.narrator(speaker):
        await studio.cast_over(made.cast)
        await casts.remove(studio.store, made.cast, made.token)
        await until(lambda: _status_is(studio, made.cast, "removed"))
        assert [type(e) for e in await events(studio, made.cast)] == [records.CastEnd]
        assert await casts.recipe(studio.store, made.cast) is None
        await submit(studio)
        await until(lambda: _status_is(studio, made.cast, "done"))
    assert speaker.said == [*SENTENCES, *SENTENCES]
    async with studio.narrator(speaker):  # the request is not obeyed again
        await until(lambda: _watermark_is(studio, 2))
    assert await _status_is(studio, made.cast, "done")


async def test_what_the_operator_removes_is_gone_though_it_is_being_spoken(studio: Studio) -> None:
    text = " ".join(f"This is the sentence with the number {k}." for k in range(400))
    cast = await submit(studio, text)
    async with studio.narrator(QuickSpeaker(frames_a_word=4)):
        await until(lambda: _is_begun(studio, cast))
        await casts.remove(studio.store, cast, None)
        await until(lambda: _status_is(studio, cast, "removed"))
    with pytest.raises(casts.CastGone):
        await submit(studio, text)


class RefusingStore:
    """Refuses the first append of a cast's removal."""

    def __init__(self, inner: StreamStore) -> None:
        self._inner = inner
        self.refused = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)

    async def append(self, name: str, records: Sequence[Appendable], **how: Any) -> AppendAck:
        if any(isinstance(r, Trim) for r in records) and name.startswith(names.CAST_OUTPUTS):
            self.refused += 1
            if self.refused == 1:
                raise Unavailable
        return await self._inner.append(name, records, **how)


async def test_a_removal_that_fails_is_tried_again(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cast_requests, "AGAIN_S", 0.02)
    made = await casts.submit(studio.store, studio.clock, text=TEXT, voice="af_heart")
    store = RefusingStore(studio.store)
    async with studio.narrator(store=store):  # type: ignore[arg-type]  # it forwards
        await studio.cast_over(made.cast)
        await casts.remove(studio.store, made.cast, made.token)
        await until(lambda: _status_is(studio, made.cast, "removed"))
    assert store.refused == 2


async def test_a_cast_whose_narrator_ends_before_it_obeys_is_removed_by_another(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast_requests, "AGAIN_S", 0.02)
    store, clock = studio.store, studio.clock
    made = await casts.submit(store, clock, text=TEXT, voice="af_heart")
    async with Member(store, clock, role="narrator", data=studio.data) as mine, asyncio.TaskGroup() as tasks:
        context = new_context(studio.settings, store, clock, asyncio.Event(), mine)
        hearing = tasks.create_task(cast_requests.CastRequests(context, JobQueue(store, clock)).run())
        async with Member(store, clock, role="narrator", data=studio.data) as other:
            await take_cast(store, other, made.cast, 0)
            await casts.remove(store, made.cast, made.token)
            await until(lambda: bool(len(context.between)))
            await context.between.run()
            assert await _status_is(studio, made.cast, "live")
        await until(lambda: bool(len(context.between)))
        await context.between.run()
        hearing.cancel()
    assert await _status_is(studio, made.cast, "removed")


async def _is_begun(studio: Studio, cast: str) -> bool:
    return len(await lines(studio, cast)) > 0


async def test_casts_are_spoken_beside_a_station_and_several_at_once(studio: Studio) -> None:
    await studio.begin()
    await studio.script(" ".join(f"This is sentence number {k} on air." for k in range(12)))
    made = [await submit(studio, f"{TEXT} This is cast {k}.") for k in range(5)]
    async with studio.narrator():
        for cast in made:
            assert (await studio.cast_over(cast)).reason == "done"
        await studio.finished()
    assert len(await studio.captions()) == 12


def test_what_was_spoken_is_found_again_in_the_text() -> None:
    spoken = ["One is here.", "Two is here."]
    text = "One is here.\n\n Two is here. Three."
    assert place_after(text, spoken) == len("One is here.\n\n Two is here.")
    assert place_after(text, []) == 0
    assert place_after("Another text.", spoken) is None
