"""A store whose appends wait until a test lets them go on, or fails them."""

import asyncio
from collections.abc import Sequence
from typing import Any

from radio.streams.contract import Appendable, AppendAck, StreamStore


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
        self.batches: list[tuple[Appendable, ...]] = []
        self.places: list[int | None] = []
        self.tokens: list[str | None] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

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
