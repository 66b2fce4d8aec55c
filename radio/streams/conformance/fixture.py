"""Where a rule is tried: a store, and names that nobody else uses in it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from radio.streams.conformance.expectations import Broken, eventually
from radio.streams.contract import (
    Appendable,
    AppendAck,
    FromSeq,
    NewRecord,
    Record,
    StreamDeleting,
    StreamStore,
)


@dataclass(frozen=True, slots=True)
class Lab:
    """One rule's place in a store.

    Attributes:
        prefix: of all its streams' names; ends with `/`.
        open_another: one more handle on the same store, of another process where the store allows it. Who
            made the lab closes it.
    """

    store: StreamStore
    prefix: str
    open_another: Callable[[], Awaitable[StreamStore]]

    async def another(self) -> StreamStore:
        return await self.open_another()

    def name(self, rest: str) -> str:
        """The full name of a stream of this lab."""
        return self.prefix + rest

    async def names(self, prefix: str = "", store: StreamStore | None = None) -> list[str]:
        """The lab's streams, without the lab's own prefix, as `store` lists them."""
        page = await (store or self.store).list(self.name(prefix))
        return [info.name.removeprefix(self.prefix) for info in page.items]

    async def put(self, name: str, *bodies: bytes) -> AppendAck:
        return await self.store.append(name, data(*bodies))

    async def put_anew(self, name: str, *bodies: bytes) -> AppendAck:
        """Append to a name that was just deleted, as soon as the store lets it be used again (D1, N6)."""
        acks: list[AppendAck] = []

        async def attempt() -> None:
            try:
                acks.append(await self.put(name, *bodies))
            except StreamDeleting as still:
                raise Broken(str(still)) from still

        await eventually(attempt)
        return acks[0]

    async def everything(self, name: str, *, include_commands: bool = False) -> list[Record]:
        """All records of a stream."""
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

    async def seqs(self, name: str, *, include_commands: bool = False) -> list[int]:
        return [r.seq for r in await self.everything(name, include_commands=include_commands)]

    async def now_ms(self) -> int:
        """The store's own clock."""
        return (await self.put(self.name("clock"), b"")).end.timestamp


def data(*bodies: bytes) -> Sequence[Appendable]:
    return [NewRecord(body) for body in bodies]


def numbered(*numbers: int) -> list[bytes]:
    """Bodies that are numbers."""
    return [b"%d" % number for number in numbers]
