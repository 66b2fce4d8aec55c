"""Trimming the oldest records of a stream for the operator."""

from dataclasses import dataclass
from pathlib import Path

from radio.clock import Clock
from radio.streams.admin.info import measure_from
from radio.streams.contract import FenceMismatch, FromSeq, Record, StreamStore, Unavailable
from radio.streams.ownership import stream_owner
from radio.streams.ownership.store_in_use import StillRunning, living

RACES = 10


@dataclass(frozen=True, slots=True)
class Doomed:
    """What a trim would remove, and what it would keep.

    Attributes:
        size: bytes; an estimate if `is_estimated`.
        since, until: timestamps of the first and last removed records, epoch ms; 0 if there are none.
        stays: records that are kept, including commands.
    """

    name: str
    first: int
    end: int
    size: int
    is_estimated: bool
    since: int
    until: int
    stays: int

    @property
    def records(self) -> int:
        return self.end - self.first


async def doomed(store: StreamStore, name: str, seq: int) -> Doomed:
    """What a trim to `seq` would remove.

    Raises:
        StreamNotFound: there is no such stream.
        InvalidRequest: not a valid name or number.
    """
    tail = await store.check_tail(name)
    end = min(seq, tail.seq)
    oldest = await _at(store, name, 0)
    first = oldest.seq if oldest else tail.seq
    if end <= first:
        return Doomed(name, first, first, 0, False, 0, 0, tail.seq - first)
    whole, rest = await measure_from(store, name, first), await measure_from(store, name, end)
    last = await _at(store, name, end - 1)
    return Doomed(
        name,
        first,
        end,
        max(whole.all.size - rest.all.size, 0),
        whole.is_estimated,
        oldest.timestamp if oldest else 0,
        last.timestamp if last else tail.timestamp,
        tail.seq - end,
    )


async def trim(store: StreamStore, clock: Clock, name: str, seq: int, *, data: Path, ttl_s: float) -> None:
    """Trim a stream that no living process owns, with its token. Deciding whether an owner lives may take
    `ttl_s`.

    Raises:
        StillRunning: its owner lives; only the owner may append to it, trims included.
    """
    for _ in range(RACES):
        token = await store.fencing_token(name)
        owner = stream_owner.parse(token).owner
        if owner and owner in await living(store, clock, data=data, ttl_s=ttl_s):
            raise StillRunning(
                f"{name} belongs to {owner}, which lives",
                hint="stop the radio first; `keep:` of a station and --casts-keep-s trim while it runs",
            )
        try:
            await store.trim(name, seq, fencing_token=token)
        except FenceMismatch:
            continue  # someone took it in this moment
        return
    raise Unavailable(f"{name} changes hands all the time", hint="stop the radio first")


async def _at(store: StreamStore, name: str, seq: int) -> Record | None:
    page = await store.read(name, FromSeq(seq), max_records=1, include_commands=True)
    return page.records[0] if page.records else None
