"""The store as relays read it: redacted records of a broadcast have silence and no text, whoever asks.

Every route reads through it, so none can forget to. `StationFeed.redact` does the same for what was in memory
before the redaction came.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from radio.redaction import RedactionLog, Redactions, first_of, veiled
from radio.streams import names
from radio.streams.contract import (
    MAX_READ_BYTES,
    MAX_READ_RECORDS,
    Appendable,
    AppendAck,
    Follow,
    OnGap,
    Page,
    Position,
    ReadResult,
    Start,
    StreamStore,
)


class RedactedStore:
    """A `StreamStore` on another one. `redactions` must be kept up to date by who follows `control`."""

    def __init__(self, store: StreamStore) -> None:
        self._store = store
        self.redactions = Redactions()
        self._first_read = asyncio.Lock()
        self._is_read = False

    async def read(
        self,
        name: str,
        start: Start,
        *,
        max_records: int = MAX_READ_RECORDS,
        max_bytes: int = MAX_READ_BYTES,
        include_commands: bool = False,
        clamp: bool = False,
        on_gap: OnGap = "skip",
    ) -> ReadResult:
        page = await self._store.read(
            name,
            start,
            max_records=max_records,
            max_bytes=max_bytes,
            include_commands=include_commands,
            clamp=clamp,
            on_gap=on_gap,
        )
        return await self.shown(name, page)

    @asynccontextmanager
    async def follow(
        self,
        name: str,
        start: Start,
        *,
        include_commands: bool = False,
        await_stream: bool = False,
        clamp: bool = False,
        heartbeat: float = 10.0,
        reconnect_timeout: float = 60.0,
        on_gap: OnGap = "skip",
    ) -> AsyncIterator[Follow]:
        tail = self._store.follow(
            name,
            start,
            include_commands=include_commands,
            await_stream=await_stream,
            clamp=clamp,
            heartbeat=heartbeat,
            reconnect_timeout=reconnect_timeout,
            on_gap=on_gap,
        )
        async with tail as follow:
            yield _VeiledFollow(self, name, follow)

    async def shown(self, name: str, page: ReadResult) -> ReadResult:
        """A page of the stream, as it may be read."""
        station = station_of(name)
        if station is None or not page.records:
            return page
        await self._know()
        redacted = self.redactions
        if not redacted.of(station):
            return page
        records = tuple(veiled(r) if redacted.takes(station, r.seq, first_of(r)) else r for r in page.records)
        return replace(page, records=records)

    async def _know(self) -> None:
        """Before the first record is shown, what was asked until then is known."""
        if self._is_read:
            return
        async with self._first_read:
            if not self._is_read:
                await RedactionLog(self._store, self.redactions).read()
                self._is_read = True

    async def store_id(self) -> str:
        return await self._store.store_id()

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        return await self._store.append(
            name, records, match_seq_num=match_seq_num, fencing_token=fencing_token
        )

    async def check_tail(self, name: str) -> Position:
        return await self._store.check_tail(name)

    async def fencing_token(self, name: str) -> str:
        return await self._store.fencing_token(name)

    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        return await self._store.trim(name, first_seq, fencing_token=fencing_token)

    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        return await self._store.list(prefix, start_after=start_after, limit=limit)

    async def delete(self, name: str, *, missing_ok: bool = True) -> bool:
        return await self._store.delete(name, missing_ok=missing_ok)

    async def close(self) -> None:
        await self._store.close()


class _VeiledFollow:
    """A tail whose pages come veiled. Cancelling `anext` loses nothing: a page is kept until it is shown."""

    def __init__(self, redacted_store: RedactedStore, name: str, follow: Follow) -> None:
        self._redacted_store, self._name, self._follow = redacted_store, name, follow
        self._page: ReadResult | None = None

    @property
    def caught_up(self) -> bool:
        return self._follow.caught_up

    def __aiter__(self) -> AsyncIterator[ReadResult]:
        return self

    async def __anext__(self) -> ReadResult:
        if self._page is None:
            self._page = await anext(self._follow)
        shown = await self._redacted_store.shown(self._name, self._page)
        self._page = None
        return shown


def station_of(name: str) -> str | None:
    """The station whose broadcast the stream is; None: it is none."""
    station = name.removeprefix(names.BROADCASTS)
    return station if station != name and names.STATION_ID.fullmatch(station) else None
