"""The loop that appends exactly once: which answers it tries again, which it looks up, which it passes on."""

import asyncio

import pytest

from radio.streams.contract import (
    Appendable,
    AppendAck,
    AppendUncertain,
    Fence,
    FenceMismatch,
    NewRecord,
    Record,
    SeqMismatch,
    StoreClosed,
    StreamNotFound,
    Trim,
    Unavailable,
)
from radio.streams.stores.s2 import appending
from radio.streams.stores.s2.appending import BATCH_ID, AppendRequest, append, is_ours, tagged
from radio.streams.stores.s2.retries import RetryingCalls
from tests.streams.stores.s2.scripted import FATAL, LOST, OK, REFUSED, SILENT, Scripted
from tests.waiting import until

X = NewRecord(b"x")


async def try_append(server: Scripted, *records: Appendable, **given: object) -> AppendAck:
    return await append(server, RetryingCalls(), AppendRequest("a", records or (X,), **given))  # type: ignore[arg-type]


def bodies(server: Scripted) -> list[bytes]:
    return [record.body for record in server.records if record.kind == "data"]


@pytest.mark.parametrize(
    "script", [[LOST], [LOST, REFUSED], [SILENT, LOST], [LOST, SILENT], [SILENT, SILENT]]
)
async def test_an_exact_append_stands_once_whatever_is_lost(script: list[str]) -> None:
    server = Scripted(*script)
    server.apply([NewRecord(b"before")])
    ack = await try_append(server, X, NewRecord(b"y"), match_seq_num=1)
    assert (ack.start.seq, ack.end.seq, ack.start.timestamp) == (1, 3, 1000)
    assert bodies(server) == [b"before", b"x", b"y"]
    assert server.script == []


async def test_every_attempt_of_one_append_carries_one_batch_id_and_each_append_another() -> None:
    server = Scripted(SILENT, OK, OK)
    await try_append(server, match_seq_num=0)
    await try_append(server, match_seq_num=1)
    ids = [dict(batch[0].headers)[BATCH_ID] for batch in server.appends if isinstance(batch[0], NewRecord)]
    assert [len(i) for i in ids] == [8, 8, 8]
    assert ids[0] == ids[1] != ids[2]


async def test_another_writer_at_the_place_is_a_mismatch_also_after_a_lost_attempt() -> None:
    server = Scripted(SILENT)
    server.apply([X])
    with pytest.raises(SeqMismatch) as failed:
        await try_append(server, X, match_seq_num=0)
    assert failed.value.actual == 1
    assert bodies(server) == [b"x"]


async def test_a_mismatch_at_once_is_passed_on_without_a_look() -> None:
    server = Scripted()
    server.apply([Fence("other")])
    with pytest.raises(FenceMismatch):
        await try_append(server, match_seq_num=1, fencing_token="mine")
    assert (len(server.appends), server.reads) == (1, 0)


async def test_a_take_over_that_landed_is_known_by_its_record_though_its_old_token_is_gone() -> None:
    server = Scripted(LOST)
    server.apply([Fence("old")])
    ack = await try_append(server, Fence("new"), X, match_seq_num=1, fencing_token="old")
    assert (ack.start.seq, ack.end.seq) == (1, 3)
    assert bodies(server) == [b"x"]


async def test_a_fence_alone_is_known_by_its_unique_token() -> None:
    server = Scripted(LOST)
    ack = await try_append(server, Fence("e1.mine"), match_seq_num=0, fencing_token="")
    assert (ack.start.seq, ack.end.seq) == (0, 1)


async def test_a_fence_of_another_is_not_taken_for_ours() -> None:
    server = Scripted(SILENT)
    server.apply([Fence("e1.other")])
    with pytest.raises(FenceMismatch):
        await try_append(server, Fence("e1.mine"), match_seq_num=0, fencing_token="")


async def test_a_lost_attempt_whose_place_was_trimmed_is_uncertain() -> None:
    server = Scripted(LOST)
    with pytest.raises(AppendUncertain):
        await try_append(server, X, Trim(1000), match_seq_num=0)


async def test_without_a_place_a_lost_attempt_is_uncertain_and_not_made_again() -> None:
    server = Scripted(SILENT)
    with pytest.raises(AppendUncertain):
        await try_append(server)
    assert len(server.appends) == 1


async def test_without_a_place_a_refused_attempt_is_made_again_without_an_id() -> None:
    server = Scripted(REFUSED, REFUSED)
    ack = await try_append(server)
    assert ack.start.seq == 0
    assert server.appends == [(X,)] * 3


async def test_what_may_be_repeated_is_repeated() -> None:
    server = Scripted(LOST, SILENT)
    server.apply([X, X])
    await try_append(server, Trim(1), is_repeatable=True)
    assert [record.seq for record in server.records if record.kind == "data"] == [1]


@pytest.mark.parametrize(("script", "kind"), [([FATAL], StreamNotFound), ([SILENT, FATAL], AppendUncertain)])
async def test_a_final_answer_ends_it(script: list[str], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        await try_append(Scripted(*script), match_seq_num=0)


@pytest.mark.parametrize(("word", "kind"), [(REFUSED, Unavailable), (SILENT, AppendUncertain)])
async def test_it_gives_up_at_its_deadline(
    word: str, kind: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appending, "APPEND_S", 0.2)
    server = Scripted(*[word] * 1000)
    with pytest.raises(kind):
        await append(server, RetryingCalls(), AppendRequest("a", (X,), match_seq_num=0))
    assert 1 < len(server.appends) < 1000


@pytest.mark.parametrize(("word", "kind"), [(REFUSED, StoreClosed), (SILENT, AppendUncertain)])
async def test_closing_the_store_ends_its_pause(word: str, kind: type[Exception]) -> None:
    server, line = Scripted(*[word] * 1000), RetryingCalls()
    appending_now = asyncio.create_task(append(server, line, AppendRequest("a", (X,), match_seq_num=0)))
    await until(lambda: bool(server.appends))
    line.close()
    async with asyncio.timeout(60):
        with pytest.raises(kind):
            await appending_now
    assert len(server.appends) < 1000


def test_the_id_goes_before_the_headers_of_the_first_data_record_alone() -> None:
    batch = tagged([Fence("t"), NewRecord(b"1", ((b"e", b"x"),)), NewRecord(b"2")], b"12345678")
    assert batch == (
        Fence("t"),
        NewRecord(b"1", ((BATCH_ID, b"12345678"), (b"e", b"x"))),
        NewRecord(b"2"),
    )
    assert tagged([Fence("t"), Trim(1)], b"12345678") == (Fence("t"), Trim(1))


def test_ours_is_what_begins_at_the_place_and_is_the_same_to_the_end() -> None:
    sent = tagged([X, Fence("t")], b"12345678")
    assert isinstance(sent[0], NewRecord)
    first = Record(5, 1, sent[0].headers, b"x")
    fence = Record(6, 1, (), b"t", "fence")
    assert is_ours(sent, [first, fence], 5) is True
    assert is_ours(sent, [Record(5, 1, ((BATCH_ID, b"87654321"),), b"x"), fence], 5) is False
    assert is_ours(sent, [first, Record(6, 1, (), b"u", "fence")], 5) is False
    assert is_ours(sent, [Record(5, 1, (), b"x")], 5) is False
    assert is_ours(sent, [first], 5) is None
    assert is_ours(sent, [fence], 5) is None
    assert is_ours(sent, [], 5) is None


def test_the_id_fits_into_the_bytes_that_callers_leave_free() -> None:
    assert 2 + len(BATCH_ID) + appending.BATCH_ID_BYTES <= 32
