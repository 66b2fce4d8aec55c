"""Submitting and removing casts: one text, one link, one synthesis, whatever crashes between two steps."""

import asyncio
import base64
import hashlib
import random
from collections.abc import Sequence
from typing import Any

import pytest

from radio import casts
from radio.clock import ManualClock
from radio.errors import BadInput, NotFound
from radio.streams import names, records
from radio.streams.contract import (
    Appendable,
    AppendAck,
    Fence,
    FromSeq,
    NewRecord,
    Position,
    ReadResult,
    Start,
    Unavailable,
)
from radio.streams.reading import passed_over
from radio.streams.stores.memory import MemoryStore

TEXT = "The tide turns at nine. Bring a lamp."


class FailingStore(MemoryStore):
    """Raises instead of the append number `fails_at`, as a process that dies there."""

    fails_at = -1
    appends = 0

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        self.appends += 1
        if self.appends - 1 == self.fails_at:
            raise Unavailable
        return await super().append(name, records, match_seq_num=match_seq_num, fencing_token=fencing_token)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


async def submit(
    store: MemoryStore, clock: ManualClock, text: str = TEXT, voice: str = "af_heart"
) -> casts.Submission:
    return await casts.submit(store, clock, text=text, voice=voice)


async def stored(store: MemoryStore, name: str, family: records.Family) -> list[records.AnyRecord]:
    return [records.decode(family, r) for r in (await store.read(name, FromSeq(0))).records]


async def write(store: MemoryStore, cast: str, *events: records.AnyRecord, then: str = "") -> None:
    at = await casts.look(store, cast)
    batch: list[Appendable] = [records.encode(e) for e in events]
    await store.append(
        names.cast(cast),
        [*batch, Fence(then)] if then else batch,
        match_seq_num=at.next_seq,
        fencing_token=at.fence,
    )


def test_the_id_is_that_of_the_design() -> None:
    wanted = base64.urlsafe_b64encode(hashlib.sha256(b"af_heart\0Hello there.").digest()).decode()[:12]
    assert casts.cast_id("  Hello there.\r\n", "af_heart") == wanted
    assert names.CAST_ID.fullmatch(wanted)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a\r\nb", "af_heart"), ("a\nb", "af_heart")),
        (("caf\u0065\u0301", "af_heart"), ("caf\u00e9", "af_heart")),
        (("x", "bf_emma+af_heart(2)"), ("x", "af_heart(4)+bf_emma(2)")),
        (("x", "af_heart@1.0"), ("x", "af_heart")),
    ],
)
def test_the_same_text_and_voice_have_one_id(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert casts.cast_id(*one) == casts.cast_id(*other)


def test_another_speed_is_another_cast() -> None:
    assert casts.cast_id("x", "af_heart@1.2") != casts.cast_id("x", "af_heart")


@pytest.mark.parametrize("text", ["", " \n\t ", "\ud800"])
async def test_what_cannot_be_spoken_or_stored_is_refused(
    store: MemoryStore, clock: ManualClock, text: str
) -> None:
    with pytest.raises(BadInput):
        await submit(store, clock, text)
    assert (await store.list()).items == ()


async def test_a_submission_leaves_a_recipe_a_meta_and_a_job(store: MemoryStore, clock: ManualClock) -> None:
    made = await submit(store, clock)
    assert made.created
    assert made.token
    assert made.state.status == "queued"
    [kept] = await stored(store, names.catalog(made.cast), records.CATALOG)
    assert isinstance(kept, records.Recipe)
    assert (kept.text, kept.voice) == (TEXT, "af_heart")
    assert made.token not in repr(kept)
    [meta] = await stored(store, names.cast(made.cast), records.CAST)
    assert meta == records.CastMeta(
        title="The tide turns at nine. Bring a lamp.",
        voice="af_heart",
        created=clock.now_ms(),
        characters=len(TEXT),
    )
    assert await stored(store, names.JOBS, records.JOBS) == [records.Job(cast=made.cast)]


async def test_the_second_submitter_gets_the_same_link_and_no_token(
    store: MemoryStore, clock: ManualClock
) -> None:
    first = await submit(store, clock)
    second = await submit(store, clock, f"\n{TEXT}  ")
    assert (second.cast, second.created, second.token) == (first.cast, False, None)
    assert len((await store.read(names.catalog(first.cast), FromSeq(0))).records) == 1


async def test_of_many_who_submit_at_once_one_is_the_submitter(
    store: MemoryStore, clock: ManualClock
) -> None:
    made = await asyncio.gather(*(submit(store, clock) for _ in range(8)))
    assert sum(m.created for m in made) == 1
    assert len({m.cast for m in made}) == 1
    assert len((await store.read(names.cast(made[0].cast), FromSeq(0))).records) == 1


class InterleavingStore(MemoryStore):
    """Other tasks come between any two of its calls, in an order that a seed chooses."""

    chance = random.Random(0)

    async def read(self, name: str, start: Start, **options: Any) -> ReadResult:
        await self._others()
        return await super().read(name, start, **options)

    async def check_tail(self, name: str) -> Position:
        await self._others()
        return await super().check_tail(name)

    async def append(self, name: str, records: Sequence[Appendable], **options: Any) -> AppendAck:
        await self._others()
        return await super().append(name, records, **options)

    async def _others(self) -> None:
        for _ in range(self.chance.randrange(4)):
            await asyncio.sleep(0)


@pytest.mark.parametrize("before", ["nothing", "failed", "removed"])
@pytest.mark.parametrize("seed", range(12))
async def test_of_thirty_who_submit_at_once_one_gets_a_token_and_it_is_the_casts(
    clock: ManualClock, before: str, seed: int
) -> None:
    store = InterleavingStore(clock)
    store.chance = random.Random(seed)
    if before != "nothing":
        await _over(store, (await submit(store, clock)).cast, before)
    made = await asyncio.gather(*(submit(store, clock) for _ in range(30)))
    [mine] = [one for one in made if one.created]
    assert [one.token for one in made if one.token is not None] == [mine.token]
    assert {one.state.status for one in made} == {"queued"}
    await casts.remove(store, mine.cast, mine.token)  # it is not refused


async def _over(store: MemoryStore, cast: str, reason: str) -> None:
    if reason == "failed":
        await write(store, cast, records.CastStart(owner="n", first=0), then="e1.n")
        await write(store, cast, records.CastEnd(reason="failed", job=0), then="free.1")
        return
    at = await casts.look(store, cast)
    end = records.CastEnd(reason="removed", job=0, c=3)
    await casts.erase(store, cast, fence=at.fence, next_seq=at.next_seq, end=end, then="free.1")


@pytest.mark.parametrize("fails_at", [0, 1, 2])
async def test_a_crash_between_any_two_steps_is_repaired_by_the_next_submission(
    clock: ManualClock, fails_at: int
) -> None:
    store = FailingStore(clock)
    store.fails_at = fails_at
    with pytest.raises(Unavailable):
        await submit(store, clock)
    again = await submit(store, clock)
    assert again.created is (fails_at == 0)
    assert again.state.status == "queued"
    assert len(await stored(store, names.catalog(again.cast), records.CATALOG)) == 1
    assert records.Job(cast=again.cast) in await stored(store, names.JOBS, records.JOBS)


async def test_a_cast_that_is_begun_gets_no_second_job(store: MemoryStore, clock: ManualClock) -> None:
    made = await submit(store, clock)
    await write(store, made.cast, records.CastStart(owner="n", first=0), then="e1.n")
    await submit(store, clock)
    assert len(await stored(store, names.JOBS, records.JOBS)) == 1


async def test_a_failed_cast_can_be_submitted_anew(store: MemoryStore, clock: ManualClock) -> None:
    made = await submit(store, clock)
    await write(store, made.cast, records.CastStart(owner="n", first=0), then="e1.n")
    await write(store, made.cast, records.CastEnd(reason="failed", job=0), then="free.1")
    assert (await casts.look(store, made.cast)).state.status == "failed"
    again = await submit(store, clock)
    assert again.created
    assert again.token != made.token
    assert again.state.status == "queued"
    assert casts.is_open(again.state, 1, has_recipe=True, fence="free.1")
    assert not casts.is_open(again.state, 0, has_recipe=True, fence="free.1")


async def test_a_done_cast_is_answered_as_it_is(store: MemoryStore, clock: ManualClock) -> None:
    made = await submit(store, clock)
    await write(store, made.cast, records.CastStart(owner="n", first=0), then="e1.n")
    await write(store, made.cast, records.CastEnd(reason="done", job=0), then="end.done")
    again = await submit(store, clock)
    assert (again.created, again.state.status) == (False, "done")
    assert len(await stored(store, names.JOBS, records.JOBS)) == 1


async def test_removal_is_asked_for_with_the_submitters_token_only(
    store: MemoryStore, clock: ManualClock
) -> None:
    made = await submit(store, clock)
    with pytest.raises(casts.WrongToken):
        await casts.remove(store, made.cast, "another")
    assert await casts.remove(store, made.cast, made.token) == 0
    [request] = await stored(store, names.CONTROL, records.CONTROL)
    assert request == records.ControlRequest(what="remove", target=made.cast, detail="submitter")
    with pytest.raises(NotFound):
        await casts.remove(store, "AAAAAAAAAAAA", made.token)


async def test_what_is_erased_leaves_only_its_end_and_can_be_submitted_anew(
    store: MemoryStore, clock: ManualClock
) -> None:
    made = await submit(store, clock)
    at = await casts.look(store, made.cast)
    end = records.CastEnd(reason="removed", job=0, c=3)
    end = await casts.erase(store, made.cast, fence=at.fence, next_seq=at.next_seq, end=end, then="free.1")
    assert (end.c, end.recipes) == (3, 1)
    assert await stored(store, names.cast(made.cast), records.CAST) == [end]
    assert await casts.recipe(store, made.cast) is None
    state = (await casts.look(store, made.cast)).state
    assert (state.status, state.meta, state.obeyed) == ("removed", None, 3)
    again = await submit(store, clock)
    assert (again.created, again.state.status) == (True, "queued")
    assert again.state.obeyed == 3


async def test_what_the_operator_removed_is_gone(store: MemoryStore, clock: ManualClock) -> None:
    made = await submit(store, clock)
    at = await casts.look(store, made.cast)
    end = records.CastEnd(reason="removed", job=0)
    await casts.erase(store, made.cast, fence=at.fence, next_seq=at.next_seq, end=end, then=casts.GONE)
    with pytest.raises(casts.CastGone):
        await submit(store, clock)


async def test_a_long_text_is_read_whole(store: MemoryStore, clock: ManualClock) -> None:
    made = await submit(store, clock)
    body = bytes(192 * 100)
    await write(store, made.cast, records.CastStart(owner="n", first=0), then="e1.n")
    for i in range(120):
        await write(store, made.cast, records.Audio(i=i, d=2400, t=f"s{i}", pos=i * len(body), body=body))
    state = (await casts.look(store, made.cast)).state
    assert (state.sentences, state.audio_ms, state.size, state.next_index) == (
        120,
        288_000,
        120 * len(body),
        120,
    )


def line(i: int, text: str) -> records.Audio:
    return records.Audio(i=i, d=2400, t=text, pos=0, body=bytes(19200))


def test_the_newest_record_of_an_index_counts_and_a_start_voids_what_follows_it() -> None:
    state = casts.CastState()
    events: list[records.AnyRecord] = [
        records.CastMeta(title="t", voice="af_heart", created=1, characters=9),
        records.CastStart(owner="a", first=0),
        line(0, "one"),
        line(1, "two"),
        records.Skip(i=2, t="three", reason="silent"),
        records.CastStart(owner="b", first=1),
        line(1, "two again"),
    ]
    for seq, event in enumerate(events):
        state.add(seq, event)
    assert [(i, entry.t, entry.seq) for i, entry in state.lines.items()] == [
        (0, "one", 2),
        (1, "two again", 6),
    ]
    assert (state.status, state.skipped, state.audio_ms, state.next_index) == ("live", 0, 4800, 2)


NEWER = NewRecord(b"", ((b"e", b"chapter"), (b"v", b"9")))
"""A record of a kind that this version does not know."""


async def test_commands_and_records_of_newer_kinds_are_passed_over(store: MemoryStore) -> None:
    cast = "AAAAAAAAAAAA"
    wanted = records.encode(stored_meta())
    start = records.encode(records.CastStart(owner="x", first=0))
    await store.append(names.cast(cast), [wanted, NEWER, Fence("e1.x"), start, NEWER])
    before = passed_over().get((names.cast(cast), "chapter"), 0)
    found = await casts.look(store, cast)
    assert (found.state.status, found.state.meta, found.next_seq) == ("live", stored_meta(), 5)
    assert passed_over()[names.cast(cast), "chapter"] == before + 2


def stored_meta() -> records.CastMeta:
    return records.CastMeta(title="t", voice="af_heart", created=1, characters=9)


async def test_a_cast_with_records_of_newer_kinds_is_submitted_again(
    store: MemoryStore, clock: ManualClock
) -> None:
    first = await submit(store, clock)
    await store.append(names.cast(first.cast), [NEWER])
    await store.append(names.catalog(first.cast), [NEWER])
    second = await submit(store, clock)
    assert (second.cast, second.created, second.state.status) == (first.cast, False, "queued")
    assert len(await stored(store, names.JOBS, records.JOBS)) == 2


async def test_a_cast_with_records_of_newer_kinds_is_removed_and_submitted_anew(
    store: MemoryStore, clock: ManualClock
) -> None:
    made = await submit(store, clock)
    await store.append(names.cast(made.cast), [NEWER])
    await store.append(names.catalog(made.cast), [NEWER])
    found = await casts.look(store, made.cast)
    end = records.CastEnd(reason="removed", job=0)
    await casts.erase(store, made.cast, fence=found.fence, next_seq=found.next_seq, end=end, then="")
    assert await casts.recipe(store, made.cast) is None
    assert (await casts.look(store, made.cast)).state.status == "removed"
    assert (await submit(store, clock)).created
