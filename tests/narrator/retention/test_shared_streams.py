"""Shared streams are kept short, and keep what somebody still needs."""

from pathlib import Path

import pytest

from radio import casts
from radio.clock import ManualClock
from radio.narrator.retention import shared_streams
from radio.narrator.retention.shared_streams import renew_control, trim_dead, trim_jobs, trim_receipts
from radio.redaction import RedactionLog
from radio.streams import names, records
from radio.streams.contract import FromSeq, Record
from radio.streams.job_cursor import Cursor
from radio.streams.stores.memory import MemoryStore
from tests.narrator.studio import Studio, memory_studio
from tests.waiting import until

DAY_S = 86_400


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def studio(tmp_path: Path, clock: ManualClock) -> Studio:
    return Studio(tmp_path, MemoryStore(clock), clock)


async def oldest(studio: Studio, name: str) -> int:
    return (await studio.store.read(name, FromSeq(0), max_records=1, include_commands=True)).records[0].seq


def receipt(number: int) -> records.Receipt:
    return records.Receipt(
        id=f"harbor/x@{number}", reason="done", voice="af_heart", sentences=1, skipped=0, audio_ms=1, gen_ms=1
    )


async def test_jobs_long_below_the_cursor_go(studio: Studio) -> None:
    await studio.write(names.JOBS, *[records.Job(cast="AAAAAAAAAAAA")] * 900)
    await studio.write(names.JOBS, *[records.Job(cast="AAAAAAAAAAAA")] * 900)
    await Cursor(studio.store).advance(1050)
    await trim_jobs(studio.store)
    assert await oldest(studio, names.JOBS) == 0  # not worth it yet
    await Cursor(studio.store).advance(1700)
    await trim_jobs(studio.store)
    assert await oldest(studio, names.JOBS) == 700
    assert await Cursor(studio.store).read() == 1700


async def test_the_newest_dead_jobs_stay(studio: Studio) -> None:
    dead = [records.DeadJob(cast="AAAAAAAAAAAA", job=n, reason="silent") for n in range(1200)]
    await studio.write(names.JOBS_DEAD, *dead[:600])
    await studio.write(names.JOBS_DEAD, *dead[600:])
    await trim_dead(studio.store)
    stands = await studio.events(names.JOBS_DEAD, records.DEAD)
    assert stands == dead[200:]
    await trim_dead(studio.store)
    assert await studio.events(names.JOBS_DEAD, records.DEAD) == stands


async def test_receipts_go_after_a_week_of_the_streams_own_time(studio: Studio, clock: ManualClock) -> None:
    for day in range(10):
        await studio.write(names.DONE, *[receipt(day)] * 100)
        clock.advance(DAY_S)
    clock.step(3650 * DAY_S)  # of no account
    await trim_receipts(studio.store)
    assert await oldest(studio, names.DONE) == 200


async def test_receipts_that_an_open_job_may_need_stay(studio: Studio, clock: ManualClock) -> None:
    clock.advance(DAY_S)
    await studio.write(names.DONE, *[receipt(0)] * 200)
    clock.advance(1)
    await studio.write(names.JOBS, records.Job(cast="AAAAAAAAAAAA"))
    clock.advance(1)
    for day in range(20):
        await studio.write(names.DONE, *[receipt(day)] * 100)
        clock.advance(DAY_S)
    await trim_receipts(studio.store)
    assert await oldest(studio, names.DONE) == 200
    await Cursor(studio.store).advance(1)
    await trim_receipts(studio.store)
    assert await oldest(studio, names.DONE) > 1000


def request(what: str, target: str = "harbor", detail: str = "") -> records.ControlRequest:
    return records.ControlRequest(what=what, target=target, detail=detail)


async def standing(studio: Studio) -> list[tuple[str, str]]:
    found = await studio.events(names.CONTROL, records.CONTROL)
    return [(r.what, r.target) for r in found if isinstance(r, records.ControlRequest)]


async def test_control_keeps_what_still_holds(studio: Studio, clock: ManualClock) -> None:
    await studio.write(
        names.CONTROL, request("mute"), request("mute", "tower"), request("redact", detail="1 5")
    )
    await studio.write(names.CONTROL, request("unmute"), *[request("dry"), request("fed")] * 300)
    clock.advance(DAY_S + 1)
    await studio.write(names.CONTROL, request("skip"))
    await renew_control(studio.store)
    assert await standing(studio) == [("skip", "harbor"), ("mute", "tower"), ("redact", "harbor")]
    await renew_control(studio.store)
    assert len(await standing(studio)) == 3


async def test_of_a_redaction_whose_records_are_all_trimmed_nobody_need_know(
    studio: Studio, clock: ManualClock
) -> None:
    started = [records.BroadcastStart(owner="x")]
    await studio.write(names.broadcast("harbor"), *started * 6)
    cuts = [request("redact", detail=detail) for detail in ("1 4", "2 5", "5 6", "8 9", "no numbers")]
    await studio.write(names.CONTROL, *cuts, request("redact", "tower", "0 1"), *[request("dry")] * 300)
    clock.advance(DAY_S + 1)
    await studio.write(names.broadcast("harbor"), *started * 4)
    await studio.store.trim(names.broadcast("harbor"), 6)
    await studio.write(names.CONTROL, request("skip"))
    await renew_control(studio.store)
    ledger = await RedactionLog(studio.store).read()
    assert (ledger.of("harbor"), ledger.of("tower")) == (((5, 6), (8, 9)), ((0, 1),))
    assert len(await standing(studio)) == 4


async def test_a_redaction_holds_as_long_as_a_rerun_stands_that_was_on_air_before_it(
    studio: Studio, clock: ManualClock
) -> None:
    broadcast = names.broadcast("harbor")
    started = [records.BroadcastStart(owner="x")]
    await studio.write(broadcast, *started * 10)
    clock.advance(60)
    await studio.write(names.CONTROL, request("redact", detail="1 2"), *[request("dry")] * 300)
    await studio.store.trim(broadcast, 6)  # what is behind it may have 1 and 2 heard again
    for _ in range(2):
        clock.advance(DAY_S + 1)
        await studio.write(broadcast, *started)
        await studio.write(names.CONTROL, *[request("dry")] * 300)
        await renew_control(studio.store)
        assert (await RedactionLog(studio.store).read()).of("harbor") == ((1, 2),)
    await studio.store.trim(broadcast, 11)
    clock.advance(DAY_S + 1)
    await studio.write(names.CONTROL, *[request("dry")] * 300)
    await renew_control(studio.store)
    assert (await RedactionLog(studio.store).read()).of("harbor") == ()


async def test_a_short_control_is_left_alone(studio: Studio, clock: ManualClock) -> None:
    await studio.write(names.CONTROL, *[request("dry"), request("fed")] * 300)
    clock.advance(DAY_S - 60)
    await studio.write(names.CONTROL, request("dry"))
    await renew_control(studio.store)
    assert len(await standing(studio)) == 601


async def test_a_removal_that_nobody_obeyed_yet_stays_with_all_behind_it(
    studio: Studio, clock: ManualClock
) -> None:
    made = await casts.submit(studio.store, clock, text="A letter.", voice="af_heart")
    await studio.write(names.CONTROL, *[request("dry"), request("fed")] * 300)
    asked = await casts.remove(studio.store, made.cast, made.token)
    await studio.write(names.CONTROL, *[request("dry"), request("fed")] * 300)
    clock.advance(DAY_S + 1)
    await studio.write(names.CONTROL, request("dry"))
    await renew_control(studio.store)
    assert await oldest(studio, names.CONTROL) == asked
    stored = await casts.look(studio.store, made.cast)
    end = records.CastEnd(reason="removed", job=0, c=asked)
    await casts.erase(
        studio.store, made.cast, fence=stored.fence, next_seq=stored.next_seq, end=end, then="free.1"
    )
    await renew_control(studio.store)
    assert await standing(studio) == [("dry", "harbor")]


async def test_requests_that_come_while_it_is_renewed_are_not_lost(
    studio: Studio, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        await studio.write(names.CONTROL, *[request("dry"), request("fed")] * 300)
    clock.advance(DAY_S)

    async def late() -> None:
        await studio.write(names.CONTROL, request("mute"))

    async def look(store: MemoryStore, record: Record, one: records.ControlRequest) -> bool:
        if record.seq == 0:
            await late()
        return False

    monkeypatch.setattr(shared_streams, "_is_obeyed", look)
    await renew_control(studio.store)
    assert len(await standing(studio)) == 1201
    monkeypatch.undo()
    await renew_control(studio.store)
    assert await standing(studio) == [("mute", "harbor")]


async def test_a_narrator_trims_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_streams, "ROUND_S", 0.02)
    monkeypatch.setattr(shared_streams, "DEAD_JOBS", 100)
    studio = await memory_studio(tmp_path)
    dead = [records.DeadJob(cast="AAAAAAAAAAAA", job=n, reason="silent") for n in range(900)]
    await studio.write(names.JOBS_DEAD, *dead)
    async with studio.narrator():
        await until(lambda: _stands(studio, 100))


async def _stands(studio: Studio, count: int) -> bool:
    return len(await studio.events(names.JOBS_DEAD, records.DEAD)) == count
