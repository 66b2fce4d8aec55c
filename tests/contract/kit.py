"""A store under test, with what its tests need around it."""

import secrets
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from radio.clock import ManualClock
from radio.streams import names
from radio.streams.conformance import Lab
from radio.streams.contract import (
    Appendable,
    AppendAck,
    FromSeq,
    NewRecord,
    Record,
    StreamStore,
)
from radio.streams.stores.memory import MemoryStore
from radio.streams.stores.sqlite.store import SqliteStore


class AnyKit(ABC):
    """One store, whatever its clock. `store` is a handle on it, and `another` gives more."""

    store: StreamStore

    @abstractmethod
    async def open(self) -> Self: ...

    @abstractmethod
    async def another(self) -> StreamStore:
        """One more handle on the same store: of another process, where the store allows it."""

    @abstractmethod
    async def close(self) -> None: ...

    def lab(self) -> Lab:
        """A place for one rule in this store."""
        return Lab(self.store, f"{names.CHECKS}{secrets.token_hex(4)}/", self.another)

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


class Kit(AnyKit):
    """One store whose clock the test moves."""

    def __init__(self) -> None:
        self.clock = ManualClock()


class MemoryKit(Kit):
    def __init__(self, _: Path | None = None) -> None:
        super().__init__()

    async def open(self) -> Self:
        self.store = MemoryStore(self.clock)
        return self

    async def another(self) -> StreamStore:
        return self.store

    async def close(self) -> None:
        await self.store.close()


class SharedKit(AnyKit):
    """One store that other processes can open too."""

    @property
    @abstractmethod
    def where(self) -> str:
        """How `tests.contract.process` finds it."""

    @abstractmethod
    async def reopen(self) -> None:
        """As if the process had ended and begun anew."""


class SqliteKit(SharedKit, Kit):
    """`another` opens the file once more, as another process would."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / "radio.sqlite3"
        self._open: list[SqliteStore] = []

    async def open(self, factory: type[sqlite3.Connection] = sqlite3.Connection) -> Self:
        self.store = await self.another(factory)
        return self

    async def another(self, factory: type[sqlite3.Connection] = sqlite3.Connection) -> SqliteStore:
        store = await SqliteStore.open(self.path, self.clock, factory=factory)
        self._open.append(store)
        return store

    @property
    def where(self) -> str:
        return str(self.path)

    async def reopen(self) -> None:
        await self.close()
        await self.open()

    async def close(self) -> None:
        for store in self._open:
            await store.close()
        self._open.clear()


def data(*bodies: bytes) -> Sequence[Appendable]:
    return [NewRecord(body) for body in bodies]


KITS: Mapping[str, Callable[[Path], AnyKit]] = {"memory": MemoryKit, "sqlite": SqliteKit}
"""Every store, by name: each is given an empty folder."""
CLOCKED_KITS: Mapping[str, Callable[[Path], Kit]] = {"memory": MemoryKit, "sqlite": SqliteKit}
"""Those whose clock a test can move."""
