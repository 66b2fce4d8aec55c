"""Copying one stream, from where its copy ends, and comparing the two record by record."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from radio.errors import RadioError
from radio.streams.admin.copying.record_copy import appendable, batches, fillers, token_after
from radio.streams.contract import (
    Appendable,
    AppendConditionFailed,
    FromSeq,
    Position,
    Record,
    StreamNotFound,
    StreamStore,
)

Change = Callable[[str, Record], Record]
"""Maps a stream's name and a record of it to the record of the copy."""
Tell = Callable[[int], None]
"""Called with how many more numbers are done."""

TRIM_S = 90.0
"""How long trims of the copy may take to have effect; S2 may need 60 s."""
POLL_S = 0.1
NOWHERE = Position(0, 0)


class CopyRefused(RadioError):
    """The copy was not begun, or not continued."""


@dataclass(slots=True)
class Compared:
    """The result of comparing a stream with its copy.

    Attributes:
        digest: SHA-256 in hex over numbers, kinds, headers and bodies.
        moved: records with another timestamp.
        faults: differences that a copy must not have.
    """

    name: str
    records: int = 0
    size: int = 0
    digest: str = ""
    moved: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, record: Record, *, has_moved: bool) -> None:
        self.records += 1
        self.size += len(record.body)
        self.moved += has_moved


@dataclass(frozen=True, slots=True)
class StreamPair:
    """A stream of the store `source`, and its copy in `target`."""

    source: StreamStore
    target: StreamStore
    name: str
    change: Change

    async def is_begun_alike(self) -> bool:
        """Whether the copy so far is a beginning of the stream, judging by its end."""
        stands = await tail_of(self.target, self.name)
        if stands.seq == 0:
            return True
        if stands.seq > (await tail_of(self.source, self.name)).seq:
            return False
        mine = await _at(self.source, self.name, stands.seq - 1)
        theirs = await _at(self.target, self.name, stands.seq - 1)
        return mine is None or theirs is None or _content(self.change(self.name, mine)) == _content(theirs)

    async def copy(self, tell: Tell) -> None:
        """Append what the copy lacks. Each append names its number, so another writer makes it fail."""
        end = await tail_of(self.source, self.name)
        place = (await tail_of(self.target, self.name)).seq
        token = await self.target.fencing_token(self.name) if place else ""
        tell(place)
        while place < end.seq:
            page = await self.source.read(self.name, FromSeq(place), include_commands=True)
            for record in page.records[:1]:
                if record.seq > place:
                    token = await self._fill(place, record.seq, record.timestamp, token, tell)
            if not page.records:
                await self._fill(place, page.next_seq, end.timestamp, token, tell)
            token = await self._append(page.records, token, tell)
            place = page.next_seq

    async def _fill(self, place: int, first: int, timestamp: int, token: str, tell: Tell) -> str:
        """Fill the numbers from `place` up to `first`; returns the token after that."""
        wanted = await self.source.fencing_token(self.name)
        if first - place == 1 and await self._has_fence(first):
            wanted = ""  # later fences set the token; this one number is needed for the trim
        for batch in fillers(place, first, token=wanted, timestamp=timestamp):
            token = await self._put(batch, place, token, tell)
            place += len(batch)
        return token

    async def _append(self, page: tuple[Record, ...], token: str, tell: Tell) -> str:
        for batch in batches(appendable(self.change(self.name, record)) for record in page):
            place = page[0].seq
            token = await self._put(batch, place, token, tell)
            page = page[len(batch) :]
        return token

    async def _put(self, batch: list[Appendable], place: int, token: str, tell: Tell) -> str:
        try:
            await self.target.append(self.name, batch, match_seq_num=place, fencing_token=token)
        except AppendConditionFailed as taken:
            raise CopyRefused(
                f"someone else writes to {self.name} of the copy: {taken}", hint="stop the radio there"
            ) from taken
        tell(len(batch))
        return token_after(token, batch)

    async def _has_fence(self, first: int) -> bool:
        async with aclosing(walk(self.source, self.name, first)) as records:
            async for record in records:
                if record.kind == "fence":
                    return True
        return False

    async def compare(self, tell: Tell) -> Compared:
        """Read both through."""
        found = Compared(self.name)
        first = await first_of(self.source, self.name)
        tell(first)
        digest = hashlib.sha256()
        async with (
            aclosing(walk(self.source, self.name, first)) as originals,
            aclosing(walk(self.target, self.name, first)) as copies,
        ):
            async for record in originals:
                mine, theirs = self.change(self.name, record), await anext(copies, None)
                if theirs is None or _content(mine) != _content(theirs):
                    found.faults.append(f"{self.name}: record {record.seq} is not the same")
                    break
                found.add(mine, has_moved=mine.timestamp != theirs.timestamp)
                digest.update(f"{mine.seq} {mine.kind} {mine.headers!r} {len(mine.body)}\n".encode())
                digest.update(mine.body)
                tell(1)
        found.digest = digest.hexdigest()
        found.faults += await self._differences(first)
        return found

    async def _differences(self, first: int) -> list[str]:
        """Differences that no record shows, such as the token."""
        tails = [(await tail_of(store, self.name)).seq for store in (self.source, self.target)]
        if tails[0] != tails[1]:
            return [f"{self.name}: it ends at {tails[1]}, not at {tails[0]}"]
        if not tails[0]:
            return []
        tokens = [await store.fencing_token(self.name) for store in (self.source, self.target)]
        faults = (
            [f"{self.name}: its token is {tokens[1]!r}, not {tokens[0]!r}"] if tokens[0] != tokens[1] else []
        )
        return faults + ([] if await self._begins_at(first) else [f"{self.name}: what was trimmed stands"])

    async def _begins_at(self, first: int) -> bool:
        """Whether all records below `first` disappear from the copy, which may take a while (X2)."""
        loop = asyncio.get_running_loop()
        due = loop.time() + TRIM_S
        while await first_of(self.target, self.name) < first:
            if loop.time() > due:
                return False
            await asyncio.sleep(POLL_S)
        return True


async def tail_of(store: StreamStore, name: str) -> Position:
    """The tail; of a missing stream, that of an empty one."""
    try:
        return await store.check_tail(name)
    except StreamNotFound:
        return NOWHERE


async def first_of(store: StreamStore, name: str) -> int:
    """The number of the first record; the tail if there is none."""
    try:
        result = await store.read(name, FromSeq(0), max_records=1, include_commands=True)
    except StreamNotFound:
        return 0
    return result.records[0].seq if result.records else result.next_seq


async def walk(store: StreamStore, name: str, place: int) -> AsyncGenerator[Record, None]:
    """All records from `place` up to the tail, commands too; none if the stream is missing."""
    end = (await tail_of(store, name)).seq
    while place < end:
        page = await store.read(name, FromSeq(place), include_commands=True)
        for record in page.records:
            yield record
        place = page.next_seq


async def _at(store: StreamStore, name: str, seq: int) -> Record | None:
    """The record of that number; None if it is gone."""
    page = await store.read(name, FromSeq(seq), max_records=1, include_commands=True)
    return next((record for record in page.records if record.seq == seq), None)


def _content(record: Record) -> tuple[object, ...]:
    """What must be the same in the copy: everything but the timestamp, which a store's clock may lower
    (T1)."""
    return record.seq, record.kind, record.headers, record.body
