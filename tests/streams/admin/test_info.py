"""What a store holds, told from a few reads: exact where it can be, else reckoned and said to be."""

import pytest

from radio.clock import ManualClock
from radio.streams import names, records
from radio.streams.admin.info import Amount, FamilyInfo, family_of, measure, measure_stream
from radio.streams.contract import Fence, NewRecord
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.version import described, has_wal_reset_fault
from tests.contract.kit import data

DAY_S = 86_400
SOUND = 19_200
AIR = names.broadcast("harbor")


def sound(i: int, size: int = SOUND) -> NewRecord:
    src = records.ScriptPosition(0, i + 1)
    return records.encode(
        records.Audio(i=i, d=size // 8, t="x", at=24, pos=size * i, run="r", src=src, body=bytes(size))
    )


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


async def test_the_sound_of_a_broadcast_is_counted_to_the_byte_over_its_rates(
    store: MemoryStore, clock: ManualClock
) -> None:
    for i in range(100):
        await store.append(AIR, [sound(i)])
        clock.advance(DAY_S / 50)
    found = await measure_stream(store, AIR, clock.now_ms())
    assert found is not None
    assert not found.is_estimated
    assert found.all == Amount(100, 100 * SOUND)
    assert found.day == Amount(50, 50 * SOUND)
    assert found.hour == Amount(2, 2 * SOUND)


async def test_what_was_trimmed_is_not_counted(store: MemoryStore, clock: ManualClock) -> None:
    await store.append(AIR, [Fence("e1.aaaaaaaa"), *[sound(i) for i in range(20)]])
    await store.trim(AIR, 11)
    found = await measure_stream(store, AIR, clock.now_ms())
    assert found is not None
    assert found.all == Amount(11, 10 * SOUND)


async def test_records_too_large_for_one_read_are_counted_too(store: MemoryStore, clock: ManualClock) -> None:
    for i in range(70):
        await store.append(AIR, [sound(i, 96_000)])
    found = await measure_stream(store, AIR, clock.now_ms())
    assert found is not None
    assert found.all == Amount(70, 70 * 96_000)


async def test_a_short_stream_without_sound_is_counted_and_a_long_one_reckoned(
    store: MemoryStore, clock: ManualClock
) -> None:
    await store.append("jobs", data(*[bytes(92)] * 10))
    await store.append("control", data(*[bytes(992)] * 500, *[bytes(92)] * 100))
    short = await measure_stream(store, "jobs", clock.now_ms())
    long = await measure_stream(store, "control", clock.now_ms())
    assert short is not None
    assert long is not None
    assert (short.all, short.is_estimated) == (Amount(10, 1000), False)
    assert (long.all, long.is_estimated) == (Amount(600, 60_000), True)


async def test_an_old_stream_has_no_rate_and_one_that_is_gone_is_left_out(
    store: MemoryStore, clock: ManualClock
) -> None:
    await store.append("jobs", data(b"x"))
    clock.advance(2 * DAY_S)
    found = await measure_stream(store, "jobs", clock.now_ms())
    assert found is not None
    assert (found.day, found.hour) == (Amount(), Amount())
    assert await measure_stream(store, "gone", clock.now_ms()) is None


async def test_an_emptied_stream_holds_nothing(store: MemoryStore, clock: ManualClock) -> None:
    await store.append("jobs", data(b"x", b"y"))
    await store.trim("jobs", 99)
    found = await measure_stream(store, "jobs", clock.now_ms())
    assert found is not None
    assert (found.all, found.day, found.is_estimated) == (Amount(), Amount(), False)


async def test_a_cast_that_began_anew_counts_from_zero_again_and_is_reckoned(
    store: MemoryStore, clock: ManualClock
) -> None:
    name = names.cast("Zm9vYmFyYmF6")
    await store.append(name, [sound(i) for i in range(40)])
    await store.trim(name, 30)
    await store.append(name, [sound(0), sound(1)])
    found = await measure_stream(store, name, clock.now_ms())
    assert found is not None
    assert found.all.records == 13
    assert 12 * SOUND < found.all.size < 12.2 * SOUND


async def test_families_come_largest_first(store: MemoryStore, clock: ManualClock) -> None:
    await store.append(AIR, [sound(0)])
    await store.append(names.cast("a"), data(b"x"))
    await store.append(names.cast("b"), data(b"x", b"y"))
    told: list[tuple[int, int]] = []
    found = await measure(store, clock.now_ms(), lambda more, total: told.append((more, total)))
    assert [(info.family, info.streams, info.measure.all.records) for info in found] == [
        ("broadcasts", 1, 1),
        ("casts", 2, 3),
    ]
    assert isinstance(found[0], FamilyInfo)
    assert told == [(1, 3)] * 3


@pytest.mark.parametrize(
    ("name", "family"),
    [
        (names.broadcast("harbor"), "broadcasts"),
        (names.shows("harbor"), "archives"),
        (names.card("harbor"), "cards"),
        (names.station_input("harbor"), "station inputs"),
        (names.script("harbor", "brief@20261129T0700"), "scripts"),
        (names.cast("Zm9vYmFyYmF6"), "casts"),
        (names.catalog("Zm9vYmFyYmF6"), "recipes"),
        (names.memory("harbor", "brief"), "memories"),
        (names.JOBS, "jobs"),
        (names.JOBS_CURSOR, "jobs"),
        (names.JOBS_DEAD, "jobs"),
        (names.CONTROL, "control"),
        (names.DONE, "receipts"),
        (names.member("aaaaaaaa"), "members"),
        (names.STORE, "store"),
        (names.CHECKS + "x/a", "checks"),
        ("pub/stations/harbor/odd", "other"),
        ("elsewhere", "other"),
    ],
)
def test_every_stream_has_its_family(name: str, family: str) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize(
    ("version", "is_faulty"),
    [
        ((3, 6, 23), False),
        ((3, 7, 0), True),
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 45, 0), True),
        ((3, 50, 6), True),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 52, 0), False),
        ((4, 0, 0), False),
    ],
)
def test_the_versions_with_the_wal_reset_fault_are_known(
    version: tuple[int, int, int], is_faulty: bool
) -> None:
    assert has_wal_reset_fault(version) is is_faulty


def test_the_version_is_told_with_how_its_fault_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 40, 1))
    assert "WAL-reset" in described()
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 51, 3))
    assert "WAL-reset" not in described()
