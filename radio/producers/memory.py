"""What a show's producers remember from run to run: a small stream of marks.

A mark is a place in a producer's source, in that producer's own spelling. The newest run's producer owns the
memory: it fences the one before off, so that no two runs remember at once.
"""

import logging
from collections.abc import Sequence
from typing import Protocol

from radio.streams import names
from radio.streams.contract import FromSeq, StreamNotFound, StreamStore, Trim
from radio.streams.known import known
from radio.streams.members import new_owner
from radio.streams.ownership import Look, take
from radio.streams.records import MEMORY, Heard, InputStart, encode
from radio.streams.writer import CoalescingWriter

log = logging.getLogger(__name__)

KEEP = 5000
"""Newest records that are kept; a feed with more items at a time is not read."""


class Memory(Protocol):
    """Marks of this show's runs, oldest first."""

    @property
    def heard(self) -> Sequence[Heard]: ...

    async def add(self, mark: str) -> None:
        """Remember, durably, that this run came to `mark`. Raises `StoreError` if another run has it now."""
        ...


class NoMemory:
    """For kinds that remember nothing."""

    heard: Sequence[Heard] = ()

    async def add(self, mark: str) -> None:
        raise AssertionError(f"this kind of producer remembers nothing: {mark}")


NO_MEMORY = NoMemory()


class ShowMemory:
    """The memory of a show, taken for one run."""

    def __init__(self, writer: CoalescingWriter, run: str, heard: Sequence[Heard]) -> None:
        self._writer = writer
        self._run = run
        self._heard = list(heard)

    @property
    def heard(self) -> Sequence[Heard]:
        return self._heard

    @classmethod
    async def take(cls, store: StreamStore, station: str, show: str, run: str) -> "ShowMemory":
        """Become its owner, whoever was."""
        name = names.memory(station, show)
        owner = new_owner()
        found: list[Heard] = []

        async def look() -> Look:
            nonlocal found
            found, tail = await _read_all(store, name)
            return Look(encode(InputStart(owner=owner)), tail)

        ownership = await take(store, name, owner, look, lives=_nobody)
        writer = CoalescingWriter(store, name, fencing_token=ownership.token, start_at=ownership.next_seq)
        if len(found) > KEEP:
            await writer.append(Trim(ownership.next_seq - KEEP))
        return cls(writer, run, found)

    async def add(self, mark: str) -> None:
        """See `Memory`."""
        await self.add_of(self._run, mark)

    async def add_of(self, run: str, mark: str) -> None:
        """The same for an earlier run, whose producer did not come to say it."""
        record = Heard(run=run, mark=mark)
        await self._writer.append(encode(record))
        self._heard.append(record)

    async def close(self) -> None:
        await self._writer.close()


async def _read_all(store: StreamStore, name: str) -> tuple[list[Heard], int]:
    found: list[Heard] = []
    at = 0
    try:
        while True:
            result = await store.read(name, FromSeq(at))
            events = (known(MEMORY, record) for record in result.records)
            found += [event for event in events if isinstance(event, Heard)]
            if result.next_seq == at:
                return found, at
            at = result.next_seq
    except StreamNotFound:
        return [], 0


async def _nobody(owner: str) -> bool:
    """Who takes it last has it: the runner sees to it that the run before is over."""
    del owner
    return False
