"""Names and records: N1 to N6."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radio.streams.checks import metered
from radio.streams.contract import (
    MAX_BATCH_BYTES,
    Fence,
    FromSeq,
    Headers,
    InvalidRequest,
    NewRecord,
    Trim,
)
from radio.streams.sqlite_schema import pack, unpack
from tests.contract.kit import Kit, data

BAD_NAMES = [
    "",
    "/",
    "a/",
    "/a",
    "a//b",
    ".",
    "..",
    "a/.",
    "a/../b",
    "ü",
    "a b",
    "a\n",
    "a/b\n",
    "a%b",
    "a" * 513,
]
GOOD_NAMES = ["a", "pub/stations/harbor", "...", ".a", "a/..b", "A-Z.a_z~0@9-", "a" * 512]


@pytest.mark.parametrize("name", GOOD_NAMES)
async def test_N1_a_name_of_allowed_segments_is_taken(kit: Kit, name: str) -> None:
    await kit.put(name, b"x")
    assert await kit.bodies(name) == [b"x"]


@pytest.mark.parametrize("name", BAD_NAMES)
async def test_N1_any_other_name_is_refused_by_every_method(kit: Kit, name: str) -> None:
    store = kit.store
    with pytest.raises(InvalidRequest):
        await kit.put(name, b"x")
    with pytest.raises(InvalidRequest):
        await store.read(name, FromSeq(0))
    with pytest.raises(InvalidRequest):
        store.follow(name, FromSeq(0))
    for call in (store.check_tail, store.fencing_token, store.delete):
        with pytest.raises(InvalidRequest):
            await call(name)
    with pytest.raises(InvalidRequest):
        await store.trim(name, 0)
    assert (await store.list()).items == ()


async def test_N2_bodies_and_headers_come_back_byte_for_byte(kit: Kit) -> None:
    headers = ((b"e", b"x"), (b"e", b"x"), (b"\xff\x00", b""), (b"a", bytes(range(256))))
    records = [NewRecord(b"", headers), NewRecord(bytes(range(256)) * 100), NewRecord(b"")]
    await kit.store.append("a", records)
    stored = await kit.everything("a")
    assert [(r.headers, r.body) for r in stored] == [(r.headers, r.body) for r in records]


async def test_N2_an_empty_header_name_is_refused(kit: Kit) -> None:
    with pytest.raises(InvalidRequest):
        await kit.store.append("a", [NewRecord(b"x", ((b"", b"fence"),))])
    assert (await kit.store.list()).items == ()


header = st.tuples(st.binary(min_size=1, max_size=40), st.binary(max_size=400))


@given(st.lists(header).map(tuple))
def test_N2_headers_of_any_kind_survive_the_sqlite_columns(headers: Headers) -> None:
    assert unpack(pack(headers)) == headers


@given(st.binary(max_size=200), st.lists(header, max_size=5).map(tuple))
def test_N3_a_record_is_metered_as_s2_meters_it(body: bytes, headers: Headers) -> None:
    plain = 8 + 2 * len(headers) + sum(len(n) + len(v) for n, v in headers) + len(body)
    assert metered(NewRecord(body, headers)) == plain


async def test_N3_an_append_of_the_largest_size_is_taken(kit: Kit) -> None:
    ack = await kit.put("a", bytes(MAX_BATCH_BYTES - 8))
    assert ack.end.seq == 1
    assert len((await kit.everything("a"))[0].body) == MAX_BATCH_BYTES - 8


async def test_N3_one_byte_more_is_refused_and_nothing_written(kit: Kit) -> None:
    with pytest.raises(InvalidRequest):
        await kit.put("a", bytes(MAX_BATCH_BYTES - 7))
    with pytest.raises(InvalidRequest):
        await kit.put("a", bytes(500_000), bytes(600_000))
    assert (await kit.store.list()).items == ()
    assert (await kit.put("a", b"still usable")).start.seq == 0


async def test_N3_an_append_holds_one_to_a_thousand_records(kit: Kit) -> None:
    with pytest.raises(InvalidRequest):
        await kit.store.append("a", [])
    with pytest.raises(InvalidRequest):
        await kit.store.append("a", data(*[b""] * 1001))
    assert (await kit.store.append("a", data(*[b""] * 1000))).end.seq == 1000


@pytest.mark.parametrize("name", [b"_s.", b"_s.b", b"_s.anything"])
async def test_N4_reserved_header_names_are_refused(kit: Kit, name: bytes) -> None:
    with pytest.raises(InvalidRequest):
        await kit.store.append("a", [NewRecord(b"x", ((b"e", b"fine"), (name, b"")))])
    await kit.store.append("a", [NewRecord(b"x", ((b"_s", b"near but allowed"),))])


@pytest.mark.parametrize("token", ["", "x", "é" * 18, "x" * 36])
async def test_N5_a_token_has_at_most_36_bytes(kit: Kit, token: str) -> None:
    await kit.store.append("a", [Fence(token)])
    assert await kit.store.fencing_token("a") == token


@pytest.mark.parametrize("token", ["x" * 37, "é" * 19, "!"])
async def test_N5_other_tokens_are_refused(kit: Kit, token: str) -> None:
    with pytest.raises(InvalidRequest):
        await kit.store.append("a", [Fence(token)])
    with pytest.raises(InvalidRequest):
        await kit.store.append("a", data(b"x"), fencing_token=token)
    assert (await kit.store.list()).items == ()


async def test_N5_a_trim_point_is_a_signed_64_bit_number_not_below_zero(kit: Kit) -> None:
    await kit.put("a", b"x")
    for bad in (-1, 1 << 63):
        with pytest.raises(InvalidRequest):
            await kit.store.trim("a", bad)
        with pytest.raises(InvalidRequest):
            await kit.store.append("a", [Trim(bad)])
    await kit.store.trim("a", (1 << 63) - 1)


async def test_N6_a_name_used_again_after_delete_starts_at_zero_with_nothing_of_the_old(kit: Kit) -> None:
    await kit.store.append("a", [Fence("old"), *data(b"1", b"2")])
    await kit.store.delete("a")
    ack = await kit.put("a", b"new")
    assert (ack.start.seq, ack.end.seq) == (0, 1)
    assert await kit.bodies("a") == [b"new"]
    assert await kit.store.fencing_token("a") == ""
