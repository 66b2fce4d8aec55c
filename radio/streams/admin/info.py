"""What is in a store: streams, records, bytes and rates by family, from a few small reads per stream.

Bytes of sound are exact, by `pos`. Bytes of other streams are exact if a stream is short, else estimated from
its newest records. Records are counted by their numbers, so commands count too.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from radio.streams import names
from radio.streams.contract import (
    FromSeq,
    FromTail,
    FromTimestamp,
    Position,
    Record,
    Start,
    StreamNotFound,
    StreamStore,
)
from radio.streams.listing import every_name
from radio.streams.stores.stream_state import stored_size

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
SAMPLE = 64
"""Newest records of a stream, from which the size of the others is estimated."""
PROBE = 8
"""Records read at a number to find one with `pos`."""
AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Amount:
    records: int = 0
    size: int = 0
    """Bytes."""

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.records + other.records, self.size + other.size)


@dataclass(frozen=True, slots=True)
class StoreMeasure:
    """One stream or several: all records, and those of the last day and hour."""

    all: Amount = field(default_factory=Amount)
    day: Amount = field(default_factory=Amount)
    hour: Amount = field(default_factory=Amount)
    is_estimated: bool = False
    """Some bytes are estimated from the newest records."""

    def __add__(self, other: "StoreMeasure") -> "StoreMeasure":
        return StoreMeasure(
            self.all + other.all,
            self.day + other.day,
            self.hour + other.hour,
            self.is_estimated or other.is_estimated,
        )


@dataclass(frozen=True, slots=True)
class FamilyInfo:
    family: str
    streams: int
    measure: StoreMeasure


def family_of(name: str) -> str:
    """The family of a stream, in the words of the glossary."""
    if name.startswith(names.BROADCASTS):
        leaf = name.removeprefix(names.BROADCASTS).partition("/")[2]
        return {"": "broadcasts", "shows": "archives", "card": "cards"}.get(leaf, "other")
    if name.startswith(names.STATION_INPUTS):
        return "scripts" if "/" in name.removeprefix(names.STATION_INPUTS) else "station inputs"
    if name in (names.JOBS, names.JOBS_CURSOR, names.JOBS_DEAD):
        return "jobs"
    return next((family for prefix, family in _FAMILIES if name.startswith(prefix)), "other")


_FAMILIES = (
    (names.CAST_OUTPUTS, "casts"),
    (names.CATALOG, "recipes"),
    (names.MEMORIES, "memories"),
    (names.CONTROL, "control"),
    (names.DONE, "receipts"),
    (names.MEMBERS, "members"),
    (names.META, "store"),
    (names.CHECKS, "checks"),
)


async def measure(
    store: StreamStore, now_ms: int, tell: Callable[[int, int], None] = lambda done, total: None
) -> list[FamilyInfo]:
    """Every family that has streams, by its bytes.

    Args:
        tell: told how many more streams are done, and how many there are.
    """
    every = await every_name(store)
    measures: dict[str, list[StoreMeasure]] = {}
    waiting = iter(every)

    async def go_on(waiting: Iterator[str]) -> None:
        for name in waiting:
            found = await measure_stream(store, name, now_ms)
            if found is not None:
                measures.setdefault(family_of(name), []).append(found)
            tell(1, len(every))

    async with asyncio.TaskGroup() as tasks:
        for number in range(AT_ONCE):
            tasks.create_task(go_on(waiting), name=f"measure-{number}")
    families = [
        FamilyInfo(family, len(found), sum(found, start=StoreMeasure())) for family, found in measures.items()
    ]
    return sorted(families, key=lambda info: (-info.measure.all.size, info.family))


async def measure_stream(store: StreamStore, name: str, now_ms: int) -> StoreMeasure | None:
    """None if the stream was deleted in the meantime."""
    try:
        look = await _look(store, name)
        day, hour = [
            look.since(await _at(store, name, FromTimestamp(now_ms - window_ms)))
            if look.tail.timestamp >= now_ms - window_ms
            else Amount()
            for window_ms in (DAY_MS, HOUR_MS)
        ]
    except StreamNotFound:
        return None
    return StoreMeasure(look.since(look.oldest), day, hour, look.is_estimated)


async def measure_from(store: StreamStore, name: str, seq: int) -> StoreMeasure:
    """The records from `seq` on. Raises `StreamNotFound`."""
    look = await _look(store, name)
    found = await _at(store, name, FromSeq(seq)) if seq < look.tail.seq else ()
    return StoreMeasure(look.since(found), is_estimated=look.is_estimated)


async def _look(store: StreamStore, name: str) -> "_Look":
    tail = await store.check_tail(name)
    return _Look(tail, await _at(store, name, FromSeq(0)), await _newest(store, name, tail.seq))


async def _at(store: StreamStore, name: str, start: Start, count: int = PROBE) -> Sequence[Record]:
    return (await store.read(name, start, max_records=count, include_commands=True)).records


async def _newest(store: StreamStore, name: str, tail: int) -> Sequence[Record]:
    """The newest records, as many as fit into one read."""
    count = SAMPLE
    while True:
        page = await store.read(name, FromTail(count), max_records=count, include_commands=True)
        if page.next_seq >= tail or count == 1:
            return page.records
        count = count // 4 or 1


class _Look:
    """What a stream's oldest and newest records say about its size. Pure."""

    def __init__(self, tail: Position, oldest: Sequence[Record], newest: Sequence[Record]) -> None:
        self.tail = tail
        self.oldest = oldest
        self._newest = newest
        self._end_pos = _end_pos(newest)
        standing = tail.seq - oldest[0].seq if oldest else 0
        begin = _pos(oldest)
        # a cast that failed and was started again counts from 0
        self._has_pos = self._end_pos is not None and begin is not None and begin <= self._end_pos
        self.is_estimated = not self._has_pos and standing > len(newest)

    def since(self, found: Sequence[Record]) -> Amount:
        """From the first of these records to the tail; nothing if there is none."""
        if not found:
            return Amount()
        count = max(self.tail.seq - found[0].seq, 0)
        begin = _pos(found)
        if self._has_pos and self._end_pos is not None and begin is not None:
            return Amount(count, max(self._end_pos - begin, 0))
        return Amount(count, self._reckoned(found[0].seq, count))

    def _reckoned(self, first: int, count: int) -> int:
        """Bytes as a store counts them: of the records themselves, or estimated by the mean of the newest."""
        if not self._newest:
            return 0
        if self._newest[0].seq <= first:
            return sum(stored_size(record) for record in self._newest if record.seq >= first)
        return round(count * sum(map(stored_size, self._newest)) / len(self._newest))


def _pos(records: Sequence[Record]) -> int | None:
    """Bytes of sound before the first of these that has sound."""
    return next((pos for pos in map(_pos_of, records) if pos is not None), None)


def _end_pos(records: Sequence[Record]) -> int | None:
    """Bytes of sound up to the end of the last of these that has sound."""
    for record in reversed(records):
        if (pos := _pos_of(record)) is not None:
            return pos + len(record.body)
    return None


def _pos_of(record: Record) -> int | None:
    value = next((value for name, value in record.headers if name == b"pos"), b"")
    return int(value) if value.isdigit() else None
