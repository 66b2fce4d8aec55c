"""A store under test, with what its tests need around it."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from radio.clock import ManualClock
from radio.streams.contract import (
    Appendable,
    AppendAck,
    FromSeq,
    NewRecord,
    Record,
    StreamStore,
)
from radio.streams.memory import MemoryStore
from radio.streams.sqlite import SqliteStore


class Kit(ABC):
    """One store. `store` is a handle on it, and `another` gives more."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.store: StreamStore

    @abstractmethod
    async def another(self) -> StreamStore:
        """One more handle on the same store: of another process, where the store allows it."""

    @abstractmethod
    async def close(self) -> None: ...

    async def put(self, name: str, *bodies: bytes) -> AppendAck:
        return await self.store.append(name, [NewRecord(body) for body in bodies])

    async def everything(self, name: str, *, include_commands: bool = False) -> list[Record]:
        """All that stands in a stream."""
        found: list[Record] = []
        place = 0
        while True:
            result = await self.store.read(name, FromSeq(place), include_commands=include_commands)
            found += result.records
            if result.next_seq == place:
                return found
            place = result.next_seq

    async def bodies(self, name: str) -> list[bytes]:
        return [record.body for record in await self.everything(name)]


class MemoryKit(Kit):
    async def open(self) -> "MemoryKit":
        self.store = MemoryStore(self.clock)
        return self

    async def another(self) -> StreamStore:
        return self.store

    async def close(self) -> None:
        await self.store.close()


class SqliteKit(Kit):
    """`another` opens the file once more, as another process would."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / "radio.sqlite3"
        self._open: list[SqliteStore] = []

    async def open(self, factory: type[sqlite3.Connection] = sqlite3.Connection) -> "SqliteKit":
        self.store = await self.another(factory)
        return self

    async def another(self, factory: type[sqlite3.Connection] = sqlite3.Connection) -> SqliteStore:
        store = await SqliteStore.open(self.path, self.clock, factory=factory)
        self._open.append(store)
        return store

    async def reopen(self) -> None:
        """As if the process had ended and begun anew."""
        await self.close()
        await self.open()

    async def close(self) -> None:
        for store in self._open:
            await store.close()
        self._open.clear()


def data(*bodies: bytes) -> Sequence[Appendable]:
    return [NewRecord(body) for body in bodies]
