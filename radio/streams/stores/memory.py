"""The store in memory: one process, one event loop. It keeps the same contract as the others."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import uuid4

from radio.clock import Clock
from radio.streams import call_checks
from radio.streams.contract import (
    MAX_READ_BYTES,
    MAX_READ_RECORDS,
    Appendable,
    AppendAck,
    OnGap,
    Page,
    Position,
    ReadResult,
    Record,
    Start,
    StoreClosed,
    StreamInfo,
    StreamNotFound,
    Trim,
)
from radio.streams.stores import stream_state
from radio.streams.stores.local_follow import FollowHub, LocalTail
from radio.streams.stores.stream_state import AppliedAppend, StreamState


@dataclass(slots=True)
class _Stream:
    """`records` are those from `state.first_seq` on."""

    incarnation: int
    created_ms: int
    state: StreamState = field(default_factory=StreamState)
    records: list[Record] = field(default_factory=list)

    def timestamp_at(self, seq: int) -> int:
        return self.records[seq - self.state.first_seq].timestamp

    def extend(self, done: AppliedAppend) -> None:
        self.records.extend(done.records)
        del self.records[: done.state.first_seq - self.state.first_seq]
        self.state = done.state


class MemoryStore:
    """A `StreamStore` in memory. `durability` is `none`: everything ends with the process."""

    durability = "none"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._id = uuid4().hex
        self._streams: dict[str, _Stream] = {}
        self._incarnations = 0
        self._hub = FollowHub()

    async def store_id(self) -> str:
        await self._turn()
        return self._id

    async def append(
        self,
        name: str,
        records: Sequence[Appendable],
        *,
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        call_checks.check_append(name, records, match_seq_num, fencing_token)
        await self._turn()
        stream = self._streams.get(name)
        done = stream_state.append(
            stream.state if stream else StreamState(),
            records,
            now_ms=self._clock.now_ms(),
            match_seq_num=match_seq_num,
            fencing_token=fencing_token,
        )
        if stream is None:
            self._incarnations += 1
            stream = self._streams[name] = _Stream(self._incarnations, self._clock.now_ms())
        stream.extend(done)
        self._hub.tell({name: (stream.incarnation, stream.state.next_seq)})
        return done.ack

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
        call_checks.check_read(name, start, max_records, max_bytes)
        _, result = await self._snapshot(name, start, max_records, max_bytes, include_commands, clamp, on_gap)
        return result

    def follow(
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
    ) -> LocalTail:
        call_checks.check_read(name, start)

        async def read(place: Start) -> tuple[int, ReadResult]:
            return await self._snapshot(
                name, place, MAX_READ_RECORDS, MAX_READ_BYTES, include_commands, clamp, on_gap
            )

        return LocalTail(self._hub, name, start, read, await_stream=await_stream, heartbeat=heartbeat)

    async def check_tail(self, name: str) -> Position:
        return (await self._find(name)).state.tail

    async def fencing_token(self, name: str) -> str:
        return (await self._find(name)).state.fence

    async def trim(self, name: str, first_seq: int, *, fencing_token: str | None = None) -> AppendAck:
        call_checks.check_append(name, [Trim(first_seq)], None, fencing_token)
        await self._find(name)
        return await self.append(name, [Trim(first_seq)], fencing_token=fencing_token)

    async def overwrite(self, name: str, records: Sequence[Record]) -> bool:
        """As `Overwriting` has it."""
        stream = await self._find(name)
        for record in records:
            offset = record.seq - stream.state.first_seq
            if 0 <= offset < len(stream.records) and stream.records[offset].kind == "data":
                old = stream.records[offset]
                stream.records[offset] = replace(old, headers=record.headers, body=record.body)
        return True

    async def list(self, prefix: str = "", *, start_after: str = "", limit: int = 1000) -> Page:
        call_checks.check_list(prefix, start_after, limit)
        await self._turn()
        # names are ASCII, so that the order of str is that of its UTF-8 bytes
        names = sorted(n for n in self._streams if n.startswith(prefix) and n.encode() > start_after.encode())
        items = tuple(StreamInfo(n, self._streams[n].created_ms) for n in names[:limit])
        return Page(items, len(names) > limit)

    async def delete(self, name: str, *, missing_ok: bool = True) -> bool:
        call_checks.check_name(name)
        await self._turn()
        if self._streams.pop(name, None) is None:
            if missing_ok:
                return False
            raise StreamNotFound(name)
        self._hub.tell({name: None})
        return True

    async def close(self) -> None:
        self._hub.close()

    async def _snapshot(
        self,
        name: str,
        start: Start,
        max_records: int,
        max_bytes: int,
        include_commands: bool,
        clamp: bool,
        on_gap: OnGap,
    ) -> tuple[int, ReadResult]:
        stream = await self._find(name)
        begin, gap = stream_state.seek(
            stream.state, start, clamp=clamp, on_gap=on_gap, timestamp_at=stream.timestamp_at
        )
        offset = begin - stream.state.first_seq
        result = stream_state.collect(
            stream.state,
            stream.records[offset : offset + max_records],
            gap=gap,
            max_records=max_records,
            max_bytes=min(max_bytes, MAX_READ_BYTES),
            include_commands=include_commands,
        )
        return stream.incarnation, result

    async def _find(self, name: str) -> _Stream:
        call_checks.check_name(name)
        await self._turn()
        stream = self._streams.get(name)
        if stream is None:
            raise StreamNotFound(name)
        return stream

    async def _turn(self) -> None:
        """Yield to other tasks, as every store does; the rest happens in one step."""
        self._refuse_if_closed()
        await asyncio.sleep(0)
        self._refuse_if_closed()

    def _refuse_if_closed(self) -> None:
        if self._hub.is_closed:
            raise StoreClosed
