"""A server that answers as a test says, with the stream that it keeps, to try the loops without a network.

What a real server does is tried in `tests/contract`.
"""

from collections.abc import Sequence

from radio.streams.contract import (
    Appendable,
    AppendAck,
    AppendConditionFailed,
    BeyondTail,
    FromSeq,
    FromTimestamp,
    Position,
    Record,
    StreamNotFound,
    Unavailable,
)
from radio.streams.stores import stream_state
from radio.streams.stores.s2.failures import CallFailed, Verdict
from radio.streams.stores.s2.sdk import Batch

OK, LOST, REFUSED, SILENT, FATAL = "ok", "applied, then lost", "refused", "lost, not applied", "fatal"


class Scripted:
    """One stream. Each append takes the next word of `script`; with none left all goes well."""

    def __init__(self, *script: str) -> None:
        self.script = list(script)
        self.appends: list[Sequence[Appendable]] = []
        self.reads = 0
        self.records: list[Record] = []
        self._state = stream_state.StreamState()

    async def append(
        self, name: str, records: Sequence[Appendable], match_seq_num: int | None, fencing_token: str | None
    ) -> AppendAck:
        word = self.script.pop(0) if self.script else OK
        self.appends.append(tuple(records))
        if word == REFUSED:
            raise CallFailed(Verdict.REFUSED, Unavailable("draining"))
        if word == SILENT:
            raise CallFailed(Verdict.UNKNOWN, Unavailable("cut"))
        if word == FATAL:
            raise CallFailed(Verdict.FINAL, StreamNotFound(name))
        ack = self.apply(records, match_seq_num, fencing_token)
        if word == LOST:
            raise CallFailed(Verdict.UNKNOWN, Unavailable("cut"))
        return ack

    def apply(
        self,
        records: Sequence[Appendable],
        match_seq_num: int | None = None,
        fencing_token: str | None = None,
    ) -> AppendAck:
        try:
            done = stream_state.append(
                self._state, records, now_ms=1000, match_seq_num=match_seq_num, fencing_token=fencing_token
            )
        except AppendConditionFailed as e:
            raise CallFailed(Verdict.FINAL, e) from e
        self._state = done.state
        self.records = [r for r in (*self.records, *done.records) if r.seq >= done.state.first_seq]
        return done.ack

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch:
        self.reads += 1
        assert isinstance(start, FromSeq)
        if start.seq >= self._state.next_seq:
            raise CallFailed(Verdict.FINAL, BeyondTail(self._state.tail))
        found = [record for record in self.records if record.seq >= start.seq][:count]
        return Batch(tuple(found), self._state.tail if found else None)

    async def check_tail(self, name: str) -> Position:
        return self._state.tail
