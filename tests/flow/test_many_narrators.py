"""Three narrators and two schedulers on one store: some are killed, one is frozen, under a flood of casts.

The same on SQLite and on a real S2 Lite, with a fast voice that needs no model; and once with the real voice.
"""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from radio import casts
from radio.clock import SystemClock
from radio.settings import Settings
from radio.streams import names, records
from radio.streams.contract import StreamNotFound, StreamStore
from radio.streams.ownership.members import ttl_of
from tests.flow import measure
from tests.flow.crowd import Crowd, Process, holder, moment_of_take, owner_of, taken_after
from tests.need import need
from tests.s2_server import S2Server, new_basin
from tests.waiting import until

pytestmark = pytest.mark.flow

STATIONS = ["harbor", "quay", "tower"]
BROADCASTS = [names.broadcast(station) for station in STATIONS]
INPUTS = [names.station_input(station) for station in STATIONS]
XRT = 30.0
DEAD_AIR_MS = 0
TAKEN_WITHIN_MS = 10_000
LATE_MS = 10_000
"""What a busy machine adds; beyond it the lead is spent, and there is dead air."""
STATION = """\
station: {name}
title: {name}
timezone: UTC
lead: {{target: 30s, guard: 10s}}
fallback: off
shows:
  - id: tales
    title: Tales
    hours: "00:00-00:00"
    producer: text
    files: ["{name}.txt"]
"""


def tale(station: str, count: int) -> str:
    return " ".join(
        f"At {station} the boat with the number {k} comes in, and it brings {k % 7 + 2} letters."
        for k in range(count)
    )


def sentences_of_cast(n: int) -> list[str]:
    return [f"Cast {n} says hello.", f"It has the number {n}.", f"That was cast {n}."]


@pytest.fixture(params=["sqlite", "s2"])
def crowd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Crowd]:
    """Nothing runs yet but the store's server, if it has one."""
    settings = Settings(data=tmp_path / "data", schedules=schedules(tmp_path), engine="tone", tone_xrt=XRT)
    yield from on_store(request.param, tmp_path, settings)


def on_store(store: str, folder: Path, settings: Settings) -> Iterator[Crowd]:
    server = None
    if store == "s2":
        need("s2")
        server = S2Server(folder / "s2")
        server.start()
        settings = replace(settings, store=f"s2://{new_basin()}", s2_endpoint=server.origin)
    crowd = Crowd(folder, settings)
    try:
        yield crowd
    finally:
        crowd.end()
        if server is not None:
            server.kill()


def schedules(folder: Path, stations: Sequence[str] = STATIONS, count: int = 3000) -> Path:
    files = folder / "schedules"
    files.mkdir()
    for name in stations:
        (files / f"{name}.yaml").write_text(STATION.format(name=name))
        (files / f"{name}.txt").write_text(tale(name, count))
    return files


@asynccontextmanager
async def started(
    crowd: Crowd, narrators: int, schedulers: int, stations: Sequence[str] = STATIONS
) -> AsyncIterator[StreamStore]:
    """All stations are on air; at the end every process that is left stops in good order."""
    async with crowd.store() as store:
        for _ in range(schedulers):
            crowd.scheduler()
        for _ in range(narrators):
            crowd.narrator()
        try:
            await every_station_grows(store, 2, stations)
            yield store
        except BaseException:
            print(crowd.report())
            raise
        for process in crowd.narrators + crowd.schedulers:
            assert not process.lives or await asyncio.to_thread(process.stop) == 0, crowd.report()


async def records_of(store: StreamStore, station: str) -> int:
    """Of its broadcast; asked again and again, so nothing of them is read."""
    try:
        return (await store.check_tail(names.broadcast(station))).seq
    except StreamNotFound:
        return 0


async def every_station_grows(
    store: StreamStore, by: int, stations: Sequence[str] = STATIONS, *, within_s: float = 180.0
) -> None:
    """So many sentences at least, besides the records of a new owner and a new run."""
    before = {station: await records_of(store, station) for station in stations}

    async def has_grown() -> bool:
        return all([await records_of(store, station) >= before[station] + by + 3 for station in stations])

    await until(has_grown, within_s=within_s)


async def every_station_has_lead(store: StreamStore) -> None:
    """Whatever happens now, its successor has the time that it is promised."""
    for station in STATIONS:
        await measure.has_lead(store, station)


async def submit(store: StreamStore, first: int, end: int) -> list[str]:
    """Casts with these numbers."""
    clock = SystemClock()
    made = []
    for n in range(first, end):
        text = " ".join(sentences_of_cast(n))
        made.append((await casts.submit(store, clock, text=text, voice="af_heart")).cast)
    return made


async def done(store: StreamStore) -> dict[str, int]:
    """Casts with a receipt, each with the store's time of the first one."""
    found: dict[str, int] = {}
    for entry in await measure.entries(store, names.DONE, records.DONE):
        if isinstance(entry.record, records.Receipt) and entry.record.job is not None:
            found.setdefault(entry.record.id, entry.appended)
    return found


async def done_at_least(store: StreamStore, count: int) -> None:
    async def are_there() -> bool:
        await asyncio.sleep(0.2)  # spares the machine that it waits for
        return len(await done(store)) >= count

    await until(are_there, within_s=600)


# --- what is done to them ---------------------------------------------------------------------------------


async def kill_a_narrator(crowd: Crowd, store: StreamStore) -> list[int]:
    """The one that owns most stations; how long each of them was without an owner, in ms."""
    victim = await holder(store, crowd.narrators, BROADCASTS)
    held = [name for name in BROADCASTS if await owner_of(store, name) in victim.owners]
    killed_ms = victim.kill()
    return [await moved(store, name, victim, killed_ms) for name in held]


async def moved(store: StreamStore, name: str, gone: Process, since_ms: int) -> int:
    successor = await taken_after(store, name, gone.owners)
    return await moment_of_take(store, name, successor, since_ms) - since_ms


async def freeze_a_narrator(crowd: Crowd, store: StreamStore) -> list[int]:
    """The one that owns most stations, outside a transaction; it thaws when all of them have other owners."""
    victim = await holder(store, crowd.narrators, BROADCASTS)
    held = [name for name in BROADCASTS if await owner_of(store, name) in victim.owners]
    with crowd.outside_a_transaction():
        frozen_ms = victim.freeze()
    try:
        return [await moved(store, name, victim, frozen_ms) for name in held]
    finally:
        victim.thaw()


async def kill_a_scheduler(crowd: Crowd, store: StreamStore) -> list[int]:
    victim = await holder(store, crowd.schedulers, INPUTS)
    held = [name for name in INPUTS if await owner_of(store, name) in victim.owners]
    killed_ms = victim.kill()
    return [await moved(store, name, victim, killed_ms) for name in held]


# --- what must hold ---------------------------------------------------------------------------------------


async def all_is_spoken_once(store: StreamStore, made: Sequence[str]) -> None:
    for station in STATIONS:
        for run in measure.runs(await measure.broadcast(store, station)):
            await measure.is_exactly_once(store, station, run)
        await has_no_dead_air(store, station)
    await casts_are_spoken_once(store, made)


async def casts_are_spoken_once(store: StreamStore, made: Sequence[str]) -> None:
    for n, cast in enumerate(made):
        stream = await measure.entries(store, names.cast(cast), records.CAST)
        audio = [e.record for e in stream if isinstance(e.record, records.Audio)]
        assert [(a.i, a.t) for a in audio] == list(enumerate(sentences_of_cast(n)))
        ends = [e.record for e in stream if isinstance(e.record, records.CastEnd)]
        assert [end.reason for end in ends] == ["done"]
        assert await store.fencing_token(names.cast(cast)) == "end.done"
    assert set(made) == set(await done(store))
    assert await measure.entries(store, names.JOBS_DEAD, records.DEAD) == []


async def has_no_dead_air(store: StreamStore, station: str) -> None:
    """No gap between two sentences, and each was there before it was due."""
    stream = await measure.audio_of(store, station)
    assert all(entry.appended <= (audio.at or 0) for entry, audio in stream)
    gaps = [(later.at or 0) - earlier.until for (_, earlier), (_, later) in pairwise(stream)]
    assert max(gaps) <= DEAD_AIR_MS, f"{station}: {max(gaps)} ms of dead air"


async def longest_gap(store: StreamStore) -> int:
    longest = 0
    for station in STATIONS:
        stream = await measure.audio_of(store, station)
        gaps = [(later.at or 0) - earlier.until for (_, earlier), (_, later) in pairwise(stream)]
        longest = max([longest, *gaps])
    return longest


async def flood(store: StreamStore, first: int, end: int) -> tuple[list[str], float]:
    """Casts with these numbers, while nothing happens to anybody; and how many were done per second."""
    begun = time.monotonic()
    before = len(await done(store))
    made = await submit(store, first, end)
    await done_at_least(store, before + len(made))
    return made, len(made) / (time.monotonic() - begun)


async def test_whatever_happens_to_them_everything_is_spoken_once(crowd: Crowd) -> None:
    calm, count = 12, 30
    async with started(crowd, narrators=3, schedulers=2) as store:
        made, rate = await flood(store, 0, calm)
        made += await submit(store, calm, count)
        await done_at_least(store, calm + 3)
        await every_station_has_lead(store)
        killed = await kill_a_narrator(crowd, store)
        await every_station_grows(store, 1)
        await every_station_has_lead(store)
        frozen = await freeze_a_narrator(crowd, store)
        scheduled = await kill_a_scheduler(crowd, store)
        await every_station_grows(store, 2)
        await done_at_least(store, count)
        print(
            f"\n{kind(crowd)}: stations taken over {killed} ms after a narrator was killed, {frozen} ms "
            f"after one was frozen, {scheduled} ms after a scheduler was killed; "
            f"{rate:.1f} casts/s in calm, longest gap {await longest_gap(store)} ms"
        )
        await all_is_spoken_once(store, made)
    assert min(killed) < ttl_of(crowd.settings.store) * 1000, "the lock file tells at once"
    assert max(frozen) <= TAKEN_WITHIN_MS + LATE_MS


async def test_where_only_heartbeats_tell_a_station_is_taken_over_within_ten_seconds(crowd: Crowd) -> None:
    async with crowd.store() as store:
        crowd.scheduler()
        crowd.narrator(crowd.folder_elsewhere("one"))
        await every_station_grows(store, 2)
        crowd.narrator(crowd.folder_elsewhere("two"))
        await until(lambda: "narrator.ready" in actions(crowd.narrators[1]), within_s=180)
        await every_station_has_lead(store)
        took = await kill_a_narrator(crowd, store)
        await every_station_grows(store, 2)
        print(f"\n{kind(crowd)}: taken over after {took} ms by heartbeats alone")
        for station in STATIONS:
            await has_no_dead_air(store, station)
            for run in measure.runs(await measure.broadcast(store, station)):
                await measure.is_exactly_once(store, station, run)
    assert max(took) <= TAKEN_WITHIN_MS + LATE_MS
    assert min(took) > 500 * ttl_of(crowd.settings.store), "something else than heartbeats told"


def kind(crowd: Crowd) -> str:
    """`sqlite` or `s2`."""
    return crowd.settings.store.partition(":")[0]


def actions(process: Process) -> set[str]:
    return {str(entry.get("action")) for entry in process.entries()}


@pytest.mark.soak
async def test_a_flood_of_casts_through_kill_after_kill(crowd: Crowd) -> None:
    """The long form: RADIO_CASTS casts (200), RADIO_KILLS kills (5) of processes that are started again."""
    count, kills = int(os.environ.get("RADIO_CASTS", "200")), int(os.environ.get("RADIO_KILLS", "5"))
    draw = random.Random(4)
    took: list[int] = []
    async with started(crowd, narrators=3, schedulers=2) as store:
        made = await submit(store, 0, count)
        for k in range(kills):
            await done_at_least(store, min(count, count * (k + 1) // (kills + 2)))
            await asyncio.sleep(draw.uniform(0, 0.5))  # not to be right: any moment will do
            hit = draw.choice([kill_a_narrator, kill_a_narrator, freeze_a_narrator, kill_a_scheduler])
            took += await hit(crowd, store)
            if hit is kill_a_narrator:
                crowd.narrator()
            elif hit is kill_a_scheduler:
                crowd.scheduler()
        await done_at_least(store, count)
        await every_station_grows(store, 1)
        print(
            f"\n{kind(crowd)}: {count} casts, {kills} kills and freezes, "
            f"stations taken over after {took} ms, longest gap {await longest_gap(store)} ms"
        )
        await all_is_spoken_once(store, made)


@pytest.mark.model
async def test_with_the_real_voice_a_narrator_that_is_killed_leaves_no_sentence_out(tmp_path: Path) -> None:
    """However slow it is here: the casts have the voice for themselves when the run is over."""
    need("voice")
    files = schedules(tmp_path, ["harbor"], count=8)
    crowd = Crowd(tmp_path, Settings(data=tmp_path / "data", schedules=files, engine="auto"))
    try:
        async with started(crowd, narrators=2, schedulers=1, stations=["harbor"]) as store:
            made = await submit(store, 0, 2)
            [killed] = await kill_a_narrator(crowd, store)
            await until(lambda: has_ended(store, "harbor"), within_s=600)
            await done_at_least(store, len(made))
            print(f"\nreal voice: taken over {killed} ms after a narrator was killed")
            [run] = measure.runs(await measure.broadcast(store, "harbor"))
            said = measure.spoken(await measure.broadcast(store, "harbor"), run)
            assert " ".join(record.t for record in said) == tale("harbor", 8)
            await measure.is_exactly_once(store, "harbor", run)
            await casts_are_spoken_once(store, made)
    finally:
        crowd.end()


async def has_ended(store: StreamStore, station: str) -> bool:
    stream = await measure.broadcast(store, station)
    return any(isinstance(entry.record, records.BroadcastEnd) for entry in stream)
