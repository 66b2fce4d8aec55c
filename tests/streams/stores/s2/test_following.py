"""The pump of a follow, between a server that answers as a test says and a buffer that nobody empties."""

from datetime import UTC, datetime

import pytest

from radio.streams.contract import FromSeq, FromTimestamp, NewRecord, Position, StreamDeleting, StreamNotFound
from radio.streams.stores.s2.failures import CallFailed, Verdict
from radio.streams.stores.s2.following import SessionPump
from radio.streams.stores.s2.reading import ReadRequest
from radio.streams.stores.s2.result_buffer import ResultBuffer
from radio.streams.stores.s2.retries import RetryingCalls
from radio.streams.stores.s2.sdk import Batch
from tests.streams.stores.s2.scripted import Scripted


class GoesMeanwhile(Scripted):
    """The stream is being deleted once its records were read."""

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch:
        return Batch((await super().read(name, start, count, size)).records, None)

    async def check_tail(self, name: str) -> Position:
        raise CallFailed(Verdict.FINAL, StreamDeleting(name))


async def born(name: str) -> datetime | None:
    return datetime(2026, 11, 30, tzinfo=UTC)


async def test_a_stream_that_goes_between_two_looks_at_it_is_one_that_is_not_there() -> None:
    server = GoesMeanwhile()
    server.apply([NewRecord(b"x")])
    request = ReadRequest(
        name="a",
        start=FromSeq(0),
        max_records=10,
        max_bytes=100,
        include_commands=False,
        clamp=False,
        on_gap="skip",
    )
    pump = SessionPump(
        server,  # type: ignore[arg-type]  # no session is opened
        RetryingCalls(),
        born,
        request,
        ResultBuffer(),
        await_stream=False,
        reconnect_timeout=60.0,
    )
    with pytest.raises(StreamNotFound):
        await pump.run()
