"""Reads over what a server answers: at the tail, above it, beneath a trim, under a byte limit. R3 to R9."""

import pytest

from radio.streams.contract import (
    BeyondTail,
    Fence,
    FromSeq,
    FromTail,
    FromTimestamp,
    NewRecord,
    OnGap,
    Position,
    ReadResult,
    Start,
    StreamDeleting,
    StreamNotFound,
    Trim,
    Trimmed,
)
from radio.streams.stores.s2.failures import CallFailed, Verdict
from radio.streams.stores.s2.reading import ReadRequest, read
from radio.streams.stores.s2.retries import RetryingCalls
from radio.streams.stores.s2.sdk import Batch
from tests.streams.stores.s2.scripted import Scripted


async def look(
    server: Scripted, start: Start, *, count: int = 1000, clamp: bool = False, on_gap: OnGap = "skip"
) -> ReadResult:
    request = ReadRequest(
        name="a",
        start=start,
        max_records=count,
        max_bytes=1 << 20,
        include_commands=False,
        clamp=clamp,
        on_gap=on_gap,
    )
    return await read(server, RetryingCalls(), request)


def stream(records: int) -> Scripted:
    server = Scripted()
    server.apply([NewRecord(b"%d" % number) for number in range(records)])
    return server


async def test_at_the_tail_it_is_empty_and_above_it_refused_unless_clamped() -> None:
    server = stream(2)
    at_it = await look(server, FromSeq(2))
    assert (at_it.records, at_it.next_seq, at_it.gap) == ((), 2, False)
    with pytest.raises(BeyondTail) as failed:
        await look(server, FromSeq(3))
    assert failed.value.tail == Position(2, 1000)
    assert (await look(server, FromSeq(3), clamp=True)).next_seq == 2


async def test_before_the_tail_it_starts_so_many_records_before() -> None:
    server = stream(4)
    assert [r.seq for r in (await look(server, FromTail(3))).records] == [1, 2, 3]
    assert [r.seq for r in (await look(server, FromTail(9))).records] == [0, 1, 2, 3]
    nothing = await look(server, FromTail(0))
    assert (nothing.records, nothing.next_seq, nothing.tail) == ((), 4, Position(4, 1000))


async def test_beneath_a_trim_it_starts_later_with_a_gap() -> None:
    server = stream(3)
    server.apply([Trim(2)])
    result = await look(server, FromSeq(0))
    assert ([r.seq for r in result.records], result.next_seq, result.gap) == ([2], 4, True)
    with pytest.raises(Trimmed) as failed:
        await look(server, FromSeq(0), on_gap="raise")
    assert failed.value.first_seq == 2


async def test_if_all_is_gone_it_is_an_empty_gap_up_to_the_tail() -> None:
    server = stream(3)
    server.apply([Trim(99)])
    for start in (FromSeq(0), FromTail(2)):
        result = await look(server, start)
        assert (result.records, result.next_seq, result.gap) == ((), 4, True)
    with pytest.raises(Trimmed):
        await look(server, FromSeq(0), on_gap="raise")


class Late(Scripted):
    """A record is appended just after a read found nothing, and before the tail is told."""

    async def check_tail(self, name: str) -> Position:
        if self.reads == 2:
            self.apply([NewRecord(b"late")])
        return await super().check_tail(name)


async def test_what_is_appended_between_an_empty_read_and_the_tail_is_not_skipped() -> None:
    server = Late()
    server.apply([NewRecord(b"0"), Trim(99)])
    result = await look(server, FromSeq(0))
    assert ([r.body for r in result.records], result.next_seq, result.gap) == ([b"late"], 3, True)


class Narrow(Scripted):
    """Gives nothing under any byte limit, as S2 does if the first record is larger."""

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch:
        return Batch((), None) if size is not None else await super().read(name, start, count)


async def test_a_first_record_larger_than_the_limit_comes_alone() -> None:
    server = Narrow()
    server.apply([NewRecord(b"large"), NewRecord(b"next")])
    result = await look(server, FromSeq(0))
    assert ([r.body for r in result.records], result.next_seq, result.gap) == ([b"large"], 1, False)


async def test_hidden_commands_are_passed_over() -> None:
    server = Scripted()
    server.apply([Fence("t"), Fence("u"), NewRecord(b"x")])
    result = await look(server, FromSeq(0), count=2)
    assert (result.records, result.next_seq, result.gap) == ((), 2, False)


class Going(Scripted):
    """A stream whose deletion is not finished."""

    async def read(
        self, name: str, start: FromSeq | FromTimestamp, count: int, size: int | None = None
    ) -> Batch:
        raise CallFailed(Verdict.FINAL, StreamDeleting(name))


async def test_a_stream_that_is_being_deleted_is_not_found() -> None:
    with pytest.raises(StreamNotFound):
        await look(Going(), FromSeq(0))
