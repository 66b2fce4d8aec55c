"""The S2 store under test, on a real S2 Lite: each kit has a basin of its own."""

from typing import Self

from radio.streams.stores.s2.address import S2Address
from radio.streams.stores.s2.store import S2Store
from tests.contract.kit import SharedKit
from tests.s2_server import S2Server, new_basin


class S2Kit(SharedKit):
    """`another` opens the basin once more, as another process would. The clock is the server's."""

    def __init__(self, server: S2Server) -> None:
        self.server = server
        self.place: S2Address = server.place(new_basin())
        self._open: list[S2Store] = []

    @property
    def where(self) -> str:
        return f"{self.server.origin}/{self.place.basin}"

    async def open(self) -> Self:
        self.store = await self.another()
        return self

    async def another(self, origin: str = "") -> S2Store:
        """One more handle, by way of `origin` if it is given."""
        store = await S2Store.open(self.server.place(self.place.basin, origin))
        self._open.append(store)
        return store

    async def reopen(self) -> None:
        await self.close()
        await self.open()

    async def close(self) -> None:
        for store in self._open:
            await store.close()
        self._open.clear()
