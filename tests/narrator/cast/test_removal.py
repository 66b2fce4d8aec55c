"""A cast is removed everywhere, whatever it is just doing and whoever dies on the way."""

from dataclasses import replace
from pathlib import Path

import pytest

from radio import casts
from radio.casts.submission import hashed
from radio.clock import ManualClock
from radio.narrator import cast_requests
from radio.narrator.retention import cast_expiry
from radio.narrator.retention.cast_expiry import LivedClock, grace_s
from radio.streams import names, records
from radio.streams.contract import FromSeq, StreamNotFound
from tests.narrator.studio import FatalSpeaker, QuickSpeaker, Studio, memory_studio
from tests.waiting import until

TEXT = "The harbor is quiet. Dr. Brandt has the lamp. It burns all night. Nobody is late."
HOUR_MS = 3_600_000


@pytest.fixture
async def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.setattr(cast_requests, "AGAIN_S", 0.02)
    monkeypatch.setattr(cast_expiry, "ROUND_S", 0.02)
    return await memory_studio(tmp_path)


async def submit(studio: Studio) -> casts.Submission:
    return await casts.submit(studio.store, studio.clock, text=TEXT, voice="af_heart")


async def made(studio: Studio, status: str) -> casts.Submission:
    """A cast of that status, which no narrator has."""
    done = await submit(studio)
    if status == "live":
        await studio.killed_narrator(3, after=False, until_over=names.cast(done.cast))
    elif status == "done":
        async with studio.narrator():
            await studio.cast_over(done.cast)
            await until(lambda: _has_receipts(studio, 1))
    elif status == "failed":
        async with studio.narrator(QuickSpeaker(unspeakable=["harbor", "lamp", "burns", "late"])):
            await studio.cast_over(done.cast)
            await until(lambda: _has_receipts(studio, 1))
    assert (await casts.look(studio.store, done.cast)).state.status == status
    return done


async def _has_receipts(studio: Studio, count: int) -> bool:
    return len(await studio.receipts()) >= count


async def is_empty(studio: Studio, cast: str) -> bool:
    """Nothing stands of it but its end, and nothing of its text."""
    state = (await casts.look(studio.store, cast)).state
    kept = await studio.store.read(names.catalog(cast), FromSeq(0))
    return state.status == "removed" and not kept.records


async def assert_gone(studio: Studio, cast: str) -> None:
    [end] = await studio.events(names.cast(cast), records.CAST)
    assert isinstance(end, records.CastEnd)
    assert end.reason == "removed"
    for info in (await studio.store.list()).items:
        for record in await studio.stored(info.name):
            assert b"Brandt" not in record.body, info.name
            assert all(b"Brandt" not in value for _, value in record.headers), info.name


@pytest.mark.parametrize("status", ["queued", "live", "done", "failed"])
@pytest.mark.parametrize("is_operator", [False, True], ids=["submitter", "operator"])
async def test_it_is_emptied_and_only_the_submitter_can_submit_it_anew(
    studio: Studio, status: str, is_operator: bool
) -> None:
    done = await made(studio, status)
    await casts.remove(studio.store, done.cast, None if is_operator else done.token)
    async with studio.narrator():
        await until(lambda: is_empty(studio, done.cast))
        await until(lambda: _is_settled(studio, done.cast))
    await assert_gone(studio, done.cast)
    if is_operator:
        with pytest.raises(casts.CastGone):
            await submit(studio)
        return
    again = await submit(studio)
    assert (again.cast, again.created) == (done.cast, True)
    for _ in range(2):  # nor does another narrator obey the request again
        async with studio.narrator():
            await until(lambda: _is(studio, done.cast, "done"))
            await until(lambda: _is_settled(studio, done.cast))
    state = (await casts.look(studio.store, done.cast)).state
    assert state.lines[0].t == "The harbor is quiet."


async def _is(studio: Studio, cast: str, status: str) -> bool:
    return (await casts.look(studio.store, cast)).state.status == status


async def _is_settled(studio: Studio, cast: str) -> bool:
    """All its jobs have a receipt."""
    jobs = [r.seq for r in await studio.stored(names.JOBS) if r.kind == "data"]
    finished = [r.job for r in await studio.receipts() if r.id == cast and r.job is not None]
    return bool(finished) and max(finished) >= max(jobs)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("dies_at", range(4))
@pytest.mark.parametrize("status", ["queued", "live", "done", "failed"])
async def test_killed_between_any_two_steps_of_a_removal_it_is_completed(
    studio: Studio, status: str, dies_at: int, after: bool
) -> None:
    done = await made(studio, status)
    await casts.remove(studio.store, done.cast, done.token)
    await studio.killed_narrator(dies_at, after=after, until_over=names.cast("nobody"), within_s=0.5)
    async with studio.narrator():
        await until(lambda: is_empty(studio, done.cast))
        await until(lambda: _is_settled(studio, done.cast))
    await assert_gone(studio, done.cast)
    again = await submit(studio)
    async with studio.narrator():
        await until(lambda: _is(studio, again.cast, "done"))


async def test_what_was_submitted_anew_before_a_removal_is_completed_stays(studio: Studio) -> None:
    done = await made(studio, "done")
    end = records.CastEnd(reason="removed", job=0, c=await casts.remove(studio.store, done.cast, done.token))
    await half_erase(studio, done.cast, end)
    again = await submit(studio)  # its recipe stands behind the old one
    assert again.created
    async with studio.narrator():
        await until(lambda: _is(studio, done.cast, "done"))
        await until(lambda: _has_one_recipe(studio, done.cast))
    kept = await casts.recipe(studio.store, done.cast)
    assert kept is not None
    await casts.remove(studio.store, done.cast, again.token)  # the new token is the one that counts


async def test_a_recipe_that_came_in_while_its_cast_was_being_removed_goes_when_the_removal_is_completed(
    studio: Studio,
) -> None:
    done = await made(studio, "done")
    end = records.CastEnd(reason="removed", job=0, c=await casts.remove(studio.store, done.cast, done.token))
    kept = await casts.recipe(studio.store, done.cast)
    assert kept is not None
    await half_erase(studio, done.cast, end)
    late = records.encode(replace(kept, asked=studio.clock.now_ms(), keep_ms=HOUR_MS))
    await studio.store.append(names.catalog(done.cast), [late])
    async with studio.narrator():
        await until(lambda: is_empty(studio, done.cast))
    await assert_gone(studio, done.cast)


class Died(Exception):
    """The process would have ended."""


async def half_erase(studio: Studio, cast: str, end: records.CastEnd) -> None:
    """Erase a cast as a process that dies before it trims the catalog."""
    stored = await casts.look(studio.store, cast)
    with pytest.raises(Died):
        await casts.erase(
            _NoTrim(studio),  # type: ignore[arg-type]  # it forwards
            cast,
            fence=stored.fence,
            next_seq=stored.next_seq,
            end=end,
            then="free.9",
        )


class _NoTrim:
    """A store whose process ends before it trims."""

    def __init__(self, studio: Studio) -> None:
        self._store = studio.store

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def trim(self, name: str, first_seq: int) -> None:
        raise Died


async def _has_one_recipe(studio: Studio, cast: str) -> bool:
    return len((await studio.store.read(names.catalog(cast), FromSeq(0))).records) == 1


async def test_the_operator_may_bar_what_its_submitter_has_removed(studio: Studio) -> None:
    done = await made(studio, "done")
    await casts.remove(studio.store, done.cast, done.token)
    async with studio.narrator():
        await until(lambda: is_empty(studio, done.cast))
        await casts.remove(studio.store, done.cast, None)
        await until(lambda: _has_fence(studio, done.cast, casts.GONE))
    with pytest.raises(casts.CastGone):
        await submit(studio)


async def _has_fence(studio: Studio, cast: str, fence: str) -> bool:
    return await studio.store.fencing_token(names.cast(cast)) == fence


async def test_who_asked_twice_and_submits_anew_keeps_the_new_cast(studio: Studio) -> None:
    done = await made(studio, "done")
    for _ in range(2):
        request = await casts.remove(studio.store, done.cast, done.token)
    async with studio.narrator():
        await until(lambda: _has_obeyed(studio, done.cast, request))
    assert (await submit(studio)).created
    async with studio.narrator():
        await until(lambda: _is(studio, done.cast, "done"))
        await until(lambda: _is_settled(studio, done.cast))
    assert await _is(studio, done.cast, "done")


async def _has_obeyed(studio: Studio, cast: str, request: int) -> bool:
    return (await casts.look(studio.store, cast)).state.obeyed >= request


@pytest.mark.parametrize("is_operator", [False, True], ids=["submitter", "operator"])
async def test_a_cast_whose_submission_was_cut_short_can_be_removed(
    studio: Studio, is_operator: bool
) -> None:
    cast = await half_submitted(studio)
    await casts.remove(studio.store, cast, None if is_operator else "secret")
    async with studio.narrator():
        await until(lambda: is_empty(studio, cast))
    await assert_gone(studio, cast)
    assert (await casts.look(studio.store, cast)).fence.startswith("end." if is_operator else "free.")


async def half_submitted(studio: Studio, keep_ms: int | None = None) -> str:
    """A recipe whose submitter died before anything else stood."""
    cast = casts.cast_id(TEXT, "af_heart")
    recipe = records.Recipe(
        text=TEXT, voice="af_heart", title="", created=0, token=hashed("secret"), keep_ms=keep_ms
    )
    await studio.store.append(names.catalog(cast), [records.encode(recipe)], match_seq_num=0)
    return cast


async def test_its_stream_is_never_deleted(studio: Studio) -> None:
    done = await made(studio, "done")
    tail = (await studio.store.check_tail(names.cast(done.cast))).seq
    await casts.remove(studio.store, done.cast, done.token)
    async with studio.narrator():
        await until(lambda: is_empty(studio, done.cast))
    assert (await studio.store.check_tail(names.cast(done.cast))).seq > tail
    try:
        await studio.store.read(names.catalog(done.cast), FromSeq(0))
    except StreamNotFound:
        pytest.fail("the catalog's stream was deleted")


# --- casts whose time is over ---


@pytest.mark.parametrize("status", ["queued", "live", "done", "failed"])
async def test_a_cast_goes_when_its_time_is_over(
    studio: Studio, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast_expiry, "MOST_GRACE_S", 0.05)
    done = await made(studio, status)
    settings = replace(studio.settings, casts_keep_s=0.001)
    speaker = FatalSpeaker([]) if status == "done" else QuickSpeaker()
    async with studio.narrator(speaker, settings=settings):
        await until(lambda: is_empty(studio, done.cast))
        await until(lambda: _is_settled(studio, done.cast))
    await assert_gone(studio, done.cast)
    assert (await submit(studio)).created


async def test_a_cast_whose_submission_was_cut_short_goes_too(studio: Studio) -> None:
    cast = await half_submitted(studio, keep_ms=1)
    async with studio.narrator():
        await until(lambda: is_empty(studio, cast))
    await assert_gone(studio, cast)
    assert (await submit(studio)).created


async def test_a_cast_that_asked_for_longer_or_for_no_limit_stays(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast_expiry, "MOST_GRACE_S", 0.0)
    longer = await casts.submit(
        studio.store, studio.clock, text="Longer.", voice="af_heart", keep_ms=HOUR_MS, usual_ms=1
    )
    shorter = await casts.submit(studio.store, studio.clock, text="Shorter.", voice="af_heart", usual_ms=1)
    settings = replace(studio.settings, casts_keep_s=0.001)
    async with studio.narrator(settings=settings):
        await until(lambda: is_empty(studio, shorter.cast))
        await until(lambda: _is(studio, longer.cast, "done"))
    async with studio.narrator():  # no limit
        await until(lambda: _is(studio, longer.cast, "done"))
    assert await casts.recipe(studio.store, longer.cast) is not None


async def test_an_expiry_obeys_no_request_anew(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cast_expiry, "MOST_GRACE_S", 0.0)
    done = await made(studio, "done")
    request = await casts.remove(studio.store, done.cast, done.token)
    async with studio.narrator():
        await until(lambda: is_empty(studio, done.cast))
    await submit(studio)
    async with studio.narrator(settings=replace(studio.settings, casts_keep_s=0.001)):
        await until(lambda: is_empty(studio, done.cast))
    assert (await casts.look(studio.store, done.cast)).state.obeyed == request
    await submit(studio)
    async with studio.narrator():
        await until(lambda: _is(studio, done.cast, "done"))
        await until(lambda: _is_settled(studio, done.cast))
    assert await _is(studio, done.cast, "done")


def test_a_step_of_the_clock_within_a_narrators_life_lets_nothing_expire() -> None:
    clock = ManualClock()
    lived = LivedClock(clock)
    clock.advance(60)
    assert lived.now_ms() == clock.now_ms()
    clock.step(365 * 86_400)
    clock.advance(60)
    assert lived.now_ms() == clock.now_ms() - 365 * 86_400_000
    clock.step(-366 * 86_400)
    assert lived.now_ms() == clock.now_ms()


def test_the_grace_is_a_tenth_and_an_hour_at_most() -> None:
    assert grace_s(HOUR_MS) == 360
    assert grace_s(30 * 24 * HOUR_MS) == 3600
