"""A wall clock that steps, or is not set at the start: what is made is heard, and air time goes on."""

import asyncio
import logging
from pathlib import Path

import pytest

from radio.clock import SystemClock
from radio.narrator import worker
from radio.narrator.lanes import Load
from radio.narrator.station import takeover
from radio.narrator.station.air_time import EARLY_MS
from radio.narrator.station.clock_steps import unannounced
from radio.narrator.station.lane import StationLane
from radio.streams import names, records
from radio.streams.contract import FromSeq
from radio.streams.ownership.stream_owner import Member
from radio.streams.stores.memory import MemoryStore
from tests.narrator.studio import RUN, STATION, QuickSpeaker, Studio, assert_exact
from tests.waiting import until


class SteppedClock(SystemClock):
    """The system's clock with a wall that may be moved, and a monotonic one that may run fast."""

    def __init__(self, offset_ms: int = 0) -> None:
        self.offset_ms = offset_ms
        self.skip_s = 0.0
        self.skipped_s = 0.0

    def now_ms(self) -> int:
        return super().now_ms() + self.offset_ms

    def monotonic(self) -> float:
        self.skipped_s += self.skip_s
        return super().monotonic() + self.skipped_s


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
def studio(tmp_path: Path, clock: SteppedClock) -> Studio:
    return Studio(tmp_path, MemoryStore(clock), clock)


@pytest.mark.parametrize("step_ms", [3_600_000, -30_000], ids=["forward", "back"])
async def test_air_time_goes_on_at_the_end_of_the_last_record_and_the_step(
    studio: Studio, clock: SteppedClock, step_ms: int
) -> None:
    await studio.begin(starts_in_s=-600, length_s=20_000)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with studio.narrator(QuickSpeaker(frames_a_word=100)):
        await until(lambda: _count(studio, 1))
        clock.offset_ms += step_ms
        await until(lambda: _has_epoch(studio))
        await studio.write(
            names.script(STATION, RUN),
            records.Text(seg=0, body=b" comes after."),
            records.ScriptEnd(reason="done"),
        )
        await studio.finished()
    [epoch] = [e for e in await studio.broadcast() if isinstance(e, records.Epoch)]
    assert epoch.step % 24 == 0
    assert abs(epoch.step - step_ms) <= 12
    first, second = await studio.on_air()
    assert isinstance(first, records.Audio)
    assert isinstance(second, records.Audio)
    assert second.at == first.until + epoch.step
    assert first.epoch is None
    assert second.epoch is not None
    told = (await studio.store.read(names.broadcast(STATION), FromSeq(second.epoch))).records[0]
    assert records.decode(records.BROADCAST, told) == epoch


async def test_after_a_step_back_below_its_planned_start_a_run_goes_on_where_it_is(
    studio: Studio, clock: SteppedClock
) -> None:
    begin = await studio.begin(length_s=600)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with studio.narrator(QuickSpeaker(frames_a_word=100)):
        await until(lambda: _count(studio, 1))
        clock.offset_ms -= 50_000
        await until(lambda: _has_epoch(studio))
        await studio.write(
            names.script(STATION, RUN),
            records.Text(seg=0, body=b" comes after."),
            records.ScriptEnd(reason="done"),
        )
        await studio.finished()
    [epoch] = [e for e in await studio.broadcast() if isinstance(e, records.Epoch)]
    first, second = await studio.on_air()
    assert isinstance(first, records.Audio)
    assert isinstance(second, records.Audio)
    assert second.at == first.until + epoch.step
    assert second.at is not None
    assert second.at < begin.at


@pytest.mark.parametrize("is_written", [True, False], ids=["written", "not written"])
async def test_a_step_that_came_while_another_owned_the_station_is_written_once(
    studio: Studio,
    clock: SteppedClock,
    is_written: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its owner ends before it sees the step, or right after it wrote it; a spare narrator was there."""
    monkeypatch.setattr(worker, "WATCH_S", 0.02)
    caplog.set_level(logging.INFO)
    await studio.begin(starts_in_s=-600, length_s=20_000)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with Member(studio.store, clock, role="narrator", data=studio.data) as owner:
        bell = asyncio.Event()
        taken = await takeover.take_station(studio.store, clock, owner, STATION, bell, bell.is_set)
        lane = StationLane(studio.store, clock, STATION, taken, bell)
        piece = lane.begin()
        assert piece is not None
        await lane.put(piece, QuickSpeaker(frames_a_word=100).speak(piece.text, "af_heart"))
        async with studio.narrator():
            await until(lambda: f"station {STATION}" in {t.get_name() for t in asyncio.all_tasks()})
            clock.offset_ms += 3_600_000
            if is_written:
                lane.step(3_600_000)
                await lane.tidy(Load(1, 4.0))
            await until(lambda: "clock.step_seen" in [r.__dict__.get("action") for r in caplog.records])
            await lane.close(is_given_up=True)
            await until(lambda: _starts(studio, 2))
            await studio.write(
                names.script(STATION, RUN),
                records.Text(seg=0, body=b" comes after."),
                records.ScriptEnd(reason="done"),
            )
            await studio.finished()
    [epoch] = [e for e in await studio.broadcast() if isinstance(e, records.Epoch)]
    assert abs(epoch.step - 3_600_000) <= 24
    first, second = await studio.on_air()
    assert isinstance(first, records.Audio)
    assert isinstance(second, records.Audio)
    assert second.at == first.until + epoch.step


async def _starts(studio: Studio, count: int) -> bool:
    return sum(isinstance(e, records.BroadcastStart) for e in await studio.broadcast()) >= count


def test_each_step_that_was_written_counts_once() -> None:
    assert unannounced([3000], []) == 3000
    assert unannounced([3000], [3024]) == 0
    assert unannounced([3000, -3000, 3000], [3000, -2976]) == 3000
    assert unannounced([3000], [-3000, 90_000]) == 3000


async def test_runs_that_were_over_when_the_radio_was_off_get_their_end_whenever_it_was_started(
    studio: Studio, clock: SteppedClock
) -> None:
    """Also if it died at once when it was started: what counts is when it was heard last."""
    await studio.begin(starts_in_s=-1, length_s=60)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
    clock.offset_ms += 3 * 3_600_000
    async with Member(studio.store, clock, role="narrator", data=studio.data) as member:
        bell = asyncio.Event()
        await takeover.take_station(studio.store, clock, member, STATION, bell, bell.is_set)
    async with studio.narrator():
        await studio.finished()


async def _count(studio: Studio, count: int) -> bool:
    return len(await studio.captions()) == count


async def _has_epoch(studio: Studio) -> bool:
    return any(isinstance(e, records.Epoch) for e in await studio.broadcast())


async def test_a_run_that_is_over_by_the_new_clock_ends(studio: Studio, clock: SteppedClock) -> None:
    await studio.begin(length_s=600)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
        clock.offset_ms += 3_600_000
        await studio.finished()
    assert await studio.captions() == ["A first sentence is here."]


async def test_a_start_with_an_unset_clock_waits_and_goes_on_as_after_a_step_back(
    studio: Studio, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "LOOK_S", 0.0)
    await studio.begin(starts_in_s=-7_000, length_s=20_000)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
    clock.offset_ms -= EARLY_MS + 5_000_000
    clock.skip_s = 5.0  # two minutes pass in 24 looks
    async with Member(studio.store, clock, role="narrator", data=studio.data) as member:
        bell = asyncio.Event()
        taken = await takeover.take_station(studio.store, clock, member, STATION, bell, bell.is_set)
        lane = StationLane(studio.store, clock, STATION, taken, bell)
        await lane.tidy(Load(1, 4.0))
        await lane.close(is_given_up=True)
    [epoch] = [e for e in await studio.broadcast() if isinstance(e, records.Epoch)]
    assert epoch.step % 24 == 0
    assert abs(epoch.step + EARLY_MS + 5_000_000) < 60_000
    assert clock.skipped_s >= 120
    assert lane.on_air.end is not None
    assert 0 < lane.on_air.end - clock.now_ms() < 60_000


async def test_who_takes_over_after_an_aired_step_back_waits_for_no_clock(
    studio: Studio, clock: SteppedClock
) -> None:
    await studio.begin(starts_in_s=-7_000, length_s=20_000)
    await studio.script("A first sentence is here. A second sentence", is_complete=False)
    async with studio.narrator():
        await until(lambda: _count(studio, 1))
        clock.offset_ms -= EARLY_MS + 3_000_000
        await until(lambda: _has_epoch(studio))
    clock.skip_s = 5.0  # so that a wait would show
    async with Member(studio.store, clock, role="narrator", data=studio.data) as member:
        bell = asyncio.Event()
        taken = await takeover.take_station(studio.store, clock, member, STATION, bell, bell.is_set)
    assert taken.step_ms == 0
    assert clock.skipped_s < 120


async def test_a_clock_that_is_set_in_time_changes_nothing(
    studio: Studio, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "LOOK_S", 0.0)
    await studio.begin(starts_in_s=-7_000, length_s=20_000)
    await studio.script("A first sentence is here. A second one comes after.")
    async with studio.narrator():
        await studio.finished()
    await studio.begin("wires@2", starts_in_s=-10)
    await studio.script("The wires have news.", run="wires@2")
    clock.offset_ms -= EARLY_MS + 5_000
    async with studio.narrator():
        clock.offset_ms += EARLY_MS + 5_000
        await studio.finished("wires@2")
    assert not await _has_epoch(studio)
    assert_exact(await studio.on_air("wires@2"), await studio.broadcast())
