"""Names and records: N1 to N6."""

from radio.streams.conformance.expectations import expect, expect_equal, raises
from radio.streams.conformance.fixture import Lab, data
from radio.streams.contract import (
    MAX_BATCH_BYTES,
    MAX_NAME_BYTES,
    Fence,
    FromSeq,
    InvalidRequest,
    NewRecord,
    Trim,
)

BAD_NAMES = ("", "/", "a/", "/a", "a//b", ".", "..", "a/.", "a/../b", "ü", "a b", "a\n", "a/b\n", "a%b")
GOOD_NAMES = ("a", "pub/stations/harbor", "...", ".a", "a/..b", "A-Z.a_z~0@9-")


async def N1_a_name_of_allowed_segments_is_taken(lab: Lab) -> None:
    for rest in (*GOOD_NAMES, "a" * (MAX_NAME_BYTES - len(lab.prefix))):
        name = lab.name(rest)
        await lab.put(name, b"x")
        expect_equal(await lab.bodies(name), [b"x"], name)


async def N1_any_other_name_is_refused_by_every_method(lab: Lab) -> None:
    for rest in (*BAD_NAMES, "a" * (MAX_NAME_BYTES + 1 - len(lab.prefix))):
        await _is_refused(lab, lab.name(rest))
    for whole in ("", "/", "/" + lab.name("a")):
        await _is_refused(lab, whole)
    expect_equal(await lab.names(), [], "streams made under refused names")


async def _is_refused(lab: Lab, name: str) -> None:
    store = lab.store
    with raises(InvalidRequest):
        await lab.put(name, b"x")
    with raises(InvalidRequest):
        await store.read(name, FromSeq(0))
    with raises(InvalidRequest):
        store.follow(name, FromSeq(0))
    for call in (store.check_tail, store.fencing_token, store.delete):
        with raises(InvalidRequest):
            await call(name)
    with raises(InvalidRequest):
        await store.trim(name, 0)


async def N2_bodies_and_headers_come_back_byte_for_byte(lab: Lab) -> None:
    a = lab.name("a")
    headers = ((b"e", b"x"), (b"e", b"x"), (b"\xff\x00", b""), (b"a", bytes(range(256))))
    records = [NewRecord(b"", headers), NewRecord(bytes(range(256)) * 100), NewRecord(b"")]
    await lab.store.append(a, records)
    stored = await lab.everything(a)
    expect_equal([(r.headers, r.body) for r in stored], [(r.headers, r.body) for r in records])


async def N2_an_empty_header_name_is_refused(lab: Lab) -> None:
    with raises(InvalidRequest):
        await lab.store.append(lab.name("a"), [NewRecord(b"x", ((b"", b"fence"),))])
    expect_equal(await lab.names(), [])


async def N3_an_append_of_the_largest_size_is_taken(lab: Lab) -> None:
    a = lab.name("a")
    ack = await lab.put(a, bytes(MAX_BATCH_BYTES - 8))
    expect_equal(ack.end.seq, 1)
    expect_equal(len((await lab.everything(a))[0].body), MAX_BATCH_BYTES - 8)


async def N3_one_byte_more_is_refused_and_nothing_written(lab: Lab) -> None:
    a = lab.name("a")
    with raises(InvalidRequest):
        await lab.put(a, bytes(MAX_BATCH_BYTES - 7))
    with raises(InvalidRequest):
        await lab.put(a, bytes(500_000), bytes(600_000))
    expect_equal(await lab.names(), [])
    expect_equal((await lab.put(a, b"still usable")).start.seq, 0)


async def N3_an_append_holds_one_to_a_thousand_records(lab: Lab) -> None:
    a = lab.name("a")
    with raises(InvalidRequest):
        await lab.store.append(a, [])
    with raises(InvalidRequest):
        await lab.store.append(a, data(*[b""] * 1001))
    expect_equal((await lab.store.append(a, data(*[b""] * 1000))).end.seq, 1000)


async def N4_reserved_header_names_are_refused_and_never_shown(lab: Lab) -> None:
    a = lab.name("a")
    for name in (b"_s.", b"_s.b", b"_s.anything"):
        with raises(InvalidRequest):
            await lab.store.append(a, [NewRecord(b"x", ((b"e", b"fine"), (name, b"")))])
    near = ((b"_s", b"near but allowed"),)
    await lab.store.append(a, [NewRecord(b"x", near)], match_seq_num=0)
    expect_equal([r.headers for r in await lab.everything(a)], [near])


async def N5_a_token_has_at_most_36_bytes(lab: Lab) -> None:
    a = lab.name("a")
    for token in ("x", "é" * 18, "x" * 36, ""):
        await lab.store.append(a, [Fence(token)])
        expect_equal(await lab.store.fencing_token(a), token)


async def N5_other_tokens_are_refused(lab: Lab) -> None:
    a = lab.name("a")
    for token in ("x" * 37, "é" * 19, "!"):
        with raises(InvalidRequest):
            await lab.store.append(a, [Fence(token)])
        with raises(InvalidRequest):
            await lab.store.append(a, data(b"x"), fencing_token=token)
    expect_equal(await lab.names(), [])


async def N5_a_trim_point_is_a_signed_64_bit_number_not_below_zero(lab: Lab) -> None:
    a = lab.name("a")
    await lab.put(a, b"x")
    for bad in (-1, 1 << 63):
        with raises(InvalidRequest):
            await lab.store.trim(a, bad)
        with raises(InvalidRequest):
            await lab.store.append(a, [Trim(bad)])
    await lab.store.trim(a, (1 << 63) - 1)


async def N6_a_name_used_again_after_delete_starts_at_zero_with_nothing_of_the_old(lab: Lab) -> None:
    a = lab.name("a")
    await lab.store.append(a, [Fence("old"), *data(b"1", b"2")])
    expect(await lab.store.delete(a), "delete says that the stream did not exist")
    ack = await lab.put_anew(a, b"new")
    expect_equal((ack.start.seq, ack.end.seq), (0, 1))
    expect_equal(await lab.bodies(a), [b"new"])
    expect_equal(await lab.store.fencing_token(a), "")
