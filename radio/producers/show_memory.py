"""What a show's producers remember from run to run: a small stream of marks.

A mark is a place in a producer's source, in that producer's own spelling. The newest run's producer owns the
memory: it fences the one before off, so that no two runs remember at once.
"""

import logging
from collections.abc import Sequence
from typing import Protocol

from radio.streams import names
from radio.streams.contract import StreamStore, Trim
from radio.streams.ownership.members import new_owner
from radio.streams.ownership.stream_owner import Look, take
from radio.streams.reading import known, pages
from radio.streams.records import MEMORY, Heard, InputStart, encode
from radio.streams.writer import CoalescingWriter

log = logging.getLogger(__name__)

KEEP = 5000
"""Newest records that are kept."""


class Memory(Protocol):
    """Marks of this show's runs, oldest first."""

    @property
    def heard(self) -> Sequence[Heard]: ...

    async def add(self, mark: str) -> None:
        """Remember, durably, that this run came to `mark`. Raises `StoreError` if another run has it now."""
        ...

    @property
    def aging(self) -> Sequence[Heard]:
        """Those that are forgotten next, or were just now."""
        ...

    async def renew(self, heard: Heard) -> None:
        """Keep this one as if it were new."""
        ...


class NoMemory:
    """For kinds that remember nothing."""

    heard: Sequence[Heard] = ()
    aging: Sequence[Heard] = ()

    async def add(self, mark: str) -> None:
        raise AssertionError(f"this kind of producer remembers nothing: {mark}")

    async def renew(self, heard: Heard) -> None:
        raise AssertionError(f"this kind of producer remembers nothing: {heard}")


NO_MEMORY = NoMemory()


class ShowMemory:
    """The memory of a show, taken for one run."""

    def __init__(self, writer: CoalescingWriter, run: str, found: Sequence[tuple[int, Heard]]) -> None:
        self._writer = writer
        self._run = run
        self._heard = [heard for _, heard in found]
        border = writer.next_seq - KEEP // 2
        kept = {heard.mark for seq, heard in found if seq >= border}
        aging = {heard.mark: heard for seq, heard in found if seq < border}
        self._aging = [heard for mark, heard in aging.items() if mark not in kept]

    @property
    def heard(self) -> Sequence[Heard]:
        return self._heard

    @property
    def aging(self) -> Sequence[Heard]:
        return self._aging

    @classmethod
    async def take(cls, store: StreamStore, station: str, show: str, run: str) -> "ShowMemory":
        """Become its owner, whoever was."""
        name = names.memory(station, show)
        owner = new_owner()
        found: list[tuple[int, Heard]] = []

        async def look() -> Look:
            nonlocal found
            found, tail = await _read_all(store, name)
            return Look(encode(InputStart(owner=owner)), tail)

        ownership = await take(store, name, owner, look, lives=_nobody)
        writer = CoalescingWriter(store, name, fencing_token=ownership.token, start_at=ownership.next_seq)
        memory = cls(writer, run, found)
        if found and found[0][0] < ownership.next_seq - KEEP:
            await writer.append(Trim(ownership.next_seq - KEEP))
        return memory

    async def add(self, mark: str) -> None:
        """See `Memory`."""
        await self.add_of(self._run, mark)

    async def add_of(self, run: str, mark: str) -> None:
        """The same for an earlier run, whose producer did not come to say it."""
        record = Heard(run=run, mark=mark)
        await self._writer.append(encode(record))
        self._heard.append(record)

    async def renew(self, heard: Heard) -> None:
        """See `Memory`."""
        await self.add_of(heard.run, heard.mark)

    async def close(self) -> None:
        await self._writer.close()


async def _read_all(store: StreamStore, name: str) -> tuple[list[tuple[int, Heard]], int]:
    found: list[tuple[int, Heard]] = []
    at = 0
    async for page in pages(store, name):
        events = ((record.seq, known(MEMORY, record, name)) for record in page.records)
        found += [(seq, event) for seq, event in events if isinstance(event, Heard)]
        at = page.next_seq
    return found, at


async def _nobody(owner: str) -> bool:
    """Who takes it last has it: the runner sees to it that the run before is over."""
    del owner
    return False
