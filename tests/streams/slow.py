"""A store whose appends wait until a test lets them go on, or fails them; it may fail reads too."""

import asyncio
from collections.abc import Sequence
from typing import Any

from radio.streams.contract import Appendable, AppendAck, ReadResult, Start, StreamStore


class Gated:
    """Passes everything on to a store; appends are noted, and wait for `gate` and for `failure`."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()
        """Set once an append was asked for."""
        self.failures: list[Exception] = []
        """Raised by the next appends instead of appending."""
        self.read_failures: list[Exception] = []
        """Raised by the next reads."""
        self.batches: list[tuple[Appendable, ...]] = []
        self.places: list[int | None] = []
        self.tokens: list[str | None] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def read(self, name: str, start: Start, **how: Any) -> ReadResult:
        if self.read_failures:
            raise self.read_failures.pop(0)
        return await self._store.read(name, start, **how)

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        self.batches.append(tuple(records))
        self.places.append(match_seq_num)
        self.tokens.append(fencing_token)
        self.begun.set()
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)
        return await self._store.append(
            name, records, match_seq_num=match_seq_num, fencing_token=fencing_token
        )
